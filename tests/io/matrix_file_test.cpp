#include "io/temporary_folder.h"
#include "sentence.h"

#include <bit>
#include <functional>

#include <gtest/gtest.h>

#include <perslay/base/error.h>
#include <perslay/io/matrix_file.h>
#include <perslay/io/point_clouds.h>

namespace perslay::io {
namespace {

using test::read_bytes;
using test::sentence_of;
using test::TemporaryFolder;

const std::vector<std::string> two_columns{"x", "y"};

std::string bytes_of(const std::vector<double>& numbers) {
  std::string bytes;
  for (const double number : numbers) {
    const auto bits = std::bit_cast<std::uint64_t>(number);
    for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>((bits >> shift) & 0xFF);
  }
  return bytes;
}

TEST(MatrixFile, NpyHasTheBytesThatNumPyWrites) {
  const TemporaryFolder folder;
  const std::vector<double> values{1, 2, -0.5, 1e300, 0, 0.1};
  write_matrix(folder / "x.npy", {.rows = 3, .columns = two_columns, .values = values});
  std::string expected("\x93NUMPY\x01\x00\x76\x00", 10);
  expected += "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }";
  expected.resize(127, ' ');
  expected += '\n';
  EXPECT_EQ(read_bytes(folder / "x.npy"), expected + bytes_of(values));
}

TEST(MatrixFile, NpyCanBeReadBack) {
  const TemporaryFolder folder;
  const std::vector<double> values{0.1, 2, -0.5, 1e300, 5e-324, 7};
  write_matrix(folder / "x.npy", {.rows = 3, .columns = two_columns, .values = values});
  const auto clouds = read_point_clouds(folder / "x.npy", {});
  ASSERT_EQ(clouds.size(), 1U);
  ASSERT_EQ(clouds[0].size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(clouds[0][i].x, values[2 * i]);
    EXPECT_EQ(clouds[0][i].y, values[2 * i + 1]);
  }
}

TEST(MatrixFile, NpyNumbersBeginAtAMultipleOf64) {
  const TemporaryFolder folder;
  for (std::size_t columns = 1; columns < 12000; columns = columns * 3 + 1) {
    const std::vector<std::string> names(columns, "c");
    const std::vector<double> values(columns * 2);
    write_matrix(folder / "x.npy", {.rows = 2, .columns = names, .values = values});
    const auto bytes = read_bytes(folder / "x.npy");
    const std::size_t header = bytes.size() - 16 * columns;
    EXPECT_EQ(header % 64, 0U);
    EXPECT_EQ(bytes[header - 1], '\n');
    EXPECT_EQ(static_cast<unsigned char>(bytes[8]) + 256U * static_cast<unsigned char>(bytes[9]),
              header - 10);
  }
}

TEST(MatrixFile, CsvIsForPeople) {
  const TemporaryFolder folder;
  const std::vector<double> values{1, 0.1, 1e-300, -2.5, 1.0 / 3, 1e22};
  const std::vector<std::string> columns{"hks:10/ext1/t0=0", "file:a,\"b\"/ord0/t0=0"};
  const std::vector<std::string> classes{"cats", "dogs, big"};
  const std::vector<int> labels{1, 0, 1};
  write_matrix(folder / "x.csv", {.rows = 3, .columns = columns, .values = values});
  EXPECT_EQ(read_bytes(folder / "x.csv"),
            "item,hks:10/ext1/t0=0,\"file:a,\"\"b\"\"/ord0/"
            "t0=0\"\n0,1,0.1\n1,1e-300,-2.5\n2,0.3333333333333333,1e+22\n");
  write_matrix(folder / "X.CSV",
               {.rows = 3, .columns = columns, .values = values, .labels = labels, .classes = classes});
  EXPECT_EQ(read_bytes(folder / "X.CSV"),
            "item,label,hks:10/ext1/t0=0,\"file:a,\"\"b\"\"/ord0/t0=0\"\n0,\"dogs, "
            "big\",1,0.1\n1,cats,1e-300,-2.5\n"
            "2,\"dogs, big\",0.3333333333333333,1e+22\n");
}

TEST(MatrixFile, EmptyOnesAreLegal) {
  const TemporaryFolder folder;
  write_matrix(folder / "x.csv", {.rows = 0, .columns = two_columns, .values = {}});
  EXPECT_EQ(read_bytes(folder / "x.csv"), "item,x,y\n");
  write_matrix(folder / "x.npy", {.rows = 0, .columns = two_columns, .values = {}});
  EXPECT_NE(read_bytes(folder / "x.npy").find("'shape': (0, 2), }"), std::string::npos);
  EXPECT_EQ(read_bytes(folder / "x.npy").size(), 128U);
  write_matrix(folder / "x.csv", {.rows = 2, .columns = {}, .values = {}});
  EXPECT_EQ(read_bytes(folder / "x.csv"), "item\n0\n1\n");
}

TEST(MatrixFile, MistakesAreSentencesAndLeaveNothing) {
  const TemporaryFolder folder;
  const auto path = (folder / "x.h5").string();
  EXPECT_EQ(sentence_of([&] { check_matrix_target(path); }),
            path + ": The name of a matrix file ends in .npy or .csv.");
  EXPECT_EQ(sentence_of([&] { write_matrix(path, {}); }),
            path + ": The name of a matrix file ends in .npy or .csv.");
  const auto nowhere = (folder / "no/x.npy").string();
  EXPECT_EQ(sentence_of([&] { check_matrix_target(nowhere); }),
            nowhere + ": The folder " + (folder / "no").string() + " does not exist.");
  const std::vector<double> values{1, 2, 3};
  const std::vector<int> labels{0, 2};
  EXPECT_EQ(sentence_of([&] {
              write_matrix(folder / "x.npy", {.rows = 2, .columns = two_columns, .values = values});
            }),
            "A matrix of 2 rows and 2 columns has 3 numbers.");
  EXPECT_EQ(sentence_of([&] {
              write_matrix(
                  folder / "x.csv",
                  {.rows = 3, .columns = {two_columns.data(), 1}, .values = values, .labels = labels});
            }),
            "A matrix of 3 rows has 2 labels.");
  EXPECT_EQ(sentence_of([&] {
              write_matrix(folder / "x.csv", {.rows = 2,
                                              .columns = {two_columns.data(), 1},
                                              .values = {values.data(), 2},
                                              .labels = labels,
                                              .classes = two_columns});
            }),
            "A matrix has a label 2 but 2 classes.");
  check_matrix_target(folder / "x.npy");
  EXPECT_EQ(folder.entries(), 0);
}

}  // namespace
}  // namespace perslay::io
