#include <algorithm>
#include <iterator>
#include <map>

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

/// Adds up the votes of ever more distant sizes until there are enough; sizes at the same distance vote
/// together.
Histogram votes_near(double size, const std::map<double, Histogram>& by_size, std::size_t classes) {
  Histogram votes(classes);
  std::size_t count = 0;
  const auto take = [&](const Histogram& more) {
    for (std::size_t c = 0; c < classes; ++c) {
      votes[c] += more[c];
      count += more[c];
    }
  };
  auto above = by_size.lower_bound(size);
  auto below = std::make_reverse_iterator(above);
  while (count < neighbours && (above != by_size.end() || below != by_size.rend())) {
    const bool has_above = above != by_size.end();
    const bool has_below = below != by_size.rend();
    const double up = has_above ? above->first - size : 0;
    const double down = has_below ? size - below->first : 0;
    const bool take_above = has_above && (!has_below || up <= down);
    const bool take_below = has_below && (!has_above || down <= up);
    if (take_above) take((above++)->second);
    if (take_below) take((below++)->second);
  }
  return votes;
}

}  // namespace

std::vector<int> predict_majority(const features::Items& items, std::span<const std::size_t> training,
                                  std::span<const std::size_t> test) {
  const auto sizes = class_sizes(items, training);
  const auto majority = static_cast<int>(std::ranges::max_element(sizes) - sizes.begin());
  return std::vector<int>(test.size(), majority);
}

std::vector<int> predict_by_size(const features::Items& items, std::span<const std::size_t> training,
                                 std::span<const std::size_t> test) {
  const std::size_t classes = items.classes.size();
  const auto frequency = class_sizes(items, training);
  std::map<double, Histogram> by_size;
  for (const std::size_t row : training) {
    auto& histogram = by_size[items.sizes[row]];
    histogram.resize(classes);
    ++histogram[static_cast<std::size_t>(items.labels[row])];
  }
  std::vector<int> predicted;
  for (const std::size_t row : test) {
    const auto votes = votes_near(items.sizes[row], by_size, classes);
    std::size_t best = 0;
    for (std::size_t c = 1; c < classes; ++c)
      if (std::pair(votes[c], frequency[c]) > std::pair(votes[best], frequency[best])) best = c;
    predicted.push_back(static_cast<int>(best));
  }
  return predicted;
}

}  // namespace perslay::learn
