// Extended persistence of real graphs, ours against GUDHI's, in one process and interleaved.
//
//   bench_extended_persistence [--degree] DATASET... [--benchmark_...]
//
// Vertex values are the heat kernel signature at t = 10, or the degree. One iteration computes the diagrams
// of all graphs of a dataset, or of every k-th where GUDHI would need too long for all of them. GUDHI's time
// is that of building the complex, extending it and reading its pairs: what its users do for every graph.
#include "oracle/extended.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <perslay/filtration/heat_kernel_signature.h>
#include <perslay/filtration/vertex_functions.h>
#include <perslay/io/graph_dataset.h>
#include <perslay/persistence/extended_persistence.h>

namespace {

using namespace perslay;

constexpr double gudhi_seconds_per_pass = 2;
constexpr int repetitions = 5;

struct Item {
  data::Graph graph;
  std::vector<std::pair<int, int>> edges;  // as GUDHI takes them
  std::vector<double> values;
};

struct Sample {
  std::string name;
  std::size_t stride = 1;
  std::vector<Item> items;
};

Item make_item(const data::Graph& graph, bool degree) {
  Item item{graph, {}, std::vector<double>(static_cast<std::size_t>(graph.vertex_count()))};
  for (data::Vertex a = 0; a < graph.vertex_count(); ++a)
    for (const data::Vertex b : graph.neighbours(a))
      if (a < b) item.edges.emplace_back(a, b);
  if (degree)
    filtration::degree(graph, item.values);
  else
    item.values = filtration::heat_kernel_signature(graph, std::vector<double>{10});
  return item;
}

void run_gudhi(const Item& item) {
  benchmark::DoNotOptimize(oracle::extended_persistence(item.graph.vertex_count(), item.edges, item.values));
}

/// The step through the dataset at which one pass of GUDHI stays within its time, judged by forty graphs.
std::size_t choose_stride(const data::GraphDataset& dataset, bool degree) {
  const std::size_t step = std::max<std::size_t>(1, dataset.size() / 40);
  std::chrono::duration<double> seconds{0};
  for (std::size_t g = 0; g < dataset.size(); g += step) {
    const Item item = make_item(dataset.graphs[g], degree);
    const auto start = std::chrono::steady_clock::now();
    run_gudhi(item);
    seconds += std::chrono::steady_clock::now() - start;
  }
  const double whole = seconds.count() * static_cast<double>(step);
  return static_cast<std::size_t>(std::max(1.0, std::ceil(whole / gudhi_seconds_per_pass)));
}

std::shared_ptr<const Sample> read_sample(const std::string& path, bool degree) {
  const data::GraphDataset dataset = io::read_graph_dataset(path);
  auto sample = std::make_shared<Sample>();
  sample->name = dataset.name;
  sample->stride = choose_stride(dataset, degree);
  for (std::size_t g = 0; g < dataset.size(); g += sample->stride)
    sample->items.push_back(make_item(dataset.graphs[g], degree));
  return sample;
}

void register_pair(const std::shared_ptr<const Sample>& sample) {
  const auto finish = [sample](benchmark::State& state) {
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(sample->items.size()));
  };
  benchmark::RegisterBenchmark((sample->name + "/perslay").c_str(),
                               [sample, finish](benchmark::State& state) {
                                 persistence::ExtendedPersistence persistence;
                                 for ([[maybe_unused]] const auto iteration : state)
                                   for (const Item& item : sample->items)
                                     benchmark::DoNotOptimize(persistence.compute(item.graph, item.values));
                                 finish(state);
                               })
      ->Unit(benchmark::kMillisecond)
      ->MinTime(0.2)
      ->Repetitions(repetitions);
  benchmark::RegisterBenchmark((sample->name + "/gudhi").c_str(),
                               [sample, finish](benchmark::State& state) {
                                 for ([[maybe_unused]] const auto iteration : state)
                                   for (const Item& item : sample->items) run_gudhi(item);
                                 finish(state);
                               })
      ->Unit(benchmark::kMillisecond)
      ->MinTime(0.2)
      ->Repetitions(repetitions);
}

/// Prints as usual and keeps the repetitions' times per iteration.
class Collector : public benchmark::ConsoleReporter {
 public:
  Collector() : ConsoleReporter(OO_Tabular) {}

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs)
      if (run.run_type == Run::RT_Iteration)
        seconds_[run.run_name.function_name].push_back(run.cpu_accumulated_time /
                                                       static_cast<double>(run.iterations));
    ConsoleReporter::ReportRuns(runs);
  }

  [[nodiscard]] double median_seconds(const std::string& name) {
    std::vector<double>& seconds = seconds_[name];
    if (seconds.empty()) return std::nan("");
    const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
    std::nth_element(seconds.begin(), middle, seconds.end());
    return *middle;
  }

 private:
  std::map<std::string, std::vector<double>> seconds_;
};

void print_ratios(const std::vector<std::shared_ptr<const Sample>>& samples, Collector& collector) {
  fmt::print("\n{:<18} {:>7} {:>7} {:>16} {:>16} {:>8}\n", "dataset", "graphs", "stride", "perslay us/graph",
             "gudhi us/graph", "ratio");
  for (const auto& sample : samples) {
    const double scale = 1e6 / static_cast<double>(sample->items.size());
    const double ours = collector.median_seconds(sample->name + "/perslay") * scale;
    const double theirs = collector.median_seconds(sample->name + "/gudhi") * scale;
    fmt::print("{:<18} {:>7} {:>7} {:>16.3f} {:>16.1f} {:>7.1f}x\n", sample->name, sample->items.size(),
               sample->stride, ours, theirs, theirs / ours);
  }
}

}  // namespace

int main(int argc, char** argv) try {
  std::string interleave = "--benchmark_enable_random_interleaving=true";
  std::vector<char*> flags{argv[0], interleave.data()};
  std::vector<std::string> paths;
  bool degree = false;
  for (const std::string_view argument : std::vector<std::string_view>(argv + 1, argv + argc)) {
    if (argument == "--degree")
      degree = true;
    else if (argument.starts_with("--"))
      flags.push_back(const_cast<char*>(argument.data()));
    else
      paths.emplace_back(argument);
  }
  if (paths.empty()) {
    std::cerr << "Usage: bench_extended_persistence [--degree] DATASET... [--benchmark_...]\n";
    return 2;
  }

  std::vector<std::shared_ptr<const Sample>> samples;
  for (const std::string& path : paths) register_pair(samples.emplace_back(read_sample(path, degree)));
  auto flag_count = static_cast<int>(flags.size());
  benchmark::Initialize(&flag_count, flags.data());
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector);
  print_ratios(samples, collector);
  return 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
