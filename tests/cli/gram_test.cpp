#include "cli/program.h"

#include <cmath>
#include <cstring>
#include <numbers>
#include <vector>

#include <perslay/diagram/diagram_set.h>
#include <perslay/io/diagram_file.h>

namespace perslay::test {
namespace {

/// Three items: (0, 2); none; (0, 2) and a loop.
std::string write_gram_diagrams(const TemporaryFolder& folder) {
  const auto path = folder / "d.csv";
  write_bytes(path,
              "item,filtration,kind,birth,death\n"
              "0,f,ord0,0,2\n"
              "2,f,ord0,0,2\n"
              "2,f,ext1,5,1\n");
  return path.string();
}

/// The numbers of a .npy file, and the shape as it is written.
std::pair<std::vector<double>, std::string> read_npy(const std::filesystem::path& path) {
  const auto bytes = read_bytes(path);
  const auto header = static_cast<std::size_t>(static_cast<unsigned char>(bytes[8])) +
                      256 * static_cast<std::size_t>(static_cast<unsigned char>(bytes[9]));
  std::vector<double> values((bytes.size() - 10 - header) / sizeof(double));
  std::memcpy(values.data(), bytes.data() + 10 + header, values.size() * sizeof(double));
  const auto text = bytes.substr(10, header);
  const auto open = text.find('('), close = text.find(')');
  return {values, text.substr(open, close - open + 1)};
}

TEST(Gram, DistancesByHand) {
  const TemporaryFolder folder;
  const auto output = (folder / "K.csv").string();
  const auto result = run(
      {"gram", write_gram_diagrams(folder), "--kernel", "sw:1", "--kind", "ord0", "--base", "-o", output});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  // In the only direction, downwards, the point falls on -2 and its projection on -1.
  EXPECT_EQ(read_bytes(output), "item,0,1,2\n0,0,1,0\n1,1,0,1\n2,0,1,0\n");
}

/// A .csv file has no lines of kinds whose diagrams are all empty.
TEST(Gram, WhatIsMissingInTextIsEmpty) {
  const TemporaryFolder folder;
  const auto data = write_gram_diagrams(folder);
  const auto other = (folder / "e.csv").string(), output = (folder / "K.csv").string();
  write_bytes(other, "item,filtration,kind,birth,death\n0,f,ord0,0,1\n");
  const auto result = run({"gram", data, other, "--kernel", "sw:1", "--base", "-o", output});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(read_bytes(output), "item,0\n0,1.5\n1,0.5\n2,3.5\n");
  ASSERT_EQ(run({"gram", other, data, "--kernel", "sw:1", "--base", "-o", output}).exit_code, 0);
  EXPECT_EQ(read_bytes(output), "item,0,1,2\n0,1.5,0.5,3.5\n");
}

TEST(Gram, TheKernelIsTheExponential) {
  const TemporaryFolder folder;
  const auto data = write_gram_diagrams(folder);
  const auto output = (folder / "K.npy").string();
  ASSERT_EQ(run({"gram", data, "--kernel", "sw:1", "--base", "-o", output}).exit_code, 0);
  const auto [distances, shape] = read_npy(output);
  EXPECT_EQ(shape, "(3, 3)");
  // The loop (5, 1) falls on -1, its projection on -3.
  EXPECT_EQ(distances, (std::vector<double>{0, 1, 2, 1, 0, 3, 2, 3, 0}));
  ASSERT_EQ(run({"gram", data, "--kernel", "sw:1:sigma=2", "-o", output}).exit_code, 0);
  const auto values = read_npy(output).first;
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(values[i], std::exp(-distances[i] / 8), 1e-15);
  // Without a bandwidth, that of the median.
  const auto json = run_json({"gram", data, "--kernel", "sw:1", "-o", output});
  EXPECT_EQ(json["rate"], 0.25);
  EXPECT_NEAR(read_npy(output).first[2], std::exp(-0.5), 1e-15);
}

TEST(Gram, CrossMatricesAreBlocksOfTheWhole) {
  const TemporaryFolder folder;
  const auto orbits = [&](const std::string& name, const std::string& seed) {
    const auto path = (folder / name).string();
    EXPECT_EQ(run({"orbits", "--per-class", "4", "--points", "150", "--seed", seed, "-o", path}).exit_code,
              0);
    return path;
  };
  const auto a = orbits("a.h5", "1"), b = orbits("b.h5", "2");
  const auto set_a = io::read_diagrams(a), set_b = io::read_diagrams(b);
  diagram::DiagramSet both;
  for (std::size_t g = 0; g < set_a.groups.size(); ++g) {
    std::vector<diagram::Diagram> list;
    for (const auto* set : {&set_a, &set_b})
      for (std::size_t i = 0; i < set->item_count(); ++i) {
        const auto points = set->groups[g].diagrams[i];
        list.push_back({{points.begin(), points.end()}, {}});
      }
    both.groups.push_back(
        {set_a.groups[g].filtration, set_a.groups[g].kind, diagram::DiagramBatch(list), {}});
  }
  const auto whole = (folder / "both.h5").string();
  io::write_diagrams(whole, both);
  for (const std::string kernel :
       {"sw", "pss:0.0001", "pf:0.001", "pwg:0.001:c=1000:p=1", "pf:0.001~grid:1e-3"}) {
    const auto matrix = [&](std::vector<std::string> arguments) {
      const auto output = (folder / "K.npy").string();
      arguments.insert(arguments.end(), {"--kernel", kernel, "--base", "-o", output});
      const auto result = run(arguments);
      EXPECT_EQ(result.exit_code, 0) << result.err;
      return read_npy(output);
    };
    const auto [all, all_shape] = matrix({"gram", whole, "--threads", "1"});
    const auto [cross, cross_shape] = matrix({"gram", a, b, "--threads", "2"});
    EXPECT_EQ(all_shape, "(40, 40)");
    EXPECT_EQ(cross_shape, "(20, 20)");
    for (std::size_t i = 0; i < 20; ++i)
      for (std::size_t j = 0; j < 20; ++j) EXPECT_EQ(all[i * 40 + 20 + j], cross[i * 20 + j]) << kernel;
  }
}

/// A kernel between training and test items needs the bandwidth of the one between training items.
TEST(Gram, BandwidthsComeFromTheFirstFile) {
  const TemporaryFolder folder;
  const auto data = write_gram_diagrams(folder);
  const auto other = (folder / "e.csv").string();
  write_bytes(other, "item,filtration,kind,birth,death\n0,f,ord0,0,100\n1,f,ord0,7,9\n1,f,ext1,9,0\n");
  const auto output = (folder / "K.npy").string();
  for (const std::string kernel : {"sw", "pf", "pwg", "pss", "pwg-linear"}) {
    const auto alone = run_json({"gram", data, "--kernel", kernel, "-o", output});
    const auto cross = run_json({"gram", data, other, "--kernel", kernel, "-o", output});
    EXPECT_EQ(alone["rate"], cross["rate"]) << kernel;
    EXPECT_EQ(alone["groups"], cross["groups"]) << kernel;
    EXPECT_EQ(cross["rows"], 3);
    EXPECT_EQ(cross["columns"], 2);
  }
}

TEST(Gram, SaysWhatItDid) {
  const TemporaryFolder folder;
  const auto data = write_gram_diagrams(folder);
  const auto output = (folder / "K.npy").string();
  const auto json =
      run_json({"gram", data, "--kernel", "pss~grid:1e-3", "--seed", "3", "--threads", "2", "-o", output});
  EXPECT_EQ(json["rows"], 3);
  EXPECT_EQ(json["columns"], 3);
  EXPECT_EQ(json["kernel"], "pss~grid:1e-3");
  EXPECT_EQ(json["base"], false);
  EXPECT_TRUE(json["rate"].is_null());
  EXPECT_EQ(json["seed"], 3);
  EXPECT_EQ(json["threads"], 2);
  EXPECT_EQ(json["output"], output);
  EXPECT_GE(json["estimated_bytes"], 72);
  EXPECT_GE(json["estimated_seconds"], 0);
  ASSERT_EQ(json["groups"].size(), 2U);
  EXPECT_EQ(json["groups"][0]["kind"], "ord0");
  EXPECT_EQ(json["groups"][0]["kernel"], "pss:1~grid:0.001");
  const auto text = run({"gram", data, "--kernel", "sw", "--kind", "ext1", "-o", output}).out;
  EXPECT_NE(text.find("f           ext1  sw:10"), std::string::npos) << text;
  EXPECT_NE(text.find("Written to " + output + ": 3 x 3 numbers."), std::string::npos) << text;
  EXPECT_NE(text.find("The matrix is exp(-"), std::string::npos) << text;
}

TEST(Gram, KeepsLabels) {
  const TemporaryFolder folder;
  diagram::DiagramSet set;
  set.groups.push_back({"a", diagram::Kind::h1, diagram::DiagramBatch({{0, 1}}, {0, 1, 1}), {}});
  set.labels = {1, 0};
  set.classes = {"cat", "dog"};
  const auto data = (folder / "d.h5").string();
  io::write_diagrams(data, set);
  const auto output = (folder / "K.csv").string();
  ASSERT_EQ(run({"gram", data, "--kernel", "sw:2", "--base", "-o", output}).exit_code, 0);
  const auto text = read_bytes(output);
  EXPECT_TRUE(text.starts_with("item,label,0,1\n0,dog,0,0.5")) << text;
}

TEST(Gram, HelpListsAllNames) {
  const auto help = run({"gram", "--help"}).out;
  for (const std::string name : {"sw[", "pf[", "pwg[", "pwg-linear[", "pss[", "NAME~grid:"})
    EXPECT_NE(help.find("  " + name), std::string::npos) << name;
  EXPECT_NE(help.find("Examples:\n  perslay gram"), std::string::npos);
}

TEST(Gram, MistakesAreSentences) {
  const TemporaryFolder folder;
  const auto data = write_gram_diagrams(folder);
  const auto output = (folder / "K.npy").string();
  const auto mistake = [&](std::vector<std::string> arguments, const std::string& part) {
    arguments.insert(arguments.begin(), "gram");
    arguments.insert(arguments.end(), {"-o", output});
    expect_mistake(arguments, part);
  };
  mistake({data}, "--kernel is required");
  mistake({data, "--kernel", "rbf"}, "There is no kernel called 'rbf'");
  mistake({data, "--kernel", "pf:0"}, "pf needs a positive number for sigma, not '0'.");
  mistake({data, "--kernel", "sw", "--kind", "h1"},
          "d.csv: There are no diagrams of the kind 'h1'; there are f ord0, f ext1.");
  mistake({(folder / "none.h5").string(), "--kernel", "sw"}, "none.h5: There is no such file.");
  expect_mistake({"gram", data, "--kernel", "sw", "-o", data}, "the same file");
  expect_mistake({"gram", data, "--kernel", "sw", "-o", "K.h5"},
                 "K.h5: The name of a matrix file ends in .npy or .csv.");
  mistake({data, "--kernel", "pss:1e-13~grid:1e-6"}, "f ord0: A grid of");
  mistake({data, "--kernel", "sw:sigma=1e-200"}, "sw needs a number of at least 1e-150 for sigma");
  mistake({"", "--kernel", "sw"}, "A needs a value, not ''");
  mistake({data, "", "--kernel", "sw"}, "B needs a value, not ''");
  const auto strange = (folder / "g.csv").string();
  write_bytes(strange, "item,filtration,kind,birth,death\n0,g,h1,0,1\n");
  mistake({data, strange, "--kernel", "sw"},
          "d.csv has diagrams of f ord0, f ext1, " + strange + " of g h1: there is nothing to compare.");
  const auto binary = (folder / "e.h5").string();
  diagram::DiagramSet set;
  set.groups.push_back({"f", diagram::Kind::ord0, diagram::DiagramBatch({{0, 1}}, {0, 1}), {}});
  io::write_diagrams(binary, set);
  const auto missing = data + " has diagrams of f ext1, but " + binary + " has none; choose what both have";
  mistake({data, binary, "--kernel", "sw"}, missing);
  mistake({binary, data, "--kernel", "sw"}, missing);
  const auto other = (folder / "e.csv").string();
  write_bytes(other, "item,filtration,kind,birth,death\n0,f,sub0,0,1\n1,f,sub0,0.5,inf\n");
  mistake({other, "--kernel", "sw"}, "f sub0: Item 1 has the point (0.5, inf), and kernels need finite");
  EXPECT_FALSE(std::filesystem::exists(output));
}

}  // namespace
}  // namespace perslay::test
