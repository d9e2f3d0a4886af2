#include "io/temporary_folder.h"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <perslay/data/generators.h>
#include <perslay/diagram/transforms.h>
#include <perslay/features/cloud_diagrams.h>
#include <perslay/features/graph_diagrams.h>
#include <perslay/features/inputs.h>
#include <perslay/features/sample.h>
#include <perslay/io/diagram_file.h>

namespace perslay::features {
namespace {

using diagram::Kind;

TEST(SampleRows, AreEvenlySpaced) {
  EXPECT_EQ(sample_rows(3, 200), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(sample_rows(10, 4), (std::vector<std::size_t>{0, 2, 5, 7}));
  EXPECT_TRUE(sample_rows(0, 5).empty());
  EXPECT_TRUE(sample_rows(5, 0).empty());
}

void expect_rows(const diagram::DiagramSet& part, const diagram::DiagramSet& whole,
                 const std::vector<std::size_t>& rows) {
  ASSERT_EQ(part.groups.size(), whole.groups.size());
  for (std::size_t g = 0; g < part.groups.size(); ++g)
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto& all = whole.groups[g].diagrams;
      const auto& own = part.groups[g].diagrams;
      ASSERT_EQ(own.size(), rows.size());
      EXPECT_TRUE(std::ranges::equal(own[i], all[rows[i]])) << g << ' ' << i;
      EXPECT_TRUE(std::ranges::equal(own.vertices(i), all.vertices(rows[i]))) << g << ' ' << i;
      EXPECT_EQ(part.labels[i], whole.labels[rows[i]]);
    }
}

TEST(SampleDiagrams, OfGraphsAreThoseOfTheWholeSet) {
  const auto graphs = data::shapes_dataset(5);
  const auto whole = graph_diagrams(graphs, std::vector{filtration::parse_filtration("hks:1")});
  const auto part = sample_diagrams(*dataset_of(std::make_shared<data::GraphDataset>(graphs)),
                                    {.filtrations = {"hks:1"}}, 4);
  expect_rows(part, whole, sample_rows(15, 4));
  EXPECT_TRUE(part.groups[0].diagrams.has_vertices());
  expect_rows(sample_diagrams(whole, {}, 4), whole, sample_rows(15, 4));
}

TEST(SampleDiagrams, ClipWhatNeverDiesWhereLearningDoes) {
  const auto graphs = data::shapes_dataset(3);
  const LoadRequest request{.filtrations = {"hks:1"}, .kinds = {Kind::sub1}, .essential = "clip:9"};
  const auto dataset = dataset_of(std::make_shared<data::GraphDataset>(graphs));
  const auto sample = sample_diagrams(*dataset, request, 9).groups[0].diagrams;
  EXPECT_FALSE(sample.points().empty());
  EXPECT_TRUE(std::ranges::equal(sample.points(), make_items(graphs, request).groups[0].diagrams.points()));
}

TEST(SampleDiagrams, DropTheDiagonalWhereLearningDoes) {
  const auto graphs = data::shapes_dataset(3);
  const auto input = dataset_of(std::make_shared<data::GraphDataset>(graphs));
  const LoadRequest kept{.filtrations = {"degree"}, .kinds = {Kind::ext1}};
  auto dropped = kept;
  dropped.drop_diagonal = true;
  const auto all = sample_diagrams(*input, kept, 9).groups[0].diagrams;
  const auto some = sample_diagrams(*input, dropped, 9).groups[0].diagrams;
  const auto items = make_items(graphs, dropped).groups[0].diagrams;
  EXPECT_LT(some.points().size(), all.points().size());
  EXPECT_EQ(some.vertices().size(), some.points().size());
  ASSERT_EQ(some.size(), items.size());
  for (std::size_t i = 0; i < some.size(); ++i) EXPECT_EQ(some[i].size(), items[i].size());
}

TEST(SampleDiagrams, OfOrbitsAreThoseOfTheWholeSet) {
  const data::OrbitSet orbits{4, 60};
  const auto whole = cloud_diagrams(data::make_orbits(orbits, 0, orbits.size()));
  auto prominent = whole;
  for (auto& group : prominent.groups) group.diagrams = diagram::prominent(group.diagrams, 5);
  const LoadRequest request{
      .filtrations = {"alpha"}, .kinds = {Kind::h0, Kind::h1}, .transforms = {"prom:5"}};
  expect_rows(sample_diagrams(orbits, request, 7), prominent, sample_rows(20, 7));
}

TEST(SampleDiagrams, ReadFilesOfDiagramsAndOfClouds) {
  const test::TemporaryFolder folder;
  const auto graphs = data::shapes_dataset(3);
  const auto whole = graph_diagrams(graphs, std::vector{filtration::parse_filtration("hks:1")});
  io::write_diagrams(folder / "d.h5", whole);
  expect_rows(sample_diagrams(folder / "d.h5", {}, 5), whole, sample_rows(9, 5));
  const auto one = sample_diagrams(folder / "d.h5", {.filtrations = {"hks:1"}, .kinds = {Kind::ext1}}, 5);
  ASSERT_EQ(one.groups.size(), 1U);
  EXPECT_EQ(one.groups[0].kind, Kind::ext1);
}

}  // namespace
}  // namespace perslay::features
