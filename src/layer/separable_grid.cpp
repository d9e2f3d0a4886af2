#include "separable_grid.h"

#include "axis_kernels.h"
#include "element_kernels.h"
#include "matrix_kernels.h"

namespace perslay::layer {

template <class T>
SeparableGrid<T>::SeparableGrid(const PointTransform& transform, Arrays<const T> arrays)
    : births_(transform.count),
      rows_(transform.rows),
      births_stride_(padded<T>(births_)),
      rows_stride_(padded<T>(rows_)),
      joined_stride_(padded<T>(births_ + rows_)),
      sharpness_(arrays[2][0]),
      reads_death_(transform.reads_death) {
  T* samples = memory_.take_zeros(births_stride_ + rows_stride_ + joined_stride_).data();
  T* joined = samples + births_stride_ + rows_stride_;
  std::ranges::copy(arrays[0], samples);
  std::ranges::copy(arrays[1], samples + births_stride_);
  std::ranges::copy(arrays[0], joined);
  std::ranges::copy(arrays[1], joined + births_);
  birth_samples_ = samples;
  persistence_samples_ = samples + births_stride_;
  joined_ = joined;
}

template <class T>
T* SeparableGrid<T>::exponentials(std::size_t count, const T* births, const T* persistences,
                                  AxisValues<T> out, GridBuffers<T>& buffers) const {
  // The last row's persistences are read in whole vectors, so the numbers after them must not be NaN.
  out.e = buffers.exponentials.take(count * joined_stride_ + 2 * lanes<T>).data();
  std::fill_n(out.e + count * joined_stride_, 2 * lanes<T>, T{0});
  axis_kernels<T>().exponentials({joined_, births_, joined_stride_, sharpness_}, count, births, persistences,
                                 out);
  return out.e;
}

template <class T>
std::span<const T> SeparableGrid<T>::coordinates(std::span<const T> points, GridBuffers<T>& buffers) const {
  const std::size_t count = points.size() / 2;
  const auto out = buffers.coordinates.take(2 * count);
  for (std::size_t p = 0; p < count; ++p) {
    out[p] = points[2 * p];
    out[count + p] = reads_death_ ? points[2 * p + 1] : points[2 * p + 1] - points[2 * p];
  }
  return out;
}

template <class T>
void SeparableGrid<T>::sum(std::span<const T> points, const T* weights, T factor, T* out,
                           GridBuffers<T>& buffers) const {
  const std::size_t count = points.size() / 2;
  const auto at = coordinates(points, buffers);
  const auto sums = buffers.sums.take(births_ * rows_stride_);
  T* weighted = buffers.weighted.take(block_points * births_stride_).data();
  for (std::size_t first = 0; first < count; first += block_points) {
    const std::size_t block = std::min(block_points, count - first);
    const T* e = exponentials(block, at.data() + first, at.data() + count + first,
                              {nullptr, weights + first, weighted, births_stride_}, buffers);
    matrix_kernels<T>().multiply({births_, block, rows_stride_, weighted, 1, births_stride_, e + births_,
                                  joined_stride_, sums.data(), rows_stride_, first > 0});
  }
  matrix_kernels<T>().copy_scaled(births_, rows_, factor, sums.data(), rows_stride_, out, rows_);
}

// Let U be the upstream matrix. The derivative with respect to f_i(p) is w_p r_pi with r = g U^T, that with
// respect to g_j(p) is w_p q_pj with q = f U, and that with respect to w_p is sum_i r_pi f_i(p). The others
// follow from f' = -2 s^2 (b - a) f along either axis.
template <class T>
void SeparableGrid<T>::differentiate(std::span<const T> points, const T* weights, T factor, const T* upstream,
                                     T* weights_gradient, T* gradient, T* points_gradient,
                                     GridBuffers<T>& buffers) const {
  const std::size_t count = points.size() / 2;
  const auto at = coordinates(points, buffers);
  // The transposition needs whole vectors in both directions.
  const auto u = buffers.upstream.take_zeros(births_stride_ * rows_stride_);
  const auto ut = buffers.transposed.take(rows_stride_ * births_stride_);
  matrix_kernels<T>().copy_scaled(births_, rows_, factor, upstream, rows_, u.data(), rows_stride_);
  matrix_kernels<T>().transpose(births_stride_, rows_stride_, u.data(), rows_stride_, ut.data(),
                                births_stride_);

  const auto moments = buffers.moments.take(2 * block_points);
  T* by_birth = points_gradient == nullptr ? nullptr : moments.data();
  T* by_persistence = points_gradient == nullptr ? nullptr : moments.data() + block_points;
  T* second = gradient + births_stride_ + rows_stride_;
  for (std::size_t first = 0; first < count; first += block_points) {
    const std::size_t block = std::min(block_points, count - first);
    const T* births = at.data() + first;
    const T* persistences = at.data() + count + first;
    const T* e = exponentials(block, births, persistences, {}, buffers);

    T* r = buffers.products.take(block * births_stride_).data();
    matrix_kernels<T>().multiply({block, rows_, births_stride_, e + births_, joined_stride_, 1, ut.data(),
                                  births_stride_, r, births_stride_, false});
    axis_kernels<T>().gradients(
        {birth_samples_, births_stride_, births, weights + first, e, joined_stride_, r}, block,
        {weights_gradient + first, by_birth, gradient, second});

    T* q = buffers.products.take(block * rows_stride_).data();
    matrix_kernels<T>().multiply(
        {block, births_, rows_stride_, e, joined_stride_, 1, u.data(), rows_stride_, q, rows_stride_, false});
    axis_kernels<T>().gradients(
        {persistence_samples_, rows_stride_, persistences, weights + first, e + births_, joined_stride_, q},
        block, {nullptr, by_persistence, gradient + births_stride_, second});

    if (points_gradient == nullptr) continue;
    const T slope = -2 * sharpness_ * sharpness_;
    for (std::size_t p = 0; p < block; ++p) {
      const T scale = slope * weights[first + p];
      points_gradient[2 * (first + p)] += scale * (by_birth[p] - (reads_death_ ? T{0} : by_persistence[p]));
      points_gradient[2 * (first + p) + 1] += scale * by_persistence[p];
    }
  }
}

template <class T>
void SeparableGrid<T>::collect(std::span<const T> gradient, Arrays<T> gradients) const {
  const T slope = 2 * sharpness_ * sharpness_;
  for (std::size_t i = 0; i < gradients[0].size(); ++i) gradients[0][i] = slope * gradient[i];
  for (std::size_t j = 0; j < gradients[1].size(); ++j)
    gradients[1][j] = slope * gradient[births_stride_ + j];
  if (!gradients[2].empty()) gradients[2][0] = -2 * sharpness_ * gradient[births_stride_ + rows_stride_];
}

template class SeparableGrid<float>;
template class SeparableGrid<double>;

}  // namespace perslay::layer
