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
  for (const auto* channel :
       {"\"Im(4,(),5)\"", "\"Im(4,(2,2),5)\"", R"({ phi = "gaussian:4x4", weight = "grid:5x5", op = "sum" })",
        R"({ phi = "gaussian:4x4", weight = "gmix:3", op = "sum" })"}) {
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

TEST_F(ReportCommand, SaysWhatIsNotFinishedAndNotOfOneKind) {
  std::filesystem::create_directory(path("all"));
  evaluate("all/one");
  evaluate("all/two");
  std::filesystem::remove(path("all/two/results.json"));
  const auto result = run({"report", path("all"), "-o", path("r.html")});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err,
            "perslay: The evaluation in " + path("all/two") + " is not finished and not shown.\n");
  // A model of something else.
  ASSERT_EQ(run({"orbits", "--per-class", "4", "-o", path("o.h5")}).exit_code, 0);
  const auto orbits = run({"train", path("o.h5"), "--set", "training.epochs=1", "--no-cache", "-o",
                           path("all/one/models/end.safetensors")});
  ASSERT_EQ(orbits.exit_code, 0) << orbits.err;
  expect_mistake(
      {"report", path("all/one"), "-o", path("r.html")},
      "end.safetensors: The classes are not those of the evaluation (5 instead of 3, or other names).");
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

/// What a loop of links stands for cannot be found out.
TEST_F(ReportCommand, LoopsOfLinksAreMistakes) {
  namespace fs = std::filesystem;
  evaluate("results");
  fs::create_symlink(path("loop"), path("back"));
  fs::create_symlink(path("back"), path("loop"));
  expect_mistake({"report", path("loop"), "-o", path("r.html")}, "loop cannot be read: ");
  for (const std::string name :
       {"evaluation.json", "results.json", "settings.toml", "sample.h5", "models", "folds"}) {
    const fs::path place = path("results/" + name), aside = path("aside");
    fs::rename(place, aside);
    fs::create_symlink(path("loop"), place);
    expect_mistake({"report", path("results"), "-o", path("r.html")}, place.string());
    expect_mistake({"evaluate", data_, "--set", "training.epochs=3", "--folds", "3", "--no-cache", "--quiet",
                    "-o", path("results")},
                   place.string());
    fs::remove(place);
    fs::rename(aside, place);
  }
  EXPECT_EQ(run({"report", path("results"), "-o", path("r.html")}).exit_code, 0);
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

TEST(ReportErrors, PagesReplaceNoData) {
  const TemporaryFolder folder;
  const auto data = (folder / "shapes").string();
  ASSERT_EQ(run({"shapes", "--per-class", "4", "-o", data}).exit_code, 0);
  const auto results = (folder / "results").string();
  const auto evaluated =
      run({"evaluate", data, "--model", "ridge:diagrams-only", "--folds", "2", "--no-cache", "-o", results});
  ASSERT_EQ(evaluated.exit_code, 0) << evaluated.err;
  const std::string ending = "A page is written to a file whose name ends in .html or .htm.";
  const auto expect_kept = [&](const std::string& file, const std::vector<std::string>& arguments) {
    const auto before = read_bytes(file);
    expect_mistake(arguments, file + ": " + ending);
    EXPECT_EQ(read_bytes(file), before);
  };
  expect_kept(results + "/results.json", {"report", results, "-o", results + "/results.json"});
  expect_kept(data + "/shapes_A.txt", {"diagrams", data, "--plot", data + "/shapes_A.txt"});
  const auto file = (folder / "new.h5").string();
  expect_mistake({"diagrams", data, "-o", file, "--plot", file}, ending);
  EXPECT_FALSE(std::filesystem::exists(file));
  expect_mistake({"diagrams", data, "--plot", ""}, "--plot needs a value, not ''");
  // A list of edges may be called as it likes.
  const auto edges = (folder / "edges.html").string();
  write_bytes(edges, "a b\nb c\nc a\n");
  expect_mistake({"diagrams", edges, "--plot", (folder / "shapes/../edges.html").string()},
                 "Input and output are the same file.");
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
  EXPECT_NE(html.find("aria-label=\"degree\""), std::string::npos);
  const auto refused = run({"diagrams", data, "--plot", (folder / "no/where.html").string()});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("where.html"), std::string::npos);
}

TEST(DiagramsPlot, DrawsDiagramFilesAsTheyAre) {
  const TemporaryFolder folder;
  const auto data = (folder / "shapes").string();
  ASSERT_EQ(run({"shapes", "--per-class", "3", "-o", data}).exit_code, 0);
  const auto page = (folder / "plot.html").string();
  const auto direct = (folder / "direct.html").string();
  ASSERT_EQ(run({"diagrams", data, "--filtration", "degree", "--kinds", "ext1", "--plot", direct}).exit_code,
            0);
  for (const auto* name : {"shapes.h5", "shapes.csv"}) {
    const auto file = (folder / name).string();
    ASSERT_EQ(run({"diagrams", data, "--filtration", "hks:1,degree", "-o", file}).exit_code, 0);
    const auto json =
        run_json({"diagrams", file, "--filtration", "degree", "--kinds", "ext1", "--plot", page});
    EXPECT_EQ(json["items"], 9);
    EXPECT_EQ(json["groups"].size(), 1U);
    // Text files know neither vertices nor classes.
    const bool same = text_of(page) == text_of(direct);
    EXPECT_EQ(same, std::string(name) == "shapes.h5");
    expect_mistake({"diagrams", file, "--filtration", "hks:2", "--plot", page},
                   "There are no such diagrams; there are hks:1 ord0");
    expect_mistake({"diagrams", file, "--cycles", "--plot", page},
                   "--cycles is about computing diagrams, but those of " + file + " are taken as they are.");
  }
}

}  // namespace
}  // namespace perslay::test
