#include "filtration/graphs.h"
#include "filtration/laplacian_oracle.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include <perslay/base/parallel.h>
#include <perslay/filtration/heat_kernel_signature.h>

namespace perslay::filtration {
namespace {

using namespace testing;

constexpr double accuracy = 1e-13;
const std::vector<double> all_times{0, 1e-3, 0.1, 1, 10, 100, 1000};
const std::vector<HeatKernelMethod> all_methods{HeatKernelMethod::automatic, HeatKernelMethod::chebyshev,
                                                HeatKernelMethod::local_chebyshev,
                                                HeatKernelMethod::eigenvectors};

HeatKernelOptions raw(HeatKernelMethod method = HeatKernelMethod::automatic) {
  return {.snap = false, .tolerance = 0, .method = method};
}

std::size_t size(const Graph& graph) { return static_cast<std::size_t>(graph.vertex_count()); }

struct Result {
  std::vector<double> values, derivatives;
};

Result compute(HeatKernelSignature& signature, const Graph& graph, const std::vector<double>& times) {
  Result result{std::vector<double>(times.size() * size(graph)),
                std::vector<double>(times.size() * size(graph))};
  signature.compute(graph, times, result.values, result.derivatives);
  return result;
}

Result compute(const Graph& graph, const std::vector<double>& times, const HeatKernelOptions& options) {
  HeatKernelSignature signature(options);
  return compute(signature, graph, times);
}

std::string sentence_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.fault(), base::Fault::user);
    return error.what();
  }
  return "no error";
}

TEST(HeatKernelSignature, EveryMethodAgreesWithTheDefinitionInExtendedPrecision) {
  for (const auto& [name, graph] : small_graphs()) {
    const LaplacianOracle oracle(graph);
    for (const auto method : all_methods) {
      const auto [values, derivatives] = compute(graph, all_times, raw(method));
      for (std::size_t i = 0; i < all_times.size(); ++i)
        for (Vertex v = 0; v < graph.vertex_count(); ++v) {
          const std::size_t place = i * size(graph) + static_cast<std::size_t>(v);
          ASSERT_NEAR(values[place], oracle.heat_kernel(v, all_times[i]), accuracy)
              << name << ", vertex " << v << ", t = " << all_times[i] << ", method "
              << static_cast<int>(method);
          ASSERT_NEAR(derivatives[place], oracle.heat_kernel_derivative(v, all_times[i]), accuracy)
              << name << ", vertex " << v << ", t = " << all_times[i] << ", method "
              << static_cast<int>(method);
        }
    }
  }
}

TEST(HeatKernelSignature, LargerGraphsAgreeWithTheDefinition) {
  base::RandomStream random(23);
  const std::vector<NamedGraph> graphs{{"sparse", data::random_graph(150, 0.02, random)},
                                       {"dense", data::random_graph(120, 0.5, random)},
                                       {"path", data::path_graph(150)},
                                       {"attachment", data::preferential_attachment_graph(150, 2, random)},
                                       {"communities", data::dense_communities(100, random)}};
  for (const auto& [name, graph] : graphs) {
    const LaplacianOracle oracle(graph);
    for (const auto method : all_methods) {
      const auto [values, derivatives] = compute(graph, all_times, raw(method));
      for (std::size_t i = 0; i < all_times.size(); ++i)
        for (Vertex v = 0; v < graph.vertex_count(); ++v)
          ASSERT_NEAR(values[i * size(graph) + static_cast<std::size_t>(v)],
                      oracle.heat_kernel(v, all_times[i]), accuracy)
              << name << ", vertex " << v << ", t = " << all_times[i] << ", method "
              << static_cast<int>(method);
    }
  }
}

TEST(HeatKernelSignature, VeryLongTimesReachTheEquilibrium) {
  const Graph graph = disjoint_union({data::grid_graph(3, 4), star_graph(5)}, 1);
  const auto values = heat_kernel_signature(graph, std::vector<double>{1e7}, raw());
  double volumes[2] = {0, 0};
  for (Vertex v = 0; v < 18; ++v) volumes[v < 12 ? 0 : 1] += graph.degree(v);
  for (Vertex v = 0; v < 18; ++v)
    EXPECT_NEAR(values[static_cast<std::size_t>(v)], graph.degree(v) / volumes[v < 12 ? 0 : 1], accuracy);
  EXPECT_EQ(values[18], 1.0);
}

TEST(HeatKernelSignature, CompleteGraphsFollowTheirClosedForm) {
  for (const Vertex n : {2, 3, 10, 100})
    for (const double t : all_times) {
      const double expected = 1.0 / n + (1 - 1.0 / n) * std::exp(-t * n / (n - 1.0));
      for (const double value : heat_kernel_signature(data::complete_graph(n), std::vector{t}))
        EXPECT_NEAR(value, expected, accuracy);
    }
}

TEST(HeatKernelSignature, StarsFollowTheirClosedForm) {
  for (const Vertex leaves : {1, 2, 7, 500})
    for (const double t : all_times) {
      const auto values = heat_kernel_signature(star_graph(leaves), std::vector{t});
      const double along = (1 + std::exp(-2 * t)) / 2;
      EXPECT_NEAR(values[0], along, accuracy);
      for (std::size_t v = 1; v < values.size(); ++v)
        EXPECT_NEAR(values[v], along / leaves + (1 - 1.0 / leaves) * std::exp(-t), accuracy);
    }
}

TEST(HeatKernelSignature, CyclesFollowTheirClosedForm) {
  for (const Vertex n : {3, 8, 25, 300})
    for (const double t : all_times) {
      double expected = 0;
      for (Vertex k = 0; k < n; ++k)
        expected += std::exp(-t * (1 - std::cos(2 * std::numbers::pi * k / n))) / n;
      for (const double value : heat_kernel_signature(data::cycle_graph(n), std::vector{t}))
        EXPECT_NEAR(value, expected, accuracy);
    }
}

TEST(HeatKernelSignature, SumsToTheTraceOfTheKernel) {
  for (const auto& [name, graph] : small_graphs()) {
    const auto spectrum = laplacian_eigenvalues(graph);
    const auto values = heat_kernel_signature(graph, all_times, raw());
    for (std::size_t i = 0; i < all_times.size(); ++i) {
      double trace = 0, sum = 0;
      for (const double lambda : spectrum) trace += std::exp(-all_times[i] * lambda);
      for (std::size_t v = 0; v < size(graph); ++v) sum += values[i * size(graph) + v];
      EXPECT_NEAR(sum, trace, 1e-11) << name << ", t = " << all_times[i];
    }
  }
}

TEST(HeatKernelSignature, DerivativesAreSlopes) {
  base::RandomStream random(5);
  constexpr double step = 1e-4;
  for (int round = 0; round < 20; ++round) {
    const Graph graph = with_random_weights(data::random_graph(25, 0.15, random), random);
    const double t = random.uniform(0.1, 20);
    const auto [values, derivatives] = compute(graph, {t - step, t, t + step}, raw());
    for (std::size_t v = 0; v < 25; ++v)
      EXPECT_NEAR(derivatives[25 + v], (values[50 + v] - values[v]) / (2 * step), 1e-7);
  }
}

TEST(HeatKernelSignature, TimeZeroIsExactlyOne) {
  for (const auto& [name, graph] : small_graphs())
    for (const auto method : all_methods) {
      const auto [values, derivatives] = compute(graph, {0.0}, raw(method));
      for (Vertex v = 0; v < graph.vertex_count(); ++v) {
        EXPECT_EQ(values[static_cast<std::size_t>(v)], 1.0) << name;
        EXPECT_EQ(derivatives[static_cast<std::size_t>(v)], graph.degree(v) == 0 ? 0.0 : -1.0) << name;
      }
    }
}

TEST(HeatKernelSignature, AutomorphicVerticesGetTheSameBits) {
  base::RandomStream random(3);
  const std::vector<NamedGraph> transitive{
      {"cycle", data::cycle_graph(50)},      {"cycle", data::cycle_graph(7)},
      {"complete", data::complete_graph(9)}, {"hypercube", hypercube_graph(6)},
      {"Petersen", petersen_graph()},        {"bipartite", complete_bipartite_graph(5, 5)}};
  for (const auto& [name, graph] : transitive)
    for (int round = 0; round < 5; ++round) {
      const Graph relabelled = relabel(graph, random_permutation(graph.vertex_count(), random));
      for (const auto method : all_methods) {
        const auto values = heat_kernel_signature(relabelled, all_times, {.method = method});
        for (std::size_t i = 0; i < all_times.size(); ++i)
          for (std::size_t v = 1; v < size(graph); ++v)
            ASSERT_EQ(values[i * size(graph) + v], values[i * size(graph)])
                << name << ", t = " << all_times[i];
      }
    }
}

TEST(HeatKernelSignature, MirroredPathVerticesGetTheSameBits) {
  const Graph path = data::path_graph(61);
  for (const auto method : all_methods) {
    const auto values = heat_kernel_signature(path, std::vector<double>{10}, {.method = method});
    for (std::size_t v = 0; v < 61; ++v) EXPECT_EQ(values[v], values[60 - v]);
    EXPECT_NE(values[0], values[1]);
  }
}

TEST(HeatKernelSignature, SnapsRunsToTheirSmallestValueAndNothingElse) {
  std::size_t changed = 0;
  for (const auto& [name, graph] : small_graphs())
    for (const double t : {1e-12, 0.1, 10.0}) {
      const auto before = heat_kernel_signature(graph, std::vector{t}, raw());
      const auto after = heat_kernel_signature(graph, std::vector{t});
      for (std::size_t v = 0; v < before.size(); ++v) {
        double expected = before[v];
        for (bool lower = true; lower;) {
          lower = false;
          for (const double other : before)
            if (other < expected && expected - other < 1e-11) {
              expected = other;
              lower = true;
            }
        }
        EXPECT_EQ(after[v], expected) << name << ", t = " << t;
        if (after[v] != before[v]) ++changed;
      }
    }
  EXPECT_GT(changed, 0U);
}

TEST(HeatKernelSignature, ApproximationsKeepTheirPromise) {
  base::RandomStream random(31);
  std::vector<NamedGraph> graphs{
      {"grid", data::grid_graph(9, 11)},
      {"twins", blow_up(data::cycle_graph(6), {3, 1, 2, 1, 4, 1}, {true, true, false, false, true, false})}};
  for (int i = 0; i < 10; ++i)
    graphs.push_back({"random", data::random_graph(60, random.uniform(0.02, 0.2), random)});
  double largest = 0;
  for (const auto& [name, graph] : graphs) {
    const LaplacianOracle oracle(graph);
    for (const double tolerance : {0.5, 1e-2, 1e-4, 1e-6, 1e-9, 1e-12})
      for (const auto method :
           {HeatKernelMethod::chebyshev, HeatKernelMethod::local_chebyshev, HeatKernelMethod::automatic})
        for (const double t : {0.1, 1.0, 10.0, 100.0}) {
          const auto [values, derivatives] =
              compute(graph, {t}, {.snap = false, .tolerance = tolerance, .method = method});
          for (Vertex v = 0; v < graph.vertex_count(); ++v) {
            const double error = std::abs(values[static_cast<std::size_t>(v)] - oracle.heat_kernel(v, t));
            ASSERT_LE(error, tolerance) << name << ", t = " << t;
            ASSERT_NEAR(derivatives[static_cast<std::size_t>(v)], oracle.heat_kernel_derivative(v, t),
                        tolerance)
                << name << ", t = " << t;
            largest = std::max(largest, error / tolerance);
          }
        }
  }
  EXPECT_GT(largest, 1e-3);  // otherwise the approximation does work that nobody asked for
}

// The same polynomial for every vertex: those that an automorphism exchanges still differ by rounding alone.
TEST(HeatKernelSignature, ApproximationsAreSnappedToo) {
  for (const double tolerance : {0.1, 1e-3, 1e-6}) {
    const auto values =
        heat_kernel_signature(data::cycle_graph(301), std::vector{3.0}, {.tolerance = tolerance});
    for (const double value : values) EXPECT_EQ(value, values.front());
  }
}

TEST(HeatKernelSignature, ScalingAllWeightsChangesNothing) {
  base::RandomStream random(8);
  const Graph graph = with_random_weights(data::random_graph(20, 0.2, random), random);
  const auto expected = heat_kernel_signature(graph, all_times, raw());
  for (const double factor : {0x1p-900, 0x1p900}) {
    auto edges = edges_of(graph);
    for (Edge& edge : edges) edge.weight *= factor;
    EXPECT_EQ(heat_kernel_signature(Graph::from_edges(20, edges, true), all_times, raw()), expected);
  }
}

TEST(HeatKernelSignature, ReusedObjectsGiveTheSameBits) {
  auto graphs = small_graphs();
  graphs.push_back({"large path", data::path_graph(400)});
  graphs.push_back({"small path", data::path_graph(4)});
  for (const auto method : all_methods) {
    HeatKernelSignature reused(HeatKernelOptions{.method = method});
    for (std::size_t i = 0; i < graphs.size(); ++i) {
      const auto& [name, graph] = graphs[i * 37 % graphs.size()];
      const std::vector<double> times = i % 3 == 0 ? std::vector<double>{0.1, 10} : std::vector<double>{5};
      const auto again = compute(reused, graph, times), fresh = compute(graph, times, {.method = method});
      EXPECT_EQ(again.values, fresh.values) << name;
      EXPECT_EQ(again.derivatives, fresh.derivatives) << name;
    }
  }
}

TEST(HeatKernelSignature, ThreadsDoNotDisturbEachOther) {
  const auto graphs = small_graphs();
  base::Context context;
  context.threads = 4;
  for (const auto method : all_methods) {
    const HeatKernelOptions options{.method = method};
    std::vector<std::vector<double>> values(graphs.size());
    base::parallel_for(
        context, "heat kernel signatures", graphs.size(), [&] { return HeatKernelSignature(options); },
        [&](std::size_t item, HeatKernelSignature& signature) {
          values[item] = compute(signature, graphs[item].graph, all_times).values;
        });
    for (std::size_t item = 0; item < graphs.size(); ++item)
      EXPECT_EQ(values[item], compute(graphs[item].graph, all_times, options).values) << graphs[item].name;
  }
}

TEST(HeatKernelSignature, RefusesBadTimesByName) {
  const Graph graph = data::path_graph(3);
  const auto sentence = [&](double t) {
    return sentence_of([&] { (void)heat_kernel_signature(graph, std::vector<double>{1, t}); });
  };
  EXPECT_EQ(sentence(-0.5), "The heat kernel signature needs a finite time of at least 0, not -0.5.");
  EXPECT_EQ(sentence(std::numeric_limits<double>::quiet_NaN()),
            "The heat kernel signature needs a finite time of at least 0, not nan.");
  EXPECT_EQ(sentence(std::numeric_limits<double>::infinity()),
            "The heat kernel signature needs a finite time of at least 0, not inf.");
}

TEST(HeatKernelSignature, RefusesPlacesThatDoNotFit) {
  const Graph graph = data::path_graph(3);
  const std::vector<double> times{1, 2};
  std::vector<double> right(6), wrong(5);
  HeatKernelSignature signature;
  EXPECT_EQ(sentence_of([&] { signature.compute(graph, times, wrong); }),
            "The heat kernel signature at 2 times of 3 vertices fills 6 places, not 5.");
  EXPECT_EQ(sentence_of([&] { signature.compute(graph, times, right, wrong); }),
            "The derivatives of the heat kernel signature at 2 times of 3 vertices fill 6 places, not 5.");
}

TEST(HeatKernelSignature, RefusesABadTolerance) {
  EXPECT_EQ(sentence_of([] { HeatKernelSignature({.tolerance = -1e-3}); }),
            "The error allowed must be a number of at least 0, not -0.001.");
}

TEST(HeatKernelSignature, RefusesWeightsThatOverflow) {
  const std::vector<Edge> edges{{0, 1, 1.5e308}, {1, 2, 1.5e308}};
  EXPECT_EQ(sentence_of([&] {
              (void)heat_kernel_signature(Graph::from_edges(3, edges, true), std::vector<double>{1});
            }),
            "The weights of the 2 edges at vertex 1 add up to more than a double holds.");
}

TEST(HeatKernelSignature, RefusesTheSeriesWhereItIsNotAccurate) {
  EXPECT_EQ(sentence_of([] {
              (void)heat_kernel_signature(data::path_graph(5), std::vector<double>{1e5},
                                          raw(HeatKernelMethod::chebyshev));
            }),
            "The Chebyshev series is accurate for times up to 1000, not at 100000.");
}

TEST(HeatKernelSignature, RefusesWhatTakesTooLongWithItsEstimate) {
  const auto sentence = sentence_of([] {
    (void)heat_kernel_signature(data::cycle_graph(1000), std::vector<double>{10}, {.max_seconds = 1e-9});
  });
  EXPECT_TRUE(sentence.starts_with(
      "The heat kernel signature of a graph with 1000 vertices and 1000 edges would take about "))
      << sentence;
  EXPECT_NE(sentence.find("1e-09 seconds"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("hks:10~0.001"), std::string::npos) << sentence;
}

TEST(HeatKernelSignature, RefusesWhatTakesTooMuchMemory) {
  const auto sentence = sentence_of([] {
    (void)heat_kernel_signature(data::path_graph(100'000), std::vector<double>{10},
                                {.method = HeatKernelMethod::eigenvectors, .max_seconds = 1e9});
  });
  EXPECT_NE(sentence.find("100000 vertices and 99999 edges"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("2.4e+05 MB"), std::string::npos) << sentence;
}

TEST(HeatKernelSignature, StopsWhenCancelled) {
  const std::atomic<bool> cancel = true;
  base::Context context;
  context.cancel = &cancel;
  const Graph graph = data::path_graph(10);
  std::vector<double> values(10);
  for (const auto method : {HeatKernelMethod::chebyshev, HeatKernelMethod::local_chebyshev}) {
    HeatKernelSignature signature(HeatKernelOptions{.method = method});
    try {
      signature.compute(graph, std::vector<double>{1}, values, {}, context);
      ADD_FAILURE() << "not stopped";
    } catch (const base::Error& error) {
      EXPECT_EQ(error.fault(), base::Fault::cancelled);
    }
  }
}

}  // namespace
}  // namespace perslay::filtration
