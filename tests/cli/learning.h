#pragma once

#include "cli/program.h"

#include <string>

#include <gtest/gtest.h>

namespace perslay::test {

/// Whether the program was built with libtorch; without it, it says so in a sentence.
inline bool has_network() {
  static const bool found = [] {
    const TemporaryFolder folder;
    const auto data = (folder / "shapes").string();
    EXPECT_EQ(run({"shapes", "--per-class", "2", "-o", data}).exit_code, 0);
    const auto result =
        run({"train", data, "--set", "training.epochs=1", "--no-cache", "-o", (folder / "m").string()});
    return result.err.find("built without libtorch") == std::string::npos;
  }();
  return found;
}

/// A folder with graphs of three classes that are easy to tell apart.
class LearningTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_network()) GTEST_SKIP() << "The program was built without libtorch.";
    ASSERT_EQ(run({"shapes", "--per-class", "10", "-o", data_}).exit_code, 0);
  }

  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }

  TemporaryFolder folder_;
  std::string data_ = path("shapes");
};

}  // namespace perslay::test
