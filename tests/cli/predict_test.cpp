#include "cli/learning.h"
#include "cli/program.h"

#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>

#include <perslay/io/safetensors.h>

namespace perslay::test {
namespace {

class PredictTest : public LearningTest {
 protected:
  void SetUp() override {
    LearningTest::SetUp();
    if (IsSkipped()) return;
    (void)run_json(
        {"train", data_, "--settings", "mutag", "--set", "training.epochs=40", "--no-cache", "-o", model_});
  }

  std::string model_ = path("m.safetensors");
};

TEST_F(PredictTest, LabelsUnseenGraphs) {
  ASSERT_EQ(run({"shapes", "--per-class", "20", "--seed", "9", "-o", path("unseen")}).exit_code, 0);
  const auto json = run_json({"predict", model_, path("unseen"), "--no-cache", "-o", path("p.csv")});
  EXPECT_EQ(json.at("items"), 60);
  EXPECT_GT(json.at("accuracy").get<double>(), 0.9);
  ASSERT_EQ(json.at("probabilities").size(), 60U);
  for (const auto& row : json.at("probabilities")) {
    double sum = 0;
    for (const auto& probability : row) sum += probability.get<double>();
    EXPECT_NEAR(sum, 1, 1e-5);
  }
  std::istringstream lines(read_bytes(path("p.csv")));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "item,label,p:0,p:1,p:2");
  for (std::size_t i = 0; i < 60; ++i) {
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_TRUE(line.starts_with(std::to_string(i) + ',' + json.at("labels").at(i).get<std::string>() + ','))
        << line;
  }
}

TEST_F(PredictTest, WithoutOutputShowsTheFirstItems) {
  const auto result = run({"predict", model_, data_, "--no-cache"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("... and 10 more"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("Accuracy: "), std::string::npos) << result.out;
}

TEST_F(PredictTest, DataOfTheWrongKind) {
  ASSERT_EQ(run({"orbits", "--per-class", "2", "--points", "50", "-o", path("orbits.h5")}).exit_code, 0);
  expect_mistake({"predict", model_, path("orbits.h5"), "--no-cache"}, "orbits.h5");
  std::filesystem::create_directory(path("clouds"));
  write_bytes(path("clouds/a.csv"), "x,y\n0,0\n1,0\n0,1\n");
  expect_mistake({"predict", model_, path("clouds"), "--no-cache"}, "hks:10 is a filtration of graphs");
}

TEST_F(PredictTest, DamagedModels) {
  const auto bytes = read_bytes(model_);
  auto flipped = bytes;
  flipped[bytes.size() / 2] = static_cast<char>(flipped[bytes.size() / 2] ^ 0x40);
  for (const auto& damaged : {flipped, bytes.substr(0, bytes.size() - 3)}) {
    write_bytes(path("damaged"), damaged);
    expect_mistake({"predict", path("damaged"), data_},
                   "damaged: The file is damaged: its content does not match its checksum");
  }
  auto older = bytes;
  older.replace(older.find("checksum"), 8, "whatever");
  write_bytes(path("older"), older);
  const auto predicted = run({"predict", path("older"), data_, "--no-cache"});
  EXPECT_EQ(predicted.exit_code, 0);
  EXPECT_NE(predicted.err.find("older has no checksum, so damage to it would go unnoticed."),
            std::string::npos)
      << predicted.err;
  auto file = io::read_safetensors(model_);
  auto description = nlohmann::ordered_json::parse(file.metadata.at("perslay"));
  auto newer = description;
  newer["format"] = 99;
  io::write_safetensors(path("newer"), file.arrays, {{"perslay", newer.dump()}});
  expect_mistake({"predict", path("newer"), data_}, "format version 99");
  auto giant = description;
  auto settings = giant.at("settings").get<std::string>();
  const auto channel = settings.find("channel = ");
  ASSERT_NE(channel, std::string::npos) << settings;
  giant["settings"] =
      settings.replace(channel, settings.find('\n', channel) - channel, "channel = \"Pm(65536,65536,1)\"");
  io::write_safetensors(path("giant"), file.arrays, {{"perslay", giant.dump()}});
  expect_mistake({"predict", path("giant"), data_, "--no-cache"}, " in channels, ");
  auto arrays = file.arrays;
  arrays.pop_back();
  io::write_safetensors(path("missing"), arrays, {{"perslay", description.dump()}});
  expect_mistake({"predict", path("missing"), data_, "--no-cache"}, "missing: ");
  arrays = file.arrays;
  arrays.back().shape.push_back(1);
  arrays.back().shape.insert(arrays.back().shape.begin(), 1);
  io::write_safetensors(path("shape"), arrays, {{"perslay", description.dump()}});
  expect_mistake({"predict", path("shape"), data_, "--no-cache"}, "shape: ");
}

TEST_F(PredictTest, DescribedVerticesNeedTheSameDescriptions) {
  const auto describe = [&](const std::string& name, int labels) {
    const auto prefix = path(name) + "/" + name;
    std::istringstream indicator(read_bytes(prefix + "_graph_indicator.txt"));
    std::string line, label_lines, attribute_lines;
    for (int v = 0; std::getline(indicator, line); ++v) {
      label_lines += std::to_string(v % labels) + "\n";
      attribute_lines += std::to_string(v % 7) + ", " + line + "\n";
    }
    write_bytes(prefix + "_node_labels.txt", label_lines);
    write_bytes(prefix + "_node_attributes.txt", attribute_lines);
  };
  describe("shapes", 3);
  const std::string model = path("described.safetensors");
  const std::vector<std::string> training{"train",      data_,   "--settings",        "mutag",
                                          "--no-cache", "--set", "training.epochs=2", "-o",
                                          model,        "--set"};
  const auto with = [&](const std::string& set) {
    auto command = training;
    command.push_back(set);
    return command;
  };
  expect_mistake(with("data.filtrations=[\"label:3\"]"),
                 "No vertex has the label of label:3; the node labels are 0, 1, 2.");
  (void)run_json(with("data.filtrations=[\"label:2\",\"attribute:1\"]"));

  const std::string others = path("others");
  ASSERT_EQ(run({"shapes", "--per-class", "3", "--seed", "4", "-o", others}).exit_code, 0);
  const std::vector<std::string> predict{"predict", model, others, "--no-cache"};
  expect_mistake(predict, "label:2 reads node labels, and the vertices of these graphs have none.");
  describe("others", 2);  // no vertex has the label 2
  EXPECT_EQ(run_json(predict).at("items"), 9);
  std::filesystem::remove(others + "/others_node_attributes.txt");
  expect_mistake(predict, "attribute:1 reads node attributes, and the vertices of these graphs have none.");
}

TEST(Predict, GraphsNeedNoLabels) {
  const TemporaryFolder folder;
  const auto data = (folder / "shapes").string(), model = (folder / "m").string();
  ASSERT_EQ(run({"shapes", "--per-class", "4", "-o", data}).exit_code, 0);
  ASSERT_EQ(run({"train", data, "--model", "svm:sw", "--no-cache", "-o", model}).exit_code, 0);
  const auto labelled = run_json({"predict", model, data, "--no-cache"});
  std::filesystem::remove(folder / "shapes" / "shapes_graph_labels.txt");
  const auto unlabelled = run_json({"predict", model, data, "--no-cache"});
  EXPECT_EQ(unlabelled["labels"], labelled["labels"]);
  EXPECT_EQ(unlabelled["probabilities"], labelled["probabilities"]);
  EXPECT_TRUE(unlabelled["accuracy"].is_null());
  EXPECT_EQ(run_json({"info", data})["classes"], 0);
  EXPECT_EQ(run_json({"diagrams", data, "-o", (folder / "d.h5").string()})["items"], 12);
  for (const std::string command : {"train", "evaluate"})
    expect_mistake(
        {command, data, "--model", "svm:sw", "--no-cache", "--quiet", "-o", (folder / "n").string()},
        "The data have no labels, so there is nothing to learn.");
}

TEST(Predict, OverwritesNothingThatItReads) {
  const TemporaryFolder folder;
  const auto data = write_small_dataset(folder);
  const auto model = (folder / "model.csv").string();
  const auto cloud = (folder / "cloud.csv").string();
  write_bytes(model, "a model");
  write_bytes(cloud, "0,0\n");
  expect_mistake({"predict", model, data, "-o", model}, "model.csv: Input and output are the same file");
  expect_mistake({"predict", model, cloud, "-o", cloud}, "cloud.csv: Input and output are the same file");
  EXPECT_EQ(read_bytes(model), "a model");
}

/// A model of features alone, whose settings have no filtration that could tell graphs from clouds.
TEST(Predict, DataOfAnotherContent) {
  const TemporaryFolder folder;
  const auto data = write_small_dataset(folder);
  const auto write = [&](const std::string& content, const std::string& features) {
    const auto none = nlohmann::ordered_json::array();
    const nlohmann::ordered_json model{
        {"format", 1},
        {"version", "1"},
        {"settings", "[data]\nfiltrations = []\n[features]\nnames = [" + features +
                         "]\n[network]\ndiagrams = false\nscale = false\n"},
        {"seed", 0},
        {"content", content},
        {"inputs", none},
        {"classes", {"a", "b"}},
        {"scales", none},
        {"features", {{"widths", {6}}, {"frames", none}, {"means", none}, {"deviations", none}}}};
    io::write_safetensors(folder / content, {}, {{"perslay", model.dump()}});
    return (folder / content).string();
  };
  std::filesystem::create_directory(folder / "points");
  write_bytes(folder / "points" / "a.csv", "x,y\n0,0\n1,0\n0,1\n");
  const auto points = (folder / "points").string();
  expect_mistake({"predict", write("graphs", "\"size\""), points},
                 "was trained on graphs, but " + points + " holds point clouds");
  expect_mistake({"predict", write("clouds", "\"statistics\""), data},
                 "was trained on point clouds, but " + data + " holds graphs");
  expect_mistake({"predict", write("diagrams", "\"statistics\""), data},
                 "was trained on diagrams, but " + data + " holds graphs");
}

TEST(Predict, MistakesAreSentences) {
  const TemporaryFolder folder;
  const auto data = write_small_dataset(folder);
  expect_mistake({"predict", (folder / "none").string(), data}, "cannot be read");
  expect_mistake({"predict", "", data}, "MODEL needs a value, not ''");
  expect_mistake({"predict", (folder / "none").string(), ""}, "DATA needs a value, not ''");
  expect_mistake({"predict", data + "/small_A.txt", data}, "This is not a safetensors file");
  io::write_safetensors(folder / "foreign", {}, {{"format", "pt"}});
  expect_mistake({"predict", (folder / "foreign").string(), data}, "but not a model of perslay");
  expect_mistake({"predict", (folder / "foreign").string()}, "DATA is required");
  expect_mistake({"predict", (folder / "foreign").string(), data, "-o", "p.txt"}, "ends in .npy or .csv");
}

}  // namespace
}  // namespace perslay::test
