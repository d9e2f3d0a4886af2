#pragma once

#include <span>
#include <string_view>

#include <perslay/base/context.h>
#include <perslay/data/graph.h>

namespace perslay::filtration {

/// A vertex function without arguments that is computed graph by graph.
struct VertexFunction {
  std::string_view name;
  std::string_view help;
  void (*compute)(const data::Graph&, std::span<double>, const base::Context&);
};

/// All of them; the table stands below the functions, in vertex_functions.cpp.
[[nodiscard]] std::span<const VertexFunction> vertex_functions();

}  // namespace perslay::filtration
