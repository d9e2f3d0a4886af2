#pragma once

#include "keyed_row.h"
#include "random_fourier.h"

#include <cstddef>
#include <span>
#include <vector>

#include <perslay/data/graph.h>
#include <perslay/filtration/chebyshev_diagonals.h>

namespace perslay::features {

/// Random Fourier features of vertices, each described by the probabilities that a random walk from it is back
/// after 2, 3, ..., 16 steps, and by its degree (after RetGK, Zhang et al. 2018). The mean over the
/// vertices of a graph is the feature of the graph; inner products compare graphs by all pairs of vertices.
class ReturnFeatures {
 public:
  /// The Chebyshev diagonals that are needed.
  static constexpr std::size_t degree = 16;
  /// Coordinates of a vertex.
  static constexpr std::size_t dimension = degree;

  ReturnFeatures(std::size_t numbers, double sigma) : fourier_(dimension, numbers, sigma) {}

  /// The mean over all vertices; zeros if there are none. `diagonals` are those of the graph.
  [[nodiscard]] std::vector<double> mean(const data::Graph& graph,
                                         const filtration::ChebyshevDiagonals& diagonals) const;

  /// For each key, the sum over its vertices divided by the number of all vertices. Each vertex has a key.
  [[nodiscard]] KeyedRow by_key(const data::Graph& graph, const filtration::ChebyshevDiagonals& diagonals,
                                std::span<const std::uint64_t> keys) const;

 private:
  RandomFourier fourier_;
};

}  // namespace perslay::features
