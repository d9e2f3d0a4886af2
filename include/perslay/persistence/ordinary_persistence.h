#pragma once

#include <span>

#include <perslay/data/graph.h>
#include <perslay/diagram/diagram.h>
#include <perslay/persistence/essential.h>

namespace perslay::persistence {

struct OrdinaryDiagrams {
  diagram::Diagram sub0, sup0, sub1;
};

struct OrdinaryOptions {
  EssentialPolicy essential{};
  /// Keep points whose birth equals their death.
  bool keep_diagonal = false;
};

/// Ordinary persistence of a graph with a function on its vertices: components (sub0) and loops (sub1) of the
/// sublevel graphs, components of the superlevel graphs (sup0), by the elder rule. Vertices are ordered by
/// (value, id). A vertex id is -1 where a clipped death is no vertex's value. O((n + m) log n).
[[nodiscard]] OrdinaryDiagrams ordinary_persistence(const data::Graph& graph, std::span<const double> values,
                                                    const OrdinaryOptions& options = {});

}  // namespace perslay::persistence
