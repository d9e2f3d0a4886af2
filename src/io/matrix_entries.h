#pragma once

#include "graph_format.h"

#include <cstdint>
#include <string>

namespace perslay::io {

/// Collects the entries of an adjacency matrix. Their values are weights, unless all are 1. An entry with a value that
/// is given twice is an error: matrices have the sum of such entries, while a graph has one edge.
class MatrixEntries {
 public:
  /// Rows in errors count from `first_row`.
  MatrixEntries(const std::string& file, data::Vertex rows, std::int64_t first_row = 1)
      : file_(file), first_row_(first_row) {
    graph_.vertices = rows;
  }

  /// An entry without value.
  void add(data::Arc arc) { graph_.arcs.push_back(arc); }
  /// An entry with a value, in this line, or in no line if it is 0. All entries have values or none has.
  void add(data::Arc arc, double value, std::int64_t line);

  [[nodiscard]] ParsedGraph finish();

 private:
  template <class... Values>
  [[noreturn]] void fail(std::size_t entry, fmt::format_string<Values...> sentence, Values&&... values) const;
  void refuse_repeated() const;

  const std::string& file_;
  std::int64_t first_row_;
  ParsedGraph graph_;
};

}  // namespace perslay::io
