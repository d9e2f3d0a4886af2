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
  const std::size_t count = points.size() / 2;
  const auto write = [&](const auto& u, const auto& v) {
    for (std::size_t p = 0; p < count; ++p) {
      out.u[p] = u(points[2 * p], points[2 * p + 1]);
      out.v[p] = v(points[2 * p], points[2 * p + 1]);
    }
  };
  const auto first = [](T birth, T) { return birth; };
  switch (kind) {
    case Coordinates::birth_death:
    case Coordinates::birth_death_entropy:
      write(first, [](T, T death) { return death; });
      break;
    case Coordinates::birth_persistence:
      write(first, [](T birth, T death) { return death - birth; });
      break;
    case Coordinates::birth_log_persistence:
      write(first, [&](T birth, T death) {
        const T y = death - birth;
        return y >= nu ? y : y > 0 ? nu * std::log(y / nu) + nu : T{0};
      });
      for (std::size_t p = 0; p < count; ++p)
        out.amplitude[p] = points[2 * p + 1] - points[2 * p] > 0 ? T{1} : T{0};
      break;
    case Coordinates::middle_half:
    case Coordinates::middle_half_entropy:
      write([](T birth, T death) { return (birth + death) / 2; },
            [](T birth, T death) { return (death - birth) / 2; });
      break;
  }
  if (kind == Coordinates::birth_death || kind == Coordinates::middle_half)
    std::fill_n(out.amplitude, count, T{1});
  if (has_entropy(kind)) entropies(points, out.amplitude);
}

template <class T>
void pull_back(Coordinates kind, T nu, std::span<const T> points, const CoordinateArrays<T>& by,
               T* gradient) {
  const auto add = [&](const auto& by_birth, const auto& by_death) {
    for (std::size_t p = 0; p < points.size() / 2; ++p) {
      gradient[2 * p] += by_birth(p);
      gradient[2 * p + 1] += by_death(p);
    }
  };
  const auto by_v = [&](std::size_t p) { return by.v[p]; };
  switch (kind) {
    case Coordinates::birth_death:
    case Coordinates::birth_death_entropy:
      add([&](std::size_t p) { return by.u[p]; }, by_v);
      break;
    case Coordinates::birth_persistence:
      add([&](std::size_t p) { return by.u[p] - by.v[p]; }, by_v);
      break;
    case Coordinates::birth_log_persistence: {
      // Where the Gaussian vanishes, so does its slope, however steep the logarithm is.
      const auto by_y = [&](std::size_t p) {
        const T y = points[2 * p + 1] - points[2 * p];
        return y >= nu ? by.v[p] : y > 0 && by.v[p] != 0 ? by.v[p] * (nu / y) : T{0};
      };
      add([&](std::size_t p) { return by.u[p] - by_y(p); }, by_y);
      break;
    }
    case Coordinates::middle_half:
    case Coordinates::middle_half_entropy:
      add([&](std::size_t p) { return (by.u[p] - by.v[p]) / 2; },
          [&](std::size_t p) { return (by.u[p] + by.v[p]) / 2; });
      break;
  }
  if (has_entropy(kind)) pull_back_entropies(points, by.amplitude, gradient);
}

template void to_coordinates(Coordinates, float, std::span<const float>, const CoordinateArrays<float>&);
template void to_coordinates(Coordinates, double, std::span<const double>, const CoordinateArrays<double>&);
template void pull_back(Coordinates, float, std::span<const float>, const CoordinateArrays<float>&, float*);
template void pull_back(Coordinates, double, std::span<const double>, const CoordinateArrays<double>&,
                        double*);

}  // namespace perslay::layer
