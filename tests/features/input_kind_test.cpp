#include "io/temporary_folder.h"
#include "sentence.h"

#include <algorithm>
#include <memory>
#include <set>

#include <gtest/gtest.h>

#include <perslay/data/generators.h>
#include <perslay/features/cloud_diagrams.h>
#include <perslay/features/inputs.h>
#include <perslay/features/load_items.h>
#include <perslay/io/diagram_file.h>
#include <perslay/io/diagram_writer.h>

namespace perslay::features {
namespace {

using diagram::Kind;

TEST(InputKind, EveryEntryOfTheTableIsWhole) {
  std::set<std::string_view> names;
  std::set<Kind> kinds;
  for (const auto* const input : input_kinds()) {
    EXPECT_TRUE(names.insert(input->name).second) << input->name;
    EXPECT_EQ(&input_kind(input->name), input);
    EXPECT_FALSE(input->help.empty() || input->plural.empty() || input->item.empty()) << input->name;
    for (const Kind kind : input->kinds) {
      kinds.insert(kind);
      EXPECT_TRUE(kind_with_diagrams(kind)->has(kind));
    }
    for (const Kind kind : input->default_kinds) EXPECT_TRUE(input->has(kind));
    if (input->is_stored()) continue;
    EXPECT_FALSE(input->default_kinds.empty()) << input->name;
    EXPECT_NO_THROW(input->filtrations->check(input->default_filtration)) << input->name;
    EXPECT_EQ(kind_with_filtration(input->default_filtration), input);
    EXPECT_NO_THROW(input->check({}));
  }
  EXPECT_EQ(kinds.size(), 9U) << "every kind of diagram belongs to an input";
}

TEST(InputKind, UnknownNamesAreMistakes) {
  EXPECT_EQ(test::sentence_of([] { (void)input_kind("cloud"); }),
            "There is no kind of data called 'cloud' (did you mean 'clouds'?); there are diagrams, graphs, "
            "clouds.");
}

TEST(InputKind, FiltrationsOfTwoKindsAreMistakes) {
  const std::vector<std::string> mixed{"alpha", "degree"};
  EXPECT_EQ(test::sentence_of([&] { (void)kind_of_filtrations(mixed); }),
            "alpha is a filtration of point clouds and degree one of graphs; ask for one of the two.");
  EXPECT_EQ(kind_of_filtrations({}), nullptr);
  EXPECT_EQ(kind_of_filtrations(std::vector<std::string>{"mine"}), nullptr);
  EXPECT_EQ(kind_of_filtrations(std::vector<std::string>{"mine", "alpha:radii"}), &cloud_kind());
}

/// Numbers that are edges and points.
class Ambiguous : public testing::Test {
 protected:
  Ambiguous() { test::write_bytes(path_, "0 1\n1 2\n2 0\n"); }

  test::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "numbers.txt";
};

TEST_F(Ambiguous, IsReadAsWhatTheUserSays) {
  EXPECT_EQ(load_items(path_, {}, {}, {.as = &graph_kind()}).groups[0].filtration, "hks:10");
  EXPECT_EQ(load_items(path_, {}, {}, {.as = &cloud_kind()}).groups[0].filtration, "alpha");
  EXPECT_TRUE(test::sentence_of([&] {
                (void)load_items(path_, {}, {}, {.as = &diagram_kind()});
              }).ends_with("The name of a diagram file ends in .h5, .hdf5 or .csv."));
}

TEST_F(Ambiguous, IsNeverGuessed) {
  const auto sentence =
      path_.string() +
      " could be an edge list or points: every line has two integers; --as graphs or --as clouds says "
      "which.";
  EXPECT_EQ(test::sentence_of([&] { (void)input_kind_of(path_, {}); }), sentence);
  EXPECT_EQ(test::sentence_of([&] { (void)load_items(path_, {}); }), sentence);
  EXPECT_EQ(test::sentence_of([&] { (void)certain_kind(path_, false); }), "no error");
  std::filesystem::create_directory(folder_ / "all");
  std::filesystem::rename(path_, folder_ / "all" / "1.txt");
  EXPECT_EQ(test::sentence_of([&] { (void)input_kind_of(folder_ / "all", {}); }),
            (folder_ / "all").string() +
                " could be edge lists or files of points: of 1.txt, every line has two integers; --as graphs "
                "or --as "
                "clouds says which.");
}

TEST_F(Ambiguous, WhatIsAskedForTells) {
  const std::vector<std::string> degree{"degree"}, alpha{"alpha"};
  const std::vector<Kind> loops{Kind::ext1}, holes{Kind::h1};
  const std::vector<std::string_view> cycles{"cycles"};
  EXPECT_EQ(&input_kind_of(path_, {.filtrations = degree}), &graph_kind());
  EXPECT_EQ(&input_kind_of(path_, {.filtrations = alpha}), &cloud_kind());
  EXPECT_EQ(&input_kind_of(path_, {.kinds = loops}), &graph_kind());
  EXPECT_EQ(&input_kind_of(path_, {.kinds = holes}), &cloud_kind());
  EXPECT_EQ(&input_kind_of(path_, {.options = cycles}), &graph_kind());
  EXPECT_EQ(&input_kind_of(path_, {.otherwise = &cloud_kind()}), &cloud_kind()) << "a model knows its kind";
}

/// What can be seen is stronger than what is asked for, but it may only be likely.
TEST_F(Ambiguous, CertaintyIsNotOverruled) {
  test::write_bytes(path_, "0.5 1\n2 3\n");
  const std::vector<std::string> degree{"degree"}, alpha{"alpha"};
  EXPECT_EQ(&input_kind_of(path_, {}), &cloud_kind());
  EXPECT_EQ(&input_kind_of(path_, {.otherwise = &graph_kind()}), &cloud_kind());
  EXPECT_TRUE(test::sentence_of([&] {
                (void)input_kind_of(path_, {.filtrations = degree});
              }).ends_with("holds point clouds, whose default is alpha."));
  test::write_bytes(path_, "0 1 2\n");
  EXPECT_EQ(&input_kind_of(path_, {}), &graph_kind());
  EXPECT_EQ(&input_kind_of(path_, {.filtrations = alpha}), &cloud_kind()) << "its reader says what is wrong";
  test::write_bytes(path_, "1 2 3\n4 5 6 7\n");
  EXPECT_EQ(test::sentence_of([&] { (void)input_kind_of(path_, {}); }),
            path_.string() + " holds neither graphs nor points: its lines have 3 to 4 numbers.");
}

TEST_F(Ambiguous, IsKeptInTheCacheApart) {
  LoadOptions options{.cache = folder_ / "cache", .cache_seconds = 0};
  for (int round = 0; round < 2; ++round) {
    options.as = &graph_kind();
    EXPECT_EQ(load_items(path_, {}, {}, options).groups[0].filtration, "hks:10");
    options.as = &cloud_kind();
    EXPECT_EQ(load_items(path_, {}, {}, options).groups[0].filtration, "alpha");
  }
}

TEST(InputKind, AFileOfDiagramsAndCloudsIsBoth) {
  const test::TemporaryFolder folder;
  const auto clouds = data::make_orbits({1, 30}, 0, 5);
  {
    const io::DiagramFileLayout layout{
        .groups = {{"alpha", Kind::h1}}, .classes = clouds.classes, .clouds = true};
    io::DiagramWriter writer(folder / "both.h5", layout);
    writer.append(cloud_diagrams(clouds, {.kinds = {Kind::h1}}), &clouds);
    writer.finish();
  }
  const auto kind_for = [&](const std::vector<std::string>& filtrations) {
    return input_kind_of(folder / "both.h5", {.filtrations = filtrations}).name;
  };
  EXPECT_EQ(kind_for({}), "diagrams");
  EXPECT_EQ(kind_for({"alpha"}), "diagrams");
  EXPECT_EQ(kind_for({"alpha:radii"}), "clouds") << "the file lacks it";
  EXPECT_EQ(kind_for({"degree"}), "diagrams") << "no clouds have it";
  EXPECT_EQ(io::filtrations_in(folder / "both.h5"), std::vector<std::string>{"alpha"});
  EXPECT_EQ(&input_kind_of(folder / "both.h5", {.computed = true}), &cloud_kind());
}

TEST(InputKind, PartsHaveTheDiagramsOfTheirItems) {
  const auto graphs = std::make_shared<data::GraphDataset>(data::shapes_dataset(2));
  const auto clouds = std::make_shared<data::PointCloudDataset>(data::make_orbits({1, 40}, 0, 5));
  const auto set = dataset_of(graphs)->diagrams({}, {}).set;
  const std::vector<std::size_t> rows{3, 1};
  std::vector<std::unique_ptr<Dataset>> inputs;
  inputs.push_back(dataset_of(graphs));
  inputs.push_back(dataset_of(clouds));
  inputs.push_back(dataset_of(set));
  for (const auto& input : inputs) {
    const auto whole = input->diagrams({}, {}).set;
    const auto part = input->part(rows);
    EXPECT_EQ(part->size(), 2U);
    EXPECT_EQ(part->classes(), input->classes());
    const auto own = part->diagrams({}, {}).set;
    ASSERT_EQ(own.groups.size(), whole.groups.size());
    for (std::size_t g = 0; g < own.groups.size(); ++g)
      for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_TRUE(std::ranges::equal(own.groups[g].diagrams[i], whole.groups[g].diagrams[rows[i]]));
        EXPECT_EQ(part->labels()[i], input->labels()[rows[i]]);
      }
  }
}

TEST(InputKind, WhatAKindCannotDoIsRefused) {
  EXPECT_EQ(test::sentence_of([] { cloud_kind().check({.cycles = true}); }),
            "cycles and keep-diagonal are about graphs, not about point clouds.");
  EXPECT_EQ(test::sentence_of([] { cloud_kind().check({.kinds = {Kind::ext1}}); }),
            "The kind ext1 belongs to graphs, not to point clouds.");
  EXPECT_EQ(test::sentence_of([] { graph_kind().check({.kinds = {Kind::h0}}); }),
            "The kind h0 belongs to point clouds, not to graphs.");
  EXPECT_EQ(
      test::sentence_of([] { diagram_kind().check({.essential = "clip"}); }),
      "essential, keep-diagonal and cycles are about computing diagrams, and these are stored already.");
}

}  // namespace
}  // namespace perslay::features
