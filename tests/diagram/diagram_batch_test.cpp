#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include <perslay/base/error.h>
#include <perslay/base/random.h>
#include <perslay/diagram/diagram_batch.h>
#include <perslay/diagram/kind.h>

namespace perslay::diagram {
namespace {

TEST(DiagramBatch, AnEmptyBatchAndEmptyDiagramsAreLegal) {
  EXPECT_EQ(DiagramBatch().size(), 0U);
  const std::vector<Diagram> diagrams{{}, {{{1, 2}}, {}}, {}};
  const DiagramBatch batch(diagrams);
  EXPECT_EQ(batch.size(), 3U);
  EXPECT_TRUE(batch[0].empty());
  EXPECT_EQ(batch[1].size(), 1U);
  EXPECT_TRUE(batch[2].empty());
}

TEST(DiagramBatch, TheOrderOfPointsLeavesNoTrace) {
  base::RandomStream random(9);
  Diagram diagram;
  for (int i = 0; i < 60; ++i) {
    diagram.points.push_back({static_cast<double>(random.below(3)), static_cast<double>(random.below(3))});
    diagram.vertices.push_back({static_cast<int>(random.below(3)), static_cast<int>(random.below(3))});
  }
  const DiagramBatch reference(std::vector<Diagram>{diagram});
  std::vector<std::size_t> order(60);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (int repetition = 0; repetition < 20; ++repetition) {
    std::shuffle(order.begin(), order.end(), random);
    Diagram shuffled;
    for (const std::size_t i : order) {
      shuffled.points.push_back(diagram.points[i]);
      shuffled.vertices.push_back(diagram.vertices[i]);
    }
    const DiagramBatch batch(std::vector<Diagram>{shuffled});
    EXPECT_TRUE(std::ranges::equal(batch[0], reference[0]));
    EXPECT_TRUE(std::ranges::equal(batch.vertices(0), reference.vertices(0)));
  }
}

TEST(DiagramBatch, PointsKeepTheirVertices) {
  const std::vector<Diagram> diagrams{{{{3, 4}, {1, 2}}, {{30, 40}, {10, 20}}}};
  const DiagramBatch batch(diagrams);
  EXPECT_EQ(batch[0][0], (Point{1, 2}));
  EXPECT_EQ(batch.vertices(0)[0], (VertexPair{10, 20}));
}

TEST(DiagramBatch, RefusesArraysThatDoNotFit) {
  EXPECT_THROW(DiagramBatch({{0, 1}}, {0, 2}), base::Error);
  EXPECT_THROW(DiagramBatch({{0, 1}}, {1, 1}), base::Error);
  EXPECT_THROW(DiagramBatch({{0, 1}, {0, 1}}, {0, 2, 1, 2}), base::Error);
  EXPECT_THROW(DiagramBatch({{0, 1}}, {}), base::Error);
  EXPECT_THROW(DiagramBatch({{0, 1}, {0, 1}}, {0, 2}, {{0, 1}}), base::Error);
  EXPECT_THROW(DiagramBatch({{0, std::numeric_limits<double>::quiet_NaN()}}, {0, 1}), base::Error);
  EXPECT_NO_THROW(DiagramBatch({{0, std::numeric_limits<double>::infinity()}}, {0, 1}));
}

TEST(Kind, NamesAndKindsAreInverse) {
  for (const Kind kind : {Kind::ord0, Kind::rel1, Kind::ext0, Kind::ext1, Kind::sub0, Kind::sup0, Kind::sub1,
                          Kind::h0, Kind::h1})
    EXPECT_EQ(parse_kind(kind_name(kind)), kind);
  EXPECT_EQ(kind_name(Kind::ext1), "ext1");
  EXPECT_THROW((void)parse_kind("ext2"), base::Error);
}

}  // namespace
}  // namespace perslay::diagram
