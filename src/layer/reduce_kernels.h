#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace perslay::layer {

/// Indices of points in lanes of the same width as the values beside them.
template <class T>
using LaneIndex = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

/// The `ranks` largest of weights[p] tile[p][j] seen so far, for every feature j, in descending order;
/// equal values in the order in which they came. Begin with values of -infinity and points of -1.
template <class T>
struct Largest {
  std::size_t ranks = 0;
  T* values = nullptr;             ///< [rank][stride]
  LaneIndex<T>* points = nullptr;  ///< [rank][stride]
};

/// The largest of sign (u_p forms[0][j] + v_p forms[1][j]) over the points, for every linear form j, and
/// where it is attained first; -infinity and -1 if all are NaN.
template <class T>
struct LinearForms {
  const T* forms = nullptr;  ///< [2][stride]
  std::size_t stride = 0;
  T sign = 1;
};

template <class T>
struct ReduceKernels {
  /// sums [stride] += sum over points of weights[p] tile[p][stride].
  void (*add_weighted)(std::size_t count, std::size_t stride, const T* tile, const T* weights, T* sums);

  /// Takes in `count` more points, the first of which has the index `first`.
  void (*keep_largest)(std::size_t count, std::size_t first, std::size_t stride, const T* tile,
                       const T* weights, const Largest<T>& largest);

  void (*largest_of_forms)(const LinearForms<T>& forms, std::size_t count, const T* u, const T* v, T* values,
                           LaneIndex<T>* points);
};

template <class T>
[[nodiscard]] ReduceKernels<T> choose_reduce_kernels();

/// Those for the processor at hand.
template <class T>
const ReduceKernels<T>& reduce_kernels() {
  static const auto chosen = choose_reduce_kernels<T>();
  return chosen;
}

}  // namespace perslay::layer
