#include "sentence.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include <perslay/base/random.h>
#include <perslay/diagram/concatenate.h>
#include <perslay/diagram/part_of.h>

namespace perslay::diagram {
namespace {

using test::sentence_of;

/// Labelled items with vertices, and with a cycle of up to three vertices for each point of ext1.
DiagramSet some_diagrams(std::size_t count, base::RandomStream& random) {
  DiagramSet set;
  set.classes = {"a", "b"};
  for (std::size_t i = 0; i < count; ++i) set.labels.push_back(static_cast<int>(random.below(2)));
  for (const Kind kind : {Kind::ord0, Kind::ext1}) {
    std::vector<Diagram> diagrams(count);
    CycleBatch cycles;
    for (auto& [points, vertices] : diagrams)
      for (std::size_t p = random.below(4); p > 0; --p) {
        points.push_back({random.uniform(), random.uniform()});
        vertices.push_back({static_cast<std::int32_t>(random.below(9)), 9});
        for (std::size_t v = random.below(4); v > 0; --v)
          cycles.vertices.push_back(static_cast<std::int32_t>(random.below(9)));
        cycles.offsets.push_back(static_cast<std::int64_t>(cycles.vertices.size()));
      }
    set.groups.push_back(
        {"f", kind, DiagramBatch(diagrams), kind == Kind::ext1 ? std::move(cycles) : CycleBatch{}});
  }
  return set;
}

void expect_equal(const DiagramBatch& a, const DiagramBatch& b) {
  EXPECT_TRUE(std::ranges::equal(a.points(), b.points()));
  EXPECT_TRUE(std::ranges::equal(a.offsets(), b.offsets()));
  EXPECT_TRUE(std::ranges::equal(a.vertices(), b.vertices()));
}

void expect_equal(const DiagramSet& a, const DiagramSet& b) {
  EXPECT_EQ(a.labels, b.labels);
  EXPECT_EQ(a.classes, b.classes);
  ASSERT_EQ(titles(a.groups), titles(b.groups));
  for (std::size_t g = 0; g < a.groups.size(); ++g) {
    expect_equal(a.groups[g].diagrams, b.groups[g].diagrams);
    EXPECT_EQ(a.groups[g].cycles.vertices, b.groups[g].cycles.vertices);
    EXPECT_EQ(a.groups[g].cycles.offsets, b.groups[g].cycles.offsets);
  }
}

template <class Items>
Items joined(const Items& a, const Items& b) {
  return concatenate(std::vector<const Items*>{&a, &b});
}

std::vector<std::size_t> places(std::size_t begin, std::size_t end) {
  std::vector<std::size_t> all;
  for (std::size_t i = begin; i < end; ++i) all.push_back(i);
  return all;
}

TEST(Concatenate, ThePartsOfTheWholeAreTheParts) {
  base::RandomStream random(7);
  for (int repetition = 0; repetition < 50; ++repetition) {
    const auto a = some_diagrams(random.below(5), random), b = some_diagrams(random.below(5), random);
    const auto all = joined(a, b);
    expect_equal(part_of(all, places(0, a.item_count())), a);
    expect_equal(part_of(all, places(a.item_count(), all.item_count())), b);
    const auto batch = joined(a.groups[0].diagrams, b.groups[0].diagrams);
    expect_equal(batch, all.groups[0].diagrams);
  }
}

TEST(Concatenate, KeepsVerticesAndCyclesThatAllPartsHave) {
  base::RandomStream random(8);
  const auto a = some_diagrams(5, random);
  auto b = some_diagrams(5, random);
  b.groups[1].cycles = {};
  auto all = joined(a, b);
  EXPECT_EQ(all.groups[1].cycles.size(), 0U);
  EXPECT_TRUE(all.groups[1].diagrams.has_vertices());
  const auto& diagrams = b.groups[1].diagrams;
  b.groups[1].diagrams = DiagramBatch({diagrams.points().begin(), diagrams.points().end()},
                                      {diagrams.offsets().begin(), diagrams.offsets().end()});
  all = joined(a, b);
  EXPECT_FALSE(all.groups[1].diagrams.has_vertices());
  EXPECT_TRUE(all.groups[0].diagrams.has_vertices());
}

TEST(Concatenate, WhatDoesNotFitIsASentence) {
  base::RandomStream random(9);
  const auto a = some_diagrams(2, random);
  auto b = some_diagrams(2, random);
  const auto mistake = [&] { return sentence_of([&] { (void)joined(a, b); }); };
  b.labels.clear();
  EXPECT_EQ(mistake(), "Part 1 has no labels, but part 0 has labels.");
  b.groups.pop_back();
  EXPECT_EQ(mistake(), "Part 1 has f ord0, but part 0 has f ord0, f ext1.");
}

}  // namespace
}  // namespace perslay::diagram
