#include "cli/program.h"
#include "waiting.h"

#include <algorithm>
#include <cmath>
#include <csignal>

#include <perslay/io/diagram_file.h>

namespace perslay::test {
namespace {

TEST(Orbits, WritesLabelledDiagrams) {
  const TemporaryFolder folder;
  const auto output = (folder / "o.h5").string();
  const auto result = run({"orbits", "--per-class", "4", "--points", "60", "-o", output});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("alpha       h1    4.3"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("20 clouds of 60 points in "), std::string::npos) << result.out;
  EXPECT_NE(result.out.find(" clouds per second"), std::string::npos) << result.out;
  const auto set = io::read_diagrams(output);
  EXPECT_EQ(set.classes, (std::vector<std::string>{"2.5", "3.5", "4.0", "4.1", "4.3"}));
  ASSERT_EQ(set.item_count(), 20U);
  EXPECT_EQ(set.labels[3], 0);
  EXPECT_EQ(set.labels[4], 1);
  ASSERT_EQ(set.groups.size(), 2U);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(set.groups[0].diagrams[i].size(), 59U);
  EXPECT_FALSE(io::has_clouds(output));
}

TEST(Orbits, BytesDependOnTheSeedButNotOnThreads) {
  const TemporaryFolder folder;
  const auto write = [&](const std::string& name, const std::string& threads, const std::string& seed) {
    // More orbits than are made at a time.
    const auto result = run({"orbits", "--per-class", "120", "--points", "1000", "--prom", "50", "--clouds",
                             "--threads", threads, "--seed", seed, "-o", (folder / name).string()});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return read_bytes(folder / name);
  };
  const auto one = write("one.h5", "1", "3");
  EXPECT_FALSE(one.empty());
  EXPECT_TRUE(one == write("two.h5", "2", "3"));
  EXPECT_FALSE(one == write("other.h5", "2", "4"));
}

TEST(Orbits, CloudsKeptInTheFileGiveTheSameDiagramsAgain) {
  const TemporaryFolder folder;
  const auto orbits = (folder / "o.h5").string();
  const auto again = (folder / "again.h5").string();
  ASSERT_EQ(run({"orbits", "--per-class", "3", "--points", "100", "--prom", "30", "--clouds", "-o", orbits})
                .exit_code,
            0);
  const auto info = run_json({"info", orbits});
  EXPECT_EQ(info["clouds"]["clouds"], 15);
  EXPECT_EQ(info["clouds"]["points"], 1500);
  EXPECT_NE(run({"info", orbits}).out.find("clouds   of 100 points\n"), std::string::npos);
  ASSERT_EQ(run({"diagrams", orbits, "--transform", "prom:30", "-o", again}).exit_code, 0);
  const auto a = io::read_diagrams(orbits);
  const auto b = io::read_diagrams(again);
  EXPECT_EQ(a.labels, b.labels);
  EXPECT_EQ(a.classes, b.classes);
  ASSERT_EQ(a.groups.size(), b.groups.size());
  for (std::size_t g = 0; g < a.groups.size(); ++g) {
    EXPECT_TRUE(std::ranges::equal(a.groups[g].diagrams.points(), b.groups[g].diagrams.points()));
    EXPECT_TRUE(std::ranges::equal(a.groups[g].diagrams.offsets(), b.groups[g].diagrams.offsets()));
  }
}

TEST(Orbits, RadiiAreSquareRoots) {
  const TemporaryFolder folder;
  const auto plain = (folder / "plain.h5").string();
  const auto radii = (folder / "radii.h5").string();
  ASSERT_EQ(run({"orbits", "--per-class", "2", "--points", "50", "-o", plain}).exit_code, 0);
  ASSERT_EQ(run({"orbits", "--per-class", "2", "--points", "50", "--radii", "-o", radii}).exit_code, 0);
  const auto squared = io::read_diagrams(plain);
  const auto rooted = io::read_diagrams(radii);
  EXPECT_EQ(squared.groups[1].filtration, "alpha");
  EXPECT_EQ(rooted.groups[1].filtration, "alpha:radii");
  const auto a = squared.groups[1].diagrams.points();
  const auto b = rooted.groups[1].diagrams.points();
  ASSERT_EQ(a.size(), b.size());
  ASSERT_FALSE(a.empty());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(std::sqrt(a[i].death), b[i].death, 1e-12);
}

TEST(Orbits, JsonAndPictures) {
  const auto json = run_json(
      {"orbits", "--per-class", "2", "--points", "40", "--prom", "10", "--seed", "9", "--threads", "2"});
  EXPECT_EQ(json["items"], 10);
  EXPECT_EQ(json["per_class"], 2);
  EXPECT_EQ(json["points"], 40);
  EXPECT_EQ(json["seed"], 9);
  EXPECT_EQ(json["prominent"], 10);
  EXPECT_EQ(json["threads"], 2);
  EXPECT_TRUE(json["output"].is_null());
  EXPECT_GT(json["clouds_per_second"], 0);
  EXPECT_EQ(json["groups"].at(0)["points"], 100);
  EXPECT_EQ(json["groups"].at(0)["by_class"].size(), 5U);
  const auto text = run({"orbits", "--per-class", "1", "--points", "30", "--show"}).out;
  for (const std::string title : {"r = 2.5", "r = 3.5", "r = 4.0", "r = 4.1", "r = 4.3"})
    EXPECT_NE(text.find(title), std::string::npos) << title;
}

TEST(Orbits, NonsenseIsAMistake) {
  const TemporaryFolder folder;
  for (const std::string option : {"--per-class", "--points", "--prom"})
    for (const std::string value : {"0", "-1", "many", "1.5"})
      expect_mistake({"orbits", option, value},
                     option + " needs an integer from 1 to 10000000, not '" + value + "'.");
  expect_mistake({"orbits", "-o", (folder / "o.csv").string()}, "ends in .h5 or .hdf5");
  expect_mistake({"orbits", "-o", (folder / "no/o.h5").string()}, "no does not exist");
  EXPECT_EQ(folder.entries(), 0);
}

TEST(Orbits, StopWhenInterruptedAndLeaveNothing) {
  const TemporaryFolder folder;
  Program program({"orbits", "--per-class", "1000000", "-o", (folder / "o.h5").string()});
  wait_until([&] { return folder.entries() > 0 || program.has_ended(); });
  program.send(SIGINT);
  EXPECT_EQ(program.wait().exit_code, 130);
  EXPECT_EQ(folder.entries(), 0);
}

}  // namespace
}  // namespace perslay::test
