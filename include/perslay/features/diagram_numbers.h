#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <perslay/diagram/diagram_set.h>
#include <perslay/features/item_features.h>
#include <perslay/layer/vectorization.h>

namespace perslay::features {

class RandomFourier;

/// Some columns of a matrix stored row by row.
struct Columns {
  std::span<float> matrix;
  std::size_t stride = 0;  ///< Columns of the whole matrix.
  std::size_t first = 0;

  [[nodiscard]] std::span<float> row(std::size_t row, std::size_t count) const noexcept {
    return matrix.subspan(row * stride + first, count);
  }
  [[nodiscard]] Columns from(std::size_t column) const noexcept { return {matrix, stride, first + column}; }
};

/// A feature of diagrams, ready to be computed: all groups that it reads, one after the other.
class DiagramNumbers {
 public:
  /// A fitted feature has one frame for each group that it reads; for others, `frames` is empty. A feature
  /// that reads no group is the user's error. Groups are kept by reference.
  DiagramNumbers(const ItemFeature& feature, std::span<const diagram::DiagramGroup> groups,
                 std::span<const layer::Frame> frames = {});

  [[nodiscard]] std::size_t width() const noexcept { return groups_.size() * feature_.width; }

  /// The numbers of the items of `rows`, one row each. Thread-safe, on the calling thread.
  void write(std::span<const std::size_t> rows, const Columns& columns) const;

 private:
  void write_points(std::span<const std::size_t> rows, std::size_t group, const Columns& columns) const;
  void write_channel(std::span<const std::size_t> rows, std::size_t group, const Columns& columns) const;
  void compute(std::span<const diagram::Point> points, std::size_t group, std::span<double> numbers) const;

  ItemFeature feature_;
  std::vector<const diagram::DiagramGroup*> groups_;
  std::vector<layer::FixedChannel> channels_;  // of a vectorization, one per group
  std::shared_ptr<const RandomFourier> fourier_;
  std::vector<double> units_;  // of random Fourier features, one per group
};

/// The frame around the diagrams of some items.
[[nodiscard]] layer::Frame frame_around(const diagram::DiagramGroup& group,
                                        std::span<const std::size_t> rows);

}  // namespace perslay::features
