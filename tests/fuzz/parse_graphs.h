#pragma once

#include "fuzz/fuzz.h"
#include "io/graph_parsers.h"

#include <algorithm>
#include <cmath>
#include <vector>

/// What the fuzz targets of graph formats share.
namespace perslay::test {

/// What every parser promises of its graphs.
inline void check_graphs(const std::vector<io::ParsedGraph>& graphs) {
  require(!graphs.empty(), "There is a graph, or a refusal.");
  for (const auto& graph : graphs) {
    const auto vertices = static_cast<std::size_t>(graph.vertices);
    require(graph.vertices >= 0, "The number of vertices is none less than 0.");
    require(graph.names.empty() || graph.names.size() == vertices, "All vertices have names, or none.");
    for (const auto& [from, to] : graph.arcs)
      require(from >= 0 && to >= 0 && from < graph.vertices && to < graph.vertices, "Edges end at vertices.");
    require(graph.weights.empty() || graph.weights.size() == graph.arcs.size(),
            "All edges have weights, or none.");
    require(graph.lines.empty() || graph.lines.size() == graph.arcs.size(), "All edges have lines, or none.");
    require(
        std::ranges::all_of(graph.weights, [](double weight) { return weight > 0 && std::isfinite(weight); }),
        "Weights are positive and finite.");
    for (const auto& [name, numbers, words] : graph.columns) {
      require(numbers.empty() || words.empty(), "A column has numbers or words.");
      require(std::max(numbers.size(), words.size()) == vertices, "A column has a value for each vertex.");
      require(std::ranges::all_of(numbers, [](double number) { return std::isfinite(number); }),
              "Numbers are finite.");
    }
  }
}

template <class Parse>
int parse_graphs(Parse parse, const std::uint8_t* data, std::size_t size) {
  const io::Text text{"graph", std::string(text_of(data, size))};
  reads_or_refuses([&] { check_graphs(parse(text, {}, {})); });
  return 0;
}

}  // namespace perslay::test
