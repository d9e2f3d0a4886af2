#include "matrix_entries.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace perslay::io {

template <class... Values>
void MatrixEntries::fail(std::size_t entry, fmt::format_string<Values...> sentence,
                         Values&&... values) const {
  const auto [row, column] = graph_.arcs[entry];
  const std::string what = fmt::format("Entry ({}, {}) {}", row + first_row_, column + first_row_,
                                       fmt::format(sentence, std::forward<Values>(values)...));
  if (graph_.lines.empty()) refuse("{}: {}", file_, what);
  fail_at(file_, graph_.lines[entry], "{}", what);
}

void MatrixEntries::add(data::Arc arc, double value, std::int64_t line) {
  graph_.arcs.push_back(arc);
  graph_.weights.push_back(value);
  if (line != 0) graph_.lines.push_back(line);
  if (!std::isfinite(value) || !(value > 0))
    fail(graph_.arcs.size() - 1, "is {}; weights of edges are positive and finite.", value);
}

void MatrixEntries::refuse_repeated() const {
  std::vector<std::size_t> order(graph_.arcs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto arc = [&](std::size_t entry) {
    return std::pair(graph_.arcs[entry].from, graph_.arcs[entry].to);
  };
  std::ranges::stable_sort(order, {}, arc);
  const auto twice = std::ranges::adjacent_find(order, {}, arc);
  if (twice != order.end()) fail(twice[1], "is given twice; it could be the sum of both, or one of them.");
}

ParsedGraph MatrixEntries::finish() {
  if (!graph_.weights.empty()) refuse_repeated();
  if (std::ranges::all_of(graph_.weights, [](double value) { return value == 1; })) {
    graph_.weights.clear();
    graph_.lines.clear();
  }
  return std::move(graph_);
}

}  // namespace perslay::io
