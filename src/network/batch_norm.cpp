#include "batch_norm.h"

#include <algorithm>
#include <cmath>

namespace perslay::network {
namespace {

/// The memory of forward(): mean, variance and 1 / sqrt(variance + epsilon) of each column.
template <class T>
struct Moments {
  std::span<T> mean, variance, sharpness;

  Moments(std::span<T> memory, std::size_t columns)
      : mean(memory.subspan(0, columns)),
        variance(memory.subspan(columns, columns)),
        sharpness(memory.subspan(2 * columns, columns)) {}
};

/// Moments in double precision: a column of equal numbers has the variance 0 and becomes 0.
template <class T>
void take_moments(const Rows<T>& rows, Moments<T>& moments) {
  const auto columns = moments.mean.size();
  const auto items = static_cast<double>(rows.count);
  std::vector<double> sums(columns), squares(columns);
  for (std::size_t i = 0; i < rows.count; ++i) {
    const auto x = rows.row(i);
    for (std::size_t j = 0; j < columns; ++j) sums[j] += static_cast<double>(x[j]);
  }
  for (std::size_t j = 0; j < columns; ++j) moments.mean[j] = static_cast<T>(sums[j] / items);
  for (std::size_t i = 0; i < rows.count; ++i) {
    const auto x = rows.row(i);
    for (std::size_t j = 0; j < columns; ++j) {
      const auto difference = static_cast<double>(x[j] - moments.mean[j]);
      squares[j] += difference * difference;
    }
  }
  for (std::size_t j = 0; j < columns; ++j) moments.variance[j] = static_cast<T>(squares[j] / items);
}

}  // namespace

template <class T>
void BatchNorm<T>::forward(const Step<T>& step) const {
  step.memory.resize(3 * columns_);
  Moments<T> moments(step.memory, columns_);
  if (step.pass.training()) {
    take_moments(step.in, moments);
  } else {
    std::ranges::copy(mean_.of(step.numbers.fitted), moments.mean.begin());
    std::ranges::copy(variance_.of(step.numbers.fitted), moments.variance.begin());
  }
  for (std::size_t j = 0; j < columns_; ++j)
    moments.sharpness[j] = 1 / std::sqrt(moments.variance[j] + static_cast<T>(epsilon));

  const auto weight = weight_.of(step.numbers.trained), bias = bias_.of(step.numbers.trained);
  step.out.resize(step.in.count, step.in.width);
  for (std::size_t i = 0; i < step.in.count; ++i) {
    const auto x = step.in.row(i);
    const auto y = step.out.row(i);
    for (std::size_t j = 0; j < columns_; ++j)
      y[j] = (x[j] - moments.mean[j]) * moments.sharpness[j] * weight[j] + bias[j];
    std::copy(x.begin() + static_cast<std::ptrdiff_t>(columns_), x.end(),
              y.begin() + static_cast<std::ptrdiff_t>(columns_));
  }
}

template <class T>
void BatchNorm<T>::backward(const Step<T>& step, const Slopes<T>& slopes) const {
  const Moments<T> moments(step.memory, columns_);
  const auto weight = weight_.of(step.numbers.trained);
  const auto by_weight = weight_.of(slopes.by_trained), by_bias = bias_.of(slopes.by_trained);
  std::ranges::fill(by_weight, T{0});
  std::ranges::fill(by_bias, T{0});
  const auto normed = [&](std::size_t i, std::size_t j) {
    return (step.in.row(i)[j] - moments.mean[j]) * moments.sharpness[j];
  };
  for (std::size_t i = 0; i < step.in.count; ++i)
    for (std::size_t j = 0; j < columns_; ++j) {
      by_weight[j] += slopes.by_out.row(i)[j] * normed(i, j);
      by_bias[j] += slopes.by_out.row(i)[j];
    }
  if (slopes.by_in == nullptr) return;
  slopes.by_in->resize(step.in.count, step.in.width);
  const T share =
      step.pass.training() ? 1 / static_cast<T>(step.in.count) : T{0};  // of the moments, which items move
  for (std::size_t i = 0; i < step.in.count; ++i) {
    const auto g = slopes.by_out.row(i);
    const auto x = slopes.by_in->row(i);
    for (std::size_t j = 0; j < columns_; ++j)
      x[j] = weight[j] * moments.sharpness[j] * (g[j] - share * (by_bias[j] + normed(i, j) * by_weight[j]));
    std::copy(g.begin() + static_cast<std::ptrdiff_t>(columns_), g.end(),
              x.begin() + static_cast<std::ptrdiff_t>(columns_));
  }
}

template <class T>
void BatchNorm<T>::fit(const std::vector<T>& memory, std::span<T> fitted, std::size_t items) const {
  const auto mean = mean_.of(fitted), variance = variance_.of(fitted);
  const auto fresh = static_cast<T>(momentum), kept = static_cast<T>(1 - momentum);
  const auto unbiased = static_cast<T>(items) / static_cast<T>(items - 1);
  for (std::size_t j = 0; j < columns_; ++j) {
    mean[j] = kept * mean[j] + fresh * memory[j];
    variance[j] = kept * variance[j] + fresh * unbiased * memory[columns_ + j];
  }
}

template class BatchNorm<float>;
template class BatchNorm<double>;

}  // namespace perslay::network
