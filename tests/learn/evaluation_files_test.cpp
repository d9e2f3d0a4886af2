#include "evaluation_files.h"

#include "io/temporary_folder.h"
#include "mutations.h"
#include "sentence.h"

#include <string>

#include <gtest/gtest.h>

#include <perslay/base/hasher.h>

namespace perslay::learn {
namespace {

using nlohmann::ordered_json;

class EvaluationFilesTest : public testing::Test {
 protected:
  EvaluationFilesTest() {
    result_ = {.repeat = 1,
               .fold = 2,
               .training_items = 27,
               .test_items = 3,
               .accuracy = 2.0 / 3,
               .training_accuracy = 0.75,
               .majority_accuracy = 1.0 / 3,
               .size_accuracy = 0.1,
               .confusion = {1, 0, 1, 1},
               .history = {{0, 0, 0.7, 0.5, {10}}, {0, 1, 0.6, 0.75, {11}}},
               .channel = "Pm(5,5,4,sum)",
               .choice_accuracies = {0.5, 0.625},
               .seconds = {0.25, 1.5, 0.125}};
    folder().finish(result_);
  }

  [[nodiscard]] EvaluationFolder folder() const {
    const ordered_json identity{{"format", 3}, {"version", ""}, {"dataset", ""},  {"protocol", ""},
                                {"seed", 0},   {"variant", ""}, {"settings", ""}, {"data", ""}};
    return {EvaluationOptions{folder_ / "e"}, identity, {}};
  }

  /// All that is known of a fold, as its file says it.
  [[nodiscard]] std::string content_of(const std::string& bytes) const {
    test::write_bytes(file_, bytes);
    const auto evaluation = folder();
    const auto read = evaluation.finished(1, 2, 2);
    if (!read) throw base::internal_error("The fold is not there.");
    evaluation.finish(*read);
    return test::read_bytes(file_);
  }

  test::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "e" / "folds" / "r2-f3.json";
  FoldResult result_;
};

TEST_F(EvaluationFilesTest, NoMutationGivesAnotherFold) {
  test::expect_mutations_noticed(test::read_bytes(file_), 3,
                                 [this](const std::string& bytes) { return content_of(bytes); });
}

TEST_F(EvaluationFilesTest, NoMutationOfTheIdentityIsTakenUp) {
  const auto file = folder_ / "e" / "evaluation.json";
  test::expect_mutations_noticed(test::read_bytes(file), 1, [&](const std::string& bytes) {
    test::write_bytes(file, bytes);
    static_cast<void>(folder());
    return 0;
  });
}

/// As docs/file-formats.md says: of all bytes, the digits themselves taken as zeros.
TEST_F(EvaluationFilesTest, TheChecksumIsThatOfAllBytes) {
  auto bytes = test::read_bytes(file_);
  const auto digits = ordered_json::parse(bytes).at("checksum").get<std::string>();
  ASSERT_EQ(digits.size(), 32U);
  bytes.replace(bytes.find(digits), 32, 32, '0');
  base::Hasher hash;
  EXPECT_EQ(hash.update(std::as_bytes(std::span(bytes))).hexadecimal(), digits);
}

/// Those that chose no channel, and those of earlier versions, say nothing of one.
TEST_F(EvaluationFilesTest, FoldsWithoutAChoice) {
  EXPECT_EQ(folder().finished(1, 2, 2)->channel, "Pm(5,5,4,sum)");
  EXPECT_EQ(folder().finished(1, 2, 2)->choice_accuracies, (std::vector{0.5, 0.625}));
  result_.channel.clear();
  result_.choice_accuracies.clear();
  folder().finish(result_);
  const auto json = ordered_json::parse(test::read_bytes(file_));
  EXPECT_FALSE(json.contains("channel") || json.contains("choice_accuracies"));
  const auto read = folder().finished(1, 2, 2);
  EXPECT_EQ(read->channel, "");
  EXPECT_TRUE(read->choice_accuracies.empty());
  EXPECT_EQ(read->accuracy, result_.accuracy);
  result_.channel = "Pm(5,5,4,sum)";
  result_.choice_accuracies = {0.5, 1.5};
  folder().finish(result_);
  EXPECT_NE(test::sentence_of([&] { (void)folder().finished(1, 2, 2); }), "no error");
}

TEST_F(EvaluationFilesTest, ADamagedFoldIsNamedAndKept) {
  auto bytes = test::read_bytes(file_);
  const auto accuracy = bytes.find("0.75");
  ASSERT_NE(accuracy, std::string::npos);
  for (const auto& damaged : {bytes.replace(accuracy, 4, "0.25"), std::string("{}"), std::string()}) {
    test::write_bytes(file_, damaged);
    EXPECT_EQ(test::sentence_of([&] { static_cast<void>(folder().finished(1, 2, 2)); }),
              file_.string() +
                  ": This is not what perslay evaluate writes, or it is damaged; remove it, and its fold is "
                  "computed again.");
    EXPECT_EQ(test::read_bytes(file_), damaged);
  }
  std::filesystem::remove(file_);
  EXPECT_FALSE(folder().finished(1, 2, 2).has_value());
}

}  // namespace
}  // namespace perslay::learn
