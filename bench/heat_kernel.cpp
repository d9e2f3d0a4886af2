// Heat kernel signatures at t = 0.1 and 10 of the graphs of a dataset: ours against a full LAPACK
// eigendecomposition of the dense normalized Laplacian, in one process, one thread, taking turns. Large
// datasets are sampled.
//
//   bench_heat_kernel DATASET...

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <exception>
#include <vector>

#include <cblas.h>
#include <lapacke.h>

#include <perslay/filtration/heat_kernel_signature.h>
#include <perslay/io/graph_dataset.h>

namespace {

using perslay::data::Graph;
using perslay::data::Vertex;

constexpr double times[] = {0.1, 10};
constexpr int most_rounds = 5;
constexpr double peer_seconds = 8;  // for all rounds

class Eigendecomposition {
 public:
  void compute(const Graph& graph, std::vector<double>& values) {
    const auto n = static_cast<std::size_t>(graph.vertex_count());
    laplacian_.assign(n * n, 0.0);
    for (Vertex v = 0; v < graph.vertex_count(); ++v) {
      const auto row = static_cast<std::size_t>(v) * n;
      if (graph.degree(v) > 0) laplacian_[row + static_cast<std::size_t>(v)] = 1;
      for (const Vertex w : graph.neighbours(v))
        laplacian_[row + static_cast<std::size_t>(w)] =
            -1 / std::sqrt(double{1} * graph.degree(v) * graph.degree(w));
    }
    eigenvalues_.resize(n);
    const auto size = static_cast<lapack_int>(n);
    LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', size, laplacian_.data(), size, eigenvalues_.data());
    values.assign(std::size(times) * n, 0.0);
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = 0; i < std::size(times); ++i) {
        const double decay = std::exp(-times[i] * eigenvalues_[k]);
        const double* vector = &laplacian_[k * n];
        double* out = &values[i * n];
        for (std::size_t v = 0; v < n; ++v) out[v] += decay * vector[v] * vector[v];
      }
  }

 private:
  std::vector<double> laplacian_, eigenvalues_;
};

double peer_estimate(const std::vector<Graph>& graphs) {
  double seconds = 0;
  for (const Graph& graph : graphs)
    seconds += 70e-9 * std::pow(graph.vertex_count(), 2) + 0.15e-9 * std::pow(graph.vertex_count(), 3);
  return seconds;
}

/// Every so many graphs, such that one round of the peer needs about peer_seconds.
std::vector<Graph> sample(const std::vector<Graph>& graphs) {
  const auto step = static_cast<std::size_t>(std::max(1.0, std::round(peer_estimate(graphs) / peer_seconds)));
  std::vector<Graph> taken;
  for (std::size_t i = 0; i < graphs.size(); i += step) taken.push_back(graphs[i]);
  return taken;
}

template <class Work>
double seconds_of(Work&& work) {
  const std::clock_t start = std::clock();  // processor time: other programs do not count
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

double median(std::vector<double> numbers) {
  std::ranges::nth_element(numbers, numbers.begin() + std::ssize(numbers) / 2);
  return numbers[numbers.size() / 2];
}

void run(const char* path) {
  const auto dataset = perslay::io::read_graph_dataset(path);
  const auto graphs = sample(dataset.graphs);
  const int rounds = std::clamp(static_cast<int>(peer_seconds / peer_estimate(graphs)), 1, most_rounds);
  Eigendecomposition peer;
  perslay::filtration::HeatKernelSignature ours;
  std::vector<double> expected, values;
  const auto compute = [&](const Graph& graph) {
    values.resize(std::size(times) * static_cast<std::size_t>(graph.vertex_count()));
    ours.compute(graph, times, values);
  };

  double difference = 0;  // of the raw values, on some of the graphs
  perslay::filtration::HeatKernelSignature raw({.snap = false});
  for (std::size_t g = 0; g < graphs.size(); g += 10) {
    peer.compute(graphs[g], expected);
    values.resize(expected.size());
    raw.compute(graphs[g], times, values);
    for (std::size_t i = 0; i < values.size(); ++i)
      difference = std::max(difference, std::abs(values[i] - expected[i]));
  }
  std::vector<double> peer_times, our_times, ratios;
  for (int round = 0; round < rounds; ++round) {
    peer_times.push_back(seconds_of([&] {
      for (const Graph& graph : graphs) peer.compute(graph, expected);
    }));
    our_times.push_back(seconds_of([&] {
      for (const Graph& graph : graphs) compute(graph);
    }));
    ratios.push_back(peer_times.back() / our_times.back());
  }
  const double per_graph = 1e6 / static_cast<double>(graphs.size());
  std::printf("%-18s %6zu %12.1f %12.2f %7.1f %12.1e\n", dataset.name.c_str(), graphs.size(),
              median(peer_times) * per_graph, median(our_times) * per_graph, median(ratios), difference);
}

}  // namespace

int main(int argc, char** argv) {
  openblas_set_num_threads(1);
  std::printf("%-18s %6s %12s %12s %7s %12s\n", "dataset", "graphs", "dsyevd us", "ours us", "ratio",
              "difference");
  try {
    for (int i = 1; i < argc; ++i) run(argv[i]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
