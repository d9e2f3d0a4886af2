#include <algorithm>
#include <cmath>

#include <perslay/network/loss.h>

namespace perslay::network {

template <class T>
void softmax(std::span<T> row) {
  const T highest = *std::ranges::max_element(row);
  T sum = 0;
  for (T& number : row) sum += number = std::exp(number - highest);
  for (T& number : row) number /= sum;
}

template <class T>
LossValue CrossEntropy<T>::operator()(const Rows<T>& outputs, std::span<const std::size_t> places,
                                      Rows<T>& gradient) const {
  const std::size_t classes = outputs.width;
  const double share = smoothing_ / static_cast<double>(classes);  // of each class
  const auto items = static_cast<T>(outputs.count);
  gradient.resize(outputs.count, classes);
  LossValue value;
  for (std::size_t i = 0; i < outputs.count; ++i) {
    const auto row = outputs.row(i);
    const auto slopes = gradient.row(i);
    const auto label = static_cast<std::size_t>(labels_[places[i]]);
    const auto highest = std::ranges::max_element(row);
    value.hits += static_cast<std::size_t>(highest - row.begin()) == label ? 1 : 0;

    double sum = 0, all = 0;
    for (const T number : row) {
      sum += std::exp(static_cast<double>(number - *highest));
      all += static_cast<double>(number - *highest);
    }
    const double log_sum = std::log(sum);
    const auto surprise = log_sum - static_cast<double>(row[label] - *highest);
    const double all_surprises = static_cast<double>(classes) * log_sum - all;
    value.loss += (1 - smoothing_) * surprise + share * all_surprises;
    for (std::size_t c = 0; c < classes; ++c) {
      const double probability = std::exp(static_cast<double>(row[c] - *highest) - log_sum);
      const double target = share + (c == label ? 1 - smoothing_ : 0);
      slopes[c] = static_cast<T>(probability - target) / items;
    }
  }
  return value;
}

template class CrossEntropy<float>;
template class CrossEntropy<double>;
template void softmax(std::span<float>);
template void softmax(std::span<double>);

}  // namespace perslay::network
