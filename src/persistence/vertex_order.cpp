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
    const auto rank = static_cast<std::size_t>(below[v]);
    rank_[v] = static_cast<Rank>(rank);
    vertex_[rank] = static_cast<data::Vertex>(v);
    value_[rank] = values[v];
  }
}

void VertexOrder::rank_by_sorting(std::span<const double> values) {
  const auto value = [&](data::Vertex v) { return values[static_cast<std::size_t>(v)]; };
  const auto before = [&](data::Vertex v, data::Vertex w) {
    return value(v) < value(w) || (value(v) == value(w) && v < w);
  };
  order_.sort(
      std::span(vertex_).first(values.size()), [&](data::Vertex v) { return ordered_bits(value(v)); },
      before);
  for (std::size_t rank = 0; rank < values.size(); ++rank) {
    rank_[static_cast<std::size_t>(vertex_[rank])] = static_cast<Rank>(rank);
    value_[rank] = value(vertex_[rank]);
  }
}

}  // namespace perslay::persistence
