#pragma once

#include "sparse_operator.h"

#include <cstdint>
#include <span>
#include <vector>

#include <perslay/data/graph.h>

namespace perslay::filtration {

/// The quotient of a graph by its twins: vertices with the same open neighbourhood (false twins, not
/// adjacent) or the same closed neighbourhood (true twins, adjacent). No vertex has twins of both sorts.
///
/// M = D^-1/2 A D^-1/2 maps vectors that are constant on classes to such vectors: in the orthonormal basis of
/// normalized class indicators it is the symmetric operator B of this class. On a vector that lives on one
/// class and sums to 0, M is multiplication by that class's twin eigenvalue. Isolated vertices are in no
/// class. In a weighted graph every vertex is a class of its own.
///
/// Holds buffers: reuse it from graph to graph. O(n + m) expected.
class TwinQuotient {
 public:
  void build(const data::Graph& graph);

  [[nodiscard]] std::size_t class_count() const noexcept { return representatives_.size(); }
  /// The class of each vertex; class_count() for isolated vertices.
  [[nodiscard]] std::span<const std::int32_t> class_of() const noexcept { return class_of_; }
  [[nodiscard]] std::int64_t isolated_count() const noexcept { return isolated_; }
  [[nodiscard]] std::span<const std::int32_t> sizes() const noexcept { return sizes_; }
  /// The twin eigenvalue of each class: 0 for false twins, -1/degree for true ones.
  [[nodiscard]] std::span<const double> twin_eigenvalues() const noexcept { return twin_eigenvalues_; }
  /// A positive vector u with B u = u: per class, sqrt(size * degree).
  [[nodiscard]] std::span<const double> harmonic() const noexcept { return harmonic_; }
  [[nodiscard]] SparseOperator reduced() const noexcept { return {offsets_, columns_, values_}; }

 private:
  enum class Twins : char { none, false_twins, true_twins };

  void find_twins(const data::Graph& graph);
  void number_classes(const data::Graph& graph);
  void assemble(const data::Graph& graph);
  void assemble_weighted(const data::Graph& graph);

  template <class Same>
  void merge(Twins sort, std::span<const std::uint64_t> hashes, Same same);

  std::vector<std::uint64_t> id_hashes_, neighbourhood_hashes_;
  std::vector<std::int32_t> table_, leader_;  // leader_[v]: the first vertex of v's class
  std::vector<Twins> sort_;

  std::vector<std::int32_t> class_of_, representatives_, sizes_;
  std::vector<double> twin_eigenvalues_, harmonic_, weighted_degrees_;
  std::int64_t isolated_ = 0;

  std::vector<std::int64_t> offsets_;
  std::vector<std::int32_t> columns_;
  std::vector<double> values_;
};

}  // namespace perslay::filtration
