#include "cli/program.h"

#include <sstream>

#include <perslay/diagram/diagram_set.h>
#include <perslay/io/diagram_file.h>

namespace perslay::test {
namespace {

/// Three items: two bars; none; one bar, written as (max, min).
std::string write_diagrams_by_hand(const TemporaryFolder& folder) {
  const auto path = folder / "d.csv";
  write_bytes(path,
              "item,filtration,kind,birth,death\n"
              "0,f,ord0,0,4\n"
              "0,f,ord0,1,3\n"
              "2,f,ord0,4,2\n"
              "2,f,ext1,5,1\n");
  return path.string();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> vectorize_lines(const TemporaryFolder& folder, std::vector<std::string> arguments) {
  const auto output = (folder / "x.csv").string();
  arguments.insert(arguments.begin(), {"vectorize", write_diagrams_by_hand(folder)});
  arguments.insert(arguments.end(), {"-o", output});
  const auto result = run(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  return lines_of(read_bytes(output));
}

TEST(Vectorize, LandscapesByHand) {
  const TemporaryFolder folder;
  EXPECT_EQ(
      vectorize_lines(folder, {"--as", "landscape:2x5", "--kinds", "ord0"}),
      (std::vector<std::string>{
          "item,f/ord0/t0=0/k1,f/ord0/t0=0/k2,f/ord0/t1=1/k1,f/ord0/t1=1/k2,f/ord0/t2=2/k1,f/ord0/t2=2/k2,"
          "f/ord0/t3=3/k1,f/ord0/t3=3/k2,f/ord0/t4=4/k1,f/ord0/t4=4/k2",
          "0,0,0,1,0,2,1,1,0,0,0", "1,0,0,0,0,0,0,0,0,0,0", "2,0,0,0,0,0,0,1,0,0,0"}));
}

TEST(Vectorize, GroupsStandSideBySide) {
  const TemporaryFolder folder;
  EXPECT_EQ(vectorize_lines(folder, {"--as", "betti:3", "--range", "0:6"}),
            (std::vector<std::string>{
                "item,f/ord0/t0=0,f/ord0/t1=3,f/ord0/t2=6,f/ext1/t0=0,f/ext1/t1=3,f/ext1/t2=6",
                "0,1,1,0,0,0,0", "1,0,0,0,0,0,0", "2,0,1,0,0,1,0"}));
}

TEST(Vectorize, LayersAreScaledToTheUnitSquare) {
  const TemporaryFolder folder;
  EXPECT_EQ(
      vectorize_lines(folder, {"--phi", "triangle:5", "--op", "max", "--kind", "ord0"}),
      (std::vector<std::string>{"item,f/ord0/t0=0,f/ord0/t1=0.25,f/ord0/t2=0.5,f/ord0/t3=0.75,f/ord0/t4=1",
                                "0,0,0.25,0.5,0.25,0", "1,0,0,0,0,0", "2,0,0,0,0.25,0"}));
  EXPECT_EQ(vectorize_lines(
                folder, {"--phi", "triangle:3", "--weight", "grid:1x1", "--range", "-4:4", "--kind", "ext1"}),
            (std::vector<std::string>{"item,f/ext1/t0=0,f/ext1/t1=0.5,f/ext1/t2=1", "0,0,0,0", "1,0,0,0",
                                      "2,0,0,0.125"}));
}

TEST(Vectorize, SaysWhatItDid) {
  const TemporaryFolder folder;
  const auto data = write_diagrams_by_hand(folder);
  const auto output = (folder / "x.npy").string();
  const auto json =
      run_json({"vectorize", data, "--as", "image:4", "--seed", "3", "--threads", "2", "-o", output});
  EXPECT_EQ(json["items"], 3);
  EXPECT_EQ(json["columns"], 32);
  EXPECT_EQ(json["method"]["as"], "image:4x4");
  EXPECT_EQ(json["seed"], 3);
  EXPECT_EQ(json["threads"], 2);
  EXPECT_EQ(json["output"], output);
  ASSERT_EQ(json["groups"].size(), 2U);
  EXPECT_EQ(json["groups"][0]["filtration"], "f");
  EXPECT_EQ(json["groups"][0]["kind"], "ord0");
  EXPECT_EQ(json["groups"][0]["columns"], 16);
  EXPECT_EQ(json["groups"][0]["values"], (std::vector<double>{0, 4}));
  EXPECT_EQ(json["groups"][0]["births"], (std::vector<double>{0, 2}));
  EXPECT_EQ(json["groups"][0]["persistences"], (std::vector<double>{0, 4}));
  EXPECT_EQ(json["groups"][1]["values"], (std::vector<double>{1, 5}));
  const auto untrained = run_json({"vectorize", data, "--phi", "line:3", "--weight", "power:1", "--op",
                                   "top-2", "--init", "authors", "-o", output});
  EXPECT_EQ(
      untrained["method"],
      (nlohmann::json{{"phi", "line:3"}, {"weight", "power:1"}, {"op", "topk:2"}, {"init", "authors"}}));
  const auto text = run({"vectorize", data, "--as", "image:4", "-o", output}).out;
  EXPECT_NE(text.find("Written to " + output + ": 3 items, 32 columns."), std::string::npos) << text;
  EXPECT_NE(text.find("f           ext1       16     1   5"), std::string::npos) << text;
}

TEST(Vectorize, KeepsLabels) {
  const TemporaryFolder folder;
  diagram::DiagramSet set;
  set.groups.push_back({"a,b", diagram::Kind::h1, diagram::DiagramBatch({{0, 1}}, {0, 1, 1}), {}});
  set.labels = {1, 0};
  set.classes = {"cat", "dog"};
  const auto data = (folder / "d.h5").string();
  io::write_diagrams(data, set);
  const auto output = (folder / "x.csv").string();
  ASSERT_EQ(run({"vectorize", data, "--as", "betti:1", "-o", output}).exit_code, 0);
  EXPECT_EQ(read_bytes(output), "item,label,\"a,b/h1/t0=0.5\"\n0,dog,1\n1,cat,0\n");
}

TEST(Vectorize, BytesDependOnTheSeedButNotOnThreads) {
  const TemporaryFolder folder;
  const auto data = (folder / "orbits.h5").string();
  ASSERT_EQ(run({"orbits", "--per-class", "10", "--points", "300", "-o", data}).exit_code, 0);
  const auto bytes = [&](std::vector<std::string> method, const std::string& threads,
                         const std::string& seed) {
    const auto output = (folder / "x.npy").string();
    method.insert(method.begin(), {"vectorize", data});
    method.insert(method.end(), {"--threads", threads, "--seed", seed, "-o", output});
    const auto result = run(method);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return read_bytes(output);
  };
  const std::vector<std::vector<std::string>> methods{
      {"--as", "landscape:5x60"},    {"--as", "silhouette:60:power=2"},
      {"--as", "image:20x20"},       {"--as", "hofer:50"},
      {"--as", "projections:10x20"}, {"--as", "betti:60"},
      {"--as", "entropy:60"},        {"--phi", "gaussian:30", "--weight", "gmix:3"}};
  for (const auto& method : methods) {
    const auto one = bytes(method, "1", "0");
    EXPECT_GT(one.size(), 128U) << method[1];
    EXPECT_TRUE(one == bytes(method, "2", "0")) << method[1];
    EXPECT_EQ(one == bytes(method, "2", "1"), method[0] == "--as") << method[1];
  }
}

TEST(Vectorize, HelpListsAllNames) {
  const auto help = run({"vectorize", "--help"}).out;
  for (const std::string name :
       {"landscape:KxN", "silhouette:N", "image:NxM", "hofer:N", "projections:LxK", "betti:N", "entropy:N",
        "gaussian:NxM", "mixture:A+B", "grid:NxM", "gmix:K", "topk:K"})
    EXPECT_NE(help.find("  " + name), std::string::npos) << name;
  EXPECT_NE(help.find("Examples:\n  perslay vectorize"), std::string::npos);
}

TEST(Vectorize, MistakesAreSentences) {
  const TemporaryFolder folder;
  const auto data = write_diagrams_by_hand(folder);
  const auto output = (folder / "x.npy").string();
  const auto mistake = [&](std::vector<std::string> arguments, const std::string& part) {
    arguments.insert(arguments.begin(), {"vectorize", data});
    arguments.insert(arguments.end(), {"-o", output});
    expect_mistake(arguments, part);
  };
  const std::string choose = "A vectorization is chosen by --as";
  mistake({}, choose);
  mistake({"--as", "betti:5", "--phi", "betti:5"}, choose);
  mistake({"--op", "sum"}, choose);
  mistake({"--as", "betti:5", "--range", "-1e308:1e308"}, "too long or too short");
  mistake({"--phi", "line:3", "--weight", "grid:11:low=0:high=1e-310"}, "a grid of 11 x 11 cells");
  expect_mistake({"vectorize", data, "--as", "betti:3", "-o", data}, "the same file");
  mistake({"--as", "betti:5", "--op", "sum"}, "--op goes with --phi; betti:5 has its own.");
  mistake({"--as", "betti:5", "--init", "ours"}, "--init goes with --phi");
  mistake({"--as", "betti:0"}, "betti needs a number of samples such as betti:60, not '0'.");
  mistake({"--as", "gaussian:5x5"}, "There is no vectorization called 'gaussian:5x5'");
  mistake({"--phi", "line"}, "line needs a number of lines");
  mistake({"--phi", "line:3", "--weight", "two"}, "There is no weight called 'two'");
  mistake({"--phi", "line:3", "--op", "topk:0"}, "topk needs a number of places");
  mistake({"--phi", "line:3", "--init", "mine"}, "There is no initialisation called 'mine'");
  mistake({"--phi", "line:1000000", "--op", "topk:1000000"},
          "2 groups of diagrams with 1000000000000 numbers each are more than 10000000 columns.");
  for (const std::string range : {"1", "1:1", "2:1", "a:b", ":", "0:inf"})
    mistake({"--as", "betti:5", "--range", range},
            "--range needs two numbers, the lower first, such as --range 0:1, not '");
  mistake({"--as", "betti:5", "--kind", "h1"},
          "d.csv: There are no diagrams of the kind 'h1'; there are f ord0, f ext1.");
  mistake({"--as", "betti:5", "--filtration", "g"}, "There are no diagrams of the filtration 'g'");
  expect_mistake({"vectorize", data, "--as", "betti:5"}, "--output is required");
  expect_mistake({"vectorize", data, "--as", "betti:5", "-o", "x.h5"},
                 "x.h5: The name of a matrix file ends in .npy or .csv.");
  expect_mistake({"vectorize", data, "--as", "betti:5", "-o", (folder / "no/x.npy").string()},
                 "no does not exist");
  EXPECT_EQ(folder.entries(), 1);
}

TEST(Vectorize, OtherDataGetsAHint) {
  const TemporaryFolder folder;
  const auto output = (folder / "x.npy").string();
  const auto graphs = write_small_dataset(folder);
  expect_mistake(
      {"vectorize", graphs, "--as", "betti:5", "-o", output},
      "small: This is not a diagram file; 'perslay diagrams " + graphs + " -o diagrams.h5' makes one");
  expect_mistake({"vectorize", (folder / "none.h5").string(), "--as", "betti:5", "-o", output},
                 "none.h5: There is no such file.");
  write_bytes(folder / "edges.csv", "0,1\n1,2\n");
  expect_mistake({"vectorize", (folder / "edges.csv").string(), "--as", "betti:5", "-o", output},
                 "edges.csv: This is not a diagram file");
  write_bytes(folder / "empty.csv", "item,filtration,kind,birth,death\n");
  expect_mistake({"vectorize", (folder / "empty.csv").string(), "--as", "betti:5", "-o", output},
                 "empty.csv: There are no diagrams in the file.");
  write_bytes(folder / "inf.csv", "item,filtration,kind,birth,death\n0,f,sub0,0,1\n1,f,sub0,0.5,inf\n");
  expect_mistake({"vectorize", (folder / "inf.csv").string(), "--as", "betti:5", "-o", output},
                 "f sub0: Item 1 has the point (0.5, inf), and vectorizations need finite coordinates");
  EXPECT_FALSE(std::filesystem::exists(output));
}

}  // namespace
}  // namespace perslay::test
