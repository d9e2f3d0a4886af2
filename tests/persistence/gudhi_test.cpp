#include "oracle/extended.h"
#include "persistence/cases.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include <perslay/filtration/heat_kernel_signature.h>
#include <perslay/io/graph_dataset.h>
#include <perslay/persistence/extended_persistence.h>

namespace perslay::persistence {
namespace {

using data::Graph;
using data::Vertex;
using diagram::Diagram;
using test::Case;
using test::Values;

/// The values of a function as numbered levels, so that GUDHI's coordinates, which went through a change of
/// scale, can be compared without mistaking one neighbour for the other: values that differ by no more than
/// rounding are one level.
class Levels {
 public:
  explicit Levels(std::span<const double> values)
      : low_(test::sorted(std::vector(values.begin(), values.end()))) {
    tolerance_ = 1e-12 * (low_.back() - low_.front());
    high_ = low_;
    std::size_t count = 1;
    for (std::size_t i = 1; i < low_.size(); ++i) {
      if (low_[i] - high_[count - 1] > 2 * tolerance_) low_[count++] = low_[i];
      high_[count - 1] = high_[i];
    }
    low_.resize(count);
    high_.resize(count);
  }

  /// -1 if there is no level within rounding of x.
  [[nodiscard]] std::ptrdiff_t of(double x) const {
    const auto level = std::upper_bound(low_.begin(), low_.end(), x + tolerance_) - low_.begin() - 1;
    return level >= 0 && x <= high_[static_cast<std::size_t>(level)] + tolerance_ ? level : -1;
  }

 private:
  std::vector<double> low_, high_;
  double tolerance_;
};

using LevelPairs = std::vector<std::pair<std::ptrdiff_t, std::ptrdiff_t>>;

LevelPairs off_diagonal(LevelPairs pairs) {
  std::erase_if(pairs, [](const auto& pair) { return pair.first == pair.second && pair.first != -1; });
  return test::sorted(std::move(pairs));
}

LevelPairs level_pairs(const Levels& levels, const Diagram& diagram) {
  LevelPairs pairs;
  for (const auto& [birth, death] : diagram.points) pairs.emplace_back(levels.of(birth), levels.of(death));
  return off_diagonal(std::move(pairs));
}

LevelPairs level_pairs(const Levels& levels, const oracle::Points& points) {
  LevelPairs pairs;
  for (const auto& [birth, death] : points) pairs.emplace_back(levels.of(birth), levels.of(death));
  return off_diagonal(std::move(pairs));
}

bool is_constant(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [&](double value) { return value == values.front(); });
}

/// Points compared; none for a constant function, on which GUDHI is silent.
void expect_equals_gudhi(ExtendedPersistence& persistence, const Case& c, std::size_t& compared) {
  if (is_constant(c.values)) return;
  const Levels levels(c.values);
  const oracle::ExtendedPoints expected =
      oracle::extended_persistence(c.graph.vertex_count(), test::edges_of(c.graph), c.values);
  const ExtendedDiagrams& diagrams = persistence.compute(c.graph, c.values);
  ASSERT_EQ(level_pairs(levels, diagrams.ord0), level_pairs(levels, expected.ord0));
  ASSERT_EQ(level_pairs(levels, diagrams.rel1), level_pairs(levels, expected.rel1));
  ASSERT_EQ(level_pairs(levels, diagrams.ext0), level_pairs(levels, expected.ext0));
  ASSERT_EQ(level_pairs(levels, diagrams.ext1), level_pairs(levels, expected.ext1));
  compared += expected.ord0.size() + expected.rel1.size() + expected.ext0.size() + expected.ext1.size();
}

constexpr Values patterns[] = {Values::distinct, Values::many_ties, Values::heavy_ties, Values::signed_zeros};

TEST(ExtendedPersistenceAgainstGudhi, OnRandomGraphsOfEveryDensity) {
  ExtendedPersistence persistence;
  std::size_t compared = 0;
  for (std::uint64_t item = 0; item < 30'000; ++item) {
    base::RandomStream random(61, item);
    const auto n = static_cast<Vertex>(1 + random.below(item % 10 == 0 ? 60 : 25));
    const Graph graph = test::draw_graph(n, random);
    const Case c{graph, test::draw_values(n, patterns[random.below(std::size(patterns))], random)};
    ASSERT_NO_FATAL_FAILURE(expect_equals_gudhi(persistence, c, compared)) << item;
  }
  EXPECT_GT(compared, 500'000U);
}

TEST(ExtendedPersistenceAgainstGudhi, OnSparseGraphsOfUpTo300Vertices) {
  ExtendedPersistence persistence;
  std::size_t compared = 0;
  for (std::uint64_t item = 0; item < 1'500; ++item) {
    base::RandomStream random(62, item);
    const auto n = static_cast<Vertex>(60 + random.below(241));
    const Graph graph = data::random_graph(n, random.uniform(0, 5) / n, random);
    const Case c{graph, test::draw_values(n, patterns[random.below(std::size(patterns))], random)};
    ASSERT_NO_FATAL_FAILURE(expect_equals_gudhi(persistence, c, compared)) << item;
  }
  EXPECT_GT(compared, 100'000U);
}

TEST(ExtendedPersistenceAgainstGudhi, OnALargeGraph) {
  ExtendedPersistence persistence;
  base::RandomStream random(63);
  const Graph graph = data::random_graph(2'000, 6.0 / 2'000, random);
  std::size_t compared = 0;
  expect_equals_gudhi(persistence, {graph, test::draw_values(2'000, Values::distinct, random)}, compared);
  EXPECT_GT(compared, 4'000U);
}

/// A dataset and which of its graphs: those small enough for GUDHI, and of these every stride-th.
struct Sample {
  const char* dataset;
  Vertex most_vertices;
  std::int64_t most_edges;
  std::size_t stride;
};

std::string test_name(const testing::TestParamInfo<Sample>& info) {
  std::string name = info.param.dataset;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class ExtendedPersistenceOnDataset : public testing::TestWithParam<Sample> {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("PERSLAY_DATASETS");
    if (folder == nullptr) GTEST_SKIP() << "PERSLAY_DATASETS does not name the folder with the datasets.";
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().filename().string().starts_with(std::string(GetParam().dataset) + '.'))
        path_ = entry.path();
    if (path_.empty()) GTEST_SKIP() << "There is no " << GetParam().dataset << " in " << folder << '.';
  }

  std::filesystem::path path_;
};

TEST_P(ExtendedPersistenceOnDataset, EqualsGudhi) {
  const Sample& sample = GetParam();
  const data::GraphDataset dataset = io::read_graph_dataset(path_);
  const std::vector<double> times{10};
  filtration::HeatKernelSignature heat_kernel;
  ExtendedPersistence persistence;
  std::size_t compared = 0;
  std::size_t small_graphs = 0;
  for (std::size_t g = 0; g < dataset.size(); ++g) {
    const Graph& graph = dataset.graphs[g];
    const bool small =
        graph.vertex_count() <= sample.most_vertices && graph.edge_count() <= sample.most_edges;
    if (!small || graph.vertex_count() == 0 || small_graphs++ % sample.stride != 0) continue;

    Case c{graph, std::vector<double>(test::at(graph.vertex_count()))};
    heat_kernel.compute(graph, times, c.values);
    ASSERT_NO_FATAL_FAILURE(expect_equals_gudhi(persistence, c, compared)) << "graph " << g;
    base::RandomStream random(64, g);
    c.values = test::draw_values(graph.vertex_count(), Values::distinct, random);
    ASSERT_NO_FATAL_FAILURE(expect_equals_gudhi(persistence, c, compared)) << "graph " << g;
  }
  EXPECT_GT(compared, dataset.size() / sample.stride);
  RecordProperty("points_compared", static_cast<int>(compared));
}

constexpr Vertex any_vertices = 1'000'000;
constexpr std::int64_t any_edges = 1'000'000'000;

INSTANTIATE_TEST_SUITE_P(
    Real, ExtendedPersistenceOnDataset,
    testing::Values(Sample{"MUTAG", any_vertices, any_edges, 1}, Sample{"COX2", any_vertices, any_edges, 1},
                    Sample{"DHFR", any_vertices, any_edges, 1},
                    Sample{"PROTEINS", any_vertices, any_edges, 1},
                    Sample{"NCI1", any_vertices, any_edges, 1}, Sample{"NCI109", any_vertices, any_edges, 1},
                    Sample{"IMDB-BINARY", any_vertices, any_edges, 1},
                    Sample{"IMDB-MULTI", any_vertices, any_edges, 1}, Sample{"COLLAB", 150, 3000, 4},
                    Sample{"REDDIT-MULTI-5K", 300, 3000, 1}, Sample{"REDDIT-MULTI-12K", 300, 3000, 2}),
    test_name);

}  // namespace
}  // namespace perslay::persistence
