#include "persistence/cases.h"
#include "persistence/counting_allocator.h"

#include <gtest/gtest.h>

#include <perslay/persistence/extended_persistence.h>

namespace perslay::persistence {
namespace {

using data::Graph;
using data::Vertex;
using test::Case;

TEST(Allocation, DoesNotHappenOnceTheLargestGraphHasBeenSeen) {
  std::vector<Case> cases;
  for (std::uint64_t item = 0; item < 600; ++item)
    cases.push_back(test::draw_case(item, item % 20 == 0 ? 400 : item % 20 == 1 ? 2000 : 60, 51));
  cases.push_back(test::staircase(200, 400, 1, true));  // long climbs
  for (const bool keep_diagonal : {true, false}) {
    ExtendedPersistence persistence;
    const std::int64_t before = test::allocation_count();
    for (const Case& c : cases) persistence.compute(c.graph, c.values, {keep_diagonal});
    const std::int64_t after_first_pass = test::allocation_count();
    for (const Case& c : cases) persistence.compute(c.graph, c.values, {keep_diagonal});
    EXPECT_GT(after_first_pass, before);
    EXPECT_EQ(test::allocation_count(), after_first_pass);
  }
}

TEST(Allocation, AtPeakIsBelow120BytesPerEdge) {
#ifdef NDEBUG
  constexpr Vertex n = 1'000'000;
#else
  constexpr Vertex n = 100'000;
#endif
  base::RandomStream random(52);
  const std::int64_t before = test::live_bytes();
  const Graph graph = data::preferential_attachment_graph(n, 5, random);
  const std::int64_t graph_bytes = test::live_bytes() - before;
  const std::vector<double> values = test::draw_values(n, test::Values::distinct, random);
  const std::int64_t after_input = test::live_bytes();

  test::reset_peak();
  ExtendedPersistence persistence;
  const ExtendedDiagrams& diagrams = persistence.compute(graph, values);
  const std::int64_t work_bytes = test::peak_bytes() - after_input;

  ASSERT_EQ(static_cast<std::int64_t>(diagrams.ext1.size()), data::cycle_rank(graph));
  EXPECT_GT(work_bytes, 0);
  EXPECT_LT(graph_bytes + work_bytes, 120 * graph.edge_count());
  RecordProperty("bytes_per_edge", static_cast<int>((graph_bytes + work_bytes) / graph.edge_count()));
}

}  // namespace
}  // namespace perslay::persistence
