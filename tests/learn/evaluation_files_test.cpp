#include "evaluation_files.h"

#include "io/temporary_folder.h"
#include "mutations.h"
#include "sentence.h"

#include <string>

#include <gtest/gtest.h>
#include <sys/stat.h>

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

/// Somebody else may have made the folder.
TEST_F(EvaluationFilesTest, NothingIsWrittenThroughLinks) {
  static_cast<void>(folder());
  const auto outside = folder_ / "outside";
  std::filesystem::create_directory(outside);
  test::write_bytes(outside / "file", "mine");
  for (const std::string name :
       {"settings.toml", "results.json", "sample.h5", "evaluation.json", "folds", "checkpoints", "models",
        "folds/r2-f3.json", "folds/r9-f9.json", "checkpoints/r1-f1.safetensors", "models/end.safetensors"}) {
    const auto place = folder_ / "e" / name, kept = folder_ / "kept";
    const bool was_there = std::filesystem::exists(place);
    if (was_there) std::filesystem::rename(place, kept);
    std::filesystem::create_directories(place.parent_path());
    std::filesystem::create_symlink(name.find('.') == std::string::npos ? outside : outside / "file", place);
    EXPECT_EQ(test::sentence_of([&] { static_cast<void>(folder()); }),
              place.string() + ": This is a link, and results are not written through links.");
    std::filesystem::remove(place);
    if (was_there) std::filesystem::rename(kept, place);
  }
  EXPECT_EQ(test::read_bytes(outside / "file"), "mine");
  static_cast<void>(folder());
}

/// They have the right checksum, or none, and still are not what was written.
TEST_F(EvaluationFilesTest, DamagedResultsAreNamedAndKept) {
  const auto file = folder_ / "e" / "results.json";
  for (const ordered_json& seconds : {ordered_json(), ordered_json("x"), ordered_json(-1)}) {
    folder().write_results({{"seconds", seconds}});
    const auto damaged = test::read_bytes(file);
    EXPECT_EQ(test::sentence_of([&] { static_cast<void>(folder()); }),
              file.string() +
                  ": This is not what perslay evaluate writes, or it is damaged; remove it, "
                  "and it is written again.");
    EXPECT_EQ(test::read_bytes(file), damaged);
    std::filesystem::remove(file);
  }
  folder().write_results({{"seconds", 2.5}});
  EXPECT_EQ(folder().seconds_of_results(), 2.5);
  auto bytes = test::read_bytes(file);
  test::write_bytes(file, bytes.replace(bytes.find("2.5"), 3, "3.5"));
  EXPECT_NE(test::sentence_of([&] { static_cast<void>(folder()); }).find("results.json: "),
            std::string::npos);
}

TEST_F(EvaluationFilesTest, PipesAreNotWaitedFor) {
  for (const std::string name : {"results.json", "folds/r2-f3.json", "evaluation.json"}) {
    const auto place = folder_ / "e" / name;
    std::filesystem::remove(place);
    ASSERT_EQ(::mkfifo(place.c_str(), 0600), 0);
    EXPECT_EQ(test::sentence_of([&] { static_cast<void>(folder().finished(1, 2, 2)); }),
              place.string() + ": This is not a regular file.");
    std::filesystem::remove(place);
  }
}

}  // namespace
}  // namespace perslay::learn
