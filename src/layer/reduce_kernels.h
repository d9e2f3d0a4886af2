#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace perslay::layer {

/// Indices of points in lanes of the same width as the values beside them.
template <class T>
using LaneIndex = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

/// sums [stride] += sum over points of weights[p] tile[p][stride].
void add_weighted(std::size_t count, std::size_t stride, const float* tile, const float* weights,
                  float* sums);
void add_weighted(std::size_t count, std::size_t stride, const double* tile, const double* weights,
                  double* sums);

/// The `ranks` largest of weights[p] tile[p][j] seen so far, for every feature j, in descending order;
/// equal values in the order in which they came. Begin with values of -infinity and points of -1.
template <class T>
struct Largest {
  std::size_t ranks = 0;
  T* values = nullptr;             ///< [rank][stride]
  LaneIndex<T>* points = nullptr;  ///< [rank][stride]
};

/// Takes in `count` more points, the first of which has the index `first`.
void keep_largest(std::size_t count, std::size_t first, std::size_t stride, const float* tile,
                  const float* weights, const Largest<float>& largest);
void keep_largest(std::size_t count, std::size_t first, std::size_t stride, const double* tile,
                  const double* weights, const Largest<double>& largest);

/// The largest of sign (u_p forms[0][j] + v_p forms[1][j]) over the points, for every linear form j, and
/// where it is attained first; -infinity and -1 if all are NaN.
template <class T>
struct LinearForms {
  const T* forms = nullptr;  ///< [2][stride]
  std::size_t stride = 0;
  T sign = 1;
};

void largest_of_forms(const LinearForms<float>& forms, std::size_t count, const float* u, const float* v,
                      float* values, std::int32_t* points);
void largest_of_forms(const LinearForms<double>& forms, std::size_t count, const double* u, const double* v,
                      double* values, std::int64_t* points);

}  // namespace perslay::layer
