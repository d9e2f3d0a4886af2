#include "cli/program.h"

#include <perslay/diagram/diagram_set.h>
#include <perslay/io/diagram_file.h>

namespace perslay::test {
namespace {

/// One item with two points of ord0 and one of ext1, below the diagonal.
std::string write_first(const TemporaryFolder& folder) {
  const auto path = folder / "first.csv";
  write_bytes(path, "item,filtration,kind,birth,death\n0,f,ord0,0,4\n0,f,ord0,10,11\n0,f,ext1,5,1\n");
  return path.string();
}

/// One item with one point of ord0, and one of another kind.
std::string write_second(const TemporaryFolder& folder) {
  const auto path = folder / "second.csv";
  write_bytes(path, "item,filtration,kind,birth,death\n0,f,ord0,1,4\n0,f,rel1,8,2\n");
  return path.string();
}

/// Three items, h1: (0, 4); nothing; (0, 4) and (10, 12). Labels.
std::string write_batch(const TemporaryFolder& folder) {
  diagram::DiagramSet set;
  set.groups.push_back(
      {"alpha", diagram::Kind::h1, diagram::DiagramBatch({{0, 4}, {0, 4}, {10, 12}}, {0, 1, 1, 3}), {}});
  set.labels = {1, 0, 1};
  set.classes = {"cat", "dog"};
  const auto path = (folder / "batch.h5").string();
  io::write_diagrams(path, set);
  return path;
}

TEST(DistanceCommand, TwoItemsByHand) {
  const TemporaryFolder folder;
  const auto first = write_first(folder);
  const auto second = write_second(folder);
  const auto json = run_json({"distance", first, second});
  EXPECT_EQ(json["metric"], "bottleneck");
  EXPECT_EQ(json["items"], (std::vector<int>{0, 0}));
  ASSERT_EQ(json["distances"].size(), 3U);
  const auto& ord0 = json["distances"][0];
  EXPECT_EQ(ord0["filtration"], "f");
  EXPECT_EQ(ord0["kind"], "ord0");
  EXPECT_EQ(ord0["points"], (std::vector<int>{2, 1}));
  EXPECT_EQ(ord0["distance"], 1);
  EXPECT_EQ(ord0["relative_error"], 0);
  // What a CSV file does not have has no points.
  EXPECT_EQ(json["distances"][1]["kind"], "ext1");
  EXPECT_EQ(json["distances"][1]["distance"], 2);
  EXPECT_EQ(json["distances"][2]["kind"], "rel1");
  EXPECT_EQ(json["distances"][2]["distance"], 3);

  const auto sum = run_json({"distance", first, second, "--metric", "wasserstein:1", "--kind", "ord0"});
  ASSERT_EQ(sum["distances"].size(), 1U);
  EXPECT_EQ(sum["distances"][0]["distance"], 1.5);
  const auto text = run({"distance", first, second, "--metric", "wasserstein:1:2", "--kind", "ord0,ext1"});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_EQ(text.err, "");
  EXPECT_EQ(text.out,
            "filtration  kind  points of A  of B     wasserstein:1:2\n"
            "f           ord0            2     1  1.7071067811865475\n"
            "f           ext1            1     0  2.8284271247461903\n\n"
            "The distances are exact.\n");
}

TEST(DistanceCommand, InfiniteDistances) {
  const TemporaryFolder folder;
  write_bytes(folder / "a.csv", "item,filtration,kind,birth,death\n0,f,sub0,0,inf\n");
  write_bytes(folder / "b.csv", "item,filtration,kind,birth,death\n0,f,sub0,0,5\n");
  write_bytes(folder / "c.csv", "item,filtration,kind,birth,death\n0,f,sub0,2,inf\n");
  const auto a = (folder / "a.csv").string();
  EXPECT_TRUE(run_json({"distance", a, (folder / "b.csv").string()})["distances"][0]["distance"].is_null());
  EXPECT_NE(run({"distance", a, (folder / "b.csv").string()}).out.find("  inf\n"), std::string::npos);
  EXPECT_EQ(run_json({"distance", a, (folder / "c.csv").string()})["distances"][0]["distance"], 2);
}

/// The sum of the distances is not.
TEST(DistanceCommand, TheMeanOfLargeNumbersIsFinite) {
  const TemporaryFolder folder;
  const auto data = (folder / "a.csv").string();
  write_bytes(data, "item,filtration,kind,birth,death\n0,f,h1,-1.5e308,1.5e308\n1,f,h1,0,1\n");
  const auto json = run_json({"distance", data, "-o", (folder / "d.npy").string()});
  EXPECT_EQ(json["largest"], 1.5e308);
  EXPECT_EQ(json["mean"], 0.75e308);
}

/// Whatever the case of its ending, a text file does not keep empty diagrams.
TEST(DistanceCommand, EndingsMayBeCapital) {
  const TemporaryFolder folder;
  const auto capital = (folder / "SECOND.CSV").string();
  write_bytes(capital, "item,filtration,kind,birth,death\n0,f,ord0,1,4\n");
  const auto json = run_json({"distance", write_first(folder), capital});
  ASSERT_EQ(json["distances"].size(), 2U);
  EXPECT_EQ(json["distances"][1]["distance"], 2);
}

TEST(DistanceCommand, WritesAMatching) {
  const TemporaryFolder folder;
  const auto file = (folder / "pairs.csv").string();
  const auto json = run_json({"distance", write_first(folder), write_second(folder), "--kind", "ord0",
                              "--metric", "wasserstein:2", "--matching", file});
  EXPECT_EQ(json["matching"], file);
  EXPECT_EQ(read_bytes(file),
            "a,b,birth_a,death_a,birth_b,death_b,distance\n"
            "0,0,0,4,1,4,1\n"
            "1,-1,10,11,10.5,10.5,0.5\n");
  const auto batch = write_batch(folder);
  ASSERT_EQ(run({"distance", batch, "--items", "1,2", "--matching", file}).exit_code, 0);
  EXPECT_EQ(read_bytes(file),
            "a,b,birth_a,death_a,birth_b,death_b,distance\n"
            "-1,0,2,2,0,4,2\n"
            "-1,1,11,11,10,12,1\n");
}

TEST(DistanceCommand, ItemsOfABatch) {
  const TemporaryFolder folder;
  const auto batch = write_batch(folder);
  const auto json = run_json({"distance", batch, "--items", "0,2", "--metric", "wasserstein:1"});
  EXPECT_EQ(json["items"], (std::vector<int>{0, 2}));
  EXPECT_EQ(json["distances"][0]["distance"], 1);
  EXPECT_EQ(run_json({"distance", batch, batch, "--items", "2,1"})["distances"][0]["distance"], 2);
}

TEST(DistanceCommand, MatrixOfABatch) {
  const TemporaryFolder folder;
  const auto batch = write_batch(folder);
  const auto output = (folder / "d.csv").string();
  const auto json = run_json({"distance", batch, "--metric", "wasserstein:1", "-o", output});
  EXPECT_EQ(read_bytes(output), "item,label,0,1,2\n0,dog,0,2,1\n1,cat,2,0,3\n2,dog,1,3,0\n");
  EXPECT_EQ(json["metric"], "wasserstein:1");
  EXPECT_EQ(json["filtration"], "alpha");
  EXPECT_EQ(json["kind"], "h1");
  EXPECT_EQ(json["rows"], 3);
  EXPECT_EQ(json["columns"], 3);
  EXPECT_EQ(json["largest"], 3);
  EXPECT_EQ(json["relative_error"], 0);
  EXPECT_EQ(json["output"], output);
  const auto text = run({"distance", batch, "-o", output}).out;
  EXPECT_NE(text.find("3 x 3 distances bottleneck of alpha h1, mean 1.111, largest 2; they are exact."),
            std::string::npos)
      << text;
}

TEST(DistanceCommand, MatrixOfTwoBatches) {
  const TemporaryFolder folder;
  const auto batch = write_batch(folder);
  write_bytes(folder / "other.csv", "item,filtration,kind,birth,death\n0,alpha,h1,0,2\n1,alpha,h1,10,13\n");
  const auto output = (folder / "d.csv").string();
  const auto json = run_json({"distance", batch, (folder / "other.csv").string(), "-o", output});
  EXPECT_EQ(read_bytes(output), "item,label,0,1\n0,dog,2,2\n1,cat,1,1.5\n2,dog,2,2\n");
  EXPECT_EQ(json["rows"], 3);
  EXPECT_EQ(json["columns"], 2);
}

TEST(DistanceCommand, BytesDoNotDependOnThreads) {
  const TemporaryFolder folder;
  const auto data = (folder / "orbits.h5").string();
  ASSERT_EQ(run({"orbits", "--per-class", "4", "--points", "200", "-o", data}).exit_code, 0);
  const auto bytes = [&](const std::string& metric, const std::string& threads) {
    const auto output = (folder / "d.npy").string();
    const auto result =
        run({"distance", data, "--kind", "h1", "--metric", metric, "--threads", threads, "-o", output});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return read_bytes(output);
  };
  for (const std::string metric : {"bottleneck", "wasserstein:2", "wasserstein:1:2~0.1"}) {
    const auto one = bytes(metric, "1");
    EXPECT_EQ(one.size(), 128 + 8 * 20 * 20) << metric;
    EXPECT_TRUE(one == bytes(metric, "2")) << metric;
  }
}

TEST(DistanceCommand, HelpListsAllMetrics) {
  const auto help = run({"distance", "--help"}).out;
  for (const std::string name : {"bottleneck", "wasserstein:S[:2|inf]", "NAME~E"})
    EXPECT_NE(help.find("  " + name), std::string::npos) << name;
  EXPECT_NE(help.find("Examples:\n  perslay distance"), std::string::npos);
}

TEST(DistanceCommand, MistakesAreSentences) {
  const TemporaryFolder folder;
  const auto first = write_first(folder);
  const auto second = write_second(folder);
  const auto batch = write_batch(folder);
  const auto output = (folder / "d.npy").string();
  expect_mistake({"distance"}, "A is required");
  expect_mistake({"distance", first, second, "--metric", "wasserstein:0"},
                 "wasserstein needs an order of at least 1, such as wasserstein:2, not '0'.");
  expect_mistake({"distance", first, second, "--kind", "h1"},
                 "second.csv: There are no diagrams of the kind 'h1'; there are f ord0, f ext1, f rel1.");
  expect_mistake({"distance", batch, first}, batch + " has diagrams of alpha h1, " + first +
                                                 " of f ord0, f ext1: there is nothing to compare.");
  expect_mistake({"distance", batch}, "There are 3 x 3 distances; -o FILE takes them all");
  expect_mistake(
      {"distance", first, second, "-o", output},
      "A matrix is about one filtration and kind; choose it with --filtration and --kind from f ord0, "
      "f ext1, f rel1.");
  expect_mistake({"distance", first, second, "--matching", (folder / "m.csv").string()},
                 "--matching is about one filtration and kind");
  expect_mistake({"distance", first, second, "--matching", "m.txt"}, "ends in .csv.");
  expect_mistake({"distance", batch, "--items", "0,1", "-o", output}, "-o takes the matrix of all items");
  for (const std::string items : {"0", "0,", "a,b", "0,1,2", "-1,0", ","})
    expect_mistake({"distance", batch, "--items=" + items},
                   "--items needs two items, counted from 0, such as --items 0,1, not '" + items + "'.");
  expect_mistake({"distance", batch, "--items="}, "--items needs one value");
  expect_mistake({"distance", batch, "--items", "0,3"}, "There is no item 3, but 3 items, counted from 0.");
  expect_mistake({"distance", batch, "-o", "d.h5"}, "d.h5: The name of a matrix file ends in .npy or .csv.");
  expect_mistake({"distance", first, second, "--kind", "ord0", "-o", second}, "the same file");
  expect_mistake({"distance", batch, "", "-o", output}, "B needs a value, not ''");
  expect_mistake({"distance", batch, "--items", "0,1", "--matching", ""}, "--matching needs a value, not ''");
  const auto strange = (folder / "strange.csv").string();
  write_bytes(strange, "item,filtration,kind,birth,death\n0,g,h1,0,1\n");
  expect_mistake({"distance", first, strange}, "first.csv has diagrams of f ord0, f ext1, " + strange +
                                                   " of g h1: there is nothing to compare.");
  expect_mistake({"distance", batch, (folder / "none.h5").string()}, "none.h5: There is no such file.");
  EXPECT_FALSE(std::filesystem::exists(output));
}

}  // namespace
}  // namespace perslay::test
