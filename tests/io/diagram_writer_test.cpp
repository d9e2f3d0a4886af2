#include "io/hdf5_leaks.h"
#include "io/temporary_folder.h"
#include "mutations.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <hdf5.h>

#include <perslay/base/error.h>
#include <perslay/base/random.h>
#include <perslay/io/diagram_file.h>
#include <perslay/io/diagram_writer.h>

namespace perslay::io {
namespace {

using data::PointCloudDataset;
using diagram::DiagramBatch;
using diagram::DiagramSet;
using diagram::Kind;
using test::read_bytes;
using test::TemporaryFolder;
using test::write_bytes;

/// Enough points that datasets grow by several chunks, and some items without any.
struct Sample {
  DiagramSet set;
  PointCloudDataset clouds;
};

Sample sample(std::size_t items, std::uint64_t most_points) {
  base::RandomStream random(4);
  Sample made;
  made.set.classes = made.clouds.classes = {"first", "second", "third"};
  std::vector<diagram::Diagram> h0(items);
  std::vector<diagram::Diagram> h1(items);
  for (std::size_t i = 0; i < items; ++i) {
    made.set.labels.push_back(static_cast<int>(random.below(3)));
    for (auto* diagram : {&h0[i], &h1[i]})
      for (std::uint64_t left = random.below(most_points); left > 0; --left)
        diagram->points.push_back({random.uniform(), random.uniform()});
    for (std::uint64_t left = random.below(most_points); left > 0; --left)
      made.clouds.points.push_back({random.uniform(), random.uniform()});
    made.clouds.offsets.push_back(static_cast<std::int64_t>(made.clouds.points.size()));
  }
  made.clouds.labels = made.set.labels;
  made.set.groups.push_back({"alpha:radii", Kind::h1, DiagramBatch(h1), {}});
  made.set.groups.push_back({"alpha:radii", Kind::h0, DiagramBatch(h0), {}});
  return made;
}

DiagramFileLayout layout(bool clouds) {
  return {{{"alpha:radii", Kind::h1}, {"alpha:radii", Kind::h0}}, {"first", "second", "third"}, clouds};
}

/// Items first ... first + count - 1.
Sample part(const Sample& whole, std::size_t first, std::size_t count) {
  Sample result;
  result.set.classes = result.clouds.classes = whole.set.classes;
  result.set.labels.assign(whole.set.labels.begin() + static_cast<std::ptrdiff_t>(first),
                           whole.set.labels.begin() + static_cast<std::ptrdiff_t>(first + count));
  result.clouds.labels = result.set.labels;
  for (const auto& group : whole.set.groups) {
    std::vector<diagram::Diagram> diagrams;
    for (std::size_t i = first; i < first + count; ++i)
      diagrams.push_back({{group.diagrams[i].begin(), group.diagrams[i].end()}, {}});
    result.set.groups.push_back({group.filtration, group.kind, DiagramBatch(diagrams), {}});
  }
  for (std::size_t i = first; i < first + count; ++i) {
    result.clouds.points.insert(result.clouds.points.end(), whole.clouds[i].begin(), whole.clouds[i].end());
    result.clouds.offsets.push_back(static_cast<std::int64_t>(result.clouds.points.size()));
  }
  return result;
}

void write_in_parts(const std::filesystem::path& path, const Sample& whole, std::size_t items_at_a_time,
                    bool clouds) {
  DiagramWriter writer(path, layout(clouds));
  const std::size_t items = whole.set.item_count();
  for (std::size_t first = 0; first < items; first += items_at_a_time) {
    const auto piece = part(whole, first, std::min(items_at_a_time, items - first));
    writer.append(piece.set, &piece.clouds);
  }
  writer.finish();
}

void expect_equal(const DiagramSet& a, const DiagramSet& b) {
  EXPECT_EQ(a.labels, b.labels);
  EXPECT_EQ(a.classes, b.classes);
  ASSERT_EQ(a.groups.size(), b.groups.size());
  for (std::size_t g = 0; g < a.groups.size(); ++g) {
    EXPECT_EQ(a.groups[g].filtration, b.groups[g].filtration);
    EXPECT_EQ(a.groups[g].kind, b.groups[g].kind);
    EXPECT_TRUE(std::ranges::equal(a.groups[g].diagrams.points(), b.groups[g].diagrams.points()));
    EXPECT_TRUE(std::ranges::equal(a.groups[g].diagrams.offsets(), b.groups[g].diagrams.offsets()));
  }
}

TEST(DiagramWriter, HoldsWhatWriteDiagramsWouldHold) {
  const TemporaryFolder folder;
  const auto made = sample(700, 200);  // about 70 000 points per group: several chunks
  write_diagrams(folder / "whole.h5", made.set);
  write_in_parts(folder / "parts.h5", made, 64, false);
  expect_equal(read_diagrams(folder / "parts.h5"), made.set);
  expect_equal(read_diagrams(folder / "parts.h5"), read_diagrams(folder / "whole.h5"));
  EXPECT_FALSE(has_clouds(folder / "parts.h5"));
  EXPECT_FALSE(has_clouds(folder / "whole.h5"));
  EXPECT_EQ(folder.entries(), 2);
  EXPECT_EQ(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}

TEST(DiagramWriter, KeepsClouds) {
  const TemporaryFolder folder;
  const auto made = sample(300, 300);
  write_in_parts(folder / "d.h5", made, 37, true);
  expect_equal(read_diagrams(folder / "d.h5"), made.set);
  ASSERT_TRUE(has_clouds(folder / "d.h5"));
  const auto clouds = read_clouds(folder / "d.h5");
  EXPECT_EQ(clouds.points, made.clouds.points);
  EXPECT_EQ(clouds.offsets, made.clouds.offsets);
  EXPECT_EQ(clouds.labels, made.clouds.labels);
  EXPECT_EQ(clouds.classes, made.clouds.classes);
}

TEST(DiagramWriter, TheSizeOfPiecesLeavesNoTraceInTheBytes) {
  const TemporaryFolder folder;
  const auto made = sample(500, 300);
  for (const std::size_t size : {1U, 7U, 128U, 1000U})
    write_in_parts(folder / (std::to_string(size) + ".h5"), made, size, true);
  const auto bytes = read_bytes(folder / "1.h5");
  EXPECT_GT(bytes.size(), 1'000'000U);
  for (const std::string name : {"7.h5", "128.h5", "1000.h5"})
    EXPECT_TRUE(bytes == read_bytes(folder / name)) << name;
}

TEST(DiagramWriter, FewItemsNoItemsNoLabels) {
  const TemporaryFolder folder;
  const auto made = sample(2, 5);
  write_in_parts(folder / "few.h5", made, 1, true);
  expect_equal(read_diagrams(folder / "few.h5"), made.set);
  {
    DiagramWriter writer(folder / "none.h5", layout(true));
    writer.finish();
  }
  EXPECT_EQ(read_diagrams(folder / "none.h5").item_count(), 0U);
  EXPECT_EQ(read_clouds(folder / "none.h5").size(), 0U);
  DiagramSet unlabelled = made.set;
  unlabelled.labels.clear();
  unlabelled.classes.clear();
  auto plain = layout(false);
  plain.classes.clear();
  DiagramWriter writer(folder / "unlabelled.h5", plain);
  writer.append(unlabelled);
  writer.finish();
  expect_equal(read_diagrams(folder / "unlabelled.h5"), unlabelled);
}

TEST(DiagramWriter, WithoutFinishNothingAppears) {
  const TemporaryFolder folder;
  write_bytes(folder / "d.h5", "what was there before");
  {
    const auto made = sample(300, 300);
    DiagramWriter writer(folder / "d.h5", layout(false));
    writer.append(made.set);
    EXPECT_EQ(folder.entries(), 2);
  }
  EXPECT_EQ(folder.entries(), 1);
  EXPECT_EQ(read_bytes(folder / "d.h5"), "what was there before");
  EXPECT_EQ(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}

TEST(DiagramWriter, RefusesPiecesThatDoNotFit) {
  const TemporaryFolder folder;
  EXPECT_THROW(DiagramWriter(folder / "d.csv", layout(false)), base::Error);
  EXPECT_THROW(DiagramWriter(folder / "no/d.h5", layout(false)), base::Error);
  const auto refuse = [&](bool clouds, auto&& change) {
    auto made = sample(3, 5);
    change(made);
    DiagramWriter writer(folder / "d.h5", layout(clouds));
    EXPECT_THROW(writer.append(made.set, &made.clouds), base::Error);
  };
  refuse(false, [](Sample& made) { made.set.groups.pop_back(); });
  refuse(false, [](Sample& made) { made.set.groups[0].kind = Kind::ord0; });
  refuse(false, [](Sample& made) { made.set.labels.pop_back(); });
  refuse(false, [](Sample& made) { made.set.labels[0] = 3; });
  refuse(false, [](Sample& made) { made.set.classes[0] = "other"; });
  refuse(false, [](Sample& made) { made.set.groups[1].diagrams = {}; });
  refuse(false, [](Sample& made) {
    made.set.groups[0].diagrams = DiagramBatch({{0, 1}}, {0, 1, 1, 1}, {{0, 1}});
  });
  refuse(true, [](Sample& made) { made.clouds.offsets.pop_back(); });
  EXPECT_EQ(folder.entries(), 0);
}

/// The sentence with which reading the clouds of a file fails after `change` has spoilt it.
template <class Change>
std::string error_after(Change&& change) {
  const TemporaryFolder folder;
  const auto path = folder / "d.h5";
  write_in_parts(path, sample(3, 5), 3, true);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  EXPECT_GE(H5Adelete(file, "checksums"), 0);
  change(file);
  H5Fclose(file);
  try {
    (void)read_clouds(path);
  } catch (const base::Error& error) {
    EXPECT_EQ(error.fault(), base::Fault::user);
    return error.what();
  }
  ADD_FAILURE() << "The file was read without an error.";
  return "";
}

template <class T>
void put(hid_t file, const char* name, hid_t type, const std::vector<T>& values, std::vector<hsize_t> shape) {
  H5Ldelete(file, name, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
  const hid_t data = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GE(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  H5Dclose(data);
  H5Sclose(space);
}

TEST(ReadClouds, ErrorsNameThePlace) {
  const auto expect = [](const std::string& sentence, const std::string& part) {
    EXPECT_NE(sentence.find(part), std::string::npos) << sentence;
  };
  expect(error_after([](hid_t file) { H5Ldelete(file, "clouds", H5P_DEFAULT); }),
         "holds diagrams, but no point clouds");
  expect(error_after([](hid_t file) { H5Ldelete(file, "clouds/points", H5P_DEFAULT); }),
         "clouds has no dataset 'points'");
  expect(error_after([](hid_t file) {
           put<std::int64_t>(file, "clouds/offsets", H5T_NATIVE_INT64, {0, 9, 1}, {3});
         }),
         "clouds/offsets must ascend from 0 to");
  expect(error_after([](hid_t file) {
           put<double>(file, "clouds/points", H5T_NATIVE_DOUBLE, {0, 0, 1, 1. / 0.}, {2, 2});
           put<std::int64_t>(file, "clouds/offsets", H5T_NATIVE_INT64, {0, 1, 2, 2}, {4});
         }),
         "clouds/points holds (1, inf) in row 1");
  expect(error_after([](hid_t file) {
           put<double>(file, "clouds/points", H5T_NATIVE_DOUBLE, {0, 0, 1}, {1, 3});
         }),
         "clouds/points must have shape N x 2");
}

TEST(ReadClouds, ChangedValuesDoNotMatchTheChecksum) {
  const TemporaryFolder folder;
  write_in_parts(folder / "d.h5", sample(3, 5), 3, true);
  EXPECT_TRUE(read_clouds(folder / "d.h5").notes.empty());
  const auto change = [&](auto&& changing) {
    const hid_t file = H5Fopen((folder / "d.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    changing(file);
    H5Fclose(file);
  };
  change([](hid_t file) {
    const hid_t data = H5Dopen2(file, "labels", H5P_DEFAULT);
    EXPECT_GE(H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, std::vector<int>{0, 0, 0}.data()),
              0);
    H5Dclose(data);
  });
  try {
    (void)read_clouds(folder / "d.h5");
    ADD_FAILURE() << "The file was read without an error.";
  } catch (const base::Error& error) {
    EXPECT_EQ(std::string(error.what()),
              (folder / "d.h5").string() + ": The file is damaged: its content does not match its checksum.");
  }
  change([](hid_t file) { H5Adelete(file, "checksums"); });
  EXPECT_EQ(read_clouds(folder / "d.h5").notes.size(), 1U);
}

/// Chunks, too, whose index has no checksum of its own. The rest of a chunk is zeros, which nobody reads.
TEST(DiagramWriter, NoMutationGivesOtherContent) {
  [[maybe_unused]] const test::LeaksOfHdf5Allowed allowed;
  const TemporaryFolder folder;
  const diagram::Diagram first{{{0.25, 0.5}, {0.125, 3}}, {}}, second{{{0.1, 1e-300}}, {}};
  DiagramWriter writer(folder / "d.h5", {{{"alpha", Kind::h1}}, {}, false});
  writer.append({{{"alpha", Kind::h1, DiagramBatch(std::vector{first, second}), {}}}, {}, {}});
  writer.finish();
  const auto bytes = read_bytes(folder / "d.h5");
  test::expect_mutations_noticed(bytes, 7, [&](const std::string& mutated) {
    write_bytes(folder / "m.h5", mutated);
    const auto set = read_diagrams(folder / "m.h5");
    std::vector<std::string> names;
    for (const auto& group : set.groups) names.push_back(group.title());
    const auto& diagrams = set.groups.at(0).diagrams;
    return std::tuple(names, std::vector(diagrams.points().begin(), diagrams.points().end()),
                      std::vector(diagrams.offsets().begin(), diagrams.offsets().end()));
  });
}

}  // namespace
}  // namespace perslay::io
