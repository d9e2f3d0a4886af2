#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

#include <perslay/learn/baselines.h>

namespace perslay::learn {
namespace {

constexpr std::size_t neighbours = 15;

/// How many items each class has.
using Histogram = std::vector<std::size_t>;

Histogram class_sizes(const features::Items& items, std::span<const std::size_t> rows) {
  Histogram sizes(items.classes.size());
  for (const std::size_t row : rows) ++sizes[static_cast<std::size_t>(items.labels[row])];
  return sizes;
}

/// One over the variance of some numbers, or 0 if they are all the same.
template <class Number>
double inverse_variance(std::span<const std::size_t> rows, Number number) {
  double mean = 0;
  for (const std::size_t row : rows) mean += number(row) / static_cast<double>(rows.size());
  double variance = 0;
  for (const std::size_t row : rows)
    variance += std::pow(number(row) - mean, 2) / static_cast<double>(rows.size());
  return variance > 0 ? 1 / variance : 0;
}

/// The training part as sizes and who has them.
class Sizes {
 public:
  Sizes(const features::Items& items, std::span<const std::size_t> training)
      : classes_(items.classes.size()),
        of_points_(inverse_variance(training, [&](std::size_t row) { return items.sizes[row].points; })),
        of_edges_(inverse_variance(training, [&](std::size_t row) { return items.sizes[row].edges; })) {
    std::map<std::pair<double, double>, Histogram> by_size;
    for (const std::size_t row : training) {
      auto& owners = by_size[{items.sizes[row].points, items.sizes[row].edges}];
      owners.resize(classes_);
      ++owners[static_cast<std::size_t>(items.labels[row])];
    }
    for (auto& [size, owners] : by_size)
      different_.emplace_back(features::ItemSize{size.first, size.second}, std::move(owners));
  }

  /// Who is as near as the 15th nearest votes.
  [[nodiscard]] Histogram votes_near(const features::ItemSize& size) const {
    std::vector<std::pair<double, const Histogram*>> near;
    for (const auto& [other, owners] : different_) near.emplace_back(squared_distance(size, other), &owners);
    const auto nearest = near.begin() + static_cast<std::ptrdiff_t>(std::min(neighbours, near.size()));
    std::ranges::partial_sort(near, nearest, {}, &std::pair<double, const Histogram*>::first);

    Histogram votes(classes_);
    std::size_t count = 0;
    double radius = 0;
    for (auto entry = near.begin(); entry != nearest && count < neighbours; ++entry) {
      radius = entry->first;
      count += std::accumulate(entry->second->begin(), entry->second->end(), std::size_t{0});
    }
    for (const auto& [distance, owners] : near)
      if (distance <= radius) std::ranges::transform(votes, *owners, votes.begin(), std::plus());
    return votes;
  }

 private:
  [[nodiscard]] double squared_distance(const features::ItemSize& a, const features::ItemSize& b) const {
    return of_points_ * std::pow(a.points - b.points, 2) + of_edges_ * std::pow(a.edges - b.edges, 2);
  }

  std::size_t classes_;
  double of_points_;
  double of_edges_;
  std::vector<std::pair<features::ItemSize, Histogram>> different_;
};

}  // namespace

std::vector<int> predict_majority(const features::Items& items, std::span<const std::size_t> training,
                                  std::span<const std::size_t> test) {
  const auto sizes = class_sizes(items, training);
  const auto majority = static_cast<int>(std::ranges::max_element(sizes) - sizes.begin());
  return std::vector<int>(test.size(), majority);
}

std::vector<int> predict_by_size(const features::Items& items, std::span<const std::size_t> training,
                                 std::span<const std::size_t> test) {
  const auto frequency = class_sizes(items, training);
  const Sizes sizes(items, training);
  std::vector<int> predicted;
  for (const std::size_t row : test) {
    const auto votes = sizes.votes_near(items.sizes[row]);
    std::size_t best = 0;
    for (std::size_t c = 1; c < votes.size(); ++c)
      if (std::pair(votes[c], frequency[c]) > std::pair(votes[best], frequency[best])) best = c;
    predicted.push_back(static_cast<int>(best));
  }
  return predicted;
}

}  // namespace perslay::learn
