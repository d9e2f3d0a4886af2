#include "chebyshev_moments.h"
#include "dense_eigen.h"
#include "heat_kernel_cost.h"
#include "heat_modes.h"
#include "heat_series.h"
#include "local_ball.h"
#include "snap.h"
#include "twin_quotient.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/filtration/heat_kernel_signature.h>

namespace perslay::filtration {

namespace {

/// The request of a caller of `compute`, and the place of the result.
struct Request {
  std::span<const double> times;
  std::span<double> values, derivatives;

  [[nodiscard]] double longest() const { return std::ranges::max(times); }
};

void check(const Request& request, const data::Graph& graph) {
  for (const double t : request.times)
    if (!std::isfinite(t) || t < 0)
      throw base::user_error(
          fmt::format("The heat kernel signature needs a finite time of at least 0, not {}.", t));
  const std::size_t expected = request.times.size() * static_cast<std::size_t>(graph.vertex_count());
  if (request.values.size() != expected)
    throw base::user_error(
        fmt::format("The heat kernel signature at {} times of {} vertices fills {} places, not {}.",
                    request.times.size(), graph.vertex_count(), expected, request.values.size()));
  if (!request.derivatives.empty() && request.derivatives.size() != expected)
    throw base::user_error(fmt::format(
        "The derivatives of the heat kernel signature at {} times of {} vertices fill {} places, not {}.",
        request.times.size(), graph.vertex_count(), expected, request.derivatives.size()));
}

/// The longest time at which rounding errors of the series stay within a hundredth of the promised accuracy.
double longest_series_time(const HeatKernelOptions& options) {
  constexpr double longest_sensible = 1e6;  // a degree of some 6000
  return std::clamp(1e14 * options.tolerance, HeatSeries::largest_time, longest_sensible);
}

void refuse_if_too_costly(const HeatKernelCost& cost, const HeatKernelOptions& options,
                          const data::Graph& graph, double time) {
  if (cost.seconds <= options.max_seconds && cost.bytes <= heat_kernel_memory_limit) return;
  constexpr auto sentence =
      "The heat kernel signature of a graph with {} vertices and {} edges would take about {:.2g} seconds "
      "and {:.2g} MB of memory, and the limits are {:g} seconds and {:g} MB; allow an error, as in "
      "hks:{:g}~{:g}, choose a smaller time, or another filtration such as degree or closeness.";
  throw base::user_error(fmt::format(sentence, graph.vertex_count(), graph.edge_count(), cost.seconds,
                                     cost.bytes / 1e6, options.max_seconds, heat_kernel_memory_limit / 1e6,
                                     time, std::max(1e-3, 10 * options.tolerance)));
}

void refuse_if_too_large(const data::Graph& graph, const TwinQuotient& quotient) {
  const double rows = static_cast<double>(quotient.class_count()), bytes = 8 * rows * rows;
  if (bytes <= heat_kernel_memory_limit) return;
  throw base::user_error(
      fmt::format("The spectrum of a graph with {} vertices and {} edges needs a dense matrix of {:.2g} MB, "
                  "and the limit is {:g} MB.",
                  graph.vertex_count(), graph.edge_count(), bytes / 1e6, heat_kernel_memory_limit / 1e6));
}

}  // namespace

struct HeatKernelSignature::Work {
  TwinQuotient quotient;
  HeatSeries series;
  ChebyshevMoments moments;
  LocalBall ball;
  HeatModes modes;

  std::vector<std::int32_t> order;  // of the columns
  std::vector<double> block;        // results for one block of columns
  // For each time a row with a number per class, the diagonal of exp(-t(I - B)); below these rows, if asked for, as
  // many of its derivative in t.
  std::vector<double> kernel;
  std::vector<double> class_values;  // per class, and one for the isolated vertices
  Snap snap;

  HeatKernelCost plan(const HeatKernelOptions& options, double longest_time, const base::Context& context) {
    // Below this, balls hardly ever are so much smaller than the graph that growing them pays.
    constexpr std::size_t smallest_for_balls = 256;
    const SparseOperator matrix = quotient.reduced();
    const auto asked = options.method;
    const auto considered = [&](HeatKernelMethod method) {
      return asked == HeatKernelMethod::automatic || asked == method;
    };
    if (longest_time > longest_series_time(options)) {
      if (considered(HeatKernelMethod::eigenvectors)) return eigenvectors_cost(matrix);
      throw base::user_error(fmt::format("The Chebyshev series is accurate for times up to {}, not at {}.",
                                         longest_series_time(options), longest_time));
    }
    HeatKernelCost best{asked, 1e300, 1e300};
    if (considered(HeatKernelMethod::chebyshev))
      best = cheaper(best, chebyshev_cost(matrix, series.degree()));
    if (considered(HeatKernelMethod::eigenvectors)) best = cheaper(best, eigenvectors_cost(matrix));
    if (asked == HeatKernelMethod::local_chebyshev ||
        (asked == HeatKernelMethod::automatic && matrix.rows() >= smallest_for_balls)) {
      breadth_first_order(matrix, order);
      best = cheaper(best, local_chebyshev_cost(matrix, series.degree(), order, ball, context));
    }
    return best;
  }

  void by_series(bool local, const base::Context& context) {
    const SparseOperator matrix = quotient.reduced();
    const std::size_t classes = matrix.rows(), width = ChebyshevMoments::block_width(classes);
    if (!local) {
      order.resize(classes);
      std::iota(order.begin(), order.end(), 0);
    }
    block.resize(ChebyshevMoments::widest_block());
    base::ProgressMeter progress(context, "heat kernel signature", classes);
    for (std::size_t begin = 0; begin < classes; begin += width) {
      context.stop_if_cancelled();
      progress(begin);
      const auto columns = std::span(order).subspan(begin, std::min(width, classes - begin));
      if (local) {
        ball.grow(matrix, columns, series.degree() / 2);
        moments.compute(ball.matrix(), ball.centres(), series.degree(), ball.within());
      } else {
        moments.compute(matrix, columns, series.degree());
      }
      for (std::size_t row = 0; row < series.row_count(); ++row) {
        moments.combine(series.row(row), block);
        for (std::size_t j = 0; j < columns.size(); ++j)
          kernel[row * classes + static_cast<std::size_t>(columns[j])] = block[j];
      }
    }
  }

  void by_eigenvectors(const Request& request, std::int64_t components) {
    modes.compute(quotient, components, request.longest());
    const std::size_t classes = quotient.class_count();
    const std::size_t times = request.times.size();
    std::ranges::fill(kernel, 0.0);
    const auto add = [&](std::size_t row, double factor, std::span<const double> mode) {
      double* sums = kernel.data() + row * classes;
      for (std::size_t c = 0; c < classes; ++c) sums[c] += factor * mode[c] * mode[c];
    };
    for (std::size_t k = 0; k < classes; ++k) {
      const double rate = modes.rates()[k];
      for (std::size_t i = 0; i < times; ++i) {
        const double decay = std::exp(-request.times[i] * rate);
        add(i, decay, modes.mode(k));
        if (!request.derivatives.empty()) add(times + i, -rate * decay, modes.mode(k));
      }
    }
  }

  /// Sets the class values from a row of `kernel`. A vertex of class c with s members and twin eigenvalue nu has
  /// hks(v) = (1/s) exp(-t(I - B))_cc + (1 - 1/s) of_twins(nu), where of_twins(nu) = exp(-t(1 - nu)); derivatives
  /// likewise.
  template <class OfTwins>
  void lift(std::size_t row, double of_isolated, OfTwins&& of_twins) {
    const std::size_t classes = quotient.class_count();
    const auto own = std::span(kernel).subspan(row * classes, classes);
    class_values.assign(own.begin(), own.end());
    for (std::size_t c = 0; c < classes; ++c)
      if (quotient.sizes()[c] > 1)
        class_values[c] +=
            (1 - 1.0 / quotient.sizes()[c]) * (of_twins(quotient.twin_eigenvalues()[c]) - class_values[c]);
    if (quotient.isolated_count() > 0) class_values.push_back(of_isolated);
  }

  /// Gives each vertex the value of its class.
  void spread(std::span<double> out, std::size_t time) const {
    const auto class_of = quotient.class_of();
    double* row = out.data() + time * class_of.size();
    for (std::size_t v = 0; v < class_of.size(); ++v)
      row[v] = class_values[static_cast<std::size_t>(class_of[v])];
  }

  void write(const Request& request, bool snapped) {
    for (std::size_t i = 0; i < request.times.size(); ++i) {
      const double t = request.times[i];
      const double false_twin_decay = std::exp(-t);
      const auto twin_decay = [&](double nu) { return nu == 0 ? false_twin_decay : std::exp(-t * (1 - nu)); };
      lift(i, 1, twin_decay);
      if (t == 0) std::ranges::fill(class_values, 1.0);
      if (snapped) snap(class_values);
      spread(request.values, i);
      if (request.derivatives.empty()) continue;
      lift(request.times.size() + i, 0, [&](double nu) { return -(1 - nu) * twin_decay(nu); });
      if (t == 0) std::fill_n(class_values.begin(), quotient.class_count(), -1.0);
      spread(request.derivatives, i);
    }
  }
};

HeatKernelSignature::HeatKernelSignature(HeatKernelOptions options)
    : options_(options), work_(base::make_hidden<Work>()) {
  if (!std::isfinite(options.tolerance) || options.tolerance < 0)
    throw base::user_error(
        fmt::format("The error allowed must be a number of at least 0, not {}.", options.tolerance));
}

void HeatKernelSignature::compute(const data::Graph& graph, std::span<const double> times,
                                  std::span<double> values, std::span<double> derivatives,
                                  const base::Context& context) {
  const Request request{times, values, derivatives};
  check(request, graph);
  if (values.empty()) return;
  Work& work = *work_;
  work.quotient.build(graph);
  // The series is cut off at a hundredth of the promised accuracy. An allowed error keeps a hundredth for rounding.
  if (request.longest() <= longest_series_time(options_))
    work.series.prepare(times, std::max(1e-15, 0.99 * options_.tolerance), !derivatives.empty());

  const HeatKernelCost cost = work.plan(options_, request.longest(), context);
  refuse_if_too_costly(cost, options_, graph, request.longest());
  work.kernel.resize((derivatives.empty() ? 1 : 2) * times.size() * work.quotient.class_count());
  if (cost.method == HeatKernelMethod::eigenvectors)
    work.by_eigenvectors(request, data::component_count(graph) - work.quotient.isolated_count());
  else
    work.by_series(cost.method == HeatKernelMethod::local_chebyshev, context);
  work.write(request, options_.snap);
}

std::vector<double> heat_kernel_signature(const data::Graph& graph, std::span<const double> times,
                                          const HeatKernelOptions& options) {
  std::vector<double> values(times.size() * static_cast<std::size_t>(graph.vertex_count()));
  HeatKernelSignature(options).compute(graph, times, values);
  return values;
}

// The spectrum of L: 1 - eig(B), 1 - nu_c with multiplicity s_c - 1 for every class of s_c twins, 0 per
// isolated vertex.
std::vector<double> laplacian_eigenvalues(const data::Graph& graph) {
  TwinQuotient quotient;
  quotient.build(graph);
  refuse_if_too_large(graph, quotient);
  DenseEigen eigen;
  eigen.decompose(quotient.reduced(), DenseEigen::Want::eigenvalues);

  std::vector<double> spectrum;
  spectrum.reserve(static_cast<std::size_t>(graph.vertex_count()));
  for (const double mu : eigen.eigenvalues()) spectrum.push_back(std::clamp(1 - mu, 0.0, 2.0));
  for (std::size_t c = 0; c < quotient.class_count(); ++c)
    spectrum.insert(spectrum.end(), static_cast<std::size_t>(quotient.sizes()[c] - 1),
                    1 - quotient.twin_eigenvalues()[c]);
  spectrum.insert(spectrum.end(), static_cast<std::size_t>(quotient.isolated_count()), 0.0);
  std::ranges::sort(spectrum);
  // 0 is an eigenvalue exactly once per component.
  std::fill_n(spectrum.begin(), data::component_count(graph), 0.0);
  return spectrum;
}

}  // namespace perslay::filtration
