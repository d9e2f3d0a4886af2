// PersLay, forward and backward with gradients to all parameters, in float32 and on batches of 128 diagrams:
// our kernels, called directly and through their libtorch module, against what is written with libtorch's own
// operations; all in one process on one thread, interleaved. Then two threads against two processes.
//
//   bench_layer [rounds]
#include "fma_peak.h"
#include "layer_peers.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <perslay/base/random.h>
#include <perslay/layer/perslay.h>
#include <perslay/nn/perslay.h>

namespace {

using namespace perslay;
using torch::Tensor;

constexpr std::size_t batch_size = 128;

double seconds_of(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

/// Diagrams in the unit square with a number of points from `least` to `most`.
nn::RaggedBatch random_diagrams(std::size_t least, std::size_t most) {
  std::vector<diagram::Diagram> diagrams(batch_size);
  for (std::size_t i = 0; i < batch_size; ++i) {
    base::RandomStream random(1, i);
    diagrams[i].points.resize(least + random.below(most - least + 1));
    for (auto& point : diagrams[i].points) {
      point.birth = random.uniform();
      point.death = random.uniform(point.birth, 1);
    }
  }
  return nn::RaggedBatch(diagram::DiagramBatch(diagrams));
}

template <class T>
std::span<T> span_of(const Tensor& tensor) {
  return {tensor.data_ptr<std::remove_const_t<T>>(), static_cast<std::size_t>(tensor.numel())};
}

/// Our kernels on plain memory: forward and backward once per call.
class Kernels {
 public:
  Kernels(const nn::PersLay& module, const nn::RaggedBatch& batch)
      : channel_(module->channel()),
        batch_(batch),
        out_(torch::empty({batch.size(), module->size()})),
        out_gradient_(torch::ones_like(out_)) {
    for (const auto& parameter : module->parameters()) {
      arrays_.push_back(span_of<const float>(parameter));
      gradients_.push_back(torch::empty_like(parameter));
      gradient_spans_.push_back(span_of<float>(gradients_.back()));
    }
  }

  void operator()(int threads = 1) {
    base::Context context;
    context.threads = threads;
    const layer::Batch<float> batch{span_of<const float>(batch_.points()),
                                    span_of<const std::int64_t>(batch_.offsets())};
    layer::forward<float>(context, channel_, batch, arrays_, span_of<float>(out_), &selection_);
    layer::backward<float>(context, channel_, batch, arrays_, selection_, span_of<const float>(out_gradient_),
                           gradient_spans_, {});
  }

  [[nodiscard]] const Tensor& out() const { return out_; }
  [[nodiscard]] const std::vector<Tensor>& gradients() const { return gradients_; }

 private:
  layer::Channel channel_;
  nn::RaggedBatch batch_;
  std::vector<std::span<const float>> arrays_;
  std::vector<Tensor> gradients_;
  std::vector<std::span<float>> gradient_spans_;
  std::vector<std::int32_t> selection_;
  Tensor out_, out_gradient_;
};

/// Forward and backward by autograd.
std::vector<Tensor> differentiate(const Tensor& out, const bench::Parameters& parameters) {
  return torch::autograd::grad({out}, parameters, {torch::ones_like(out)});
}

struct Contestant {
  std::string name;
  std::function<void()> run;
  std::vector<double> times = {};
};

/// Seconds of processor time per call, over as many calls as take a twentieth of a second.
double time_of(const std::function<void()>& run) {
  const double start = seconds_of(CLOCK_THREAD_CPUTIME_ID);
  double end = start;
  int calls = 0;
  for (; end - start < 0.05; ++calls, end = seconds_of(CLOCK_THREAD_CPUTIME_ID)) run();
  return (end - start) / calls;
}

double measured_peak() {
  float sink = 1;
  double best = 0;
  for (int round = 0; round < 10; ++round) {
    const double start = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    const double count = bench::multiply_adds(2'000'000, sink);
    best = std::max(best, count / (seconds_of(CLOCK_THREAD_CPUTIME_ID) - start));
  }
  return sink > 0 ? best : 0;
}

/// The peers must compute the same, or the comparison is none.
void expect_same(const std::string& name, const Tensor& out, const Tensor& expected) {
  const double error = ((out - expected).abs().max() / expected.abs().max()).item<double>();
  if (error < 1e-4) return;
  fmt::print("{} differs from ours by {}.\n", name, error);
  std::exit(1);
}

struct Comparison {
  using Peers =
      std::vector<std::pair<std::string, Tensor (*)(const bench::Padded&, const bench::Parameters&)>>;

  std::string title;
  nn::PersLayOptions options;
  std::size_t least, most;  ///< Points per diagram.
  double multiply_adds;     ///< Per point, of the matrix products alone.
  Peers peers;
};

void compare(const Comparison& comparison, int rounds, double peak) {
  nn::PersLay module(comparison.options);
  const auto batch = random_diagrams(comparison.least, comparison.most);
  const bench::Padded padded(batch);
  const auto parameters = module->parameters();
  Kernels kernels(module, batch);
  kernels();

  std::vector<Contestant> contestants{
      {"ours, kernels", [&] { kernels(); }},
      {"ours, module", [&] { differentiate(module->forward(batch), parameters); }}};
  for (const auto& [name, peer] : comparison.peers) {
    const auto out = peer(padded, parameters);
    expect_same(name, out, kernels.out());
    const auto gradients = differentiate(out, parameters);
    for (std::size_t i = 0; i < gradients.size(); ++i)
      expect_same(name, gradients[i], kernels.gradients()[i]);
    contestants.push_back({name, [&, peer = peer] { differentiate(peer(padded, parameters), parameters); }});
  }
  for (int round = 0; round < rounds; ++round)
    for (auto& contestant : contestants) contestant.times.push_back(time_of(contestant.run));

  fmt::print("\n{}, {} to {} points\n", comparison.title, comparison.least, comparison.most);
  fmt::print("{:<32} {:>10} {:>12} {:>12}\n", "", "ms", "/ kernels", "/ module");
  const double ours = median(contestants[0].times), by_module = median(contestants[1].times);
  for (const auto& [name, run, times] : contestants)
    fmt::print("{:<32} {:>10.3f} {:>11.1f}x {:>11.1f}x\n", name, 1e3 * median(times), median(times) / ours,
               median(times) / by_module);
  const double done = comparison.multiply_adds * static_cast<double>(batch.points().size(0)) / ours;
  fmt::print("{:.1f} G multiply-adds/s in products alone: {:.0f} % of the measured peak\n", 1e-9 * done,
             100 * done / peak);
}

/// Calls per second of wall-clock time over `duration` seconds.
double rate(double duration, const std::function<void()>& run) {
  const double start = seconds_of(CLOCK_MONOTONIC);
  double end = start;
  int calls = 0;
  for (; end - start < duration; ++calls, end = seconds_of(CLOCK_MONOTONIC)) run();
  return calls / (end - start);
}

/// The sum of the rates of two processes that run at the same time.
double rate_of_two_processes(double duration, const std::function<void()>& run) {
  constexpr std::size_t bytes = 2 * sizeof(double);
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return NAN;
  auto* rates = static_cast<double*>(memory);
  for (int i = 0; i < 2; ++i)
    if (fork() == 0) {
      rates[i] = rate(duration, run);
      _exit(0);
    }
  while (wait(nullptr) > 0) continue;
  const double sum = rates[0] + rates[1];
  munmap(memory, bytes);
  return sum;
}

void compare_threads(const Comparison& comparison, int rounds) {
  constexpr double duration = 0.5;
  Kernels kernels(nn::PersLay(comparison.options), random_diagrams(comparison.least, comparison.most));
  std::vector<double> one, threads, processes;
  for (int round = 0; round < rounds; ++round) {
    one.push_back(rate(duration, [&] { kernels(1); }));
    threads.push_back(rate(duration, [&] { kernels(2); }));
    processes.push_back(rate_of_two_processes(duration, [&] { kernels(1); }));
  }
  fmt::print("{:<32} {:>10.0f} {:>12.0f} {:>14.0f} {:>10.2f}\n", comparison.title, median(one),
             median(threads), median(processes), median(threads) / median(processes));
}

}  // namespace

int main(int argc, char** argv) {
  at::set_num_threads(1);
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 5;
  const std::vector<layer::Equivariant> pooled{{25, layer::Pool::max}};
  const nn::PersLayOptions gaussians{.phi = "gaussian:20x20", .weight = "grid:10x10", .op = "sum"};
  const nn::PersLayOptions lines{
      .phi = "line:25", .equivariant = pooled, .weight = "grid:10x10", .op = "topk:5", .setup = {.seed = 1}};
  const Comparison::Peers gaussian_peers{{"padded libtorch, as the peers", bench::peer_gaussians},
                                         {"padded libtorch, leaner", bench::padded_gaussians},
                                         {"separable libtorch", bench::separable_gaussians}};
  // Forward one product of p x p per point, backward two; lines: two numbers each for 25 maxima and 25
  // features.
  const Comparison comparisons[] = {
      {"gaussian:20x20, grid:10x10, sum", gaussians, 400, 500, 3 * 400, gaussian_peers},
      {"Pm(25,25,10,top-5)", lines, 400, 500, 100, {{"padded libtorch", bench::padded_lines}}},
      {"gaussian:20x20, grid:10x10, sum", gaussians, 4, 16, 3 * 400, gaussian_peers}};

  const double peak = measured_peak();
  fmt::print("Batches of {} diagrams, float32, forward and backward, medians of {} rounds.\n", batch_size,
             rounds);
  fmt::print("Measured peak of one core: {:.1f} G multiply-adds/s.\n", 1e-9 * peak);
  for (const auto& comparison : comparisons) compare(comparison, rounds, peak);

  fmt::print("\n{:<32} {:>10} {:>12} {:>14} {:>10}\n", "batches per second", "1 thread", "2 threads",
             "2 processes", "ratio");
  for (const auto& comparison : comparisons) compare_threads(comparison, rounds);
}
