#include "io/hdf5_leaks.h"
#include "io/temporary_folder.h"
#include "mutations.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <perslay/base/error.h>
#include <perslay/base/hasher.h>
#include <perslay/base/random.h>
#include <perslay/io/diagram_file.h>

namespace perslay::io {
namespace {

namespace fs = std::filesystem;
using diagram::DiagramBatch;
using diagram::DiagramSet;
using diagram::Kind;
using diagram::Point;
using diagram::VertexPair;
using test::read_bytes;
using test::TemporaryFolder;
using test::write_bytes;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Three items, two filtrations, awkward numbers, an item without points, cycles.
DiagramSet sample() {
  DiagramSet set;
  set.labels = {1, 0, 1};
  set.classes = {"-1", "zwölf Äpfel"};
  set.groups.push_back(
      {"hks:10",
       Kind::ext1,
       DiagramBatch({{0.1, 0.3}, {1.0 / 3, 1e-300}, {2.5, 2.5}}, {0, 1, 1, 3}, {{3, 1}, {2, 0}, {5, 5}}),
       {{1, 2, 3, 0, 2, 4, 5, 6, 7}, {0, 3, 6, 9}}});
  set.groups.push_back({"hks:10", Kind::ord0, DiagramBatch({{-0.0, infinity}}, {0, 0, 1, 1}, {{0, -1}}), {}});
  set.groups.push_back(
      {"file:/a/b,\"c\".txt", Kind::sub0, DiagramBatch({{1, 2}, {-infinity, 5e-324}}, {0, 2, 2, 2}), {}});
  set.groups.push_back({"file:_a_b,\"c\".txt", Kind::h1, DiagramBatch({}, {0, 0, 0, 0}), {}});
  return set;
}

bool same_bits(std::span<const Point> a, std::span<const Point> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

/// Everything in a set, to be compared bit for bit.
std::string bytes_of(const DiagramSet& set) {
  std::string bytes;
  const auto add = [&bytes](const auto& values) {
    const auto raw = std::as_bytes(std::span(values));
    bytes.append(reinterpret_cast<const char*>(raw.data()), raw.size()).push_back('|');
  };
  add(set.labels);
  for (const auto& name : set.classes) add(name);
  for (const auto& group : set.groups) {
    add(group.filtration);
    add(diagram::kind_name(group.kind));
    add(group.diagrams.points());
    add(group.diagrams.offsets());
    add(group.diagrams.vertices());
    add(group.cycles.vertices);
    add(group.cycles.offsets);
  }
  return bytes;
}

void expect_equal(const DiagramSet& a, const DiagramSet& b) {
  EXPECT_EQ(a.labels, b.labels);
  EXPECT_EQ(a.classes, b.classes);
  ASSERT_EQ(a.groups.size(), b.groups.size());
  for (std::size_t g = 0; g < a.groups.size(); ++g) {
    const auto& x = a.groups[g];
    const auto& y = b.groups[g];
    EXPECT_EQ(x.filtration, y.filtration);
    EXPECT_EQ(x.kind, y.kind);
    EXPECT_TRUE(same_bits(x.diagrams.points(), y.diagrams.points())) << x.filtration;
    EXPECT_TRUE(std::ranges::equal(x.diagrams.offsets(), y.diagrams.offsets()));
    EXPECT_TRUE(std::ranges::equal(x.diagrams.vertices(), y.diagrams.vertices()));
    EXPECT_EQ(x.cycles.vertices, y.cycles.vertices);
    EXPECT_EQ(x.cycles.offsets, y.cycles.offsets);
  }
}

/// The sentence that reading `path` fails with; it must be the user's error and name the file.
std::string error_of(const fs::path& path) {
  try {
    (void)read_diagrams(path);
  } catch (const base::Error& error) {
    const std::string sentence = error.what();
    EXPECT_EQ(error.fault(), base::Fault::user) << sentence;
    EXPECT_NE(sentence.find(path.string()), std::string::npos) << sentence;
    EXPECT_TRUE(sentence.ends_with('.')) << sentence;
    return sentence;
  }
  ADD_FAILURE() << path << " was read without an error.";
  return "";
}

void expect_error(const fs::path& path, const std::string& part) {
  const auto sentence = error_of(path);
  EXPECT_NE(sentence.find(part), std::string::npos) << sentence << "\ndoes not say: " << part;
}

TEST(DiagramFile, Hdf5KeepsEverything) {
  const TemporaryFolder folder;
  write_diagrams(folder / "d.h5", sample());
  expect_equal(read_diagrams(folder / "d.h5"), sample());
  EXPECT_EQ(folder.entries(), 1);
}

TEST(DiagramFile, Hdf5GroupsComeFiltrationByFiltration) {
  DiagramSet set;
  for (const auto& [filtration, kind] : {std::pair{"b", Kind::rel1}, {"a", Kind::ord0}, {"b", Kind::ext0}})
    set.groups.push_back({filtration, kind, DiagramBatch({{0, 1}}, {0, 1}), {}});
  const TemporaryFolder folder;
  write_diagrams(folder / "d.hdf5", set);
  const auto read = read_diagrams(folder / "d.hdf5");
  ASSERT_EQ(read.groups.size(), 3U);
  EXPECT_EQ(read.groups[0].filtration + read.groups[1].filtration + read.groups[2].filtration, "bba");
  EXPECT_EQ(read.groups[0].kind, Kind::rel1);
  EXPECT_EQ(read.groups[1].kind, Kind::ext0);
}

TEST(DiagramFile, EmptySetsAndSetsWithoutLabelsAreLegal) {
  const TemporaryFolder folder;
  write_diagrams(folder / "none.h5", {});
  expect_equal(read_diagrams(folder / "none.h5"), {});
  DiagramSet unlabelled = sample();
  unlabelled.labels.clear();
  unlabelled.classes.clear();
  write_diagrams(folder / "unlabelled.h5", unlabelled);
  expect_equal(read_diagrams(folder / "unlabelled.h5"), unlabelled);
  write_diagrams(folder / "none.csv", {});
  expect_equal(read_diagrams(folder / "none.csv"), {});
}

/// HDF5 would store when each object was made.
TEST(DiagramFile, HoldsNoTimes) {
  const TemporaryFolder folder;
  const auto path = folder / "d.h5";
  write_diagrams(path, sample());
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  int objects = 0;
  const auto expect_no_time = [](hid_t, const char* name, const auto* info, void* count) -> herr_t {
    EXPECT_EQ(info->atime + info->mtime + info->ctime + info->btime, 0) << name;
    ++*static_cast<int*>(count);
    return 0;
  };
  EXPECT_GE(H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, expect_no_time, &objects, H5O_INFO_TIME), 0);
  EXPECT_GT(objects, 5);
  H5Fclose(file);
}

TEST(DiagramFile, SameDiagramsSameBytes) {
  const TemporaryFolder folder;
  for (const std::string ending : {".h5", ".csv"}) {
    write_diagrams(folder / ("a" + ending), sample());
    write_diagrams(folder / ("b" + ending), sample());
    EXPECT_EQ(read_bytes(folder / ("a" + ending)), read_bytes(folder / ("b" + ending))) << ending;
  }
}

TEST(DiagramFile, CsvIsWhatTheDocumentationSays) {
  const TemporaryFolder folder;
  DiagramSet set;
  set.groups.push_back({"hks:10", Kind::ord0, DiagramBatch({{0.1, infinity}, {-2, 1e22}}, {0, 0, 2}), {}});
  set.groups.push_back({"file:a,b", Kind::ext0, DiagramBatch({{1, 1.5}}, {0, 1, 1}), {}});
  write_diagrams(folder / "d.csv", set);
  EXPECT_EQ(read_bytes(folder / "d.csv"),
            "item,filtration,kind,birth,death\n"
            "1,hks:10,ord0,-2,1e+22\n"
            "1,hks:10,ord0,0.1,inf\n"
            "0,\"file:a,b\",ext0,1,1.5\n");
  DiagramSet with_cycles;
  with_cycles.groups.push_back({"degree", Kind::ext1, DiagramBatch({{3, 1}}, {0, 1}), {{0, 4, 2}, {0, 3}}});
  write_diagrams(folder / "c.csv", with_cycles);
  EXPECT_EQ(read_bytes(folder / "c.csv"),
            "item,filtration,kind,birth,death,cycle\n0,degree,ext1,3,1,0 4 2\n");
}

TEST(DiagramFile, CsvKeepsPointsAndCyclesBitForBit) {
  const TemporaryFolder folder;
  DiagramSet expected = sample();
  write_diagrams(folder / "d.csv", expected);
  // What the format does not keep.
  expected.labels.clear();
  expected.classes.clear();
  expected.groups.pop_back();
  for (auto& group : expected.groups) {
    const auto points = group.diagrams.points();
    const auto offsets = group.diagrams.offsets();
    group.diagrams = DiagramBatch({points.begin(), points.end()}, {offsets.begin(), offsets.end()});
  }
  expect_equal(read_diagrams(folder / "d.csv"), expected);
}

TEST(DiagramFile, CsvKeepsRandomDoubles) {
  const TemporaryFolder folder;
  base::RandomStream random(1);
  std::vector<Point> points;
  while (points.size() < 5000) {
    const Point point{std::bit_cast<double>(random()), std::bit_cast<double>(random())};
    if (!std::isnan(point.birth) && !std::isnan(point.death)) points.push_back(point);
  }
  DiagramSet set;
  set.groups.push_back({"degree", Kind::ord0, DiagramBatch(points, {0, 5000}), {}});
  write_diagrams(folder / "d.csv", set);
  expect_equal(read_diagrams(folder / "d.csv"), set);
}

TEST(DiagramFile, CsvRowsMayComeInAnyOrderAndWithWindowsLineEnds) {
  const TemporaryFolder folder;
  write_bytes(folder / "d.csv",
              "item,filtration,kind,birth,death,cycle\r\n2,degree,ext1,5,4,7 8 9\r\n0,degree,ext1,3,1,\r\n"
              "2,degree,ext1,2,1,1 2 3\r\n0,\"degree\",ord0,3,1,");
  const auto set = read_diagrams(folder / "d.csv");
  ASSERT_EQ(set.groups.size(), 2U);
  const auto& group = set.groups[0];
  EXPECT_TRUE(std::ranges::equal(group.diagrams.offsets(), std::vector<std::int64_t>{0, 1, 1, 3}));
  EXPECT_TRUE(same_bits(group.diagrams.points(), std::vector<Point>{{3, 1}, {2, 1}, {5, 4}}));
  EXPECT_EQ(group.cycles.vertices, (std::vector<std::int32_t>{1, 2, 3, 7, 8, 9}));
  EXPECT_EQ(group.cycles.offsets, (std::vector<std::int64_t>{0, 0, 3, 6}));
  EXPECT_EQ(set.item_count(), 3U);
  EXPECT_EQ(set.groups[1].diagrams.size(), 3U);
}

TEST(DiagramFile, CsvErrorsNameTheLine) {
  const TemporaryFolder folder;
  const auto expect = [&](const std::string& rows, const std::string& part) {
    write_bytes(folder / "d.csv", "item,filtration,kind,birth,death\n0,degree,ord0,0,1\n" + rows);
    expect_error(folder / "d.csv", part);
  };
  expect("0,degree,ord0,0\n", "d.csv:3: The line has 4 fields; the header has 5.");
  expect("0,degree,ord0,0,1,2\n", "d.csv:3: The line has 6 fields");
  expect("\n", "d.csv:3: The line has 1 fields");
  expect("0,degree,ord7,0,1\n", "d.csv:3: There is no kind of diagram called 'ord7'");
  expect("-1,degree,ord0,0,1\n", "d.csv:3: The item is '-1'");
  expect("1.5,degree,ord0,0,1\n", "d.csv:3: The item is '1.5'");
  expect("0,degree,ord0,nan,1\n", "d.csv:3: The birth is 'nan'");
  expect("0,degree,ord0,0,\n", "d.csv:3: The death is ''");
  expect("0,degree,ord0,0,1x\n", "d.csv:3: The death is '1x'");
  expect("0,degree,ord0,0,1e999\n", "d.csv:3: The death is '1e999'");
  expect("0,\"degree,ord0,0,1\n", "d.csv:3: A field that opens with a quote is never closed");
  expect("0,\"degree\"x,ord0,0,1\n", "d.csv:3: There is something after the closing quote");
  expect("999999999999,degree,ord0,0,1\n", "has an item 999999999999 but only 2 points");
  write_bytes(folder / "d.csv", "");
  expect_error(folder / "d.csv", "is empty");
  write_bytes(folder / "d.csv", "a,b\n1,2\n");
  expect_error(folder / "d.csv", "d.csv:1: A diagram file starts with");
}

TEST(DiagramFile, NamesAndPlacesAreChecked) {
  const TemporaryFolder folder;
  EXPECT_TRUE(is_diagram_file("a/b.h5"));
  EXPECT_TRUE(is_diagram_file("b.HDF5"));
  EXPECT_FALSE(is_diagram_file(folder / "b.csv"));  // there is no such file to tell it from an edge list
  write_bytes(folder / "b.csv", "item,filtration,kind,birth,death\n");
  EXPECT_TRUE(is_diagram_file(folder / "b.csv"));
  write_bytes(folder / "b.csv", "0,1\n");
  EXPECT_FALSE(is_diagram_file(folder / "b.csv"));
  fs::remove(folder / "b.csv");
  EXPECT_FALSE(is_diagram_file("b.txt"));
  EXPECT_FALSE(is_diagram_file("h5"));
  EXPECT_THROW(write_diagrams(folder / "d.txt", sample()), base::Error);
  EXPECT_THROW(check_diagram_target(folder / "d.txt"), base::Error);
  EXPECT_THROW(check_diagram_target(folder / "missing/d.h5"), base::Error);
  EXPECT_NO_THROW(check_diagram_target(folder / "d.h5"));
  EXPECT_EQ(folder.entries(), 0);
  expect_error(folder / "missing.h5", "There is no such file");
  fs::create_directory(folder / "folder.h5");
  expect_error(folder / "folder.h5", "a folder");
}

TEST(DiagramFile, InconsistentSetsAreNotWritten) {
  const TemporaryFolder folder;
  const auto refuse = [&](auto&& change) {
    DiagramSet set = sample();
    change(set);
    EXPECT_THROW(write_diagrams(folder / "d.h5", set), base::Error);
    EXPECT_EQ(folder.entries(), 0);
  };
  refuse([](DiagramSet& set) { set.labels.pop_back(); });
  refuse([](DiagramSet& set) { set.labels[0] = 2; });
  refuse([](DiagramSet& set) { set.classes[1] = set.classes[0]; });
  refuse([](DiagramSet& set) { set.groups[1].kind = Kind::ext1; });
  refuse([](DiagramSet& set) { set.groups[1].diagrams = {}; });
  refuse([](DiagramSet& set) { set.groups[0].cycles.offsets.pop_back(); });
}

/// Opens a written file and lets `change` spoil it with the library itself.
template <class Change>
void expect_refused(const std::string& part, Change&& change) {
  const TemporaryFolder folder;
  const auto path = folder / "d.h5";
  write_diagrams(path, sample());
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  EXPECT_GE(H5Adelete(file, "checksums"), 0);
  change(file);
  ASSERT_GE(H5Fclose(file), 0);
  expect_error(path, part);
}

template <class T>
void put(hid_t file, const char* name, hid_t type, const std::vector<T>& values, std::vector<hsize_t> shape) {
  if (H5Lexists(file, name, H5P_DEFAULT) > 0) H5Ldelete(file, name, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
  const hid_t data = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  ASSERT_GE(data, 0);
  EXPECT_GE(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  H5Dclose(data);
  H5Sclose(space);
}

void put_points(hid_t file, const std::vector<double>& values, std::vector<hsize_t> shape) {
  put(file, "hks_10/ext1/points", H5T_NATIVE_DOUBLE, values, std::move(shape));
}

void put_integers(hid_t file, const char* name, const std::vector<std::int64_t>& values) {
  put(file, name, H5T_NATIVE_INT64, values, {values.size()});
}

TEST(DiagramFile, Hdf5ErrorsNameFileAndGroup) {
  const auto erase = [](const char* name) {
    return [name](hid_t file) { H5Ldelete(file, name, H5P_DEFAULT); };
  };
  expect_refused("hks_10/ext1 has no dataset 'points'", erase("hks_10/ext1/points"));
  expect_refused("hks_10/ext1 has no dataset 'offsets'", erase("hks_10/ext1/offsets"));
  expect_refused("hks_10/ext1 has no dataset 'cycle_offsets'", erase("hks_10/ext1/cycle_offsets"));
  expect_refused("labels holds the label 1, but there are 0 classes", erase("classes"));
  expect_refused("classes holds the name 'a' twice", [](hid_t file) {
    const hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, 1);
    put<char>(file, "classes", text, {'a', 'a'}, {2});
    H5Tclose(text);
  });
  expect_refused("hks_10/ext1/points must have shape N x 2", [](hid_t file) {
    put_points(file, std::vector<double>(9), {3, 3});
  });
  expect_refused("hks_10/ext1/points must have shape N x 2",
                 [](hid_t file) { put_points(file, std::vector<double>(6), {6}); });
  expect_refused("hks_10/ext1: Point 1 of a batch of diagrams is (0, nan)", [](hid_t file) {
    put_points(file, {0, 0, 0, std::nan(""), 0, 0}, {3, 2});
  });
  expect_refused("hks_10/ext1/points does not hold floating point numbers", [](hid_t file) {
    put<std::int64_t>(file, "hks_10/ext1/points", H5T_NATIVE_INT64, {1, 2, 3, 4, 5, 6}, {3, 2});
  });
  expect_refused("hks_10/ext1/offsets does not hold integers", [](hid_t file) {
    put<double>(file, "hks_10/ext1/offsets", H5T_NATIVE_DOUBLE, {0, 1, 1, 3}, {4});
  });
  expect_refused(
      "hks_10/ext1: The offsets of a batch of diagrams must ascend from 0 to the number of points, which is "
      "3",
      [](hid_t file) {
        put_integers(file, "hks_10/ext1/offsets", {0, 1, 1, 4});
      });
  expect_refused("hks_10/ext1: The offsets", [](hid_t file) {
    put_integers(file, "hks_10/ext1/offsets", {0, 2, 1, 3});
  });
  expect_refused("hks_10/ext1: The offsets",
                 [](hid_t file) { put_integers(file, "hks_10/ext1/offsets", {}); });
  expect_refused("has 3 items in its group hks:10 ord0 but 1 in hks:10 ext1", [](hid_t file) {
    put_integers(file, "hks_10/ext1/offsets", {0, 3});
  });
  expect_refused("hks_10/ext1 has 3 points but 1 pairs of vertices", [](hid_t file) {
    put<std::int32_t>(file, "hks_10/ext1/vertices", H5T_NATIVE_INT32, {0, 1}, {1, 2});
  });
  expect_refused("hks_10/ext1/vertices holds 4294967296, which is out of range", [](hid_t file) {
    put<std::int64_t>(file, "hks_10/ext1/vertices", H5T_NATIVE_INT64, {3, 1, 2, 0, 5, 4294967296}, {3, 2});
  });
  expect_refused("hks_10/ext1 has cycles, so its points must be sorted", [](hid_t file) {
    put_points(file, {0, 1, 5, 5, 2, 2}, {3, 2});
  });
  expect_refused("hks_10/ext1/cycle_offsets must ascend in 3 steps from 0 to 9", [](hid_t file) {
    put_integers(file, "hks_10/ext1/cycle_offsets", {0, 3, 10, 9});
  });
  expect_refused("labels has 2 entries for 3 items", [](hid_t file) {
    put_integers(file, "labels", {0, 1});
  });
  expect_refused("labels holds the label -1, but there are 2 classes", [](hid_t file) {
    put_integers(file, "labels", {0, 1, -1});
  });
  expect_refused("hks_10/ext9: There is no kind of diagram called 'ext9'", [](hid_t file) {
    H5Lmove(file, "hks_10/ext1", file, "hks_10/ext9", H5P_DEFAULT, H5P_DEFAULT);
  });
  expect_refused("its attribute 'format' is not 'perslay diagrams'",
                 [](hid_t file) { H5Adelete(file, "format"); });
  expect_refused("has no attribute 'version'", [](hid_t file) { H5Adelete(file, "version"); });
  expect_refused("has version 2 of the format of diagram files; this program reads version 1",
                 [](hid_t file) {
                   const hid_t attribute = H5Aopen(file, "version", H5P_DEFAULT);
                   const int version = 2;
                   H5Awrite(attribute, H5T_NATIVE_INT, &version);
                   H5Aclose(attribute);
                 });
  expect_refused("hks_10/ext1/points claims 1152921504606846976 rows", [](hid_t file) {
    H5Ldelete(file, "hks_10/ext1/points", H5P_DEFAULT);
    const hsize_t shape[2] = {hsize_t{1} << 60, 2};
    const hsize_t chunk[2] = {1024, 2};
    const hid_t space = H5Screate_simple(2, shape, nullptr);
    const hid_t chunked = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(chunked, 2, chunk);
    H5Dclose(
        H5Dcreate2(file, "hks_10/ext1/points", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, chunked, H5P_DEFAULT));
    H5Pclose(chunked);
    H5Sclose(space);
  });
}

/// A file may say that its numbers are in another one, such as /etc/passwd.
TEST(DiagramFile, NothingIsReadFromOtherFiles) {
  const TemporaryFolder folder;
  const auto secret = (folder / "secret").string(), other = (folder / "other.h5").string();
  write_bytes(secret, std::string(48, 'x'));
  write_diagrams(other, sample());
  const auto put_stored_elsewhere = [](hid_t file, hid_t creation) {
    const hsize_t shape[2] = {3, 2};
    const hid_t space = H5Screate_simple(2, shape, nullptr);
    H5Ldelete(file, "hks_10/ext1/points", H5P_DEFAULT);
    H5Dclose(
        H5Dcreate2(file, "hks_10/ext1/points", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, H5P_DEFAULT));
    H5Sclose(space);
    H5Pclose(creation);
  };
  expect_refused("hks_10/ext1/points keeps its numbers in another file", [&](hid_t file) {
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(creation, secret.c_str(), 0, 48);
    put_stored_elsewhere(file, creation);
  });
  expect_refused("hks_10/ext1/points keeps its numbers in another file", [&](hid_t file) {
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t shape[2] = {3, 2};
    const hid_t space = H5Screate_simple(2, shape, nullptr);
    H5Pset_virtual(creation, space, other.c_str(), "/hks_10/ext1/points", space);
    H5Sclose(space);
    put_stored_elsewhere(file, creation);
  });
  const auto link_out = [&](const char* name, const char* target) {
    return [&other, name, target](hid_t file) {
      H5Ldelete(file, name, H5P_DEFAULT);
      H5Lcreate_external(other.c_str(), target, file, name, H5P_DEFAULT, H5P_DEFAULT);
    };
  };
  for (const char* const name :
       {"labels", "hks_10/ext1/points", "hks_10/ext1/vertices", "hks_10/ext1/cycles"})
    expect_refused(fmt::format("{} is a link to another place or file", name), link_out(name, name));
  expect_refused("hks_10/ext1/points is a link to another place or file", [](hid_t file) {
    H5Ldelete(file, "hks_10/ext1/points", H5P_DEFAULT);
    H5Lcreate_soft("/hks_10/ord0/points", file, "hks_10/ext1/points", H5P_DEFAULT, H5P_DEFAULT);
  });

  write_diagrams(folder / "d.h5", sample());
  const hid_t file = H5Fopen((folder / "d.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  H5Lcreate_external(other.c_str(), "/hks_10", file, "clouds", H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(file);
  try {
    (void)read_clouds(folder / "d.h5");
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_NE(std::string(error.what()).find("clouds is a link to another place or file"), std::string::npos);
  }
}

TEST(DiagramFile, AMissingFilterIsNamed) {
  constexpr H5Z_filter_t number = 32000;
  const auto copy = [](unsigned, std::size_t, const unsigned*, std::size_t bytes, std::size_t*, void**) {
    return bytes;
  };
  const H5Z_class2_t filter{H5Z_CLASS_T_VERS, number, 1, 1, "lzf", nullptr, nullptr, copy};
  expect_refused(
      "hks_10/ext1/points is packed by the filter 'lzf' (number 32000), which HDF5 does not have here",
      [&](hid_t file) {
        ASSERT_GE(H5Zregister(&filter), 0);
        H5Ldelete(file, "hks_10/ext1/points", H5P_DEFAULT);
        const hsize_t shape[2] = {3, 2};
        const hid_t space = H5Screate_simple(2, shape, nullptr);
        const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
        H5Pset_chunk(creation, 2, shape);
        H5Pset_filter(creation, number, 0, 0, nullptr);
        const hid_t data = H5Dcreate2(file, "hks_10/ext1/points", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT,
                                      creation, H5P_DEFAULT);
        const std::vector<double> numbers(6);
        H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
        H5Dclose(data);
        H5Pclose(creation);
        H5Sclose(space);
        H5Fflush(file, H5F_SCOPE_LOCAL);
        ASSERT_GE(H5Zunregister(number), 0);
      });
}

TEST(DiagramFile, UnknownDatasetsAndGroupsAreIgnored) {
  const TemporaryFolder folder;
  write_diagrams(folder / "d.h5", sample());
  const hid_t file = H5Fopen((folder / "d.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  put_integers(file, "something", {1, 2});
  put_integers(file, "hks_10/something", {1, 2});
  put_integers(file, "hks_10/ext1/something", {1, 2});
  H5Gclose(H5Gcreate2(file, "clouds", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Gclose(H5Gcreate2(file, "hks_10/notes", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  put_integers(file, "hks_10/notes/something", {1, 2});
  H5Fclose(file);
  expect_equal(read_diagrams(folder / "d.h5"), sample());
}

/// Whatever they are called: what they lead to could be diagrams, which would be missing without a word.
TEST(DiagramFile, LinksToGroupsAreRefused) {
  for (const std::string place : {"again", "hks_10/ord0", "hks_10/notes"}) {
    const auto sentence = " is a link to another place or file, and such links are not followed";
    expect_refused(place + sentence, [&](hid_t file) {
      H5Ldelete(file, "hks_10/ord0", H5P_DEFAULT);
      H5Lcreate_soft("/hks_10/ext1", file, place.c_str(), H5P_DEFAULT, H5P_DEFAULT);
    });
    expect_refused(place + sentence, [&](hid_t file) {
      H5Ldelete(file, "hks_10/ord0", H5P_DEFAULT);
      H5Lcreate_external("elsewhere.h5", "/", file, place.c_str(), H5P_DEFAULT, H5P_DEFAULT);
    });
  }
}

/// A file of some kilobytes that claims rows which nobody wrote.
TEST(DiagramFile, RowsThatAreNotStoredAreNotRead) {
  expect_refused("hks_10/ext1/points claims 6000000 rows, more than the 0 bytes can hold", [](hid_t file) {
    H5Ldelete(file, "hks_10/ext1/points", H5P_DEFAULT);
    const hsize_t shape[2] = {6'000'000, 2}, chunk[2] = {1000, 2};
    const hid_t space = H5Screate_simple(2, shape, nullptr);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, 2, chunk);
    H5Dclose(
        H5Dcreate2(file, "hks_10/ext1/points", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, H5P_DEFAULT));
    H5Pclose(creation);
    H5Sclose(space);
    put_integers(file, "padding", std::vector<std::int64_t>(200'000, 1));
  });
}

TEST(DiagramFile, ReadsFilesMadeElsewhere) {
  // Texts of variable length, numbers of other widths, old layout, no order of creation: as h5py writes them.
  const TemporaryFolder folder;
  const hid_t file = H5Fcreate((folder / "d.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, H5T_VARIABLE);
  const hid_t scalar = H5Screate(H5S_SCALAR);
  const auto put_text = [&](hid_t object, const char* name, const char* value) {
    const hid_t attribute = H5Acreate2(object, name, text, scalar, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, text, &value);
    H5Aclose(attribute);
  };
  put_text(file, "format", "perslay diagrams");
  const std::int64_t version = 1;
  const hid_t attribute = H5Acreate2(file, "version", H5T_NATIVE_INT64, scalar, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(attribute, H5T_NATIVE_INT64, &version);
  H5Aclose(attribute);
  const hid_t group = H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  put_text(group, "filtration", "my:function");
  H5Gclose(H5Gcreate2(group, "rel1", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Gclose(group);
  put<float>(file, "g/rel1/points", H5T_NATIVE_FLOAT, {2, 1.5, 1, 0.25}, {2, 2});
  put<std::uint8_t>(file, "g/rel1/offsets", H5T_NATIVE_UINT8, {0, 2}, {2});
  put<std::int64_t>(file, "g/rel1/vertices", H5T_NATIVE_INT64, {7, 6, 5, -1}, {2, 2});
  put<const char*>(file, "classes", text, {"first", "second"}, {2});
  put<std::uint8_t>(file, "labels", H5T_NATIVE_UINT8, {1}, {1});
  H5Tclose(text);
  H5Sclose(scalar);
  H5Fclose(file);

  DiagramSet expected;
  expected.labels = {1};
  expected.classes = {"first", "second"};
  expected.groups.push_back(
      {"my:function", Kind::rel1, DiagramBatch({{1, 0.25}, {2, 1.5}}, {0, 2}, {{5, -1}, {7, 6}}), {}});
  expect_equal(read_diagrams(folder / "d.h5"), expected);
}

TEST(DiagramFile, WhatIsNotHdf5OrNotOursIsRefused) {
  const TemporaryFolder folder;
  write_bytes(folder / "empty.h5", "");
  expect_error(folder / "empty.h5", "not an HDF5 file");
  write_bytes(folder / "text.h5", "0 1\n1 2\n");
  expect_error(folder / "text.h5", "not an HDF5 file");
  H5Fclose(H5Fcreate((folder / "foreign.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  expect_error(folder / "foreign.h5", "its attribute 'format' is not 'perslay diagrams'");
}

/// Reads bytes as a file; they must give a set or the user's error, and nothing of the file may stay open.
void read_anything(const fs::path& path, const std::string& bytes) {
  write_bytes(path, bytes);
  try {
    (void)read_diagrams(path);
  } catch (const base::Error& error) {
    EXPECT_EQ(error.fault(), base::Fault::user) << error.what();
  }
  EXPECT_EQ(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}

TEST(DiagramFile, TruncatedHdf5FilesAreRefused) {
  const TemporaryFolder folder;
  write_diagrams(folder / "d.h5", sample());
  const auto bytes = read_bytes(folder / "d.h5");
  for (std::size_t size = 0; size < bytes.size(); size += 11) {
    write_bytes(folder / "t.h5", bytes.substr(0, size));
    (void)error_of(folder / "t.h5");
  }
}

TEST(DiagramFile, MutationsAreReadOrRefused) {
  [[maybe_unused]] const test::LeaksOfHdf5Allowed allowed;
  const TemporaryFolder folder;
  for (const std::string name : {"d.h5", "d.csv"}) {
    write_diagrams(folder / name, sample());
    const auto bytes = read_bytes(folder / name);
    base::RandomStream random(7);
    for (int i = 0; i < 3000; ++i) {
      auto mutated = bytes;
      for (std::uint64_t changes = 1 + random.below(4); changes > 0; --changes)
        mutated[random.below(mutated.size())] = static_cast<char>(random.below(256));
      read_anything(folder / ("m" + name), mutated);
    }
  }
}

/// Of the bytes of a set with everything that a file can hold.
TEST(DiagramFile, NoMutationGivesOtherDiagrams) {
  [[maybe_unused]] const test::LeaksOfHdf5Allowed allowed;
  const TemporaryFolder folder;
  write_diagrams(folder / "d.h5", sample());
  test::expect_mutations_noticed(read_bytes(folder / "d.h5"), 5, [&](const std::string& bytes) {
    write_bytes(folder / "m.h5", bytes);
    return bytes_of(read_diagrams(folder / "m.h5"));
  });
  EXPECT_EQ(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}

TEST(DiagramFile, ChangedValuesDoNotMatchTheChecksum) {
  const auto expect_damaged = [](auto&& change) {
    const TemporaryFolder folder;
    write_diagrams(folder / "d.h5", sample());
    EXPECT_TRUE(diagram_file_notes(folder / "d.h5").empty());
    const hid_t file = H5Fopen((folder / "d.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    change(file);
    H5Fclose(file);
    expect_error(folder / "d.h5", "The file is damaged: its content does not match its checksum.");
  };
  const auto write = [](const char* name, hid_t type, const auto& values) {
    return [name, type, values](hid_t file) {
      const hid_t data = H5Dopen2(file, name, H5P_DEFAULT);
      EXPECT_GE(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0) << name;
      H5Dclose(data);
    };
  };
  expect_damaged(write("labels", H5T_NATIVE_INT, std::vector<int>{0, 0, 1}));
  expect_damaged(write("hks_10/ord0/points", H5T_NATIVE_DOUBLE, std::vector<double>{0.0, infinity}));
  expect_damaged(write("hks_10/ord0/offsets", H5T_NATIVE_INT, std::vector<int>{0, 1, 1, 1}));
  expect_damaged(write("hks_10/ord0/vertices", H5T_NATIVE_INT, std::vector<int>{0, 1}));
  expect_damaged(write("hks_10/ext1/cycle_offsets", H5T_NATIVE_INT, std::vector<int>{0, 2, 6, 9}));
  expect_damaged([](hid_t file) { H5Lmove(file, "hks_10", file, "hks_11", H5P_DEFAULT, H5P_DEFAULT); });
  expect_damaged([](hid_t file) { H5Adelete_by_name(file, "labels", "checksum", H5P_DEFAULT); });
}

/// docs/file-formats.md says how others compute it: XXH3 of the path, a zero byte and the values.
TEST(DiagramFile, TheChecksumOfADatasetIsDocumented) {
  const TemporaryFolder folder;
  write_diagrams(folder / "d.h5", sample());
  const auto expect_checksum = [&](const char* name, const std::string& hashed) {
    char digits[33] = {};
    const hid_t file = H5Fopen((folder / "d.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t attribute = H5Aopen_by_name(file, name, "checksum", H5P_DEFAULT, H5P_DEFAULT);
    const hid_t text = H5Aget_type(attribute);
    EXPECT_EQ(H5Tget_size(text), 32U);
    EXPECT_GE(H5Aread(attribute, text, static_cast<void*>(digits)), 0);
    H5Tclose(text);
    H5Aclose(attribute);
    H5Fclose(file);
    base::Hasher hash;
    EXPECT_EQ(hash.update(std::as_bytes(std::span(hashed))).hexadecimal(), digits) << name;
  };
  expect_checksum("labels", std::string("labels\0"
                                        "\1\0\0\0"
                                        "\0\0\0\0"
                                        "\1\0\0\0",
                                        19));
  expect_checksum("classes", std::string("classes\0-1\0zw\xC3\xB6lf \xC3\x84pfel\0", 25));
  expect_checksum("hks_10/ord0/points", std::string("hks_10/ord0/points\0"
                                                    "\0\0\0\0\0\0\0\x80"
                                                    "\0\0\0\0\0\0\xF0\x7F",
                                                    35));
}

TEST(DiagramFile, FilesWithoutChecksumsAreReadWithARemark) {
  const TemporaryFolder folder;
  write_diagrams(folder / "d.h5", sample());
  const hid_t file = H5Fopen((folder / "d.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  H5Adelete(file, "checksums");
  put_integers(file, "labels", {0, 0, 0});
  H5Fclose(file);
  EXPECT_EQ(read_diagrams(folder / "d.h5").labels, (std::vector<int>{0, 0, 0}));
  EXPECT_EQ(diagram_file_notes(folder / "d.h5"),
            std::vector<std::string>{(folder / "d.h5").string() +
                                     " has no checksum, so damage to it would go unnoticed."});
  write_diagrams(folder / "d.csv", sample());  // for people, who change it
  EXPECT_TRUE(diagram_file_notes(folder / "d.csv").empty());
}

}  // namespace
}  // namespace perslay::io
