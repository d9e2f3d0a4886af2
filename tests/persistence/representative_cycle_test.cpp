#include "persistence/cases.h"

#include <map>

#include <gtest/gtest.h>

#include <perslay/persistence/extended_persistence.h>
#include <perslay/persistence/representative_cycle.h>

namespace perslay::persistence {
namespace {

using data::Graph;
using data::Vertex;
using diagram::VertexPair;
using test::at;
using test::Case;

bool is_edge(const Graph& graph, Vertex a, Vertex b) {
  const auto neighbours = graph.neighbours(a);
  return std::binary_search(neighbours.begin(), neighbours.end(), b);
}

void expect_simple_cycle(const Graph& graph, const std::vector<Vertex>& cycle) {
  ASSERT_GE(cycle.size(), 3U);
  for (std::size_t i = 0; i < cycle.size(); ++i)
    ASSERT_TRUE(is_edge(graph, cycle[i], cycle[(i + 1) % cycle.size()])) << cycle[i];
  const std::vector<Vertex> vertices = test::sorted(cycle);
  ASSERT_EQ(std::adjacent_find(vertices.begin(), vertices.end()), vertices.end());
}

void expect_extremes(const std::vector<Vertex>& cycle, const std::vector<Vertex>& rank, VertexPair point) {
  const auto [lowest, highest] = std::minmax_element(
      cycle.begin(), cycle.end(), [&](Vertex a, Vertex b) { return rank[at(a)] < rank[at(b)]; });
  ASSERT_EQ(*lowest, point.death);
  ASSERT_EQ(*highest, point.birth);
  ASSERT_EQ(cycle.front(), point.death);
}

/// Vectors over Z/2, reduced as they come.
class EdgeSpace {
 public:
  explicit EdgeSpace(const Graph& graph) {
    for (const auto& edge : test::edges_of(graph)) place_.emplace(edge, place_.size());
    with_pivot_.resize(place_.size());
  }

  /// Whether the cycle is independent of those added before.
  bool add(const std::vector<Vertex>& cycle) {
    std::vector<std::uint64_t> column((place_.size() + 63) / 64, 0);
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      const std::size_t edge = place_.at(std::minmax(cycle[i], cycle[(i + 1) % cycle.size()]));
      column[edge / 64] ^= 1ULL << (edge % 64);
    }
    for (std::size_t edge = 0; edge < place_.size(); ++edge) {
      if ((column[edge / 64] >> (edge % 64) & 1) == 0) continue;
      if (with_pivot_[edge].empty()) {
        with_pivot_[edge] = column;
        return true;
      }
      for (std::size_t word = 0; word < column.size(); ++word) column[word] ^= with_pivot_[edge][word];
    }
    return false;
  }

 private:
  std::map<std::pair<Vertex, Vertex>, std::size_t> place_;
  std::vector<std::vector<std::uint64_t>> with_pivot_;
};

void expect_cycle_basis(const Case& c) {
  const std::vector<Vertex> rank = test::ranks(c.values);
  const ExtendedDiagrams diagrams = extended_persistence(c.graph, c.values);
  ASSERT_EQ(static_cast<std::int64_t>(diagrams.ext1.size()), data::cycle_rank(c.graph));
  EdgeSpace space(c.graph);
  RepresentativeCycles cycles(c.graph, c.values);
  for (std::size_t i = 0; i < diagrams.ext1.size(); ++i) {
    const VertexPair point = diagrams.ext1.vertices[i];
    const Vertex closing = diagrams.ext1_closing[i];
    const std::vector<Vertex> cycle = cycles.find(point, closing);
    ASSERT_NO_FATAL_FAILURE(expect_simple_cycle(c.graph, cycle));
    ASSERT_NO_FATAL_FAILURE(expect_extremes(cycle, rank, point));
    ASSERT_TRUE(cycle[1] == closing || cycle.back() == closing);
    ASSERT_TRUE(space.add(cycle)) << "loop " << i << " depends on earlier ones";
  }
}

TEST(RepresentativeCycle, OfAllLoopsFormABasisOfRandomGraphs) {
  for (std::uint64_t item = 0; item < 4000; ++item)
    ASSERT_NO_FATAL_FAILURE(expect_cycle_basis(test::draw_case(item, item % 20 == 0 ? 40 : 12, 31))) << item;
}

TEST(RepresentativeCycle, OfAllLoopsFormABasisOfSparseMediumGraphs) {
  base::RandomStream random(32);
  for (std::uint64_t item = 0; item < 60; ++item) {
    const auto n = static_cast<Vertex>(100 + random.below(300));
    const Case c{data::random_graph(n, random.uniform(1, 5) / n, random),
                 test::draw_values(n, static_cast<test::Values>(item % test::value_patterns), random)};
    ASSERT_NO_FATAL_FAILURE(expect_cycle_basis(c)) << item;
  }
}

TEST(RepresentativeCycle, OfARingIsTheRing) {
  const std::vector<double> values{3, 1, 4, 1, 5, 9, 2};
  const Graph ring = data::cycle_graph(7);
  const ExtendedDiagrams diagrams = extended_persistence(ring, values);
  ASSERT_EQ(diagrams.ext1.vertices, (std::vector<VertexPair>{{5, 1}}));
  const auto cycle =
      RepresentativeCycles(ring, values).find(diagrams.ext1.vertices[0], diagrams.ext1_closing[0]);
  EXPECT_EQ(cycle.size(), 7U);
  EXPECT_EQ(cycle.front(), 1);
}

}  // namespace
}  // namespace perslay::persistence
