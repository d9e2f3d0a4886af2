#include "io/temporary_folder.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include <perslay/base/error.h>
#include <perslay/base/random.h>
#include <perslay/io/diagram_writer.h>
#include <perslay/io/graph_dataset.h>
#include <perslay/io/point_clouds.h>

namespace perslay::io {
namespace {

namespace fs = std::filesystem;
using data::PlanePoint;
using test::TemporaryFolder;
using test::write_bytes;
using Points = std::vector<PlanePoint>;

std::string error_of(const fs::path& path) {
  try {
    (void)read_point_clouds(path);
  } catch (const base::Error& error) {
    const std::string sentence = error.what();
    EXPECT_EQ(error.fault(), base::Fault::user) << sentence;
    EXPECT_TRUE(sentence.ends_with('.')) << sentence;
    return sentence;
  }
  ADD_FAILURE() << path << " was read without an error.";
  return "";
}

void expect_error(const fs::path& path, const std::string& part) {
  const auto sentence = error_of(path);
  EXPECT_NE(sentence.find(part), std::string::npos) << sentence << "\ndoes not say: " << part;
  EXPECT_NE(sentence.find(path.filename().string()), std::string::npos) << sentence;
}

// ---- text

TEST(CloudText, TwoNumbersPerLineInEverySpelling) {
  const TemporaryFolder folder;
  const Points expected{{1, 2.5}, {-3e-2, 0.25}};
  for (const std::string text :
       {"1,2.5\n-3e-2,0.25\n", "1 2.5\n-0.03 .25", "1\t2.5\r\n-0.03\t0.25\r\n", "x,y\n1, 2.5\n-0.03 , 0.25\n",
        "\"x\" \"y\"\n1 2.5\n-0.03 0.25\n", "# made by hand\n\nx_1 x_2\n1 2.5\n\n% remark\n-0.03 0.25\n",
        "\xEF\xBB\xBFindex,information\n1,2.5\n-0.03,0.25\n", "  1   2.5  \n +0.1e1 2\n"}) {
    write_bytes(folder / "points.csv", text);
    const auto clouds = read_point_clouds(folder / "points.csv");
    ASSERT_EQ(clouds.size(), 1U) << text;
    EXPECT_EQ(clouds.name, "points");
    EXPECT_EQ(clouds.points.front(), expected.front()) << text;
    EXPECT_TRUE(clouds.points == expected || text.starts_with("  1")) << text;
    EXPECT_TRUE(clouds.labels.empty());
  }
}

TEST(CloudText, ErrorsNameTheLine) {
  const TemporaryFolder folder;
  const auto expect = [&](const std::string& text, const std::string& part) {
    write_bytes(folder / "p.csv", text);
    expect_error(folder / "p.csv", part);
  };
  expect("1,2,3\n4,5,6\n",
         "p.csv:1: The row has 3 numbers; only points in the plane, with two, are supported; if");
  expect("x\n1\n2\n", "p.csv:2: The row has 1 number; only points in the plane");
  expect("1,2\n3\n", "p.csv:2: The row has 1 number, but the first row has 2.");
  expect("1,2\n3,4,5\n", "p.csv:2: The row has 3 numbers, but the first row has 2.");
  expect("1,2\nnan,4\n", "p.csv:2: 'nan' is not a finite number.");
  expect("nan,nan\n", "p.csv:1: 'nan' is not a finite number.");
  expect("1,2\n3,inf\n", "p.csv:2: 'inf' is not a finite number.");
  expect("1,1e999\n", "p.csv:1: '1e999' is outside the range of double precision.");
  expect("1,2\nx,y\n", "p.csv:2: 'x' is not a number.");
  expect("1;a\n", "p.csv:1: 'a' is not a number.");
  expect("1,2,\n", "p.csv:1: A number is missing after the last comma.");
  expect("", "p.csv holds no points.");
  expect("x,y\n", "p.csv holds no points.");
  expect("# nothing\n", "p.csv holds no points.");
  expect(std::string("1 2\n\0", 5), "is not text: byte 4 of 5 is zero");
  expect("item,filtration,kind,birth,death\n0,alpha,h0,0,1\n", "is a diagram file; points are expected");
  expect_error(folder / "missing.csv", "missing.csv does not exist.");
}

// ---- .npy, made byte by byte

std::string npy(const std::string& dictionary, const std::string& data, int version = 1) {
  std::string header = dictionary;
  const std::size_t prefix = version == 1 ? 10 : 12;
  while ((prefix + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
    bytes += static_cast<char>((header.size() >> (8 * i)) & 0xFFU);
  return bytes + header + data;
}

std::string dictionary(const std::string& type, const std::string& shape, bool fortran = false) {
  return "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + shape + ", }";
}

template <class T>
std::string packed(const std::vector<double>& values, bool big_endian = false) {
  std::string bytes;
  for (const double number : values) {
    const T value = static_cast<T>(number);
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    if (big_endian) std::reverse(raw, raw + sizeof(T));
    bytes.append(raw, sizeof(T));
  }
  return bytes;
}

template <class T>
void expect_type(const std::string& name) {
  SCOPED_TRACE(name);
  const TemporaryFolder folder;
  const Points expected{{1, 2}, {3, 4}, {5, std::is_signed_v<T> ? -6.0 : 6.0}};
  const double last = expected.back().y;
  for (const bool big : {false, true}) {
    const std::string type = (big ? ">" : sizeof(T) == 1 ? "|" : "<") + name;
    write_bytes(folder / "c.npy", npy(dictionary(type, "(3, 2)"), packed<T>({1, 2, 3, 4, 5, last}, big)));
    EXPECT_EQ(read_point_clouds(folder / "c.npy").points, expected);
    write_bytes(folder / "f.npy",
                npy(dictionary(type, "(3, 2)", true), packed<T>({1, 3, 5, 2, 4, last}, big)));
    EXPECT_EQ(read_point_clouds(folder / "f.npy").points, expected);
  }
}

TEST(CloudNpy, EveryTypeInBothOrders) {
  expect_type<double>("f8");
  expect_type<float>("f4");
  expect_type<std::int64_t>("i8");
  expect_type<std::int32_t>("i4");
  expect_type<std::int16_t>("i2");
  expect_type<std::int8_t>("i1");
  expect_type<std::uint64_t>("u8");
  expect_type<std::uint32_t>("u4");
  expect_type<std::uint16_t>("u2");
  expect_type<std::uint8_t>("u1");
}

TEST(CloudNpy, SeveralCloudsInBothOrders) {
  const TemporaryFolder folder;
  // Clouds (1,2) (3,4) (5,6) and (7,8) (9,10) (11,12).
  write_bytes(folder / "c.npy",
              npy(dictionary("<f8", "(2, 3, 2)"), packed<double>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})));
  write_bytes(folder / "f.npy", npy(dictionary("<f8", "(2, 3, 2)", true),
                                    packed<double>({1, 7, 3, 9, 5, 11, 2, 8, 4, 10, 6, 12})));
  for (const std::string name : {"c.npy", "f.npy"}) {
    const auto clouds = read_point_clouds(folder / name);
    EXPECT_EQ(clouds.offsets, (std::vector<std::int64_t>{0, 3, 6}));
    EXPECT_EQ(clouds.points, (Points{{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}, {11, 12}})) << name;
  }
}

TEST(CloudNpy, LaterVersionsAndOtherSpellingsOfTheHeader) {
  const TemporaryFolder folder;
  const auto data = packed<double>({1, 2});
  for (const auto& bytes :
       {npy(dictionary("<f8", "(1, 2)"), data, 2), npy(dictionary("<f8", "(1, 2)"), data, 3),
        npy("{\"shape\":(1,2),\"descr\":\"=f8\",\"fortran_order\":False}", data),
        npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1L, 2L)}", data)}) {
    write_bytes(folder / "c.npy", bytes);
    EXPECT_EQ(read_point_clouds(folder / "c.npy").points, (Points{{1, 2}}));
  }
}

TEST(CloudNpy, ErrorsSayWhatIsWrong) {
  const TemporaryFolder folder;
  const auto expect = [&](const std::string& bytes, const std::string& part) {
    write_bytes(folder / "c.npy", bytes);
    expect_error(folder / "c.npy", part);
  };
  const auto four = packed<double>({1, 2, 3, 4});
  expect("", "This is not an .npy file");
  expect("1,2\n", "This is not an .npy file");
  expect("\x93NUMPY", "ends within its header, after 6 bytes");
  expect(npy(dictionary("<f8", "(2, 2)"), four, 4), "has version 4 of the format; versions 1 to 3 are read");
  expect(npy(dictionary("<f8", "(2, 2)"), four).substr(0, 40), "ends within its header, after 40 bytes");
  expect(npy(dictionary("<f8", "(2, 2)"), four.substr(0, 31)),
         "An array of shape (2, 2) and type '<f8' needs 32 bytes, but the file has 31.");
  expect(npy(dictionary("<f8", "(2, 2)"), four + "x"), "needs 32 bytes, but the file has 33");
  expect(npy(dictionary("<f8", "(4611686018427387904, 2)"), four), "needs too many bytes");
  expect(npy(dictionary("<f8", "(4,)"), four),
         "The array has the shape (4,); (points, 2) or (clouds, points, 2)");
  expect(npy(dictionary("<f8", "()"), four.substr(0, 8)), "The array has the shape ()");
  expect(npy(dictionary("<f8", "(1, 1, 2, 2)"), four), "The array has the shape (1, 1, 2, 2)");
  expect(npy(dictionary("<f8", "(1, 4)"), four),
         "The rows of the array have 4 numbers, its shape is (1, 4); only points in the plane, with two, are "
         "supported.");
  expect(npy(dictionary("<f8", "(0, 2)"), ""), "holds no points");
  expect(npy(dictionary("<f8", "(0, 5, 2)"), ""), "holds no points");
  expect(npy(dictionary("<f8", "(5, 0, 2)"), ""), "holds no points");
  expect(npy(dictionary("|O", "(2, 2)"), four),
         "values of the type '|O'; float64, float32 and integers are read");
  expect(npy(dictionary("<c16", "(1, 2)"), four), "values of the type '<c16'");
  expect(npy(dictionary("<f2", "(1, 2)"), "1234"), "values of the type '<f2'");
  expect(npy(dictionary("|b1", "(1, 2)"), "12"), "values of the type '|b1'");
  expect(npy("{'descr': [('x', '<f8'), ('y', '<f8')], 'fortran_order': False, 'shape': (2,), }", four),
         "The array holds records");
  for (const std::string damaged : {"", "{", "{}", "descr", "{'descr': '<f8'}", "{'descr' '<f8'}",
                                    "{'descr': '<f8', 'fortran_order': Maybe, 'shape': (2, 2), }",
                                    "{'descr': '<f8', 'fortran_order': False, 'shape': (two, 2), }",
                                    "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), 'more': 1}",
                                    "{'descr': '<f8, 'fortran_order': False"})
    expect(npy(damaged, four), "The header of this .npy file is damaged.");
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  expect(npy(dictionary("<f8", "(2, 2)"), packed<double>({1, 2, 3, nan})),
         "Row 1 is (3, nan), counted from 0; coordinates must be finite.");
  expect(
      npy(dictionary("<f4", "(2, 1, 2)"), packed<float>({1, 2, -std::numeric_limits<double>::infinity(), 3})),
      "Row 0 of cloud 1 is (-inf, 3)");
}

TEST(CloudNpy, MutationsAreReadOrRefused) {
  const TemporaryFolder folder;
  const auto bytes =
      npy(dictionary("<f8", "(2, 3, 2)"), packed<double>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
  base::RandomStream random(3);
  for (int i = 0; i < 5000; ++i) {
    auto mutated = bytes.substr(0, random.below(4) == 0 ? random.below(bytes.size()) : bytes.size());
    for (std::uint64_t changes = 1 + random.below(3); changes > 0 && !mutated.empty(); --changes)
      mutated[random.below(std::min<std::size_t>(mutated.size(), 80))] = static_cast<char>(random.below(256));
    write_bytes(folder / "m.npy", mutated);
    try {
      EXPECT_GT(read_point_clouds(folder / "m.npy").points.size(), 0U);
    } catch (const base::Error& error) {
      EXPECT_EQ(error.fault(), base::Fault::user) << error.what();
    }
  }
}

// ---- folders

class CloudFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const auto& [name, text] :
         {std::pair{"a10.csv", "10 0\n"}, {"a2.csv", "2 0\n2 1\n"}, {"b.txt", "3 0\n"}})
      write_bytes(folder_ / name, text);
    write_bytes(folder_ / "c.npy", npy(dictionary("<f8", "(2, 1, 2)"), packed<double>({4, 0, 5, 0})));
    write_bytes(folder_ / ".hidden.csv", "not a cloud");
    write_bytes(folder_ / "notes.md", "not a cloud");
  }
  std::vector<double> first_x() const {
    const auto clouds = read_point_clouds(folder_.path());
    std::vector<double> result;
    for (std::size_t i = 0; i < clouds.size(); ++i) result.push_back(clouds[i].front().x);
    return result;
  }
  void expect_labels_error(const std::string& labels, const std::string& part) const {
    write_bytes(folder_ / "labels.csv", labels);
    const auto sentence = error_of(folder_.path());
    EXPECT_NE(sentence.find(part), std::string::npos) << sentence;
  }

  TemporaryFolder folder_;
};

TEST_F(CloudFolder, FilesComeInTheNaturalOrderOfTheirNames) {
  EXPECT_EQ(first_x(), (std::vector<double>{2, 10, 3, 4, 5}));
  const auto clouds = read_point_clouds(folder_.path());
  EXPECT_TRUE(clouds.labels.empty());
  EXPECT_TRUE(clouds.notes.empty());
  EXPECT_EQ(clouds.name, folder_.path().filename().string());
  EXPECT_EQ(read_point_clouds(folder_.path().string() + "/").name, clouds.name);
}

TEST_F(CloudFolder, LabelsDecideOrderAndClasses) {
  write_bytes(folder_ / "labels.csv", "file,label\nc.npy,10\na2.csv,-1\n\"b.txt\",10\r\na10.csv,2\n\n");
  EXPECT_EQ(first_x(), (std::vector<double>{4, 5, 2, 3, 10}));
  const auto clouds = read_point_clouds(folder_.path());
  EXPECT_EQ(clouds.classes, (std::vector<std::string>{"-1", "2", "10"}));
  EXPECT_EQ(clouds.labels, (std::vector<int>{2, 2, 0, 2, 1}));
  EXPECT_TRUE(clouds.notes.empty());
}

TEST_F(CloudFolder, BlanksAndMarksAroundLabelsDoNotCount) {
  write_bytes(folder_ / "labels.csv",
              "\xef\xbb\xbf"
              "file,label\nb.txt, +1\na2.csv ,-1\na10.csv,\t+1\nc.npy,10\n");
  const auto clouds = read_point_clouds(folder_.path());
  EXPECT_EQ(clouds.classes, (std::vector<std::string>{"-1", "+1", "10"}));
  EXPECT_EQ(clouds.labels, (std::vector<int>{1, 0, 1, 2, 2}));
}

TEST_F(CloudFolder, FilesThatAreNotNamedAreLeftOutWithANote) {
  write_bytes(folder_ / "labels.csv", "b.txt,sheep\na2.csv,goat\n");
  const auto clouds = read_point_clouds(folder_.path());
  EXPECT_EQ(clouds.classes, (std::vector<std::string>{"goat", "sheep"}));
  EXPECT_EQ(clouds.labels, (std::vector<int>{1, 0}));
  ASSERT_EQ(clouds.notes.size(), 1U);
  EXPECT_NE(clouds.notes[0].find("2 files of the folder are not named in"), std::string::npos)
      << clouds.notes[0];
}

TEST_F(CloudFolder, BadLabelsNameTheLine) {
  expect_labels_error("file,label\nb.txt,1\nmissing.csv,1\n", "labels.csv:3: There is no file 'missing.csv'");
  expect_labels_error("missing.csv,1\n", "labels.csv:1: There is no file 'missing.csv'");
  expect_labels_error("b.txt\n", "labels.csv:1: The line has 1 field; 'file,label' is expected.");
  expect_labels_error("b.txt,1,2\n", "labels.csv:1: The line has 3 fields");
  expect_labels_error("b.txt,\n", "labels.csv:1: The label of 'b.txt' is missing.");
  expect_labels_error("b.txt,1\nb.txt,2\n", "labels.csv:2: The file 'b.txt' is named twice.");
  expect_labels_error("b,1\na2.csv,1\n", "labels.csv:1: There is no file 'b'");
  expect_labels_error("b.txt, \n", "labels.csv:1: The label of 'b.txt' is missing.");
  expect_labels_error("b.txt,1\n./b.txt,2\n", "labels.csv:2: The file 'b.txt' is named twice.");
  expect_labels_error("", "names no files.");
  expect_labels_error("file,label\n", "names no files.");
}

TEST_F(CloudFolder, AnErrorInAFileNamesIt) {
  write_bytes(folder_ / "d.csv", "1 2\n1 2 3\n");
  EXPECT_NE(error_of(folder_.path()).find("d.csv:2: The row has 3 numbers"), std::string::npos);
}

TEST_F(CloudFolder, MeasuredLabelsAreNoClasses) {
  write_bytes(folder_ / "labels.csv", "a2.csv,0.5\na10.csv,1\n");
  const auto clouds = read_point_clouds(folder_.path());
  EXPECT_TRUE(clouds.labels.empty());
  ASSERT_FALSE(clouds.notes.empty());
  EXPECT_EQ(clouds.notes[0], "The labels in " + (folder_ / "labels.csv").string() +
                                 " are numbers such as 0.5, not classes, so the clouds have no labels.");
}

// ---- columns

TEST(CloudColumns, AnIndexBesideXAndYIsLeftOut) {
  const TemporaryFolder folder;
  const auto path = folder / "p.csv";
  const auto read = [&](const std::string& content) {
    write_bytes(path, content);
    const auto points = read_point_clouds(path).points;
    return std::vector(points.begin(), points.end());
  };
  const std::vector<data::PlanePoint> expected{{1, 2.5}, {-3, 4}};
  for (const std::string content :
       {"id,x,y\n7,1,2.5\n8,-3,4\n", ",x,y\n0,1,2.5\n1,-3,4\n", "y;index;x\n2.5;a;1\n4;b;-3\n",
        "id lon lat\np 1 2.5\nq -3 4\n", "1;2.5\n-3;4\n", "x;y\n1;2.5\n-3;4\n"})
    EXPECT_EQ(read(content), expected) << content;
  const auto refusal = [&](const std::string& content) {
    write_bytes(path, content);
    return error_of(path);
  };
  EXPECT_NE(refusal("x,y,z\n1,2,3\n")
                .find("The columns are x, y, z; points in the plane have two, x and y, and perhaps "
                      "an index, as in id,x,y."),
            std::string::npos);
  EXPECT_NE(refusal("0 1.5 2\n")
                .find("p.csv:1: The row has 3 numbers; only points in the plane, with two, are "
                      "supported; if the first one counts the points, a header such as id,x,y says so."),
            std::string::npos);
  EXPECT_NE(refusal("id,x,y\n1,2\n").find("p.csv:2: The row has 2 fields, but the first row has 3."),
            std::string::npos);
  EXPECT_NE(refusal("id,x,y\n1,2,a\n").find("p.csv:2: 'a' is not a number."), std::string::npos);
  EXPECT_NE(refusal("id,x,y\n1,2,inf\n").find("p.csv:2: 'inf' is not a finite number."), std::string::npos);
  EXPECT_NE(refusal("id,x,y\n").find("holds no points."), std::string::npos);
}

TEST(CloudContent, AnEmptyFolderHasNoClouds) {
  const TemporaryFolder folder;
  EXPECT_NE(error_of(folder.path()).find("has no point clouds, which end in .csv, .tsv, .txt or .npy."),
            std::string::npos);
}

}  // namespace
}  // namespace perslay::io
