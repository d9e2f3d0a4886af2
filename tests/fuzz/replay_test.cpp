#include "fuzz/fuzz.h"
#include "fuzz/seeds.h"
#include "fuzz/targets.h"

#include <cstdlib>

#include <gtest/gtest.h>
#include <unistd.h>

#include <perslay/base/random.h>

namespace perslay::test {
namespace {

namespace fs = std::filesystem;

/// Thousands of files are written and waited for: in memory, where that can be had.
[[maybe_unused]] const bool in_memory =
    ::access("/dev/shm", W_OK) == 0 && ::setenv("TMPDIR", "/dev/shm", 0) == 0;

/// Changes a few bytes, cuts the input or doubles a part of it.
std::string mutated(std::string input, base::RandomStream& random) {
  for (auto changes = 1 + random.below(3); changes > 0 && !input.empty(); --changes) {
    const auto place = random.below(input.size());
    switch (random.below(6)) {
      case 0:
        input.resize(place);
        break;
      case 1:
        input.insert(place, input.substr(place, 1 + random.below(16)));
        break;
      case 2:
        input.erase(place, 1 + random.below(4));
        break;
      default:
        input[place] = static_cast<char>(random.below(256));
    }
  }
  return input;
}

class Replay : public testing::TestWithParam<std::string> {
 protected:
  static void run(const std::string& input, const std::string& what) {
    SCOPED_TRACE(what);
    EXPECT_NO_THROW(
        fuzz_targets().at(GetParam())(reinterpret_cast<const std::uint8_t*>(input.data()), input.size()));
  }

  static const std::vector<std::string>& good_inputs() {
    static const Inputs all = seeds();
    return all.at(GetParam());
  }
};

TEST_P(Replay, GoodInputs) {
  for (std::size_t i = 0; i < good_inputs().size(); ++i) run(good_inputs()[i], "seed " + std::to_string(i));
}

TEST_P(Replay, DamagedInputs) {
  constexpr std::uint64_t in_all = 400;
  for (std::uint64_t i = 0; i < in_all; ++i) {
    base::RandomStream random(0, i);
    run(mutated(good_inputs()[i % good_inputs().size()], random), "mutation " + std::to_string(i));
  }
}

/// Inputs that a fuzzer once stopped at, in the folder regressions/TARGET.
TEST_P(Replay, WhatWasFoundBefore) {
  const fs::path folder = fs::path(PERSLAY_FUZZ_REGRESSIONS) / GetParam();
  if (!fs::exists(folder)) return;  // nothing yet
  for (const auto& entry : fs::directory_iterator(folder))
    run(read_bytes(entry.path()), entry.path().string());
}

std::vector<std::string> target_names() {
  std::vector<std::string> names;
  for (const auto& [name, target] : fuzz_targets()) names.push_back(name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Replay, testing::ValuesIn(target_names()),
                         [](const auto& target) { return target.param; });

TEST(FuzzTargets, HaveSeeds) {
  const auto inputs = seeds();
  for (const auto& name : target_names()) EXPECT_TRUE(inputs.contains(name)) << name;
  EXPECT_EQ(inputs.size(), fuzz_targets().size());
}

}  // namespace
}  // namespace perslay::test
