#include "transform.h"

#include <cmath>

namespace perslay::layer {
namespace {

template <class T>
std::vector<T> softmax(std::span<const T> logits) {
  const T highest = *std::ranges::max_element(logits);
  std::vector<T> shares(logits.size());
  T sum = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) sum += shares[i] = std::exp(logits[i] - highest);
  for (T& share : shares) share /= sum;
  return shares;
}

}  // namespace

template <class T>
Transform<T>::Transform(const PointTransform& transform, Arrays<const T> arrays)
    : mixture_(transform.type == PointTransform::Type::mixture), size_(transform.size()) {
  if (transform.type == PointTransform::Type::given) return;
  if (!mixture_) {
    parts_.emplace_back(transform, arrays);
    shares_ = {T{1}};
    return;
  }
  shares_ = softmax(arrays[0]);
  std::size_t next = 1;
  for (const PointTransform& part : transform.parts) {
    arrays_per_part_.push_back(part.parameters().size());
    parts_.emplace_back(part, arrays.subspan(next, arrays_per_part_.back()));
    next += arrays_per_part_.back();
  }
}

template <class T>
std::size_t Transform<T>::shares_offset() const noexcept {
  std::size_t size = 0;
  for (const auto& part : parts_) size += part.theta_size();
  return size;
}

template <class T>
std::size_t Transform<T>::gradient_size() const noexcept {
  return shares_offset() + (mixture_ ? padded<T>(parts_.size()) : 0);
}

template <class T>
void Transform<T>::collect(std::span<const T> gradient, Arrays<T> gradients) const {
  if (given()) return;
  if (!mixture_) return parts_[0].collect(gradient, gradients);
  const auto by_share = gradient.subspan(shares_offset(), parts_.size());
  if (!gradients[0].empty()) {
    T mean = 0;
    for (std::size_t k = 0; k < shares_.size(); ++k) mean += shares_[k] * by_share[k];
    for (std::size_t k = 0; k < shares_.size(); ++k) gradients[0][k] = shares_[k] * (by_share[k] - mean);
  }
  std::size_t theta = 0, next = 1;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    parts_[k].collect(gradient.subspan(theta, parts_[k].theta_size()),
                      gradients.subspan(next, arrays_per_part_[k]));
    theta += parts_[k].theta_size();
    next += arrays_per_part_[k];
  }
}

template <class T>
TransformOnDiagram<T>::TransformOnDiagram(const Transform<T>& transform, std::span<const T> points,
                                          const T* given, bool gradient_wanted, TransformBuffers<T>& buffers)
    : transform_(transform), points_(points), count_(points.size() / 2), given_(given), buffers_(buffers) {
  const auto parts = transform.parts();
  coordinates_ = buffers.coordinates.take(3 * count_ * parts.size());
  if (gradient_wanted) gradients_ = buffers.gradients.take_zeros(3 * count_ * parts.size());
  for (std::size_t k = 0; k < parts.size(); ++k) parts[k].to_coordinates(points, coordinates(k));
}

template <class T>
void TransformOnDiagram<T>::evaluate(std::size_t first, std::size_t count, T* tile) const {
  const std::size_t stride = transform_.stride();
  if (transform_.given()) {
    const std::size_t size = transform_.size();
    for (std::size_t p = 0; p < count; ++p) {
      std::copy_n(given_ + (first + p) * size, size, tile + p * stride);
      std::fill(tile + p * stride + size, tile + (p + 1) * stride, T{0});
    }
    return;
  }
  for (std::size_t k = 0; k < transform_.parts().size(); ++k)
    element_kernels<T>().evaluate(transform_.parts()[k].input(coordinates(k).from(first)), count,
                                  transform_.shares()[k], k > 0, tile);
}

// The derivatives of scale sum_k a_k f_k with shares a_k: part k gets the scale times a_k, and its dot products
// count a_k times.
template <class T>
template <class Differentiate>
void TransformOnDiagram<T>::for_each_part(std::size_t count, const T* scale, T* dot, T* gradient,
                                          const Differentiate& differentiate) {
  const auto parts = transform_.parts();
  if (parts.size() == 1) return differentiate(0, scale, dot, gradient);
  T* theta = gradient;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const T share = transform_.shares()[k];
    const auto part_dot = buffers_.dot.take_zeros(count);
    const auto part_scale = buffers_.scale.take(count);
    for (std::size_t p = 0; p < count; ++p) part_scale[p] = share * scale[p];
    differentiate(k, part_scale.data(), part_dot.data(), theta);
    for (std::size_t p = 0; p < count; ++p) {
      dot[p] += share * part_dot[p];
      gradient[transform_.shares_offset() + k] += scale[p] * part_dot[p];
    }
    theta += parts[k].theta_size();
  }
}

template <class T>
void TransformOnDiagram<T>::differentiate(std::size_t first, std::size_t count, const T* upstream,
                                          std::size_t upstream_stride, const T* scale, T* dot, T* gradient,
                                          T* given_gradient) {
  if (transform_.given()) {
    const std::size_t size = transform_.size();
    for (std::size_t p = 0; p < count; ++p)
      for (std::size_t j = 0; j < size; ++j) {
        const T g = upstream[p * upstream_stride + j];
        dot[p] += g * given_[(first + p) * size + j];
        if (given_gradient != nullptr) given_gradient[(first + p) * size + j] += scale[p] * g;
      }
    return;
  }
  for_each_part(count, scale, dot, gradient, [&](std::size_t k, const T* part_scale, T* part_dot, T* theta) {
    element_kernels<T>().differentiate(transform_.parts()[k].input(coordinates(k).from(first)), count,
                                       upstream, upstream_stride, part_scale,
                                       {part_dot, gradients(k).from(first), theta});
  });
}

template <class T>
void TransformOnDiagram<T>::differentiate_selected(std::size_t ranks, const std::int32_t* selection,
                                                   const T* upstream, const T* scale, T* dot, T* gradient,
                                                   T* given_gradient) {
  const std::size_t size = transform_.size();
  if (transform_.given()) {
    for (std::size_t place = 0; place < size * ranks; ++place) {
      if (selection[place] < 0) continue;
      const auto p = static_cast<std::size_t>(selection[place]);
      const std::size_t j = place / ranks;
      dot[p] += upstream[place] * given_[p * size + j];
      if (given_gradient != nullptr) given_gradient[p * size + j] += scale[p] * upstream[place];
    }
    return;
  }
  for_each_part(count_, scale, dot, gradient, [&](std::size_t k, const T* part_scale, T* part_dot, T* theta) {
    element_kernels<T>().differentiate_selected(transform_.parts()[k].input(coordinates(k)), size, ranks,
                                                selection, upstream, part_scale,
                                                {part_dot, gradients(k), theta});
  });
}

template <class T>
void TransformOnDiagram<T>::pull_back(T* gradient) const {
  for (std::size_t k = 0; k < transform_.parts().size(); ++k)
    transform_.parts()[k].pull_back(points_, gradients(k), gradient);
}

template class Transform<float>;
template class Transform<double>;
template class TransformOnDiagram<float>;
template class TransformOnDiagram<double>;

}  // namespace perslay::layer
