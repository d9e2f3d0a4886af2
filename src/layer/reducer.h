#pragma once

#include "aligned.h"
#include "reduce_kernels.h"

#include <functional>
#include <limits>

#include <perslay/layer/operation.h>

namespace perslay::layer {

template <class T>
struct ReducerBuffers {
  AlignedBuffer<T> values, negative;
  AlignedBuffer<LaneIndex<T>> points;
};

/// The operation over the weighted features of one diagram, which arrive in tiles of points.
template <class T>
class Reducer {
 public:
  /// For a diagram of `count` points; `stride` is the number of features, padded.
  Reducer(const Operation& op, std::size_t count, std::size_t features, std::size_t stride,
          ReducerBuffers<T>& buffers)
      : op_(op), count_(count), features_(features), stride_(stride), buffers_(buffers) {
    if (!op.selects()) {
      values_ = buffers.values.take_zeros(stride).data();
      return;
    }
    const bool lists = op.type == Operation::Type::kth || op.type == Operation::Type::topk;
    largest_.ranks = lists ? std::min(op.k, count) : 1;
    values_ = buffers.values.take(largest_.ranks * stride).data();
    largest_.values = values_;
    for (std::size_t r = 0; r < largest_.ranks; ++r) {
      std::fill_n(values_ + r * stride, features, -std::numeric_limits<T>::infinity());
      // Nothing is larger than infinity, so nothing enters the padding.
      std::fill_n(values_ + r * stride + features, stride - features, std::numeric_limits<T>::infinity());
    }
    largest_.points = buffers.points.take(largest_.ranks * stride).data();
    std::fill_n(largest_.points, largest_.ranks * stride, LaneIndex<T>{-1});
  }

  void add(std::size_t first, std::size_t count, const T* tile, const T* weights) {
    if (!op_.selects()) return reduce_kernels<T>().add_weighted(count, stride_, tile, weights, values_);
    if (op_.type == Operation::Type::min) {  // the smallest is the largest of the negatives
      T* negative = buffers_.negative.take(count).data();
      std::transform(weights, weights + count, negative, std::negate());
      weights = negative;
    }
    reduce_kernels<T>().keep_largest(count, first, stride_, tile, weights, largest_);
  }

  /// Writes out [feature][rank] and, unless `selection` is null, the selected points. A place is 0 if the diagram
  /// has too few points for it, and NaN if it has enough but their values are NaN or overflow.
  void finish(T* out, std::int32_t* selection) const {
    if (!op_.selects()) {
      const T factor = op_.type == Operation::Type::mean ? T{1} / static_cast<T>(count_) : T{1};
      for (std::size_t j = 0; j < features_; ++j) out[j] = factor * values_[j];
      return;
    }
    const std::size_t width = op_.width(), first = op_.type == Operation::Type::kth ? op_.k - 1 : 0;
    for (std::size_t j = 0; j < features_; ++j)
      for (std::size_t r = 0; r < width; ++r) {
        const std::size_t rank = first + r, place = rank * stride_ + j;
        const LaneIndex<T> point = rank < largest_.ranks ? largest_.points[place] : LaneIndex<T>{-1};
        const T missing = rank < largest_.ranks ? std::numeric_limits<T>::quiet_NaN() : T{0};
        out[j * width + r] = point < 0 ? missing : sign() * values_[place];
        if (selection != nullptr) selection[j * width + r] = static_cast<std::int32_t>(point);
      }
  }

 private:
  [[nodiscard]] T sign() const { return op_.type == Operation::Type::min ? T{-1} : T{1}; }

  const Operation& op_;
  std::size_t count_;
  std::size_t features_;
  std::size_t stride_;
  ReducerBuffers<T>& buffers_;
  T* values_ = nullptr;
  Largest<T> largest_;
};

}  // namespace perslay::layer
