#include "affine_stack.h"

#include <limits>
#include <numeric>
#include <utility>

namespace perslay::layer {
namespace {

bool is_extreme(Pool pool) { return pool == Pool::max || pool == Pool::min; }

/// The sum or mean of births and that of deaths.
template <class T>
std::pair<T, T> sums(Pool pool, const AffineBuffers<T>& buffers) {
  const T scale = pool == Pool::mean ? T{1} / static_cast<T>(buffers.u.size()) : T{1};
  return {scale * std::accumulate(buffers.u.begin(), buffers.u.end(), T{0}),
          scale * std::accumulate(buffers.v.begin(), buffers.v.end(), T{0})};
}

}  // namespace

template <class T>
AffineStack<T>::AffineStack(std::span<const T> directions, std::span<const T> bias,
                            const EquivariantStack<T>& stack)
    : stack_(stack), bias_(bias.begin(), bias.end()) {
  strides_.push_back(padded<T>(bias.size()));
  for (const auto& level : stack.levels()) strides_.push_back(level.output_stride);
  std::size_t total = 0;
  for (const std::size_t stride : strides_) {
    form_offsets_.push_back(total);
    total += 2 * stride;
  }
  const auto forms = memory_.take_zeros(total);
  forms_ = forms;
  bias_.resize(strides_[0], T{0});
  for (std::size_t j = 0; j < bias.size(); ++j) {
    forms[j] = directions[2 * j];
    forms[strides_[0] + j] = directions[2 * j + 1];
  }
  for (std::size_t k = 0; k < stack.levels().size(); ++k) {
    const auto& level = stack.levels()[k];
    level.multiply(2, m(k), level.lambda, forms.data() + form_offsets_[k + 1]);
  }
  const auto& level = stack.levels().front();
  const auto first = first_memory_.take(level.output_stride);
  std::copy_n(level.bias, level.output_stride, first.data());
  level.multiply(1, bias_.data(), level.lambda, first.data());
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
void AffineStack<T>::sum_pool(std::size_t k, AffineBuffers<T>& buffers) const {
  const std::size_t stride = strides_[k];
  const auto [births, deaths] = sums(stack_.levels()[k].pool, buffers);
  const auto values = buffers.pools[k].values.take(stride);
  for (std::size_t j = 0; j < stride; ++j) values[j] = births * m(k)[j] + deaths * m(k)[stride + j];
}

template <class T>
template <class Choose>
ElementInput<T> AffineStack<T>::climb(std::span<const T> points, const Choose& choose,
                                      AffineBuffers<T>& buffers) const {
  const std::size_t count = points.size() / 2;
  const auto at = CoordinateArrays<T>::in(buffers.coordinates.take(3 * count).data(), count);
  to_coordinates(Coordinates::birth_death, T{0}, points, at);
  buffers.u = {at.u, count};
  buffers.v = {at.v, count};
  const auto levels = stack_.levels();
  buffers.pools.resize(std::max(buffers.pools.size(), levels.size()));
  buffers.constants.resize(std::max(buffers.constants.size(), levels.size() + 1));
  std::ranges::copy(bias_, buffers.constants[0].take(strides_[0]).begin());
  for (std::size_t k = 0; k < levels.size(); ++k) {
    const auto& level = levels[k];
    const auto c = buffers.constants[k].view();
    const auto next = buffers.constants[k + 1].take_zeros(strides_[k + 1]);
    if (level.pool != Pool::none) {
      if (is_extreme(level.pool))
        choose(k);
      else
        sum_pool(k, buffers);
      const auto pool = buffers.pools[k].values.view();
      const T times = level.pool == Pool::sum ? static_cast<T>(count) : T{1};
      for (std::size_t j = 0; j < strides_[k]; ++j) pool[j] += times * c[j];
      level.multiply(1, pool.data(), level.gamma, next.data());
    }
    const T* constant = k == 0 ? first_constant_.data() : level.bias;
    for (std::size_t l = 0; l < next.size(); ++l) next[l] = constant[l] - next[l];
    if (k > 0) level.multiply(1, c.data(), level.lambda, next.data());
  }
  const auto theta = buffers.theta.take(3 * stride());
  std::copy_n(m(levels.size()), 2 * stride(), theta.begin());
  std::copy_n(buffers.constants[levels.size()].view().begin(), stride(), theta.data() + 2 * stride());
  return {PointTransform::Type::line, at, theta.data(), stride()};
}

template <class T>
ElementInput<T> AffineStack<T>::forward(std::span<const T> points, std::int32_t* chosen,
                                        AffineBuffers<T>& buffers) const {
  const auto choose = [&](std::size_t k) {
    const auto& level = stack_.levels()[k];
    const T sign = level.pool == Pool::min ? T{-1} : T{1};
    const auto values = buffers.pools[k].values.take(strides_[k]);
    const auto where = buffers.pools[k].points.take(strides_[k]);
    reduce_kernels<T>().largest_of_forms({m(k), strides_[k], sign}, buffers.u.size(), buffers.u.data(),
                                         buffers.v.data(), values.data(), where.data());
    for (std::size_t j = 0; j < values.size(); ++j)
      values[j] = where[j] < 0 ? std::numeric_limits<T>::quiet_NaN() : sign * values[j];
    if (chosen == nullptr) return;
    for (std::size_t j = 0; j < level.input; ++j) *chosen++ = static_cast<std::int32_t>(where[j]);
  };
  return climb(points, choose, buffers);
}

template <class T>
ElementInput<T> AffineStack<T>::forward_again(std::span<const T> points, const std::int32_t* chosen,
                                              AffineBuffers<T>& buffers) const {
  const auto choose = [&](std::size_t k) {
    const auto values = buffers.pools[k].values.take_zeros(strides_[k]);
    const auto where = buffers.pools[k].points.take(strides_[k]);
    for (std::size_t j = 0; j < stack_.levels()[k].input; ++j, ++chosen) {
      where[j] = *chosen;
      const auto p = static_cast<std::size_t>(*chosen);
      // No point is chosen if all values are NaN.
      values[j] = *chosen < 0 ? std::numeric_limits<T>::quiet_NaN()
                              : buffers.u[p] * m(k)[j] + buffers.v[p] * m(k)[strides_[k] + j];
    }
  };
  return climb(points, choose, buffers);
}

template <class T>
void AffineStack<T>::differentiate_pool(std::size_t k, const T* by_pool, T* by_m, T* points_gradient,
                                        const AffineBuffers<T>& buffers) const {
  const auto& level = stack_.levels()[k];
  const std::size_t stride = strides_[k], count = buffers.u.size();
  if (is_extreme(level.pool)) {
    const LaneIndex<T>* points = buffers.pools[k].points.view().data();
    for (std::size_t j = 0; j < level.input; ++j) {
      if (points[j] < 0) continue;
      const auto p = static_cast<std::size_t>(points[j]);
      by_m[j] += by_pool[j] * buffers.u[p];
      by_m[stride + j] += by_pool[j] * buffers.v[p];
      if (points_gradient == nullptr) continue;
      points_gradient[2 * p] += by_pool[j] * m(k)[j];
      points_gradient[2 * p + 1] += by_pool[j] * m(k)[stride + j];
    }
    return;
  }
  const auto [births, deaths] = sums(level.pool, buffers);
  const T scale = level.pool == Pool::mean ? T{1} / static_cast<T>(count) : T{1};
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
void AffineStack<T>::backward(const T* theta_gradient, T* gradient, T* points_gradient,
                              AffineBuffers<T>& buffers) const {
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
      level.differentiate_matrix(1, c, by_next, by_level);
      level.differentiate_x(1, by_next, level.lambda, by_c);
    }
    if (level.pool != Pool::none) {
      for (std::size_t l = 0; l < level.output_stride; ++l) by_next[l] = -by_next[l];
      level.differentiate_matrix(1, buffers.pools[k].values.view().data(), by_next, level.by_gamma(by_level));
      const auto by_pool = buffers.by_pool.take_zeros(level.input_stride);
      level.differentiate_x(1, by_next, level.gamma, by_pool.data());
      const T times = level.pool == Pool::sum ? static_cast<T>(buffers.u.size()) : T{1};
      for (std::size_t j = 0; j < strides_[k]; ++j) by_c[j] += times * by_pool[j];
      differentiate_pool(k, by_pool.data(), by_m, points_gradient, buffers);
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
    level.differentiate_matrix(2, m(k), by_above, by_level);
    level.differentiate_x(2, by_above, level.lambda, by_m);
  }
  for (std::size_t i = 0; i < line_gradients[0].size(); ++i)
    line_gradients[0][i] = by_m[i % 2 * strides_[0] + i / 2];
  T* by_bias = gradient.data() + gradient_size() - strides_[0];
  const auto& first = levels.front();
  const T* by_first = first.by_bias(by_level);
  first.differentiate_matrix(1, bias_.data(), by_first, by_level);
  first.differentiate_x(1, by_first, first.lambda, by_bias);
  for (std::size_t j = 0; j < line_gradients[1].size(); ++j) line_gradients[1][j] = by_bias[j];
  stack_.collect(gradient, stack_gradients);
}

template class AffineStack<float>;
template class AffineStack<double>;

}  // namespace perslay::layer
