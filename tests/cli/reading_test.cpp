#include "cli/program.h"

#include <gtest/gtest.h>

/// What people have, tried as they would: what is read is said, and nothing is guessed.
namespace perslay::test {
namespace {

class Reading : public ::testing::Test {
 protected:
  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& content) const {
    std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
    write_bytes(path(name), content);
    return path(name);
  }
  /// A folder of edge lists, half of them trees and half rings, and their labels.
  [[nodiscard]] std::string graph_folder(const std::string& header = "") const {
    std::string labels = "file,label\n";
    for (int g = 0; g < 12; ++g) {
      std::string edges = header;
      const int vertices = 4 + g / 2;
      for (int v = 1; v < vertices; ++v) edges += std::to_string(v - 1) + "," + std::to_string(v) + "\n";
      if (g % 2 == 1) edges += std::to_string(vertices - 1) + ",0\n";
      write("mine/" + std::to_string(g) + ".csv", edges);
      labels += std::to_string(g) + ".csv," + (g % 2 == 1 ? "ring" : "tree") + "\n";
    }
    write("mine/labels.csv", labels);
    return path("mine");
  }
  static void expect_note(const std::vector<std::string>& arguments, const std::string& note) {
    const auto [exit_code, out, err] = run(arguments);
    EXPECT_EQ(exit_code, 0) << err;
    EXPECT_NE(err.find("perslay: " + note + "\n"), std::string::npos) << err << "does not say: " << note;
  }

  TemporaryFolder folder_;
};

TEST_F(Reading, AFolderOfEdgeListsIsNotReadAsPointsSilently) {
  const auto data = graph_folder();
  const std::string sentence = data +
                               " could be edge lists or files of points: of 0.csv, every line has two "
                               "integers; --as graphs or --as clouds";
  expect_mistake({"info", data}, sentence);
  expect_mistake({"diagrams", data}, sentence);
  expect_mistake({"train", data, "-o", path("m")}, sentence);
  expect_mistake({"evaluate", data, "-o", path("e")}, sentence);
  const auto json = run_json({"info", data, "--as", "graphs"});
  EXPECT_EQ(json["graphs"], 12);
  EXPECT_EQ(json["read"]["kind"], "graphs");
  EXPECT_EQ(json["read"]["labels_from"], "labels.csv");
  EXPECT_FALSE(json["read"]["cached"]);
  expect_note({"info", data, "--as", "graphs"},
              "Read 12 graphs in 2 classes from " + data + " (labels from labels.csv).");
  EXPECT_EQ(run_json({"info", data, "--as", "clouds"})["clouds"], 12) << "if the user says so";
}

TEST_F(Reading, AModelKnowsItsKind) {
  const auto data = graph_folder(), model = path("m");
  ASSERT_EQ(run({"train", data, "--as", "graphs", "--model", "svm:sw", "--no-cache", "-o", model}).exit_code,
            0);
  const auto json = run_json({"predict", model, data, "--no-cache"});
  EXPECT_EQ(json["read"]["kind"], "graphs");
  EXPECT_EQ(json["items"], 12);
}

TEST_F(Reading, AHeaderTells) {
  const auto data = graph_folder("source,target\n");
  expect_note(
      {"evaluate", data, "--model", "ridge:diagrams-only", "--folds", "2", "--no-cache", "-o", path("e")},
      "Read 12 graphs in 2 classes from " + data + " (labels from labels.csv).");
}

TEST_F(Reading, WhatIsAskedForTells) {
  const auto pairs = write("pairs.txt", "0 1\n1 2\n2 0\n");
  expect_mistake({"info", pairs},
                 pairs +
                     " could be an edge list or points: every line has two integers; --as graphs or "
                     "--as clouds says which.");
  const auto kind = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"diagrams", pairs, "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return run_json(words)["read"]["kind"];
  };
  EXPECT_EQ(kind({"--kinds", "ext1"}), "graphs");
  EXPECT_EQ(kind({"--kinds", "h1"}), "clouds");
  EXPECT_EQ(kind({"--filtration", "degree"}), "graphs");
  EXPECT_EQ(kind({"--filtration", "alpha"}), "clouds");
  EXPECT_EQ(kind({"--cycles"}), "graphs");
  EXPECT_EQ(kind({"--columns", "1,2"}), "graphs");
  EXPECT_EQ(run_json({"info", write("from-one.txt", "1 2\n2 3\n"), "--one-based"})["avg_nodes"], 3);
  expect_mistake({"info", pairs, "--as", "clouds", "--columns", "1,2"}, "--columns is about graphs, but");
}

TEST_F(Reading, NamesOfVerticesComeBackInCycles) {
  const auto friends =
      write("friends.csv",
            "person,friend,since\n\"Ada L.\",Bob,1999\nBob,Cyd,2004\nCyd,\"Ada L.\",2010\nCyd,Dan,2011\n");
  expect_mistake({"info", friends}, "The columns are person, friend and since; --columns SOURCE,TARGET");
  const auto output = path("d.csv");
  ASSERT_EQ(run({"diagrams", friends, "--columns", "person,friend", "--filtration", "degree", "--kinds",
                 "ext1", "--cycles", "-o", output})
                .exit_code,
            0);
  const auto text = read_bytes(output);
  EXPECT_NE(text.find("\"\"Ada L.\"\""), std::string::npos) << text;
  for (const auto* const name : {"Bob", "Cyd"}) EXPECT_NE(text.find(name), std::string::npos) << text;
  EXPECT_EQ(run_json({"info", output})["items"], 1) << "the file can be read again";
}

TEST_F(Reading, WhatWasMergedIsCounted) {
  const auto edges = write("edges.csv", "source,target\n0,1\n0,1\n1,0\n2,2\n");
  expect_note({"info", edges},
              "Read 1 graph without labels from " + edges + "; 1 repeated edge merged; 1 self loop dropped.");
  const auto json = run_json({"info", edges});
  EXPECT_EQ(json["read"]["duplicate_edges_merged"], 1);
  EXPECT_EQ(json["read"]["self_loops_dropped"], 1);
}

TEST_F(Reading, MeasuredLabelsAreNoClasses) {
  const auto data = write_small_dataset(folder_);
  write_bytes(data + "/small_graph_labels.txt", "5\n0.37\n5\n");
  expect_note(
      {"info", data},
      "The labels in " + data +
          "/small_graph_labels.txt are numbers such as 0.37, not classes, so the graphs have no labels.");
  const auto [exit_code, out, err] = run({"train", data, "--model", "svm:sw", "--no-cache", "-o", path("m")});
  EXPECT_EQ(exit_code, 2);
  EXPECT_NE(err.find("such as 0.37, not classes"), std::string::npos) << err;
  EXPECT_NE(err.find("The data have no labels, so there is nothing to learn."), std::string::npos) << err;
  write_bytes(data + "/small_graph_labels.txt", "5.0\n-2.0\n5.0\n");
  EXPECT_EQ(run_json({"info", data})["class_sizes"].at(0)["name"], "-2");
}

TEST_F(Reading, FormatsThatAreNotReadAreNamed) {
  expect_mistake({"info", write("g.pkl", "\x80\x04")},
                 "g.pkl is a pickle; pickles can run code and are not read");
  expect_mistake({"info", write("m.sdf", "x")}, "m.sdf is an SDF file;");
  expect_mistake({"info", write("m.pt", "x"), "--as", "graphs"}, "m.pt is a file of PyTorch;");
  expect_mistake({"info", write("p.png", "x"), "--as", "clouds"}, "p.png is an image;");
}

TEST_F(Reading, AMatrixMarketSizeLineIsNoEdge) {
  const auto matrix = write("m.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 2\n2 1\n3 2\n");
  const auto json = run_json({"info", matrix});
  EXPECT_EQ(json["avg_nodes"], 4);
  EXPECT_EQ(json["avg_edges"], 2);
}

}  // namespace
}  // namespace perslay::test
