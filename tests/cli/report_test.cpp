#include "cli/learning.h"
#include "cli/program.h"
#include "io/temporary_folder.h"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

namespace perslay::test {
namespace {

std::string text_of(const std::filesystem::path& file) { return read_bytes(file); }

class ReportCommand : public LearningTest {
 protected:
  void evaluate(const std::string& name) {
    const auto result = run(
        {"evaluate", data_, "--set", "training.epochs=3", "--folds", "3", "--no-cache", "-o", path(name)});
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }
};

TEST_F(ReportCommand, TurnsResultsIntoAPage) {
  evaluate("results");
  const auto json = run_json({"report", path("results"), "-o", path("report.html")});
  EXPECT_EQ(json["sections"], 7);
  const auto html = text_of(path("report.html"));
  EXPECT_EQ(html.size(), json["bytes"].get<std::size_t>());
  for (const auto* part :
       {"id=\"learned\"", "hks:10 ext1, before", "hks:10 ext1, after", "id=\"diagrams\"", "epoch 3: "})
    EXPECT_NE(html.find(part), std::string::npos) << part;
}

TEST_F(ReportCommand, ShowsWhatChannelsOfAnyFormLearned) {
  for (const auto* channel : {"\"Im(4,(),5)\"", "\"Im(4,(2,2),5)\"",
                              R"({ phi = "gaussian:4x4", weight = "grid:5x5", op = "sum" })"}) {
    const auto trained =
        run({"train", data_, "--set", "training.epochs=2", "--set", std::string("network.channel=") + channel,
             "--no-cache", "-o", path("m.safetensors")});
    ASSERT_EQ(trained.exit_code, 0) << trained.err;
    const auto json = run_json({"report", path("m.safetensors"), "-o", path("m.html")});
    EXPECT_EQ(json["sections"], 2) << channel;
    const auto html = text_of(path("m.html"));
    for (const auto* part : {"id=\"learned\"", ">hks:10 ext1</h3>", ": weight ", "hks:10 ord0: births",
                             "hks:10 ext1: phi.sharpness"})
      EXPECT_NE(html.find(part), std::string::npos) << channel << " lacks " << part;
  }
}

TEST_F(ReportCommand, ModelsOfTheFirstFoldStartAndEnd) {
  evaluate("results");
  const auto start = text_of(path("results/models/start.safetensors"));
  const auto end = text_of(path("results/models/end.safetensors"));
  EXPECT_NE(start, end);
  // What is kept is a model like any other.
  const auto result = run({"predict", path("results/models/end.safetensors"), data_, "-o", path("p.csv")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  // The weights start at one, as the authors have it.
  EXPECT_EQ(
      run_json({"report", path("results/models/start.safetensors"), "-o", path("start.html")})["sections"],
      2);
  const auto html = text_of(path("start.html"));
  EXPECT_NE(html.find(": weight 1\""), std::string::npos);
}

TEST_F(ReportCommand, ShowsAModel) {
  const auto trained =
      run({"train", data_, "--set", "training.epochs=2", "--no-cache", "-o", path("m.safetensors")});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  const auto result = run({"report", path("m.safetensors"), "-o", path("m.html")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(text_of(path("m.html")).find("phi.sharpness"), std::string::npos);
}

TEST(ReportErrors, AreSentences) {
  const TemporaryFolder folder;
  const auto file = (folder / "x.html").string();
  const auto complaint = [](std::vector<std::string> arguments) {
    const auto result = run(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    return result.err;
  };
  EXPECT_NE(complaint({"report", (folder / "none").string(), "-o", file}).find("does not exist"),
            std::string::npos);
  std::filesystem::create_directory(folder / "empty");
  EXPECT_NE(
      complaint({"report", (folder / "empty").string(), "-o", file}).find("There is no evaluation here"),
      std::string::npos);
  write_bytes(folder / "text.safetensors", "text");
  EXPECT_NE(
      complaint({"report", (folder / "text.safetensors").string(), "-o", file}).find("text.safetensors"),
      std::string::npos);
  EXPECT_NE(complaint({"report", (folder / "empty").string(), "-o", (folder / "no/where.html").string()})
                .find("perslay: "),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(DiagramsPlot, DrawsAnyDataset) {
  const TemporaryFolder folder;
  const auto data = (folder / "shapes").string();
  ASSERT_EQ(run({"shapes", "--per-class", "3", "-o", data}).exit_code, 0);
  const auto page = (folder / "plot.html").string();
  const auto json = run_json({"diagrams", data, "--filtration", "hks:1,degree", "--plot", page});
  EXPECT_EQ(json["plot"], page);
  const auto html = text_of(page);
  EXPECT_NE(html.find("All 9 items"), std::string::npos);
  EXPECT_NE(html.find("data-filtration=\"degree\""), std::string::npos);
  const auto refused = run({"diagrams", data, "--plot", (folder / "no/where.html").string()});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("where.html"), std::string::npos);
}

}  // namespace
}  // namespace perslay::test
