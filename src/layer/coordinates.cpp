#include "coordinates.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace perslay::layer {
namespace {

bool has_entropy(Coordinates kind) {
  return kind == Coordinates::birth_death_entropy || kind == Coordinates::middle_half_entropy;
}

template <class T>
T length(std::span<const T> points, std::size_t p) {
  return std::max(points[2 * p + 1] - points[2 * p], T{0});
}

template <class T>
T total_length(std::span<const T> points) {
  T sum = 0;
  for (std::size_t p = 0; p < points.size() / 2; ++p) sum += length(points, p);
  return sum;
}

template <class T>
void entropies(std::span<const T> points, T* amplitude) {
  const T total = total_length(points);
  for (std::size_t p = 0; p < points.size() / 2; ++p) {
    const T share = length(points, p) / total;
    amplitude[p] = share > 0 ? -share * std::log(share) : T{0};
  }
}

/// a_p = -x_p log x_p with x_p = y_p / Y, so that da_p/dy_q = (-log x_p - 1) (delta_pq - x_p) / Y.
template <class T>
void pull_back_entropies(std::span<const T> points, const T* by, T* gradient) {
  const T total = total_length(points);
  if (!(total > 0)) return;
  T shared = 0;
  const auto slope = [&](std::size_t p, T share) { return by[p] * (-std::log(share) - 1); };
  for (std::size_t p = 0; p < points.size() / 2; ++p)
    if (const T share = length(points, p) / total; share > 0) shared += slope(p, share) * share;
  for (std::size_t p = 0; p < points.size() / 2; ++p) {
    const T share = length(points, p) / total;
    if (!(share > 0)) continue;
    const T by_length = (slope(p, share) - shared) / total;
    gradient[2 * p] -= by_length;
    gradient[2 * p + 1] += by_length;
  }
}

}  // namespace

template <class T>
void to_coordinates(Coordinates kind, T nu, std::span<const T> points, const CoordinateArrays<T>& out) {
  for (std::size_t p = 0; p < points.size() / 2; ++p) {
    const T birth = points[2 * p], death = points[2 * p + 1];
    switch (kind) {
      case Coordinates::birth_death:
      case Coordinates::birth_death_entropy:
        out.u[p] = birth;
        out.v[p] = death;
        break;
      case Coordinates::birth_persistence:
        out.u[p] = birth;
        out.v[p] = death - birth;
        break;
      case Coordinates::birth_log_persistence: {
        const T y = death - birth;
        out.u[p] = birth;
        out.v[p] = y >= nu ? y : y > 0 ? nu * std::log(y / nu) + nu : T{0};
        out.amplitude[p] = y > 0 ? T{1} : T{0};
        break;
      }
      case Coordinates::middle_half:
      case Coordinates::middle_half_entropy:
        out.u[p] = (birth + death) / 2;
        out.v[p] = (death - birth) / 2;
        break;
    }
  }
  if (kind == Coordinates::birth_death || kind == Coordinates::middle_half)
    std::fill_n(out.amplitude, points.size() / 2, T{1});
  if (has_entropy(kind)) entropies(points, out.amplitude);
}

template <class T>
void pull_back(Coordinates kind, T nu, std::span<const T> points, const CoordinateArrays<T>& by,
               T* gradient) {
  for (std::size_t p = 0; p < points.size() / 2; ++p) {
    T& by_birth = gradient[2 * p];
    T& by_death = gradient[2 * p + 1];
    switch (kind) {
      case Coordinates::birth_death:
      case Coordinates::birth_death_entropy:
        by_birth += by.u[p];
        by_death += by.v[p];
        break;
      case Coordinates::birth_persistence:
        by_birth += by.u[p] - by.v[p];
        by_death += by.v[p];
        break;
      case Coordinates::birth_log_persistence: {
        const T y = points[2 * p + 1] - points[2 * p];
        // Where the Gaussian vanishes, so does its slope, however steep the logarithm is.
        const T by_y = y >= nu ? by.v[p] : y > 0 && by.v[p] != 0 ? by.v[p] * (nu / y) : T{0};
        by_birth += by.u[p] - by_y;
        by_death += by_y;
        break;
      }
      case Coordinates::middle_half:
      case Coordinates::middle_half_entropy:
        by_birth += (by.u[p] - by.v[p]) / 2;
        by_death += (by.u[p] + by.v[p]) / 2;
        break;
    }
  }
  if (has_entropy(kind)) pull_back_entropies(points, by.amplitude, gradient);
}

template void to_coordinates(Coordinates, float, std::span<const float>, const CoordinateArrays<float>&);
template void to_coordinates(Coordinates, double, std::span<const double>, const CoordinateArrays<double>&);
template void pull_back(Coordinates, float, std::span<const float>, const CoordinateArrays<float>&, float*);
template void pull_back(Coordinates, double, std::span<const double>, const CoordinateArrays<double>&,
                        double*);

}  // namespace perslay::layer
