#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <perslay/base/context.h>
#include <perslay/data/graph.h>
#include <perslay/diagram/diagram.h>
#include <perslay/diagram/kind.h>

/// Extended persistence as a selection of vertices, to differentiate it or to find the vertices behind points.
namespace perslay::persistence {

struct VertexDiagramOptions {
  /// Extended kinds, in the order of the result.
  std::vector<diagram::Kind> kinds{diagram::extended_kinds.begin(), diagram::extended_kinds.end()};
  /// Drop points of ext0 and ext1 on the diagonal too. Those of ord0 and rel1 are always dropped.
  bool drop_diagonal = false;
  /// The most points of a diagram to keep: those farthest from the diagonal.
  std::optional<std::size_t> prominent{};
  /// For the pairing, values are rounded to multiples of this: vertices whose values agree up to rounding
  /// errors are then tied. 0 does not round.
  double resolution = 0;
};

/// The diagrams of one kind, of graphs whose vertices are counted one after the other: point i is (values[a],
/// values[b]), vertices[i] = {a, b}, its lower value first.
struct VertexDiagrams {
  std::vector<std::int64_t> offsets;  ///< Graph g has the points offsets[g] ... offsets[g + 1] - 1.
  struct Pair {
    std::int64_t birth = 0, death = 0;
  };
  std::vector<Pair> vertices;  ///< In the order of a DiagramBatch.
};

/// The diagrams of each kind. `values` has one number for each vertex of all graphs, packed. The result is the
/// same for any number of threads.
[[nodiscard]] std::vector<VertexDiagrams> vertex_diagrams(std::span<const double> values,
                                                          std::span<const data::Graph> graphs,
                                                          const VertexDiagramOptions& options = {},
                                                          const base::Context& context = {});

/// The vertices behind the lowest and the highest coordinate of some diagrams; -1 if these are empty.
struct ExtremeVertices {
  std::int64_t low = -1, high = -1;

  /// Takes one more vertex into account; the first of equal ones stays.
  void meet(std::int64_t vertex, std::span<const double> values);
};

/// The extremes of each kind, over the diagrams of all graphs. Cheaper than the diagrams: a graph whose values
/// lie within the extremes found so far is skipped.
[[nodiscard]] std::vector<ExtremeVertices> extreme_vertices(std::span<const double> values,
                                                            std::span<const data::Graph> graphs,
                                                            const VertexDiagramOptions& options = {},
                                                            const base::Context& context = {});

}  // namespace perslay::persistence
