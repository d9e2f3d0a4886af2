#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include <perslay/diagram/part_of.h>

namespace perslay::diagram {
namespace {

TEST(PartOf, HasTheDiagramsVerticesCyclesAndLabelsOfItsItems) {
  DiagramSet all;
  all.classes = {"a", "b"};
  all.labels = {0, 1, 0};
  const std::vector<VertexPair> ids{{0, 1}, {2, 3}, {4, 5}};
  DiagramBatch diagrams({{0, 1}, {0, 2}, {0, 3}}, {0, 1, 1, 3}, ids);
  all.groups.push_back({"hks:1", Kind::ext1, diagrams, {{7, 8, 9, 6, 5, 4, 3, 2, 1, 0}, {0, 3, 6, 10}}});
  all.groups.push_back({"hks:1", Kind::ord0, diagrams, {}});

  const auto part = part_of(all, std::vector<std::size_t>{2, 1, 0, 0});
  EXPECT_EQ(part.labels, (std::vector{0, 1, 0, 0}));
  EXPECT_EQ(part.classes, all.classes);
  ASSERT_EQ(part.groups.size(), 2U);
  for (const auto& group : part.groups) {
    EXPECT_EQ(group.filtration, "hks:1");
    EXPECT_TRUE(std::ranges::equal(group.diagrams.offsets(), std::vector<std::int64_t>{0, 2, 2, 3, 4}));
    EXPECT_TRUE(
        std::ranges::equal(group.diagrams.points(), std::vector<Point>{{0, 2}, {0, 3}, {0, 1}, {0, 1}}));
    EXPECT_TRUE(std::ranges::equal(group.diagrams.vertices(), std::vector{ids[1], ids[2], ids[0], ids[0]}));
  }
  EXPECT_EQ(part.groups[0].kind, Kind::ext1);
  EXPECT_EQ(part.groups[0].cycles.vertices,
            (std::vector<std::int32_t>{6, 5, 4, 3, 2, 1, 0, 7, 8, 9, 7, 8, 9}));
  EXPECT_EQ(part.groups[0].cycles.offsets, (std::vector<std::int64_t>{0, 3, 7, 10, 13}));
  EXPECT_EQ(part.groups[1].cycles.size(), 0U);
}

TEST(PartOf, MayBeEmpty) {
  const DiagramBatch diagrams({{0, 1}}, {0, 1});
  EXPECT_EQ(part_of(diagrams, std::vector<std::size_t>{}).size(), 0U);
  EXPECT_FALSE(part_of(diagrams, std::vector<std::size_t>{0}).has_vertices());
}

}  // namespace
}  // namespace perslay::diagram
