#include "filtration/graphs.h"
#include "nn/finite_differences.h"
#include "sentence.h"

#include <gtest/gtest.h>

#include <perslay/diagram/distance.h>
#include <perslay/nn/extended_persistence.h>
#include <perslay/persistence/extended_persistence.h>

namespace perslay::nn {
namespace {

using data::Graph;
using diagram::Kind;
using filtration::testing::random_permutation;
using filtration::testing::small_graphs;
using torch::Tensor;
using Pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;

std::vector<Graph> graphs_of_all_kinds() {
  std::vector<Graph> graphs;
  for (auto& named : small_graphs()) graphs.push_back(named.graph);
  return graphs;
}

std::int64_t vertices_of(std::span<const Graph> graphs) {
  std::int64_t count = 0;
  for (const auto& graph : graphs) count += graph.vertex_count();
  return count;
}

/// Values in a random order, at least 0.6 / n from each other.
Tensor distinct_values(data::Vertex n, base::RandomStream& random) {
  std::vector<double> values;
  for (const auto rank : random_permutation(n, random)) values.push_back((rank + random.uniform(0, 0.4)) / n);
  return torch::tensor(values, torch::kFloat64);
}

Tensor random_values(std::int64_t n, base::RandomStream& random) {
  std::vector<double> values(static_cast<std::size_t>(n));
  for (double& value : values) value = random.uniform();
  return torch::tensor(values, torch::kFloat64);
}

std::vector<diagram::Point> points_of(const RaggedBatch& batch, std::int64_t i) {
  const auto begin = batch.offsets()[i].item<std::int64_t>(),
             end = batch.offsets()[i + 1].item<std::int64_t>();
  std::vector<diagram::Point> points;
  for (auto j = begin; j < end; ++j)
    points.push_back({batch.points()[j][0].item<double>(), batch.points()[j][1].item<double>()});
  return points;
}

Pairs pairs_of(const VertexDiagrams& diagrams) {
  Pairs pairs;
  for (std::int64_t i = 0; i < diagrams.vertices.size(0); ++i)
    pairs.emplace_back(diagrams.vertices[i][0].item<std::int64_t>(),
                       diagrams.vertices[i][1].item<std::int64_t>());
  std::ranges::sort(pairs);
  return pairs;
}

TEST(ExtendedPersistenceStep, PointsAreThoseOfTheDiagramsWithTheLowerValueFirst) {
  base::RandomStream random(1);
  const auto graphs = graphs_of_all_kinds();
  const auto values = random_values(vertices_of(graphs), random);
  const auto result = extended_persistence(values, graphs);
  ASSERT_EQ(result.size(), 4U);
  for (std::int64_t g = 0, begin = 0; g < static_cast<std::int64_t>(graphs.size()); ++g) {
    const auto& graph = graphs[static_cast<std::size_t>(g)];
    const std::span own(values.data_ptr<double>() + begin, static_cast<std::size_t>(graph.vertex_count()));
    const auto expected = persistence::extended_persistence(graph, own);
    for (std::size_t k = 0; k < 4; ++k) {
      auto points = expected[diagram::extended_kinds[k]].points;
      for (auto& point : points)
        point = {std::min(point.birth, point.death), std::max(point.birth, point.death)};
      std::ranges::sort(points);
      EXPECT_EQ(points_of(result[k].diagrams, g), points);
    }
    begin += graph.vertex_count();
  }
  for (const auto& diagrams : result)  // and the vertices are those behind them
    EXPECT_TRUE(torch::equal(values.index_select(0, diagrams.vertices.view(-1)).view({-1, 2}),
                             diagrams.diagrams.points()));
}

TEST(ExtendedPersistenceStep, GradientsAreThoseOfFiniteDifferences) {
  base::RandomStream random(2);
  for (const auto& [name, graph] : small_graphs()) {
    const std::vector graphs{graph, data::path_graph(2), graph};  // the same graph with other values, too
    const auto values =
        torch::cat({distinct_values(graph.vertex_count(), random), torch::tensor({0.3, 0.8}, torch::kFloat64),
                    distinct_values(graph.vertex_count(), random)});
    const auto function = [&](const Tensor& x) {
      auto sum = torch::zeros({}, torch::kFloat64);
      double factor = 1;
      for (const auto& diagrams : extended_persistence(x, graphs))
        sum = sum + (factor *= 1.5) * test::smooth_sum(diagrams.diagrams);
      return sum;
    };
    EXPECT_LT(test::gradient_error(function, values, 1e-5), 1e-8) << name;
  }
}

// The documented choice at ties: that of values which are moved apart in the order of vertices.
TEST(ExtendedPersistenceStep, TiesAreBrokenByTheNumbersOfVertices) {
  base::RandomStream random(3);
  for (const auto& [name, graph] : small_graphs()) {
    const std::vector graphs{graph};
    const auto values = (3 * random_values(graph.vertex_count(), random)).floor() / 4;  // 0, 1/4 or 1/2
    const auto apart = values + 1e-6 * torch::arange(graph.vertex_count(), torch::kFloat64);
    const auto tied = extended_persistence(values, graphs), general = extended_persistence(apart, graphs);
    for (std::size_t k = 0; k < 4; ++k) {
      auto expected = pairs_of(general[k]);
      const auto kind = diagram::extended_kinds[k];
      if (kind == Kind::ord0 || kind == Kind::rel1)
        std::erase_if(expected, [&](const auto& pair) {
          return values[pair.first].template item<double>() == values[pair.second].template item<double>();
        });
      auto found = pairs_of(tied[k]);
      // On the diagonal, which of two equal values is the lower has no meaning.
      for (auto* pairs : {&found, &expected}) {
        for (auto& [a, b] : *pairs)
          if (values[a].item<double>() == values[b].item<double>() && a > b) std::swap(a, b);
        std::ranges::sort(*pairs);
      }
      EXPECT_EQ(found, expected) << name << ' ' << diagram::kind_name(kind);
    }
  }
}

// |dgm(f) - dgm(g)| <= |f - g| in every kind (the paper, theorem A.2), also across changes of the pairing.
TEST(ExtendedPersistenceStep, DiagramsAreLipschitzInTheValues) {
  base::RandomStream random(4);
  const auto metric = diagram::parse_metric("bottleneck");
  double tightest = 0;
  for (const auto& [name, graph] : small_graphs())
    for (const double size : {1e-3, 0.1, 1.0}) {
      if (graph.vertex_count() == 0) continue;
      const std::vector graphs{graph};
      const auto f = random_values(graph.vertex_count(), random);
      const auto g = f + size * (random_values(graph.vertex_count(), random) - 0.5);
      const double change = (f - g).abs().max().item<double>();
      const auto of_f = extended_persistence(f, graphs), of_g = extended_persistence(g, graphs);
      for (std::size_t k = 0; k < 4; ++k) {
        const double moved =
            diagram::distance(points_of(of_f[k].diagrams, 0), points_of(of_g[k].diagrams, 0), metric).value;
        EXPECT_LE(moved, change * (1 + 1e-12)) << name << ' ' << k;
        tightest = std::max(tightest, moved / change);
      }
    }
  EXPECT_GT(tightest, 0.99);  // the bound is attained, so the property says something
}

TEST(ExtendedPersistenceStep, EmptyGraphsAndIsolatedVerticesHaveGradientsToo) {
  const std::vector graphs{Graph(), Graph::from_edges(3, {}), Graph()};
  const auto values = torch::tensor({0.5, 0.1, 0.9}, torch::kFloat64).requires_grad_();
  const auto result = extended_persistence(values, graphs, {.kinds = {Kind::ext0, Kind::ord0}});
  EXPECT_EQ(points_of(result[0].diagrams, 1),
            (std::vector<diagram::Point>{{0.1, 0.1}, {0.5, 0.5}, {0.9, 0.9}}));
  EXPECT_EQ(result[1].diagrams.points().size(0), 0);
  (result[0].diagrams.points().sum() + result[1].diagrams.points().sum()).backward();
  EXPECT_TRUE(torch::equal(values.grad(), torch::full({3}, 2.0, torch::kFloat64)));
  const auto nothing = extended_persistence(torch::empty({0}, torch::kFloat64), std::vector<Graph>{});
  EXPECT_EQ(nothing[0].diagrams.size(), 0);
}

TEST(ExtendedPersistenceStep, OptionsChoosePoints) {
  base::RandomStream random(5);
  const auto graphs = graphs_of_all_kinds();
  const auto values = (8 * random_values(vertices_of(graphs), random)).floor();
  const std::vector kinds{Kind::ext1, Kind::ord0};
  const auto all = extended_persistence(values, graphs, {.kinds = kinds});
  const auto proper = extended_persistence(values, graphs, {.kinds = kinds, .drop_diagonal = true});
  const auto few = extended_persistence(values, graphs, {.kinds = kinds, .prominent = 2});
  for (std::size_t k = 0; k < 2; ++k)
    for (std::int64_t g = 0; g < static_cast<std::int64_t>(graphs.size()); ++g) {
      auto points = points_of(all[k].diagrams, g);
      auto chosen = points_of(few[k].diagrams, g);
      const auto persistence = [](const diagram::Point& p) { return p.death - p.birth; };
      ASSERT_EQ(chosen.size(), std::min<std::size_t>(points.size(), 2));
      std::ranges::sort(points, std::ranges::greater(), persistence);
      std::ranges::sort(chosen, std::ranges::greater(), persistence);
      for (std::size_t i = 0; i < chosen.size(); ++i)
        EXPECT_EQ(persistence(chosen[i]), persistence(points[i]));
      std::erase_if(points, [&](const auto& p) { return p.birth == p.death; });
      std::ranges::sort(points);
      EXPECT_EQ(points_of(proper[k].diagrams, g), points);
    }
}

std::vector<persistence::ExtremeVertices> extreme_vertices(const Tensor& values,
                                                           std::span<const Graph> graphs,
                                                           const ExtendedPersistenceOptions& options = {}) {
  const auto numbers = values.to(torch::kFloat64).contiguous();
  return persistence::extreme_vertices(
      {numbers.data_ptr<double>(), static_cast<std::size_t>(numbers.numel())}, graphs, options);
}

TEST(ExtendedPersistenceStep, ExtremeVerticesAreThoseOfTheDiagrams) {
  base::RandomStream random(8);
  const auto graphs = graphs_of_all_kinds();
  const auto values = (50 * random_values(vertices_of(graphs), random)).floor();
  for (const auto& options :
       {ExtendedPersistenceOptions{}, ExtendedPersistenceOptions{.drop_diagonal = true, .prominent = 1}}) {
    const auto diagrams = extended_persistence(values, graphs, options);
    const auto extremes = extreme_vertices(values, graphs, options);
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_EQ(values[extremes[k].low].item<double>(), diagrams[k].diagrams.points().min().item<double>());
      EXPECT_EQ(values[extremes[k].high].item<double>(), diagrams[k].diagrams.points().max().item<double>());
    }
  }
  EXPECT_EQ(extreme_vertices(torch::zeros({2}), std::vector{Graph::from_edges(2, {})})[0].low, -1);
}

// Many graphs, of which most cannot matter; the first of equal vertices counts.
TEST(ExtendedPersistenceStep, ExtremeVerticesOfManyGraphsAreTheFirstOfTheirValue) {
  base::RandomStream random(9);
  std::vector<Graph> graphs;
  for (int i = 0; i < 40; ++i)
    for (const auto& graph : graphs_of_all_kinds()) graphs.push_back(graph);
  for (const double levels : {3.0, 20.0, 1e6}) {
    const auto values = (levels * random_values(vertices_of(graphs), random)).floor();
    const auto diagrams = extended_persistence(values, graphs);
    const auto extremes = extreme_vertices(values, graphs);
    for (std::size_t k = 0; k < 4; ++k) {
      const auto vertices = diagrams[k].vertices.view(-1);
      const auto of_points = values.index_select(0, vertices);
      const auto first = [&](double value) {
        return vertices.masked_select(of_points == value).min().item<std::int64_t>();
      };
      const double low = of_points.min().item<double>(), high = of_points.max().item<double>();
      EXPECT_EQ(values[extremes[k].low].item<double>(), low);
      EXPECT_EQ(values[extremes[k].high].item<double>(), high);
      // Among the vertices of one graph the order of its points decides.
      const auto graph_of = [&](std::int64_t vertex) {
        std::int64_t begin = 0, graph = 0;
        while (begin + graphs[static_cast<std::size_t>(graph)].vertex_count() <= vertex)
          begin += graphs[static_cast<std::size_t>(graph++)].vertex_count();
        return graph;
      };
      EXPECT_EQ(graph_of(extremes[k].low), graph_of(first(low)));
      EXPECT_EQ(graph_of(extremes[k].high), graph_of(first(high)));
    }
  }
}

// Values that agree up to rounding are tied: whichever comes out larger, the pairs are the same.
TEST(ExtendedPersistenceStep, AResolutionTiesWhatAgreesUpToRounding) {
  base::RandomStream random(6);
  const auto graphs = graphs_of_all_kinds();
  const auto values = (8 * random_values(vertices_of(graphs), random)).floor() / 8;
  const auto noisy = values + 1e-14 * (random_values(values.numel(), random) - 0.5);
  const ExtendedPersistenceOptions options{.resolution = 0x1p-30};
  const auto clean = extended_persistence(values, graphs, options),
             rounded = extended_persistence(noisy, graphs, options);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(pairs_of(clean[k]), pairs_of(rounded[k]));
    EXPECT_TRUE(torch::equal(rounded[k].diagrams.points().view(-1),
                             noisy.index_select(0, rounded[k].vertices.view(-1))));
  }
  EXPECT_NE(pairs_of(extended_persistence(noisy, graphs)[0]), pairs_of(clean[0]));
}

TEST(ExtendedPersistenceStep, ThreadsChangeNothing) {
  base::RandomStream random(7);
  const auto graphs = graphs_of_all_kinds();
  const auto values = random_values(vertices_of(graphs), random);
  const auto one = extended_persistence(values, graphs, {}, 1),
             three = extended_persistence(values, graphs, {}, 3);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_TRUE(torch::equal(one[k].diagrams.points(), three[k].diagrams.points()));
    EXPECT_TRUE(torch::equal(one[k].vertices, three[k].vertices));
  }
}

TEST(ExtendedPersistenceStep, WorksInSinglePrecision) {
  const std::vector graphs{data::cycle_graph(3)};
  const auto values = torch::tensor({0.5F, 0.25F, 1.0F}).requires_grad_();
  const auto result = extended_persistence(values, graphs, {.kinds = {Kind::ext1}});
  EXPECT_EQ(result[0].diagrams.points().scalar_type(), torch::kFloat32);
  result[0].diagrams.points().select(1, 1).sum().backward();
  EXPECT_TRUE(torch::equal(values.grad(), torch::tensor({0.0F, 0.0F, 1.0F})));
}

TEST(ExtendedPersistenceStep, MistakesAreSentences) {
  const std::vector graphs{data::cycle_graph(3)};
  const auto sentence = [&](const Tensor& values, const ExtendedPersistenceOptions& options = {}) {
    return test::sentence_of([&] { static_cast<void>(extended_persistence(values, graphs, options)); });
  };
  EXPECT_EQ(sentence(torch::zeros({4})),
            "Extended persistence needs one floating number for each of 3 vertices, on the CPU.");
  EXPECT_EQ(sentence(torch::zeros({3}, torch::kInt64)),
            "Extended persistence needs one floating number for each of 3 vertices, on the CPU.");
  EXPECT_EQ(sentence(torch::zeros({3}), {.kinds = {Kind::h1}}), "h1 is not a kind of extended persistence.");
  EXPECT_NE(sentence(torch::tensor({0.0, std::nan(""), 1.0})), "no error");
}

}  // namespace
}  // namespace perslay::nn
