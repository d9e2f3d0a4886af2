#pragma once

#include <optional>
#include <span>

#include <perslay/data/graph.h>
#include <perslay/diagram/diagram.h>

namespace perslay::persistence {

/// What becomes of classes that never die: whole components and, in a graph, every loop.
struct EssentialPolicy {
  enum class Action {
    drop,             ///< Leave them out.
    clip_to_extreme,  ///< They die at the function's last value: its maximum going up, its minimum going
                      ///< down.
    clip_to_value,    ///< They die at `value`.
  };
  Action action = Action::drop;
  double value = 0;
};

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
