#include <algorithm>
#include <cmath>
#include <numeric>

#include <perslay/learn/metrics.h>

namespace perslay::learn {
namespace {

double mean(std::span<const double> numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

std::optional<double> sample_deviation(std::span<const double> numbers) {
  if (numbers.size() < 2) return std::nullopt;
  const double centre = mean(numbers);
  double sum = 0;
  for (const double number : numbers) sum += (number - centre) * (number - centre);
  return std::sqrt(sum / static_cast<double>(numbers.size() - 1));
}

}  // namespace

std::vector<int> most_probable(std::span<const float> probabilities, std::size_t classes) {
  std::vector<int> labels;
  for (; !probabilities.empty(); probabilities = probabilities.subspan(classes)) {
    const auto row = probabilities.first(classes);
    labels.push_back(static_cast<int>(std::ranges::max_element(row) - row.begin()));
  }
  return labels;
}

double accuracy(std::span<const int> truth, std::span<const int> predicted) {
  std::size_t right = 0;
  for (std::size_t i = 0; i < truth.size(); ++i)
    if (truth[i] == predicted[i]) ++right;
  return static_cast<double>(right) / static_cast<double>(truth.size());
}

std::vector<std::size_t> confusion_matrix(std::span<const int> truth, std::span<const int> predicted,
                                          std::size_t classes) {
  std::vector<std::size_t> matrix(classes * classes);
  for (std::size_t i = 0; i < truth.size(); ++i)
    ++matrix[static_cast<std::size_t>(truth[i]) * classes + static_cast<std::size_t>(predicted[i])];
  return matrix;
}

Summary summarize(std::span<const std::vector<double>> runs) {
  std::vector<double> means;
  for (const auto& run : runs) means.push_back(mean(run));
  return {mean(means), sample_deviation(means), std::ranges::max(means)};
}

}  // namespace perslay::learn
