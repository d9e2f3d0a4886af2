#include "blocks.h"

#include "product.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace perslay::network {

// ---- dense

template <class T>
void dense_forward(const Rows<T>& in, const T* weight, const T* bias, std::size_t outputs, Rows<T>& out) {
  out.resize(in.count, outputs);
  for (std::size_t i = 0; i < out.count; ++i) std::copy_n(bias, outputs, out.row(i).data());
  if (out.values.empty()) return;
  Product{CblasNoTrans, CblasTrans, in.count, outputs, in.width, in.width, in.width, outputs}(
      in.values.data(), weight, T{1}, out.values.data());
}

template <class T>
void dense_backward(const Rows<T>& in, const T* weight, const Rows<T>& out_gradient, T* weight_gradient,
                    T* bias_gradient, Rows<T>* in_gradient) {
  const std::size_t outputs = out_gradient.width;
  Product{CblasTrans, CblasNoTrans, outputs, in.width, in.count, outputs, in.width, in.width}(
      out_gradient.values.data(), in.values.data(), T{0}, weight_gradient);
  std::fill_n(bias_gradient, outputs, T{0});
  for (std::size_t i = 0; i < out_gradient.count; ++i)
    for (std::size_t j = 0; j < outputs; ++j) bias_gradient[j] += out_gradient.values[i * outputs + j];
  if (in_gradient == nullptr) return;
  in_gradient->resize(in.count, in.width);
  Product{CblasNoTrans, CblasNoTrans, in.count, in.width, outputs, outputs, in.width, in.width}(
      out_gradient.values.data(), weight, T{0}, in_gradient->values.data());
}

template <class T>
void Dense<T>::forward(const Step<T>& step) const {
  dense_forward(step.in, weight_.of(step.numbers.trained).data(), bias_.of(step.numbers.trained).data(),
                outputs_, step.out);
}

template <class T>
void Dense<T>::backward(const Step<T>& step, const Slopes<T>& slopes) const {
  dense_backward(step.in, weight_.of(step.numbers.trained).data(), slopes.by_out,
                 weight_.of(slopes.by_trained).data(), bias_.of(slopes.by_trained).data(), slopes.by_in);
}

template class Dense<float>;
template class Dense<double>;
template void dense_forward(const Rows<float>&, const float*, const float*, std::size_t, Rows<float>&);
template void dense_forward(const Rows<double>&, const double*, const double*, std::size_t, Rows<double>&);
template void dense_backward(const Rows<float>&, const float*, const Rows<float>&, float*, float*,
                             Rows<float>*);
template void dense_backward(const Rows<double>&, const double*, const Rows<double>&, double*, double*,
                             Rows<double>*);

// ---- batch norm

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

// ---- ReLU

template <class T>
void Relu<T>::forward(const Step<T>& step) const {
  step.out.resize(step.in.count, step.in.width);
  // NaN stays NaN, so that it shows in the output.
  for (std::size_t i = 0; i < step.in.values.size(); ++i)
    step.out.values[i] = step.in.values[i] < 0 ? T{0} : step.in.values[i];
}

template <class T>
void Relu<T>::backward(const Step<T>& step, const Slopes<T>& slopes) const {
  if (slopes.by_in == nullptr) return;
  slopes.by_in->resize(step.in.count, step.in.width);
  for (std::size_t i = 0; i < step.in.values.size(); ++i)
    slopes.by_in->values[i] = step.in.values[i] > 0 ? slopes.by_out.values[i] : T{0};
}

template class Relu<float>;
template class Relu<double>;

// ---- dropout

namespace {

/// 0 or 1 / (1 - rate) for each number; two from each draw.
template <class T>
void draw_mask(std::vector<T>& mask, double rate, base::RandomStream& random) {
  const auto kept = static_cast<T>(1 / (1 - rate));
  const auto limit = static_cast<std::uint32_t>(rate * 0x1p32);
  for (std::size_t i = 0; i < mask.size(); i += 2) {
    const auto bits = random();
    mask[i] = static_cast<std::uint32_t>(bits) < limit ? T{0} : kept;
    if (i + 1 < mask.size()) mask[i + 1] = static_cast<std::uint32_t>(bits >> 32) < limit ? T{0} : kept;
  }
}

}  // namespace

template <class T>
void Dropout<T>::forward(const Step<T>& step) const {
  step.out.resize(step.in.count, step.in.width);
  if (!step.pass.training()) {
    step.out.values = step.in.values;
    return;
  }
  step.memory.resize(step.in.values.size());
  draw_mask(step.memory, rate_, *step.pass.random);
  for (std::size_t i = 0; i < step.memory.size(); ++i)
    step.out.values[i] = step.in.values[i] * step.memory[i];
}

template <class T>
void Dropout<T>::backward(const Step<T>& step, const Slopes<T>& slopes) const {
  if (slopes.by_in == nullptr) return;
  slopes.by_in->resize(step.in.count, step.in.width);
  for (std::size_t i = 0; i < step.in.values.size(); ++i)
    slopes.by_in->values[i] =
        step.pass.training() ? slopes.by_out.values[i] * step.memory[i] : slopes.by_out.values[i];
}

template class Dropout<float>;
template class Dropout<double>;

}  // namespace perslay::network
