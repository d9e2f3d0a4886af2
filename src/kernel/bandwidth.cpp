#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <perslay/diagram/part_of.h>
#include <perslay/kernel/bandwidth.h>

namespace perslay::kernel {
namespace {

using Type = Kernel::Type;
using diagram::DiagramBatch;
using diagram::DiagramGroup;
using diagram::Point;
using Items = std::span<const std::size_t>;

constexpr std::size_t most_points = 512;

/// The quantile of the values, with linear interpolation between the two around the place `share` in sorted order; 0
/// without values. The one of 1/2 is the ordinary median: the mean of the two in the middle of an even number.
double quantile(std::vector<double>& values, double share) {
  if (values.empty()) return 0;
  const double place = share * static_cast<double>(values.size() - 1);
  const double below = std::floor(place);
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(values.begin(), at, values.end());
  if (place == below) return *at;
  return std::lerp(*at, *std::min_element(at + 1, values.end()), place - below);
}

double median(std::vector<double>& values) { return quantile(values, 0.5); }

double median_distance(std::span<const Point> points) {
  const std::size_t step = (points.size() + most_points - 1) / most_points;
  std::vector<double> distances;
  for (std::size_t i = 0; i < points.size(); i += step)
    for (std::size_t j = i + step; j < points.size(); j += step)
      distances.push_back(std::hypot(points[i].birth - points[j].birth, points[i].death - points[j].death));
  return median(distances);
}

double median_persistence(std::span<const Point> points) {
  std::vector<double> values;
  for (const auto& [birth, death] : points) values.push_back(std::abs(death - birth));
  return median(values);
}

/// The median of `number` over the diagrams where it is positive and finite; 0 without such diagrams.
double median_over(const DiagramBatch& diagrams, Items items,
                   const std::function<double(std::span<const Point>)>& number) {
  std::vector<double> values;
  for (const std::size_t item : items) {
    const double value = number(diagrams[item]);
    if (value > 0 && std::isfinite(value)) values.push_back(value);
  }
  return median(values);
}

/// The value, or 1 if it cannot be a parameter.
double usable_or_one(double value, double least = std::numeric_limits<double>::denorm_min()) {
  return value >= least && std::isfinite(value) ? value : 1;
}

std::vector<double> distances_between(const Matrix& base, Items items) {
  std::vector<double> values;
  values.reserve(items.size() * items.size() / 2);
  for (std::size_t i = 0; i < items.size(); ++i)
    for (std::size_t j = i + 1; j < items.size(); ++j) values.push_back(base(items[i], items[j]));
  return values;
}

double rate_of(const Kernel& kernel, double distance) {
  return usable_or_one(kernel.type == Type::fisher ? 1 / distance : 1 / (2 * distance));
}

}  // namespace

Kernel fit(const Kernel& kernel, const DiagramBatch& diagrams, Items items) {
  Kernel fitted = kernel;
  if (kernel.type == Type::sliced_wasserstein) return fitted;
  if (kernel.sigma == 0) {
    const double distance = median_over(diagrams, items, median_distance);
    fitted.sigma = kernel.type == Type::scale_space
                       ? usable_or_one(distance * distance / 4, smallest_scale_space_sigma)
                       : usable_or_one(distance);
  }
  if (kernel.is_weighted() && kernel.scale == 0)
    fitted.scale = usable_or_one(std::pow(median_over(diagrams, items, median_persistence), -kernel.power));
  return fitted;
}

std::vector<Kernel> fit(const Kernel& kernel, std::span<const DiagramGroup> groups, Items items) {
  std::vector<Kernel> fitted;
  for (const auto& group : groups) fitted.push_back(fit(kernel, group.diagrams, items));
  return fitted;
}

std::vector<std::vector<Kernel>> base_candidates(const Kernel& kernel, std::span<const DiagramGroup> groups,
                                                 Items items) {
  std::vector<std::vector<Kernel>> candidates;
  if (kernel.type == Type::scale_space && kernel.sigma == 0) {
    for (const double sigma :
         {0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 50.0, 100.0, 500.0, 1000.0}) {
      Kernel chosen = kernel;
      chosen.sigma = sigma;
      candidates.emplace_back(groups.size(), chosen);
    }
    return candidates;
  }
  const auto fitted = fit(kernel, groups, items);
  if (kernel.type != Type::fisher || kernel.sigma != 0) return {fitted};
  for (const double factor : {0.01, 0.1, 1.0, 10.0}) {
    candidates.push_back(fitted);
    for (Kernel& chosen : candidates.back()) chosen.sigma *= factor;
  }
  return candidates;
}

std::vector<double> rate_candidates(const Kernel& kernel, const Matrix& base, Items items) {
  if (!kernel.is_distance()) return {};
  if (const auto given = kernel.rate()) return {*given};
  auto distances = distances_between(base, items);
  std::vector<double> rates;
  const auto add = [&](double share, std::initializer_list<double> factors) {
    const double distance = quantile(distances, share);
    if (distance > 0)
      for (const double factor : factors) rates.push_back(rate_of(kernel, distance) / (factor * factor));
  };
  if (kernel.type == Type::fisher)
    for (const double share : {0.01, 0.02, 0.05, 0.1, 0.2, 0.5}) add(share, {1});
  else
    for (const double share : {0.1, 0.5, 0.9}) add(share, {0.01, 0.1, 1, 10, 100});
  if (rates.empty()) rates.push_back(1);
  std::ranges::sort(rates);
  return rates;
}

double median_rate(const Kernel& kernel, const Matrix& base, Items items) {
  if (const auto given = kernel.rate()) return *given;
  auto distances = distances_between(base, items);
  return rate_of(kernel, median(distances));
}

double median_rate(std::span<const Kernel> kernels, const diagram::DiagramSet& set, Items items,
                   const base::Context& context) {
  if (kernels.empty()) return 1;
  if (const auto given = kernels.front().rate()) return *given;
  const auto base = base_matrix(kernels, diagram::part_of(set, items).groups, context);
  return median_rate(kernels.front(), base, spread_items(items.size(), items.size()));
}

std::vector<std::size_t> median_items(std::size_t count) { return spread_items(count, 256); }

std::vector<std::size_t> spread_items(std::size_t count, std::size_t limit) {
  std::vector<std::size_t> items;
  const std::size_t size = std::min(count, limit);
  for (std::size_t i = 0; i < size; ++i) items.push_back(i * count / size);
  return items;
}

}  // namespace perslay::kernel
