#include "checkpoint.h"

#include "io/temporary_folder.h"
#include "mutations.h"
#include "sentence.h"

#include <string>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace perslay::learn {
namespace {

class CheckpointTest : public testing::Test {
 protected:
  CheckpointTest() { write_checkpoint(file_, state_, "owner"); }

  /// Everything in it; reading nothing is no content.
  auto content_of(const std::string& bytes) const {
    test::write_bytes(file_, bytes);
    const auto read = read_checkpoint(file_, "owner");
    if (!read) throw base::internal_error("The checkpoint was taken for one of another training.");
    std::string history;
    for (const auto& epoch : read->history)
      history += fmt::format("{} {} {} {} {}|", epoch.net, epoch.epoch, epoch.loss, epoch.accuracy,
                             fmt::join(epoch.times, " "));
    return std::tuple(read->net, read->epochs, read->steps, read->arrays, history);
  }

  test::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "m.checkpoint";
  TrainingState state_{1,
                       2,
                       30,
                       4.5,
                       {{"now.a", {2, 2}, {1, -2.5F, 0.1F, 1e-40F}}, {"scales", {1, 2}, {}, {0.1, 0.2}}},
                       {{1, 0, 0.75, 0.5, {10}}, {1, 1, 0.5, 1, {11}}}};
};

TEST_F(CheckpointTest, NoMutationGivesAnotherState) {
  test::expect_mutations_noticed(test::read_bytes(file_), 1,
                                 [this](const std::string& bytes) { return content_of(bytes); });
}

TEST_F(CheckpointTest, ADamagedOneIsNamedAndKept) {
  auto bytes = test::read_bytes(file_);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x40);
  for (const auto& damaged :
       {bytes, bytes.substr(0, bytes.size() / 2), std::string("precious"), std::string()}) {
    test::write_bytes(file_, damaged);
    EXPECT_EQ(test::sentence_of([&] { (void)read_checkpoint(file_, "owner"); }),
              file_.string() +
                  ": This is not the state of a training, or it is damaged; remove it, or start over with "
                  "--fresh (in Python fresh=True).");
    EXPECT_EQ(test::read_bytes(file_), damaged);
  }
}

/// What older programs wrote, they alone can take up.
TEST_F(CheckpointTest, OneWithoutChecksumIsRefused) {
  auto bytes = test::read_bytes(file_);
  bytes.replace(bytes.find("checksum"), 8, "whatever");
  test::write_bytes(file_, bytes);
  EXPECT_NE(
      test::sentence_of([&] { (void)read_checkpoint(file_, "owner"); }).find("has no checksum, as those of"),
      std::string::npos);
}

TEST_F(CheckpointTest, OneOfAnotherTrainingIsNone) {
  EXPECT_FALSE(read_checkpoint(file_, "another").has_value());
  EXPECT_FALSE(read_checkpoint(folder_ / "none", "owner").has_value());
  EXPECT_FALSE(read_checkpoint({}, "owner").has_value());
}

}  // namespace
}  // namespace perslay::learn
