#include "element_part.h"

#include <array>

namespace perslay::layer {
namespace {

struct Reading {
  Element element;
  Coordinates coordinates;
};

Reading reading_of(const PointTransform& transform) {
  switch (transform.family) {
    case Family::triangle:
      return {Element::triangle, Coordinates::middle_half};
    case Family::betti:
      return {Element::indicator, Coordinates::birth_death};
    case Family::flat:
      return {Element::sigmoid, Coordinates::middle_half};
    case Family::entropy:
      return {Element::indicator, Coordinates::birth_death_entropy};
    case Family::flat_entropy:
      return {Element::sigmoid, Coordinates::middle_half_entropy};
    case Family::gaussian:
    case Family::gaussian_grid:
    case Family::exponential:
      return {Element::gaussian, Coordinates::birth_persistence};
    case Family::hofer:
      return {Element::gaussian_or_nothing, Coordinates::birth_log_persistence};
    case Family::rational:
      return {Element::rational, Coordinates::birth_persistence};
    case Family::rational_hat:
      return {transform.norm == 1 ? Element::rational_hat_1 : Element::rational_hat_2,
              Coordinates::birth_persistence};
    case Family::line:
    case Family::given:
    case Family::mixture:
      break;
  }
  return {Element::line, Coordinates::birth_death};
}

/// Where a theta comes from: element `index` of the `array`-th parameter.
struct Source {
  std::size_t array = 0;
  std::size_t index = 0;
};

/// The sources of the thetas of feature j; as many as the element has parameters.
std::array<Source, 5> sources_of(const PointTransform& transform, std::size_t j) {
  const std::size_t width = transform.shared_width ? 0 : j;
  switch (transform.family) {
    case Family::triangle:
    case Family::betti:
    case Family::entropy:
      return {{{0, j}}};
    case Family::flat:
    case Family::flat_entropy:
      return {{{0, j}, {1, 0}}};
    case Family::gaussian:
    case Family::hofer:
      return {{{0, 2 * j}, {0, 2 * j + 1}, {1, width}, {1, width}}};
    case Family::gaussian_grid:
      return {{{0, j / transform.rows}, {1, j % transform.rows}, {2, 0}, {2, 0}}};
    case Family::exponential:
      return {{{0, 2 * j}, {0, 2 * j + 1}, {1, 2 * j}, {1, 2 * j + 1}}};
    case Family::rational:
      return {{{0, 2 * j}, {0, 2 * j + 1}, {1, 2 * j}, {1, 2 * j + 1}, {2, j}}};
    case Family::rational_hat:
    case Family::line:
      return {{{0, 2 * j}, {0, 2 * j + 1}, {1, j}}};
    case Family::given:
    case Family::mixture:
      break;
  }
  return {};
}

}  // namespace

template <class T>
ElementPart<T>::ElementPart(const PointTransform& transform, Arrays<const T> arrays)
    : ElementPart(transform, arrays, reading_of(transform).coordinates) {}

template <class T>
ElementPart<T>::ElementPart(const PointTransform& transform, Arrays<const T> arrays, Coordinates coordinates)
    : transform_(transform),
      element_(reading_of(transform).element),
      coordinates_(coordinates),
      nu_(static_cast<T>(transform.nu)),
      size_(transform.size()),
      stride_(padded<T>(size_)) {
  const auto theta = theta_.take_zeros(theta_size());
  theta_view_ = theta.data();
  for (std::size_t j = 0; j < size_; ++j) {
    const auto sources = sources_of(transform, j);
    for (std::size_t i = 0; i < parameter_count(element_); ++i)
      theta[i * stride_ + j] = arrays[sources[i].array][sources[i].index];
  }
}

template <class T>
void ElementPart<T>::collect(std::span<const T> theta_gradient, Arrays<T> gradients) const {
  for (const auto gradient : gradients) std::ranges::fill(gradient, T{0});
  for (std::size_t j = 0; j < size_; ++j) {
    const auto sources = sources_of(transform_, j);
    for (std::size_t i = 0; i < parameter_count(element_); ++i)
      if (const auto target = gradients[sources[i].array]; !target.empty())
        target[sources[i].index] += theta_gradient[i * stride_ + j];
  }
}

template class ElementPart<float>;
template class ElementPart<double>;

}  // namespace perslay::layer
