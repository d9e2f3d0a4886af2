#pragma once

#include <cstddef>
#include <span>

namespace perslay::layer {

/// The coordinates (u, v), and for some an amplitude a, in which the structure elements read a point (b, d).
/// With y = d - b and Y its sum over the diagram:
enum class Coordinates {
  birth_death,            ///< (b, d), a = 1
  birth_persistence,      ///< (b, y)
  birth_log_persistence,  ///< (b, y') with y' = nu log(y/nu) + nu if y < nu, else y; a = 1 if y > 0, else 0
  middle_half,            ///< ((b + d)/2, y/2), a = 1
  birth_death_entropy,    ///< (b, d), a = -(y/Y) log(y/Y), and 0 if y <= 0
  middle_half_entropy,    ///< ((b + d)/2, y/2), a as before
};

template <class T>
struct CoordinateArrays {
  T* u = nullptr;
  T* v = nullptr;
  T* amplitude = nullptr;

  /// Three arrays of `count` numbers, one after the other.
  [[nodiscard]] static CoordinateArrays in(T* memory, std::size_t count) noexcept {
    return {memory, memory + count, memory + 2 * count};
  }

  /// Whether there are any.
  explicit operator bool() const noexcept { return u != nullptr; }

  /// Those of the points from `first` on.
  [[nodiscard]] CoordinateArrays from(std::size_t first) const noexcept {
    if (u == nullptr) return {};
    return {u + first, v + first, amplitude + first};
  }
};

/// The coordinates of the points of one diagram (birth, death, birth, ...).
template <class T>
void to_coordinates(Coordinates kind, T nu, std::span<const T> points, const CoordinateArrays<T>& out);

/// Turns derivatives with respect to the coordinates into those with respect to the points, and adds them to
/// `gradient` (by birth, by death, ...).
template <class T>
void pull_back(Coordinates kind, T nu, std::span<const T> points, const CoordinateArrays<T>& by, T* gradient);

}  // namespace perslay::layer
