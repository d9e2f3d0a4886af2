#include "archive_writer.h"
#include "graph_files.h"
#include "temporary_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <perslay/io/look.h>

namespace perslay::test {
namespace {

using io::Likely;

class LookAt : public ::testing::Test {
 protected:
  /// "graphs", "clouds", "either: WHY", "neither: WHY"
  [[nodiscard]] static std::string seen(const std::filesystem::path& path) {
    const auto [graphs, clouds, why] = io::look_at(path);
    if (graphs == Likely::certainly && clouds != Likely::certainly) return "graphs";
    if (clouds == Likely::certainly && graphs != Likely::certainly) return "clouds";
    if (graphs == Likely::possibly && clouds == Likely::no) return "graphs";
    return (graphs == Likely::no ? "neither: " : "either: ") + why;
  }
  [[nodiscard]] std::string text(const std::string& content, const std::string& name = "data.txt") const {
    replace_file(temporary_ / name, content);
    return seen(temporary_ / name);
  }
  [[nodiscard]] std::string refusal(const std::string& content, const std::string& name) const {
    return user_error_of([&] { (void)text(content, name); });
  }

  TemporaryFolder temporary_;
};

TEST_F(LookAt, TextInColumns) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"0 1\n1 2\n", "either: every line has two integers"},
      {"0,1\n1,2\n", "either: every line has two integers"},
      {"1e0 2\n", "either: every line has two whole numbers"},
      {"a,b\n0,1\n1,2\n", "either: every line has two integers"},
      {"9999999999999 1\n", "either: every line has two integers"},
      {"1 2 3 4\n5 6 7 8\n", "either: every line has 4 numbers"},
      {"0.5 1\n1 2\n", "clouds"},
      {"0 1\n-1 2\n", "clouds"},
      {"x,y\n0,1\n", "clouds"},
      {"id,x,y\n0,1,2\n", "clouds"},
      {"lon;lat\n1.5;2\n", "clouds"},
      {"0 0.5 0.7\n1 0.2 0.3\n", "clouds"},
      {"source,target\n0,1\n", "graphs"},
      {"Source;Target;Weight\n0;1;0.5\n", "graphs"},
      {"FromNodeId ToNodeId\n0 1\n", "graphs"},
      {"alice bob\nbob carol\n", "graphs"},
      {"0 1 0.5\n1 2 1\n", "graphs"},
      {"0 1 {}\n1 2 {'weight': 1}\n", "graphs"},
      {"0 1\n2\n", "graphs"},
      {"0\n1\n", "graphs"},
      {"# a comment\n\n0 1 2\n", "graphs"},
      {"1 2 3\n4 5 6 7\n", "neither: its lines have 3 to 4 numbers"},
      {"Dear reader\nthis is no table at all\n", "neither: its lines differ in length and hold words"},
  };
  for (const auto& [content, expected] : cases) EXPECT_EQ(text(content), expected) << content;
  EXPECT_EQ(text(""), "either: ") << "a reader has to say that it is empty";
  EXPECT_EQ(seen(temporary_ / "missing"), "either: ");
}

/// A line that is cut where the look ends is no evidence.
TEST_F(LookAt, OnlyWholeLinesAreLookedAt) {
  std::string lines;
  while (lines.size() < 40'000) lines += "123456 7890123\n";
  EXPECT_EQ(text(lines), "either: every line has two integers");
}

TEST_F(LookAt, CompressedText) {
  write_gzip(temporary_ / "p.csv.gz", "0.5 1\n");
  EXPECT_EQ(seen(temporary_ / "p.csv.gz"), "clouds");
  write_gzip(temporary_ / "e.csv.gz", "0 1\n");
  EXPECT_EQ(seen(temporary_ / "e.csv.gz"), "either: every line has two integers");
}

TEST_F(LookAt, FormatsOfGraphs) {
  EXPECT_EQ(text("%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n", "m.mtx"), "graphs");
  EXPECT_EQ(text("%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n", "m.txt"), "graphs");
  EXPECT_EQ(text("graph [\n node [ id 0 ]\n]\n", "g.gml"), "graphs");
  EXPECT_EQ(text("PK", "archive.zip"), "graphs");
}

TEST_F(LookAt, Arrays) {
  const auto npy = [](const std::string& type, const std::string& shape) {
    std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
    header += std::string(118 - header.size(), ' ');
    return std::string("\x93NUMPY\x01\0", 8) + static_cast<char>(header.size()) + '\0' + header;
  };
  EXPECT_EQ(text(npy("<i8", "(5, 2)"), "a.npy"), "either: it is an array of integers of shape (5, 2)");
  EXPECT_EQ(text(npy("<i4", "(2, 5)"), "a.npy"), "graphs") << "an edge_index";
  EXPECT_EQ(text(npy("<f8", "(5, 2)"), "a.npy"), "clouds");
  EXPECT_EQ(text(npy("<f8", "(3, 5, 2)"), "a.npy"), "clouds");
  EXPECT_EQ(text("damaged", "a.npy"), "clouds") << "their reader says what is wrong";
}

TEST_F(LookAt, AllFilesOfAFolder) {
  const auto folder = temporary_ / "folder";
  std::filesystem::create_directory(folder);
  write_bytes(folder / "1.txt", "0 1\n");
  EXPECT_EQ(seen(folder), "either: of 1.txt, every line has two integers");
  write_bytes(folder / "2.txt", "0 0.5\n");
  EXPECT_EQ(seen(folder), "clouds") << "one file tells for all";
  write_bytes(folder / "3.txt", "a b\n");
  expect_parts(user_error_of([&] { (void)io::look_at(folder); }),
               {"holds graphs, as in 3.txt, and points, as in 2.txt; a dataset has only one of the two."});
  write_bytes(folder / "labels.csv", "1.txt,a\n3.txt,b\n");
  EXPECT_EQ(seen(folder), "graphs") << "only files that labels.csv names";
  write_bytes(folder / "3.txt", "Dear reader\nof this\nthree words here\n");
  expect_parts(user_error_of([&] { (void)io::look_at(folder); }), {"3.txt holds neither a graph nor points"});
  write_bytes(folder / "x_A.txt", "1 2\n");
  EXPECT_EQ(seen(folder), "graphs") << "a TU dataset";
}

TEST_F(LookAt, APipeIsReadOnlyOnce) {
  ASSERT_EQ(::mkfifo((temporary_ / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(seen(temporary_ / "pipe"), "either: it is a pipe, which can be read only once");
}

/// Formats that are known and not read, by their names or by their content.
TEST_F(LookAt, FormatsThatAreNotReadAreNamed) {
  const std::string molecule = "name\n  program\n\n  2  1  0  0  0  0            999 V2000\n";
  const std::vector<std::tuple<std::string, std::string, std::string>> cases = {
      {"g.pkl", "", "is a pickle; pickles can run code and are not read"},
      {"g.dat", "\x80\x04\x95", "is a pickle; pickles can run code and are not read"},
      {"g.pt", "", "is a file of PyTorch; such files can run code and are not read"},
      {"g.parquet", "", "is a Parquet file; read it in Python"},
      {"g.txt", "PAR1....", "is a Parquet file"},
      {"m.sdf", "", "is an SDF file; molecules are not read"},
      {"m.txt", molecule, "is an SDF file"},
      {"g.dot", "", "is a DOT file of Graphviz; NetworkX reads it"},
      {"g.txt", "digraph G {\n a -> b;\n}\n", "is a DOT file of Graphviz"},
      {"g.gexf", "", "is a GEXF file"},
      {"g.xml", "<?xml version='1.0'?>\n<gexf xmlns='x'>", "is a GEXF file"},
      {"g.paj", "", "is a file of Pajek"},
      {"g.txt", "*Vertices 3\n1\n", "is a file of Pajek"},
      {"g.g6", "", "is graph6 or sparse6"},
      {"g.txt", "c a comment\np edge 5 4\ne 1 2\n", "is a DIMACS file"},
      {"g.metis", "", "is a METIS file; its lines are lists of neighbours"},
      {"t.xlsx", "", "is an Excel file; save the sheet as CSV"},
      {"t.mat", "", "is a MATLAB file"},
      {"p.pdf", "", "is a PDF file"},
      {"p.txt", "%PDF-1.7\n", "is a PDF file"},
      {"p.html", "<html><body>", "is an HTML page"},
      {"p.txt", "<!DOCTYPE html><html>", "is an HTML page"},
      {"p.png", "", "is an image; images are not read"},
      {"p.txt", "\x89PNG\r\n", "is an image"},
  };
  for (const auto& [name, content, part] : cases) {
    SCOPED_TRACE(name + ": " + content);
    const auto sentence = refusal(content, name);
    expect_parts(sentence, {part});
    EXPECT_TRUE(sentence.starts_with((temporary_ / name).string())) << sentence;
  }
}

}  // namespace
}  // namespace perslay::test
