#include "cli/program.h"

#include <algorithm>

#include <perslay/io/diagram_file.h>

namespace perslay::test {
namespace {

using diagram::DiagramSet;
using diagram::Kind;

std::string write_shapes(const TemporaryFolder& folder) {
  const auto path = (folder / "shapes").string();
  EXPECT_EQ(run({"shapes", "--per-class", "10", "-o", path}).exit_code, 0);
  return path;
}

std::vector<diagram::Point> points_of(const DiagramSet& set, Kind kind, std::size_t item) {
  for (const auto& group : set.groups)
    if (group.kind == kind) return {group.diagrams[item].begin(), group.diagrams[item].end()};
  ADD_FAILURE() << "There is no group " << diagram::kind_name(kind);
  return {};
}

TEST(Diagrams, OfGraphsThatCanBeDrawn) {
  const TemporaryFolder folder;
  const auto output = (folder / "d.h5").string();
  ASSERT_EQ(run({"diagrams", write_small_dataset(folder), "--filtration", "degree", "-o", output}).exit_code,
            0);
  const auto set = io::read_diagrams(output);
  ASSERT_EQ(set.item_count(), 3U);
  EXPECT_EQ(set.labels, (std::vector<int>{1, 0, 1}));
  EXPECT_EQ(set.classes, (std::vector<std::string>{"-2", "5"}));
  using Points = std::vector<diagram::Point>;
  // The triangle with a tail has degrees 2, 2, 3, 1: the tail starts at 1, the triangle at 2, and they meet
  // at 3.
  EXPECT_EQ(points_of(set, Kind::ord0, 0), (Points{{2, 3}}));
  EXPECT_EQ(points_of(set, Kind::ext0, 0), (Points{{1, 3}}));
  EXPECT_EQ(points_of(set, Kind::ext1, 0), (Points{{3, 2}}));
  EXPECT_EQ(points_of(set, Kind::rel1, 0), Points{});
  // The path has degrees 1, 2, 1.
  EXPECT_EQ(points_of(set, Kind::ord0, 1), (Points{{1, 2}}));
  EXPECT_EQ(points_of(set, Kind::ext0, 1), (Points{{1, 2}}));
  // Two isolated vertices.
  EXPECT_EQ(points_of(set, Kind::ext0, 2), (Points{{0, 0}, {0, 0}}));
}

TEST(Diagrams, RangesOfTimesStandForSeveral) {
  const TemporaryFolder folder;
  const auto data = write_small_dataset(folder), file = (folder / "d.h5").string();
  const auto groups = [&](const std::string& filtration) {
    return run_json({"diagrams", data, "--filtration", filtration, "--kinds", "ext0", "-o", file})["groups"]
        .size();
  };
  EXPECT_EQ(groups("degree,hks:0.1..10x3"), 4U);
  EXPECT_EQ(groups("hks:1..1.001x3"), 3U);
  const auto range = (folder / "range.npy").string(), listed = (folder / "listed.npy").string();
  (void)groups("hks:0.1..10x4");
  for (const auto& [filtration, output] :
       {std::pair("hks:0.1..10x4", range), std::pair("hks:0.1,hks:0.464,hks:2.15,hks:10", listed)})
    ASSERT_EQ(run({"vectorize", file, "--filtration", filtration, "--as", "betti:5", "-o", output}).exit_code,
              0);
  EXPECT_EQ(read_bytes(range), read_bytes(listed));
  expect_mistake({"diagrams", data, "--filtration", "hks:0.1..10"}, "such as hks:0.1..10x3, not '0.1..10'.");
  expect_mistake({"diagrams", data, "--filtration", "hks:1..1.0000000000000002x9"},
                 "The ends are too near each other for 9 different times.");
}

TEST(Diagrams, Hdf5AndCsvHoldTheSamePoints) {
  const TemporaryFolder folder;
  const auto dataset = write_shapes(folder);
  const std::vector<std::string> request{"diagrams",      dataset,    "--filtration",
                                         "hks:10,degree", "--cycles", "-o"};
  for (const std::string name : {"d.h5", "d.csv"}) {
    auto arguments = request;
    arguments.push_back((folder / name).string());
    EXPECT_EQ(run(arguments).exit_code, 0);
  }
  const auto full = io::read_diagrams(folder / "d.h5");
  const auto csv = io::read_diagrams(folder / "d.csv");
  ASSERT_EQ(full.groups.size(), 8U);
  std::size_t compared = 0;
  for (const auto& group : full.groups) {
    const auto same = std::ranges::find_if(csv.groups, [&](const auto& other) {
      return other.kind == group.kind && other.filtration == group.filtration;
    });
    if (same == csv.groups.end()) {
      EXPECT_TRUE(group.diagrams.points().empty());
      continue;
    }
    EXPECT_TRUE(std::ranges::equal(group.diagrams.points(), same->diagrams.points()));
    EXPECT_TRUE(std::ranges::equal(group.diagrams.offsets(), same->diagrams.offsets()));
    EXPECT_EQ(group.cycles.vertices, same->cycles.vertices);
    EXPECT_EQ(group.cycles.size(), group.kind == Kind::ext1 ? group.diagrams.points().size() : 0);
    compared += group.diagrams.points().size();
  }
  EXPECT_GT(compared, 1000U);
}

TEST(Diagrams, BytesDoNotDependOnThreads) {
  const TemporaryFolder folder;
  const auto dataset = write_shapes(folder);
  for (const std::string ending : {".h5", ".csv"}) {
    for (const std::string threads : {"1", "2"})
      EXPECT_EQ(run({"diagrams", dataset, "--filtration", "hks:0.1,hks:10,closeness", "--cycles", "--threads",
                     threads, "-o", (folder / (threads + ending)).string()})
                    .exit_code,
                0);
    const auto one = read_bytes(folder / ("1" + ending));
    EXPECT_FALSE(one.empty());
    EXPECT_EQ(one, read_bytes(folder / ("2" + ending))) << ending;
  }
}

TEST(Diagrams, JsonSaysWhatWasDone) {
  const TemporaryFolder folder;
  const auto dataset = write_small_dataset(folder);
  const auto output = (folder / "d.h5").string();
  const auto json = run_json({"diagrams", dataset, "--filtration", "degree", "--threads", "2", "-o", output});
  EXPECT_EQ(json["items"], 3);
  EXPECT_EQ(json["threads"], 2);
  EXPECT_EQ(json["output"], output);
  for (const std::string part : {"reading", "filtration", "persistence", "writing", "total"})
    EXPECT_GE(json["seconds"][part], 0) << part;
  // beta0 is 1 + 1 + 2, beta1 is 1.
  for (const auto& [kind, points] : {std::pair{"ext0", 4}, {"ext1", 1}}) {
    const auto group =
        std::ranges::find_if(json["groups"], [&](const auto& entry) { return entry["kind"] == kind; });
    ASSERT_NE(group, json["groups"].end());
    EXPECT_EQ((*group)["points"], points);
    EXPECT_EQ((*group)["filtration"], "degree");
  }
  const auto& by_class = json["groups"].at(2)["by_class"];
  EXPECT_EQ(by_class.at(0)["class"], "-2");
  EXPECT_EQ(by_class.at(1)["items"], 2);
  EXPECT_DOUBLE_EQ(by_class.at(1)["points_per_item"], 1.5);
}

TEST(Diagrams, WithoutOutputOnlyTheSummaryIsPrinted) {
  const TemporaryFolder folder;
  const auto result = run({"diagrams", write_small_dataset(folder)});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.err.find("hks:10 is taken"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("; 1 self loop dropped."), std::string::npos) << result.err;
  EXPECT_NE(result.out.find("hks:10      ext0  -2"), std::string::npos) << result.out;
  EXPECT_EQ(folder.entries(), 1);
  EXPECT_EQ(run({"diagrams", (folder / "small").string(), "--quiet"}).err, "");
}

TEST(Diagrams, NamesMayRepeatAndBeListed) {
  const TemporaryFolder folder;
  const auto dataset = write_small_dataset(folder);
  const auto json = run_json({"diagrams", dataset, "--filtration", "degree,hks:10", "--filtration",
                              "hks:10.0", "--kinds", "ext1,ord0", "--kinds", "ext1"});
  ASSERT_EQ(json["groups"].size(), 4U);
  EXPECT_EQ(json["groups"].at(0)["filtration"], "degree");
  EXPECT_EQ(json["groups"].at(0)["kind"], "ext1");
  EXPECT_EQ(json["groups"].at(1)["kind"], "ord0");
  EXPECT_EQ(json["groups"].at(2)["filtration"], "hks:10");
}

TEST(Diagrams, ValuesComeFromAFileWhoseNameHasACommaAndASlash) {
  const TemporaryFolder folder;
  const auto dataset = write_small_dataset(folder);
  write_bytes(folder / "a,b.txt", "0\n1\n2\n3\n4\n5\n6\n7\n8\n");
  const auto name = "file:" + (folder / "a,b.txt").string();
  const auto output = (folder / "d.h5").string();
  ASSERT_EQ(
      run({"diagrams", dataset, "--filtration", "degree," + name, "--kinds", "ext0", "-o", output}).exit_code,
      0);
  const auto set = io::read_diagrams(output);
  ASSERT_EQ(set.groups.size(), 2U);
  EXPECT_EQ(set.groups[1].filtration, name);
  EXPECT_EQ(points_of({{set.groups[1]}, {}, {}}, Kind::ext0, 1), (std::vector<diagram::Point>{{4, 6}}));
}

TEST(Diagrams, OrdinaryKindsFollowThePolicy) {
  const TemporaryFolder folder;
  const auto dataset = write_small_dataset(folder);
  const auto points = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments{"diagrams", dataset, "--filtration", "degree", "--ordinary"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    std::vector<std::size_t> counts;
    const auto json = run_json(arguments);
    for (const auto& group : json["groups"]) counts.push_back(group["points"]);
    return counts;
  };
  // sub0: two branches that merge, four components; sup0: the same components and no branch; sub1: one loop.
  EXPECT_EQ(points({}), (std::vector<std::size_t>{2, 0, 0}));
  EXPECT_EQ(points({"--essential", "drop"}), (std::vector<std::size_t>{2, 0, 0}));
  // With clip the two isolated vertices die where they are born, on the diagonal, and so does the loop, which
  // closes at the maximum.
  EXPECT_EQ(points({"--essential", "clip", "--keep-diagonal"}).back(), 1U);
  EXPECT_EQ(points({"--essential", "clip:10"}), (std::vector<std::size_t>{6, 4, 1}));
}

TEST(Diagrams, ContradictionsAreMistakes) {
  const TemporaryFolder folder;
  const auto dataset = write_small_dataset(folder);
  expect_mistake({"diagrams", dataset, "--kinds", "ord0", "--cycles"}, "the kind ext1 is not asked for");
  expect_mistake({"diagrams", dataset, "--ordinary", "--cycles"}, "the kind ext1 is not asked for");
  expect_mistake({"diagrams", dataset, "--ordinary", "--kinds", "ord0"}, "give one of the two");
  expect_mistake({"diagrams", dataset, "--essential", "clip"}, "none of them is asked for");
  expect_mistake({"diagrams", dataset, "--ordinary", "--essential", "keep"}, "not 'keep'");
  expect_mistake({"diagrams", dataset, "--ordinary", "--essential", "clip:inf"}, "not 'inf'");
  expect_mistake({"diagrams", dataset, "--kinds", "h0"}, "belongs to point clouds");
  expect_mistake({"diagrams", dataset, "--kinds", "ord0,,ext1"}, "There is no kind of diagram called ''");
  expect_mistake({"diagrams", dataset, "--filtration", "hsk:10"}, "There is no filtration called 'hsk:10'");
  expect_mistake({"diagrams", dataset, "--filtration", "hks:-1"}, "-1");
  expect_mistake({"diagrams", dataset, "--filtration", ""}, "--filtration needs a value, not ''");
}

TEST(Diagrams, BadPlacesAreFoundBeforeTheWork) {
  const TemporaryFolder folder;
  // The dataset does not exist either: the place of the output is looked at first.
  const auto missing = (folder / "missing").string();
  expect_mistake({"diagrams", missing, "-o", (folder / "d.txt").string()}, "ends in .h5, .hdf5 or .csv");
  expect_mistake({"diagrams", missing, "-o", (folder / "no/d.h5").string()}, "no does not exist");
  std::filesystem::create_directory(folder / "d.h5");
  expect_mistake({"diagrams", missing, "-o", (folder / "d.h5").string()}, "There is a folder of this name");
  expect_mistake({"diagrams", missing}, "missing");
  expect_mistake({"diagrams", (folder / "d.csv").string()}, "d.csv");
}

}  // namespace
}  // namespace perslay::test
