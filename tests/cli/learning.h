#pragma once

#include "cli/program.h"

#include <filesystem>
#include <sstream>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace perslay::test {

/// How far the training has come whose state a checkpoint holds: net and epochs of it; (0, 0) if there is
/// none.
inline std::pair<int, int> training_progress(const std::filesystem::path& checkpoint) {
  std::error_code none;
  if (!std::filesystem::exists(checkpoint, none)) return {0, 0};
  const std::string key = "\"perslay-checkpoint\":\"";
  const auto bytes = read_bytes(checkpoint);
  if (bytes.empty()) return {0, 0};  // it is gone by now
  const auto place = bytes.find(key);
  EXPECT_NE(place, std::string::npos) << checkpoint;
  if (place == std::string::npos) return {0, 0};
  std::istringstream words(bytes.substr(place + key.size(), 1000));
  std::string owner;
  std::pair<int, int> progress;
  EXPECT_TRUE(words >> owner >> progress.first >> progress.second);
  return progress;
}

/// A folder with graphs of three classes that are easy to tell apart.
class LearningTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(run({"shapes", "--per-class", "10", "-o", data_}).exit_code, 0); }

  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }

  TemporaryFolder folder_;
  std::string data_ = path("shapes");
};

}  // namespace perslay::test
