#include "weighting.h"

#include "cell_kernels.h"
#include "reduce_kernels.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace perslay::layer {
namespace {

template <class T>
T distance_to_diagonal(std::span<const T> points, std::size_t p) {
  return std::abs(points[2 * p + 1] - points[2 * p]) / std::numbers::sqrt2_v<T>;
}

template <class T>
T power(T base, T exponent) {
  return exponent == 1 ? base : exponent == 0 ? T{1} : std::pow(base, exponent);
}

/// Consecutive points are often in the same cell; its sum then stays in a register.
template <class T>
void add_to_cells(std::span<const std::int32_t> cells, const T* upstream, T* gradient) {
  if (cells.empty()) return;
  auto last = cells.front();
  T sum = gradient[last];
  for (const auto cell : cells) {
    if (cell != last) {
      gradient[std::exchange(last, cell)] = sum;
      sum = gradient[cell];
    }
    sum += *upstream++;
  }
  gradient[last] = sum;
}

}  // namespace

template <class T>
Weighting<T>::Weighting(const Weight& weight, Arrays<const T> arrays) : weight_(weight), arrays_(arrays) {
  if (weight.type != Weight::Type::gmix) return;
  // The Gaussians of the mixture are those of `exponential`, but in (birth, death).
  bells_.emplace(PointTransform{.type = PointTransform::Type::exponential, .count = weight.births},
                 arrays.first(2), Coordinates::birth_death);
}

template <class T>
std::span<const std::int32_t> Weighting<T>::cells(std::span<const T> points,
                                                  WeightingBuffers<T>& buffers) const {
  const auto cells = buffers.cells.take(points.size() / 2);
  const T low = static_cast<T>(weight_.low), length = static_cast<T>(weight_.high) - low;
  find_cells(
      CellGrid<T>{low, static_cast<T>(weight_.births) / length, static_cast<T>(weight_.deaths) / length,
                  static_cast<std::int32_t>(weight_.births), static_cast<std::int32_t>(weight_.deaths)},
      points, cells.data());
  return cells;
}

template <class T>
void Weighting<T>::evaluate(std::span<const T> points, const T* given, T* weights,
                            WeightingBuffers<T>& buffers) const {
  const std::size_t count = points.size() / 2;
  switch (weight_.type) {
    case Weight::Type::given:
      std::copy_n(given, count, weights);
      break;
    case Weight::Type::one:
      std::fill_n(weights, count, T{1});
      break;
    case Weight::Type::grid:
      for (const std::int32_t cell : cells(points, buffers))
        *weights++ = arrays_[0][static_cast<std::size_t>(cell)];
      break;
    case Weight::Type::power:
      for (std::size_t p = 0; p < count; ++p)
        weights[p] = arrays_[0][0] * power(distance_to_diagonal(points, p), static_cast<T>(weight_.exponent));
      break;
    case Weight::Type::gmix: {
      const auto amplitudes = arrays_[2];
      const auto at = CoordinateArrays<T>::in(buffers.coordinates.take(3 * count).data(), count);
      bells_->to_coordinates(points, at);
      const std::size_t stride = bells_->stride();
      const auto tile = buffers.tile.take(block_points * stride);
      for (std::size_t first = 0; first < count; first += block_points) {
        const std::size_t block = std::min(block_points, count - first);
        element_kernels<T>().evaluate(bells_->input(at.from(first)), block, T{1}, false, tile.data());
        for (std::size_t p = 0; p < block; ++p) {
          T sum = 0;
          for (std::size_t k = 0; k < amplitudes.size(); ++k) sum += amplitudes[k] * tile[p * stride + k];
          weights[first + p] = sum;
        }
      }
      break;
    }
  }
}

template <class T>
void Weighting<T>::differentiate(std::span<const T> points, const T* upstream, T* gradient,
                                 T* points_gradient, T* given_gradient, WeightingBuffers<T>& buffers) const {
  const std::size_t count = points.size() / 2;
  switch (weight_.type) {
    case Weight::Type::given:
      if (given_gradient != nullptr)
        for (std::size_t p = 0; p < count; ++p) given_gradient[p] += upstream[p];
      break;
    case Weight::Type::one:
      break;
    case Weight::Type::grid:
      add_to_cells(cells(points, buffers), upstream, gradient);
      break;
    case Weight::Type::power: {
      const T s = static_cast<T>(weight_.exponent), constant = arrays_[0][0];
      for (std::size_t p = 0; p < count; ++p) {
        const T distance = distance_to_diagonal(points, p);
        gradient[0] += upstream[p] * power(distance, s);
        if (points_gradient == nullptr || s == 0 || distance == 0) continue;
        const T slope = constant * s * power(distance, s - 1) / std::numbers::sqrt2_v<T>;
        const T by_death = points[2 * p + 1] > points[2 * p] ? slope : -slope;
        points_gradient[2 * p] -= upstream[p] * by_death;
        points_gradient[2 * p + 1] += upstream[p] * by_death;
      }
      break;
    }
    case Weight::Type::gmix: {
      const std::size_t stride = bells_->stride();
      const auto at = CoordinateArrays<T>::in(buffers.coordinates.take(3 * count).data(), count);
      bells_->to_coordinates(points, at);
      const auto amplitudes = buffers.amplitudes.take_zeros(stride);
      std::ranges::copy(arrays_[2], amplitudes.begin());
      // The tile also receives dot products, which are not needed.
      const auto tile = buffers.tile.take(block_points * (stride + 1));
      T* unused = tile.data() + block_points * stride;
      std::fill_n(unused, block_points, T{0});
      CoordinateArrays<T> by;
      if (points_gradient != nullptr)
        by = CoordinateArrays<T>::in(buffers.gradients.take_zeros(3 * count).data(), count);
      for (std::size_t first = 0; first < count; first += block_points) {
        const std::size_t block = std::min(block_points, count - first);
        const auto input = bells_->input(at.from(first));
        element_kernels<T>().differentiate(input, block, amplitudes.data(), 0, upstream + first,
                                           {unused, by.from(first), gradient});
        element_kernels<T>().evaluate(input, block, T{1}, false, tile.data());
        reduce_kernels<T>().add_weighted(block, stride, tile.data(), upstream + first,
                                         gradient + bells_->theta_size());
      }
      if (by) bells_->pull_back(points, by, points_gradient);
      break;
    }
  }
}

template <class T>
std::size_t Weighting<T>::gradient_size() const noexcept {
  if (bells_) return bells_->theta_size() + bells_->stride();
  return padded<T>(arrays_.empty() ? 0 : arrays_[0].size());
}

template <class T>
void Weighting<T>::collect(std::span<const T> gradient, Arrays<T> gradients) const {
  if (bells_) bells_->collect(gradient, gradients.first(2));
  if (gradients.empty()) return;
  const auto plain = gradients.back();
  const std::size_t offset = bells_ ? bells_->theta_size() : 0;
  if (!plain.empty()) std::ranges::copy(gradient.subspan(offset, plain.size()), plain.begin());
}

template class Weighting<float>;
template class Weighting<double>;

}  // namespace perslay::layer
