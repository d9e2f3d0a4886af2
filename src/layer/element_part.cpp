#include "element_part.h"

#include <perslay/base/error.h>

namespace perslay::layer {

template <class T>
ElementPart<T>::ElementPart(const PointTransform& transform, Arrays<const T> arrays)
    : ElementPart(transform, arrays, coordinates_of(transform)) {}

template <class T>
ElementPart<T>::ElementPart(const PointTransform& transform, Arrays<const T> arrays, Coordinates coordinates)
    : transform_(transform),
      arrays_(entry_of(transform.type).arrays),
      coordinates_(coordinates),
      nu_(static_cast<T>(transform.nu)),
      size_(transform.size()),
      stride_(padded<T>(size_)) {
  std::size_t reads = 0;
  for (const auto& array : arrays_) reads += array.reads();
  if (reads != parameter_count(transform.type))
    throw base::internal_error("The table of point transformations disagrees with the elements.");
  const auto theta = theta_.take_zeros(theta_size());
  theta_view_ = theta.data();
  for_each_theta([&](std::size_t a, std::size_t place, std::size_t i) { theta[i] = arrays[a][place]; });
}

template <class T>
template <class Visit>
void ElementPart<T>::for_each_theta(const Visit& visit) const {
  std::size_t row = 0;
  for (std::size_t a = 0; a < arrays_.size(); ++a) {
    const auto& array = arrays_[a];
    for (std::size_t j = 0; j < size_; ++j)
      for (std::size_t i = 0; i < array.reads(); ++i)
        visit(a, array.place(transform_, j, i), (row + i) * stride_ + j);
    row += array.reads();
  }
}

template <class T>
void ElementPart<T>::collect(std::span<const T> theta_gradient, Arrays<T> gradients) const {
  for (const auto gradient : gradients) std::ranges::fill(gradient, T{0});
  for_each_theta([&](std::size_t a, std::size_t place, std::size_t i) {
    if (!gradients[a].empty()) gradients[a][place] += theta_gradient[i];
  });
}

template class ElementPart<float>;
template class ElementPart<double>;

}  // namespace perslay::layer
