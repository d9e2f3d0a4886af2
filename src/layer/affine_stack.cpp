#include "affine_stack.h"

#include "matrix_kernels.h"

#include <limits>
#include <numeric>

namespace perslay::layer {
namespace {

bool is_extreme(Pool pool) { return pool == Pool::max || pool == Pool::min; }

}  // namespace

template <class T>
AffineStack<T>::AffineStack(std::span<const T> directions, std::span<const T> bias,
                            const EquivariantStack<T>& stack)
    : stack_(stack), lines_(bias.size()), bias_(bias.begin(), bias.end()) {
  strides_.push_back(padded<T>(lines_));
  for (const auto& level : stack.levels()) strides_.push_back(level.output_stride);
  std::size_t total = 0;
  for (const std::size_t stride : strides_) {
    form_offsets_.push_back(total);
    total += 2 * stride;
  }
  const auto forms = memory_.take_zeros(total);
  forms_ = forms;
  bias_.resize(strides_[0], T{0});
  for (std::size_t j = 0; j < lines_; ++j) {
    forms[j] = directions[2 * j];
    forms[strides_[0] + j] = directions[2 * j + 1];
  }
  for (std::size_t k = 0; k < stack.levels().size(); ++k) {
    const auto& level = stack.levels()[k];
    multiply(Product<T>{2, level.input, level.output_stride, m(k), strides_[k], 1, level.lambda,
                        level.output_stride, forms.data() + form_offsets_[k + 1], strides_[k + 1]});
  }
  if (stack.levels().empty()) return;
  const auto& level = stack.levels().front();
  const auto first = first_memory_.take(level.output_stride);
  std::copy_n(level.bias, level.output_stride, first.data());
  multiply(Product<T>{1, level.input, level.output_stride, bias_.data(), 0, 1, level.lambda,
                      level.output_stride, first.data(), level.output_stride});
  first_constant_ = first;
}

template <class T>
std::size_t AffineStack<T>::chosen_size() const noexcept {
  std::size_t size = 0;
  for (const auto& level : stack_.levels())
    if (is_extreme(level.pool)) size += level.input;
  return size;
}

template <class T>
void AffineStack<T>::sum_pool(std::size_t k, std::span<const T> u, std::span<const T> v,
                              AffineBuffers<T>& buffers) const {
  const std::size_t stride = strides_[k];
  const T scale = stack_.levels()[k].pool == Pool::mean ? T{1} / static_cast<T>(u.size()) : T{1};
  const T births = scale * std::accumulate(u.begin(), u.end(), T{0});
  const T deaths = scale * std::accumulate(v.begin(), v.end(), T{0});
  const auto values = buffers.pools[k].values.take(stride);
  for (std::size_t j = 0; j < stride; ++j) values[j] = births * m(k)[j] + deaths * m(k)[stride + j];
}

template <class T>
void AffineStack<T>::extreme_pool(std::size_t k, std::span<const T> u, std::span<const T> v,
                                  AffineBuffers<T>& buffers) const {
  const T sign = stack_.levels()[k].pool == Pool::min ? T{-1} : T{1};
  const auto values = buffers.pools[k].values.take(strides_[k]);
  const auto points = buffers.pools[k].points.take(strides_[k]);
  largest_of_forms({m(k), strides_[k], sign}, u.size(), u.data(), v.data(), values.data(), points.data());
  for (std::size_t j = 0; j < values.size(); ++j)
    values[j] = points[j] < 0 ? std::numeric_limits<T>::quiet_NaN() : sign * values[j];
}

template <class T>
void AffineStack<T>::known_pool(std::size_t k, std::span<const T> u, std::span<const T> v,
                                const std::int32_t* chosen, AffineBuffers<T>& buffers) const {
  const std::size_t stride = strides_[k];
  const auto values = buffers.pools[k].values.take_zeros(stride);
  const auto points = buffers.pools[k].points.take(stride);
  for (std::size_t j = 0; j < stack_.levels()[k].input; ++j) {
    points[j] = chosen[j];
    const auto p = static_cast<std::size_t>(chosen[j]);
    // No point is chosen if all values are NaN.
    values[j] =
        chosen[j] < 0 ? std::numeric_limits<T>::quiet_NaN() : u[p] * m(k)[j] + v[p] * m(k)[stride + j];
  }
}

template <class T>
template <class TakePool>
ElementInput<T> AffineStack<T>::climb(std::span<const T> u, std::span<const T> v, const TakePool& take_pool,
                                      AffineBuffers<T>& buffers) const {
  const auto levels = stack_.levels();
  buffers.pools.resize(std::max(buffers.pools.size(), levels.size()));
  buffers.constants.resize(std::max(buffers.constants.size(), levels.size() + 1));
  std::ranges::copy(bias_, buffers.constants[0].take(strides_[0]).begin());
  for (std::size_t k = 0; k < levels.size(); ++k) {
    const auto& level = levels[k];
    const auto c = buffers.constants[k].view();
    const auto next = buffers.constants[k + 1].take_zeros(strides_[k + 1]);
    if (level.pool != Pool::none) {
      take_pool(k);
      const auto pool = buffers.pools[k].values.view();
      const T times = level.pool == Pool::sum ? static_cast<T>(u.size()) : T{1};
      for (std::size_t j = 0; j < strides_[k]; ++j) pool[j] += times * c[j];
      multiply(Product<T>{1, level.input, level.output_stride, pool.data(), 0, 1, level.gamma,
                          level.output_stride, next.data(), level.output_stride});
    }
    const T* constant = k == 0 ? first_constant_.data() : level.bias;
    for (std::size_t l = 0; l < next.size(); ++l) next[l] = constant[l] - next[l];
    if (k == 0) continue;
    multiply(Product<T>{1, level.input, level.output_stride, c.data(), 0, 1, level.lambda,
                        level.output_stride, next.data(), level.output_stride});
  }
  const auto theta = buffers.theta.take(3 * stride());
  std::copy_n(m(levels.size()), 2 * stride(), theta.begin());
  std::copy_n(buffers.constants[levels.size()].view().begin(), stride(), theta.data() + 2 * stride());
  return {PointTransform::Type::line, u.data(), v.data(), nullptr, theta.data(), stride()};
}

template <class T>
ElementInput<T> AffineStack<T>::forward(std::span<const T> u, std::span<const T> v, std::int32_t* chosen,
                                        AffineBuffers<T>& buffers) const {
  const auto take_pool = [&](std::size_t k) {
    const auto& level = stack_.levels()[k];
    if (!is_extreme(level.pool)) return sum_pool(k, u, v, buffers);
    extreme_pool(k, u, v, buffers);
    if (chosen == nullptr) return;
    const auto points = buffers.pools[k].points.view();
    for (std::size_t j = 0; j < level.input; ++j) *chosen++ = static_cast<std::int32_t>(points[j]);
  };
  return climb(u, v, take_pool, buffers);
}

template <class T>
ElementInput<T> AffineStack<T>::forward_again(std::span<const T> u, std::span<const T> v,
                                              const std::int32_t* chosen, AffineBuffers<T>& buffers) const {
  const auto take_pool = [&](std::size_t k) {
    const auto& level = stack_.levels()[k];
    if (!is_extreme(level.pool)) return sum_pool(k, u, v, buffers);
    known_pool(k, u, v, chosen, buffers);
    chosen += level.input;
  };
  return climb(u, v, take_pool, buffers);
}

template <class T>
void AffineStack<T>::differentiate_pool(std::size_t k, std::span<const T> u, std::span<const T> v,
                                        const T* by_pool, T* by_m, T* points_gradient,
                                        const AffineBuffers<T>& buffers) const {
  const auto& level = stack_.levels()[k];
  const std::size_t stride = strides_[k], count = u.size();
  if (is_extreme(level.pool)) {
    const LaneIndex<T>* points = buffers.pools[k].points.view().data();
    for (std::size_t j = 0; j < level.input; ++j) {
      if (points[j] < 0) continue;
      const auto p = static_cast<std::size_t>(points[j]);
      by_m[j] += by_pool[j] * u[p];
      by_m[stride + j] += by_pool[j] * v[p];
      if (points_gradient == nullptr) continue;
      points_gradient[2 * p] += by_pool[j] * m(k)[j];
      points_gradient[2 * p + 1] += by_pool[j] * m(k)[stride + j];
    }
    return;
  }
  const T scale = level.pool == Pool::mean ? T{1} / static_cast<T>(count) : T{1};
  const T births = scale * std::accumulate(u.begin(), u.end(), T{0});
  const T deaths = scale * std::accumulate(v.begin(), v.end(), T{0});
  T by_birth = 0, by_death = 0;
  for (std::size_t j = 0; j < level.input; ++j) {
    by_m[j] += by_pool[j] * births;
    by_m[stride + j] += by_pool[j] * deaths;
    by_birth += scale * by_pool[j] * m(k)[j];
    by_death += scale * by_pool[j] * m(k)[stride + j];
  }
  if (points_gradient == nullptr) return;
  for (std::size_t p = 0; p < count; ++p) {
    points_gradient[2 * p] += by_birth;
    points_gradient[2 * p + 1] += by_death;
  }
}

template <class T>
std::size_t AffineStack<T>::gradient_size() const noexcept {
  std::size_t size = stack_.gradient_size() + strides_[0];
  for (const std::size_t stride : strides_) size += 2 * stride;
  return size;
}

template <class T>
void AffineStack<T>::backward(std::span<const T> u, std::span<const T> v, const T* theta_gradient,
                              T* gradient, T* points_gradient, AffineBuffers<T>& buffers) const {
  const auto levels = stack_.levels();
  T* by_level = gradient + stack_.gradient_size();
  T* by_m = gradient + gradient_size() - strides_[0] - 2 * stride();
  for (std::size_t i = 0; i < 2 * stride(); ++i) by_m[i] += theta_gradient[i];

  T* by_c = buffers.by_constant.take(*std::ranges::max_element(strides_)).data();
  T* by_next = buffers.by_input.take(*std::ranges::max_element(strides_)).data();
  std::copy_n(theta_gradient + 2 * stride(), stride(), by_next);
  for (std::size_t k = levels.size(); k-- > 0;) {
    const auto& level = levels[k];
    by_level -= level.gradient_size();
    by_m -= 2 * strides_[k];
    const T* c = buffers.constants[k].view().data();
    for (std::size_t l = 0; l < level.output_stride; ++l) level.by_bias(by_level)[l] += by_next[l];
    std::fill_n(by_c, strides_[k], T{0});
    if (k > 0) {
      multiply(Product<T>{level.input, 1, level.output_stride, c, 1, 0, by_next, level.output_stride,
                          by_level, level.output_stride});
      multiply(Product<T>{1, level.output, level.input_stride, by_next, 0, 1, level.lambda_transposed,
                          level.input_stride, by_c, level.input_stride});
    }
    if (level.pool != Pool::none) {
      for (std::size_t l = 0; l < level.output_stride; ++l) by_next[l] = -by_next[l];
      const T* pool = buffers.pools[k].values.view().data();
      multiply(Product<T>{level.input, 1, level.output_stride, pool, 1, 0, by_next, level.output_stride,
                          level.by_gamma(by_level), level.output_stride});
      const auto by_pool = buffers.by_pool.take_zeros(level.input_stride);
      multiply(Product<T>{1, level.output, level.input_stride, by_next, 0, 1, level.gamma_transposed,
                          level.input_stride, by_pool.data(), level.input_stride});
      const T times = level.pool == Pool::sum ? static_cast<T>(u.size()) : T{1};
      for (std::size_t j = 0; j < strides_[k]; ++j) by_c[j] += times * by_pool[j];
      differentiate_pool(k, u, v, by_pool.data(), by_m, points_gradient, buffers);
    }
    std::swap(by_c, by_next);
  }
  T* by_bias = gradient + gradient_size() - strides_[0];
  for (std::size_t j = 0; j < strides_[0]; ++j) by_bias[j] += by_next[j];
}

// M of a level is the M below times lambda. The gradients with respect to the M go back the same way.
template <class T>
void AffineStack<T>::collect(std::span<T> gradient, Arrays<T> line_gradients,
                             Arrays<T> stack_gradients) const {
  const auto levels = stack_.levels();
  T* by_level = gradient.data() + stack_.gradient_size();
  T* by_m = gradient.data() + gradient_size() - strides_[0] - 2 * stride();
  for (std::size_t k = levels.size(); k-- > 0;) {
    const auto& level = levels[k];
    const T* by_above = by_m;
    by_level -= level.gradient_size();
    by_m -= 2 * strides_[k];
    multiply(Product<T>{level.input, 2, level.output_stride, m(k), 1, strides_[k], by_above, strides_[k + 1],
                        by_level, level.output_stride});
    multiply(Product<T>{2, level.output, level.input_stride, by_above, strides_[k + 1], 1,
                        level.lambda_transposed, level.input_stride, by_m, strides_[k]});
  }
  for (std::size_t i = 0; i < line_gradients[0].size(); ++i)
    line_gradients[0][i] = by_m[i % 2 * strides_[0] + i / 2];
  T* by_bias = gradient.data() + gradient_size() - strides_[0];
  if (!levels.empty()) {
    const auto& first = levels.front();
    const T* by_first = first.by_bias(by_level);
    multiply(Product<T>{first.input, 1, first.output_stride, bias_.data(), 1, 0, by_first,
                        first.output_stride, by_level, first.output_stride});
    multiply(Product<T>{1, first.output, first.input_stride, by_first, 0, 1, first.lambda_transposed,
                        first.input_stride, by_bias, first.input_stride});
  }
  for (std::size_t j = 0; j < line_gradients[1].size(); ++j) line_gradients[1][j] = by_bias[j];
  stack_.collect(gradient, stack_gradients);
}

template class AffineStack<float>;
template class AffineStack<double>;

}  // namespace perslay::layer
