#include "vertex_order.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <perslay/base/error.h>

namespace perslay::persistence {
namespace {

// Up to here, comparing all pairs without a branch beats sorting, whose first step costs half a microsecond.
constexpr std::size_t counting_limit = 48;

std::uint32_t upper_half(std::uint64_t key) { return static_cast<std::uint32_t>(key >> 32); }
std::uint32_t lower_half(std::uint64_t key) { return static_cast<std::uint32_t>(key); }

void check(const data::Graph& graph, std::span<const double> values) {
  if (values.size() != static_cast<std::size_t>(graph.vertex_count()))
    throw base::user_error(fmt::format("A graph with {} vertices was given {} vertex values.",
                                       graph.vertex_count(), values.size()));
  // A sum is finite only if all terms are; the loop that names the culprit runs only when needed.
  double sum = 0;
  for (const double x : values) sum += x - x;
  if (sum == 0) return;
  const auto bad = std::ranges::find_if(values, [](double x) { return !std::isfinite(x); });
  throw base::user_error(
      fmt::format("The value of vertex {} is {}; vertex values must be finite.", bad - values.begin(), *bad));
}

}  // namespace

void VertexOrder::sort(const data::Graph& graph, std::span<const double> values) {
  check(graph, values);
  size_ = graph.vertex_count();
  if (rank_.size() < count()) {
    rank_.resize(count());
    vertex_.resize(count());
    value_.resize(count());
  }
  if (count() <= counting_limit)
    rank_by_counting(values);
  else
    rank_by_sorting(values);
}

void VertexOrder::rank_by_counting(std::span<const double> values) {
  const std::size_t n = values.size();
  std::array<double, counting_limit> below;  // doubles, because the compiler vectorizes operands of one width
  for (std::size_t i = 0; i < n; ++i) {
    const double x = values[i];
    double before_i = 0;
    for (std::size_t j = 0; j < i; ++j) {
      const double j_first = values[j] <= x ? 1.0 : 0.0;
      before_i += j_first;
      below[j] += 1.0 - j_first;
    }
    below[i] = before_i;
  }
  for (std::size_t v = 0; v < n; ++v) {
    const auto r = static_cast<Rank>(below[v]);
    rank_[v] = r;
    vertex_[static_cast<std::size_t>(r)] = static_cast<data::Vertex>(v);
    value_[static_cast<std::size_t>(r)] = values[v];
  }
}

void VertexOrder::rank_by_sorting(std::span<const double> values) {
  const std::size_t n = values.size();
  // Quantising to 32 bits keeps the order of what it does not make equal.
  const auto [low, high] = std::ranges::minmax(values);
  const double scale = 4294967295.0 / (high - low);
  const bool quantisable = std::isnormal(scale);  // not if the range is 0, subnormal or overflows
  keys_.resize(n);
  for (std::size_t v = 0; v < n; ++v) {
    const auto key = quantisable ? static_cast<std::int64_t>((values[v] - low) * scale) : 0;
    keys_[v] = (static_cast<std::uint64_t>(key) << 32) | v;
  }
  sorter_(keys_.data(), n, hwy::SortAscending());

  // Values that became equal are in the order of ids; put them in the order of (value, id).
  const auto before = [&](std::uint64_t x, std::uint64_t y) {
    const double fx = values[lower_half(x)];
    const double fy = values[lower_half(y)];
    return fx < fy || (fx == fy && lower_half(x) < lower_half(y));
  };
  for (auto run = keys_.begin(); run != keys_.end();) {
    auto run_end = run + 1;
    bool in_order = true;
    while (run_end != keys_.end() && upper_half(*run_end) == upper_half(*run)) {
      in_order = in_order && before(*(run_end - 1), *run_end);
      ++run_end;
    }
    if (!in_order) std::sort(run, run_end, before);
    run = run_end;
  }

  for (std::size_t r = 0; r < n; ++r) {
    const std::uint32_t v = lower_half(keys_[r]);
    rank_[v] = static_cast<Rank>(r);
    vertex_[r] = static_cast<data::Vertex>(v);
    value_[r] = values[v];
  }
}

}  // namespace perslay::persistence
