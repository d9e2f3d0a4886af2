#include "cli/program.h"

#include <algorithm>
#include <cmath>

#include <perslay/io/diagram_file.h>

namespace perslay::test {
namespace {

/// A folder with the corners of a square of side 2 (class b) and a segment of length 6 (class a).
std::string write_clouds(const TemporaryFolder& folder) {
  const auto path = folder / "clouds";
  std::filesystem::create_directory(path);
  write_bytes(path / "square.csv", "x,y\n0,0\n2,0\n2,2\n0,2\n");
  write_bytes(path / "segment.csv", "0 0\n0 6\n");
  write_bytes(path / "labels.csv", "file,label\nsquare.csv,b\nsegment.csv,a\n");
  return path.string();
}

const nlohmann::json& group(const nlohmann::json& json, const std::string& kind) {
  return *std::ranges::find_if(json["groups"], [&](const auto& entry) { return entry["kind"] == kind; });
}

TEST(Clouds, AFolderOfPointsNeedsNoOption) {
  const TemporaryFolder folder;
  const auto clouds = write_clouds(folder);
  const auto output = (folder / "d.h5").string();
  const auto result = run({"diagrams", clouds, "-o", output});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("No --filtration is given; alpha is taken."), std::string::npos) << result.err;
  const auto set = io::read_diagrams(output);
  EXPECT_EQ(set.labels, (std::vector<int>{1, 0}));
  EXPECT_EQ(set.classes, (std::vector<std::string>{"a", "b"}));
  ASSERT_EQ(set.groups.size(), 2U);
  using Points = std::vector<diagram::Point>;
  EXPECT_TRUE(std::ranges::equal(set.groups[0].diagrams[0], Points{{0, 1}, {0, 1}, {0, 1}}));
  EXPECT_TRUE(std::ranges::equal(set.groups[0].diagrams[1], Points{{0, 9}}));
  EXPECT_TRUE(std::ranges::equal(set.groups[1].diagrams[0], Points{{1, 2}}));
}

TEST(Clouds, ALoneTextFileIsACloudIfAlphaIsAskedFor) {
  const TemporaryFolder folder;
  write_bytes(folder / "p.txt", "0 0\n0 6\n0 6\n");
  const auto path = (folder / "p.txt").string();
  const auto result = run({"diagrams", path, "--filtration", "alpha", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("1 points equal to another of their cloud merged."), std::string::npos)
      << result.err;
  EXPECT_EQ(group(nlohmann::json::parse(result.out), "h0")["points"], 1);
  // Otherwise it is an edge list.
  EXPECT_EQ(run_json({"diagrams", path, "--filtration", "degree", "--quiet"})["groups"].at(0)["filtration"],
            "degree");
}

TEST(Clouds, SeveralFiltrationsKindsAndTransforms) {
  const TemporaryFolder folder;
  const auto clouds = write_clouds(folder);
  const auto json =
      run_json({"diagrams", clouds, "--filtration", "alpha,alpha:radii,alpha", "--kinds", "h1"});
  ASSERT_EQ(json["groups"].size(), 2U);
  EXPECT_EQ(json["groups"].at(0)["filtration"], "alpha");
  EXPECT_EQ(json["groups"].at(1)["filtration"], "alpha:radii");
  EXPECT_DOUBLE_EQ(json["groups"].at(1)["deaths"].at(0), std::sqrt(2.0));

  const auto changed = run_json({"diagrams", clouds, "--transform", "sqrt,scale", "--transform", "prom:1"});
  const auto& h0 = group(changed, "h0");
  EXPECT_EQ(h0["points"], 2);
  EXPECT_EQ(h0["deaths"], nlohmann::json::parse("[0.3333333333333333,1.0]"));
  ASSERT_EQ(h0["transforms"].size(), 3U);
  EXPECT_EQ(h0["transforms"].at(1)["name"], "scale");
  EXPECT_DOUBLE_EQ(h0["transforms"].at(1)["max"], 3);
  EXPECT_NE(run({"diagrams", clouds, "--transform", "scale"})
                .err.find("scale is fitted on all 2 items of alpha h0: from 0 .. 9"),
            std::string::npos);
}

TEST(Clouds, TransformsApplyToGraphsToo) {
  const TemporaryFolder folder;
  const auto dataset = write_small_dataset(folder);
  const auto json = run_json({"diagrams", dataset, "--filtration", "degree", "--kinds", "ext1", "--transform",
                              "reorder,birth-persistence"});
  // The triangle's loop is the point (3, 2).
  EXPECT_EQ(json["groups"].at(0)["births"], nlohmann::json::parse("[2.0,2.0]"));
  EXPECT_EQ(json["groups"].at(0)["deaths"], nlohmann::json::parse("[1.0,1.0]"));
}

TEST(Clouds, InfoCountsThem) {
  const TemporaryFolder folder;
  const auto clouds = write_clouds(folder);
  const auto json = run_json({"info", clouds});
  EXPECT_EQ(json["name"], "clouds");
  EXPECT_EQ(json["clouds"], 2);
  EXPECT_EQ(json["classes"], 2);
  EXPECT_EQ(json["class_sizes"], nlohmann::json::parse(R"([{"name":"a","size":1},{"name":"b","size":1}])"));
  EXPECT_EQ(json["points"], 6);
  EXPECT_DOUBLE_EQ(json["avg_points"], 3);
  EXPECT_EQ(json["smallest_cloud"], 2);
  EXPECT_EQ(json["largest_cloud"], 4);
  EXPECT_EQ(json["x"], nlohmann::json::parse("[0.0,2.0]"));
  EXPECT_EQ(json["y"], nlohmann::json::parse("[0.0,6.0]"));
  const auto text = run({"info", clouds}).out;
  EXPECT_NE(text.find("points per cloud  2 to 4, 3.000 on average\n"), std::string::npos) << text;
  EXPECT_NE(text.find("classes           2 (a: 1, b: 1)\n"), std::string::npos) << text;
  EXPECT_EQ(run_json({"info", clouds + "/square.csv", "--as", "clouds"})["points"], 4);
}

TEST(Clouds, ContradictionsAreMistakes) {
  const TemporaryFolder folder;
  const auto clouds = write_clouds(folder);
  const auto graphs = write_small_dataset(folder);
  expect_mistake({"diagrams", graphs, "--filtration", "alpha"}, "alpha is a filtration of point clouds, but");
  expect_mistake({"diagrams", clouds, "--filtration", "hks:10"}, "hks:10 is a filtration of graphs, but");
  expect_mistake({"diagrams", graphs, "--filtration", "degree,alpha"}, "ask for one of the two");
  expect_mistake({"diagrams", clouds, "--filtration", "alpha:2"}, "not with ':2'");
  expect_mistake({"diagrams", clouds, "--kinds", "h0,ext1"}, "The kind ext1 belongs to graphs");
  for (const std::string option : {"--ordinary", "--keep-diagonal", "--cycles", "--one-based"})
    expect_mistake({"diagrams", clouds, option}, option + " is about graphs");
  for (const std::string policy : {"clip", "clip:0", "clip:-1", "clip:x", "keep"})
    expect_mistake({"diagrams", clouds, "--essential", policy}, "essential takes drop or clip:VALUE");
  expect_mistake({"diagrams", graphs, "--cycles", "--transform", "reorder"}, "does not go with --transform");
  expect_mistake({"diagrams", clouds, "--transform", "prom:few"}, "prom needs a number of points");
  expect_mistake({"diagrams", clouds, "--transform", "sqrt,"}, "There is no transform called ''");
  expect_mistake({"diagrams", graphs, "--filtration", "degree", "--transform", "clip:-2:-1,sqrt", "--quiet"},
                 "The square root of a coordinate -");
}

TEST(Clouds, WhatDataIsReadAsCanBeSaid) {
  const TemporaryFolder folder;
  write_bytes(folder / "numbers.csv", "0 0\n1 1\n2 0\n0 2\n");
  const auto path = (folder / "numbers.csv").string();
  EXPECT_EQ(run_json({"info", path, "--as", "clouds"})["clouds"], 1);
  EXPECT_EQ(run_json({"info", path, "--as", "graphs"})["graphs"], 1);
  const auto filtration_of = [&](const char* kind) {
    return run_json({"diagrams", path, "--as", kind, "--quiet"})["groups"].at(0)["filtration"];
  };
  EXPECT_EQ(filtration_of("clouds"), "alpha");
  EXPECT_EQ(filtration_of("graphs"), "hks:10");
  expect_mistake({"diagrams", path, "--as", "clouds", "--cycles"}, "--cycles is about graphs");
  expect_mistake({"diagrams", path, "--as", "clouds", "--filtration", "degree"},
                 "There is no filtration of point clouds called 'degree'");
  expect_mistake({"info", path, "--as", "points"}, "There is no kind of data called 'points'");
  expect_mistake({"info", path, "--as", "diagrams"}, "numbers.csv");
  for (const std::string command : {"train", "evaluate", "predict"})
    EXPECT_NE(run({command, "--help"}).out.find("--as diagrams|graphs|clouds"), std::string::npos) << command;
}

TEST(Clouds, StoredDiagramsCanBeTakenAsTheyAre) {
  const TemporaryFolder folder;
  const auto output = (folder / "d.h5").string(), text = (folder / "d.csv").string();
  ASSERT_EQ(run({"diagrams", write_clouds(folder), "-o", output}).exit_code, 0);
  const auto json = run_json({"diagrams", output, "--as", "diagrams", "--kinds", "h1", "-o", text});
  ASSERT_EQ(json["groups"].size(), 1U);
  EXPECT_EQ(json["groups"].at(0)["kind"], "h1");
  expect_mistake({"diagrams", output, "--as", "diagrams", "--kinds", "ext1"},
                 "There are no such diagrams; there are alpha h0, alpha h1.");
  expect_mistake({"diagrams", output, "--as", "diagrams", "--essential", "clip"},
                 "--essential is about computing diagrams, but those of");
}

TEST(Clouds, BadFilesAreMistakes) {
  const TemporaryFolder folder;
  write_bytes(folder / "p.csv", "1,2,3\n");
  const auto path = (folder / "p.csv").string();
  expect_mistake({"diagrams", path, "--filtration", "alpha"},
                 "p.csv:1: The row has 3 numbers; only points in the plane");
  expect_mistake({"info", path, "--as", "clouds"}, "p.csv:1: The row has 3 numbers");
  write_bytes(folder / "p.npy", "1,2\n");
  expect_mistake({"diagrams", (folder / "p.npy").string(), "--quiet"}, "p.npy: This is not an .npy file");
  expect_mistake({"info", (folder / "p.npy").string()}, "p.npy: This is not an .npy file");
  expect_mistake({"diagrams", (folder / "missing.npy").string(), "--quiet"}, "missing.npy does not exist");
  expect_mistake({"diagrams", (folder / "missing.csv").string(), "--filtration", "alpha"},
                 "missing.csv does not exist");
}

TEST(Clouds, ADiagramFileWithoutCloudsIsNoSource) {
  const TemporaryFolder folder;
  const auto output = (folder / "d.h5").string();
  ASSERT_EQ(run({"diagrams", write_clouds(folder), "-o", output}).exit_code, 0);
  for (const std::string filtration : {"alpha", "degree"})
    expect_mistake({"diagrams", output, "--filtration", filtration},
                   "holds diagrams, but nothing that others could be computed from");
}

TEST(Clouds, TheComponentThatNeverDiesCanBeLetDie) {
  const TemporaryFolder folder;
  write_bytes(folder / "two.csv", "0,0\n2,0\n");
  const auto path = (folder / "two.csv").string();
  const auto points = [&](const std::string& policy) {
    return run_json(
               {"diagrams", path, "--filtration", "alpha", "--kinds", "h0", "--essential", policy})["groups"]
        .at(0)["points"];
  };
  EXPECT_EQ(points("drop"), 1);
  EXPECT_EQ(points("clip:9"), 2);
}

}  // namespace
}  // namespace perslay::test
