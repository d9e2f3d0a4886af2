#include "sentence.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <perslay/base/error.h>
#include <perslay/base/random.h>
#include <perslay/data/generators.h>
#include <perslay/features/item_features.h>
#include <perslay/learn/kernel_blocks.h>

namespace perslay::learn {
namespace {

using features::Items;
using Distance = KernelBlock::Distance;

data::GraphDataset labelled_shapes(std::size_t per_class) {
  auto shapes = data::shapes_dataset(per_class);
  base::RandomStream random(4);
  for (std::int64_t v = 0; v < shapes.vertex_offsets.back(); ++v)
    shapes.node_labels.push_back(static_cast<int>(random.below(3)));
  return shapes;
}

std::vector<KernelBlock> all_blocks() {
  std::vector<KernelBlock> blocks;
  for (const auto& help : kernel_blocks().help()) blocks.push_back(kernel_blocks().make(help.usage));
  return blocks;
}

std::vector<KernelBlock> blocks_of_graphs() {
  auto blocks = all_blocks();
  std::erase_if(blocks, [](const auto& block) { return block.name.starts_with('A'); });
  return blocks;
}

std::vector<std::size_t> places(std::size_t first, std::size_t count, std::size_t step = 1) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < count; ++i) rows.push_back(first + i * step);
  return rows;
}

TEST(KernelBlocks, AreKnownByTheirLetters) {
  std::vector<std::string> names;
  for (const auto& block : all_blocks()) {
    names.push_back(block.name);
    for (const auto& feature : block.features) EXPECT_EQ(features::parse_item_feature(feature).name, feature);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"G", "S", "R", "P", "F", "W", "WL", "L", "RL", "PL", "A0", "AT",
                                             "AL", "AQ"}));
  EXPECT_EQ(test::sentence_of([] { (void)kernel_blocks().make("G:3"); }), "G stands alone, without ':3'.");
  EXPECT_EQ(test::sentence_of([] { (void)kernel_blocks().make("Q"); }),
            "There is no kernel block called 'Q'; the known ones are G, S, R, P, F, W, WL, L, RL, PL, A0, "
            "AT, AL, AQ.");
}

TEST(KernelBlocks, SayWhatToLoad) {
  const auto request = load_request(
      std::vector{kernel_blocks().make("F"), kernel_blocks().make("PL"), kernel_blocks().make("F")});
  EXPECT_EQ(request.filtrations, (std::vector<std::string>{"hks:0.1", "hks:10"}));
  EXPECT_EQ(request.features,
            (std::vector<std::string>{"fourier:128@0.02", "fourier:128@0.06", "label-pairs"}));
  EXPECT_TRUE(request.keep_diagrams);
  EXPECT_FALSE(load_request(std::vector{kernel_blocks().make("PL")}).keep_diagrams);
}

/// What a block is, computed from nothing but its definition.
std::vector<double> distances_by_definition(const KernelBlock& block, const Items& items,
                                            const std::vector<std::size_t>& training,
                                            const std::vector<std::size_t>& rows) {
  const std::size_t n = rows.size();
  std::vector<double> distances(n * n, 0);
  for (const auto& name : block.features) {
    const auto keyed = std::ranges::find(items.keyed, name, &features::KeyedBlock::name);
    if (keyed != items.keyed.end()) {
      const auto own = [&](std::size_t a, std::size_t b) {
        double sum = 0;
        const auto begin_a = static_cast<std::size_t>(keyed->offsets[a]),
                   end_a = static_cast<std::size_t>(keyed->offsets[a + 1]);
        const auto begin_b = static_cast<std::size_t>(keyed->offsets[b]),
                   end_b = static_cast<std::size_t>(keyed->offsets[b + 1]);
        for (std::size_t i = begin_a; i < end_a; ++i)
          for (std::size_t j = begin_b; j < end_b; ++j)
            for (std::size_t c = 0; c < keyed->width && keyed->keys[i] == keyed->keys[j]; ++c) {
              const double x = keyed->values[i * keyed->width + c], y = keyed->values[j * keyed->width + c];
              sum += block.distance == Distance::intersection ? std::min(x, y) : x * y;
            }
        return sum;
      };
      for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < n; ++b) {
          const double aa = own(rows[a], rows[a]), bb = own(rows[b], rows[b]), ab = own(rows[a], rows[b]);
          distances[a * n + b] +=
              block.distance == Distance::intersection ? 2 - 2 * ab / std::sqrt(aa * bb) : aa + bb - 2 * ab;
        }
      continue;
    }
    const bool standardised = block.distance == Distance::standardised;
    const auto fitted =
        FittedFeatures::fit(items, training, {{name}, standardised, standardised ? 4.0 : 0.0});
    const auto matrix = fitted(items, rows), of_training = fitted(items, training);
    const std::size_t width =
        block.distance == Distance::rms ? features::parse_item_feature(name).width : matrix.columns;
    for (std::size_t first = 0; first < matrix.columns; first += width) {
      double mean_square = 0;
      for (std::size_t i = 0; i < training.size(); ++i)
        for (std::size_t c = first; c < first + width; ++c)
          mean_square +=
              std::pow(of_training.values[i * matrix.columns + c], 2) / static_cast<double>(training.size());
      const double divisor = block.distance == Distance::rms && mean_square > 0 ? mean_square : 1;
      for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < n; ++b)
          for (std::size_t c = first; c < first + width; ++c)
            distances[a * n + b] += std::pow(static_cast<double>(matrix.values[a * matrix.columns + c]) -
                                                 static_cast<double>(matrix.values[b * matrix.columns + c]),
                                             2) /
                                    divisor;
    }
  }
  return distances;
}

TEST(KernelBlocks, HaveTheDistancesOfTheirDefinition) {
  const auto blocks = blocks_of_graphs();
  const Items items = features::make_items(labelled_shapes(14), load_request(blocks));
  const auto training = places(0, 20, 2), rows = places(1, 13, 3);
  for (const auto& block : blocks) {
    const auto points = FittedBlock::fit(block, items, training)(items, rows);
    ASSERT_EQ(points.count(), rows.size());
    const auto found = squared_distances(points);
    const auto expected = distances_by_definition(block, items, training, rows);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t p = 0; p < found.size(); ++p)
      EXPECT_NEAR(found[p], expected[p], 1e-5 * (1e-3 + expected[p])) << block.name << " " << p;
  }
}

TEST(KernelBlocks, AreFittedToTheTrainingPartAlone) {
  const auto blocks = blocks_of_graphs();
  auto shapes = labelled_shapes(14);
  const auto training = places(0, 20);
  const Items items = features::make_items(shapes, load_request(blocks));
  base::RandomStream random(1);
  for (std::size_t g = 20; g < shapes.size(); ++g)
    shapes.graphs[g] = data::random_graph(shapes.graphs[g].vertex_count(), 0.5, random);
  const Items others = features::make_items(shapes, load_request(blocks));
  for (const auto& block : blocks)
    EXPECT_EQ(FittedBlock::fit(block, items, training), FittedBlock::fit(block, others, training))
        << block.name;
}

TEST(KernelBlocks, PartsAndThreadsLeaveNoTrace) {
  const auto blocks = blocks_of_graphs();
  const Items items =
      features::make_items(labelled_shapes(70), load_request(blocks));  // more than a tile of rows
  const auto all = places(0, items.count());
  base::Context one, three;
  one.threads = 1;
  three.threads = 3;
  for (const auto& block : blocks) {
    const auto fitted = FittedBlock::fit(block, items, all, three);
    EXPECT_EQ(fitted, FittedBlock::fit(block, items, all, one)) << block.name;
    const auto points = fitted(items, all, three);
    const auto matrix = squared_distances(points, one);
    EXPECT_EQ(matrix, squared_distances(points, three)) << block.name;
    const auto some = places(3, 20, 7);
    const std::size_t n = all.size();
    std::vector<double> from_some(some.size() * n);
    BlockDistances{points}(fitted(items, some), {0, some.size(), n}, from_some);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_EQ(matrix[i * n + i], 0) << block.name;
      for (std::size_t j = 0; j < n; ++j) EXPECT_EQ(matrix[i * n + j], matrix[j * n + i]) << block.name;
    }
    for (std::size_t i = 0; i < some.size(); ++i)
      for (std::size_t j = 0; j < n; ++j)
        EXPECT_NEAR(from_some[i * n + j], matrix[some[i] * n + j], 1e-9 * (1 + matrix[some[i] * n + j]))
            << block.name;
  }
}

TEST(KernelBlocks, OfEmptyGraphsAreLikeEachOther) {
  data::GraphDataset dataset;
  dataset.graphs = {data::Graph(), data::path_graph(3), data::Graph()};
  dataset.vertex_offsets = {0, 0, 3, 3};
  const auto block = kernel_blocks().make("W");
  const Items items = features::make_items(dataset, load_request(std::vector{block}));
  const auto rows = places(0, 3);
  EXPECT_EQ(squared_distances(FittedBlock::fit(block, items, rows)(items, rows)),
            (std::vector<double>{0, 2, 0, 2, 0, 2, 0, 2, 0}));
}

TEST(KernelBlocks, MistakesAreSentences) {
  const Items items = features::make_items(data::shapes_dataset(2), features::LoadRequest{});
  const auto sentence = [&](const KernelBlock& block) {
    return test::sentence_of([&] {
      const auto rows = places(0, 3);
      (void)FittedBlock::fit(block, items, rows)(items, rows);
    });
  };
  EXPECT_EQ(sentence(kernel_blocks().make("W")),
            "wl:4 is computed from graphs, and it was not when the items were loaded.");
  EXPECT_EQ(sentence(kernel_blocks().make("G")),
            "size is computed from graphs, and it was not when the items were loaded.");
  for (const KernelBlock& block : {KernelBlock{"X", Distance::intersection, {"statistics"}},
                                   KernelBlock{"X", Distance::intersection, {"wl:2", "wl:3"}},
                                   KernelBlock{"X", Distance::plain, {"statistics", "wl:3"}},
                                   KernelBlock{"X", Distance::standardised, {"wl:3"}}, KernelBlock{"X"}})
    EXPECT_EQ(sentence(block), "The features of the block X do not go with its distance.");
}

}  // namespace
}  // namespace perslay::learn
