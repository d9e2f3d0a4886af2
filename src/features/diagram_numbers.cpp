#include "quantiles.h"
#include "random_fourier.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

#include <perslay/base/chunks.h>
#include <perslay/base/error.h>
#include <perslay/features/diagram_numbers.h>
#include <perslay/layer/perslay.h>

namespace perslay::features {
namespace {

using diagram::DiagramGroup;
using diagram::Point;
using Type = ItemFeature::Type;

/// Keeps logarithms of values near 0 finite.
constexpr double log_offset = 1e-3;

double persistence(const Point& point) { return point.death - point.birth; }

struct Moments {
  double mean = 0;
  double deviation = 0;
};

template <class Value>
Moments moments(std::span<const Point> points, Value&& value) {
  const auto count = static_cast<double>(points.size());
  Moments result;
  for (const Point& point : points) result.mean += value(point) / count;
  for (const Point& point : points) result.deviation += std::pow(value(point) - result.mean, 2) / count;
  result.deviation = std::sqrt(result.deviation);
  return result;
}

double entropy(std::span<const Point> points, double total) {
  double sum = 0;
  for (const Point& point : points)
    if (const double part = persistence(point) / total; part > 0) sum -= part * std::log(part);
  return sum;
}

void statistics(std::span<const Point> points, std::span<double> numbers) {
  if (points.empty()) {
    std::ranges::fill(numbers, 0);
    return;
  }
  double total = 0, squares = 0, largest = 0;
  for (const Point& point : points) {
    const double y = persistence(point);
    total += y;
    squares += y * y;
    largest = std::max(largest, y);
  }
  const auto births = moments(points, [](const Point& point) { return point.birth; });
  const auto deaths = moments(points, [](const Point& point) { return point.death; });
  const auto persistences = moments(points, persistence);
  const std::array values{static_cast<double>(points.size()),
                          total,
                          squares,
                          largest,
                          births.mean,
                          births.deviation,
                          deaths.mean,
                          deaths.deviation,
                          persistences.mean,
                          persistences.deviation,
                          total > 0 ? entropy(points, total) : 0,
                          (births.mean + deaths.mean) / 2};
  std::ranges::copy(values, numbers.begin());
}

/// The logarithm, if asked for.
double scaled(double value, bool log) { return log ? std::log(value + log_offset) : value; }

void persistence_quantiles(std::span<const Point> points, bool log, std::span<double> numbers) {
  std::vector<double> values;
  values.reserve(points.size());
  for (const Point& point : points) values.push_back(scaled(persistence(point), log));
  quantiles_of(values, numbers);
}

void most_persistent(std::span<const Point> points, bool log, std::span<double> numbers) {
  std::vector<Point> sorted(points.begin(), points.end());
  const std::size_t kept = std::min(points.size(), numbers.size() / 2);
  std::ranges::partial_sort(
      sorted, sorted.begin() + static_cast<std::ptrdiff_t>(kept), [](const Point& a, const Point& b) {
        return persistence(a) != persistence(b) ? persistence(a) > persistence(b) : a < b;
      });
  sorted.resize(numbers.size() / 2);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    numbers[2 * i] = scaled(persistence(sorted[i]), log);
    numbers[2 * i + 1] = sorted[i].birth;
  }
}

void projection_quantiles(std::span<const Point> points, bool log, std::size_t lines,
                          std::span<double> numbers) {
  const std::size_t ranks = numbers.size() / lines;
  std::vector<Point> scaled_points(points.begin(), points.end());
  if (log)
    for (Point& point : scaled_points) point = {scaled(point.birth, true), scaled(persistence(point), true)};
  std::vector<double> projections(points.size());
  for (std::size_t line = 0; line < lines; ++line) {
    const double angle = std::numbers::pi * (static_cast<double>(line) / static_cast<double>(lines) - 0.5);
    const double x = std::cos(angle), y = std::sin(angle);
    std::ranges::transform(scaled_points, projections.begin(),
                           [=](const Point& point) { return x * point.birth + y * point.death; });
    quantiles_of(projections, numbers.subspan(line * ranks, ranks));
  }
}

/// Sums over points (birth, persistence), in units of the frame. Points are sorted, and equal ones are
/// computed once, which on COLLAB with its many twin vertices halves the time, that of diagrams included.
void fourier_sums(std::span<const Point> points, double unit, const RandomFourier& fourier,
                  std::span<double> numbers) {
  std::vector<double> coordinates, multiplicities;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i == 0 || points[i] != points[i - 1]) {
      coordinates.insert(coordinates.end(), {points[i].birth / unit, persistence(points[i]) / unit});
      multiplicities.push_back(0);
    }
    ++multiplicities.back();
  }
  fourier.sum(coordinates, multiplicities, numbers);
}

/// Only births can be negative once points are (min, max).
void require_logarithms(const ItemFeature& feature, const DiagramGroup& group, std::size_t item) {
  for (const Point& point : group.diagrams[item])
    if (point.birth < 0)
      throw base::user_error(fmt::format("{} takes logarithms of births, and {} of item {} has the birth {}.",
                                         feature.name, group.title(), item, point.birth));
}

}  // namespace

DiagramNumbers::DiagramNumbers(const ItemFeature& feature, std::span<const DiagramGroup> groups,
                               std::span<const layer::Frame> frames)
    : feature_(feature) {
  for (const auto& group : groups)
    if (feature.reads(group)) groups_.push_back(&group);
  if (groups_.empty())
    throw base::user_error(feature.kind
                               ? fmt::format("{} reads diagrams of the kind {}, and there are none.",
                                             feature.name, diagram::kind_name(*feature.kind))
                               : fmt::format("{} reads diagrams, and there are none.", feature.name));
  if (feature.type == Type::fourier) {
    fourier_ = std::make_shared<const RandomFourier>(2, feature.count, feature.sigma);
    for (const auto& frame : frames) units_.push_back(frame.values.length() > 0 ? frame.values.length() : 1);
  }
  if (feature.type != Type::vectorization) return;
  for (std::size_t g = 0; g < groups_.size(); ++g)
    channels_.push_back(
        feature.vectorization.in(feature.range ? layer::Frame::over(*feature.range) : frames[g]));
}

void DiagramNumbers::compute(std::span<const Point> points, std::size_t group,
                             std::span<double> numbers) const {
  static constexpr std::array nothing{Point{0, 0}};
  if (feature_.type == Type::statistics) return statistics(points, numbers);
  if (feature_.type == Type::fourier) return fourier_sums(points, units_[group], *fourier_, numbers);
  if (points.empty()) points = nothing;
  if (feature_.type == Type::quantiles) return persistence_quantiles(points, feature_.log, numbers);
  if (feature_.type == Type::top) return most_persistent(points, feature_.log, numbers);
  projection_quantiles(points, feature_.log, feature_.count, numbers);
}

void DiagramNumbers::write_points(std::span<const std::size_t> rows, std::size_t group,
                                  const Columns& columns) const {
  const bool log_births = feature_.log && feature_.type == Type::projection_quantiles;
  std::vector<double> numbers(feature_.width);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (log_births) require_logarithms(feature_, *groups_[group], rows[i]);
    compute(groups_[group]->diagrams[rows[i]], group, numbers);
    std::ranges::copy(numbers, columns.row(i, numbers.size()).begin());
  }
}

void DiagramNumbers::write_channel(std::span<const std::size_t> rows, std::size_t group,
                                   const Columns& columns) const {
  std::vector<double> points;
  std::vector<std::int64_t> offsets{0};
  for (const std::size_t row : rows) {
    for (const auto& [birth, death] : groups_[group]->diagrams[row])
      points.insert(points.end(), {birth, death});
    offsets.push_back(static_cast<std::int64_t>(points.size() / 2));
  }
  const auto& fixed = channels_[group];
  const std::vector<std::span<const double>> parameters(fixed.parameters.begin(), fixed.parameters.end());
  const std::size_t width = feature_.width;
  std::vector<double> numbers(rows.size() * width);
  base::Context alone;
  alone.threads = 1;
  layer::forward<double>(alone, fixed.channel, {.points = points, .offsets = offsets}, parameters, numbers);
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::ranges::copy(std::span(numbers).subspan(i * width, width), columns.row(i, width).begin());
}

void DiagramNumbers::write(std::span<const std::size_t> rows, const Columns& columns) const {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Columns of_group = columns.from(g * feature_.width);
    if (channels_.empty())
      write_points(rows, g, of_group);
    else
      write_channel(rows, g, of_group);
  }
}

layer::Frame frame_around(const DiagramGroup& group, std::span<const std::size_t> rows) {
  // A frame depends on the outermost points alone, and these are few.
  std::vector<Point> outermost;
  const auto keep = [&](const auto& better) {
    const Point* best = nullptr;
    for (const std::size_t row : rows)
      for (const Point& point : group.diagrams[row])
        if (best == nullptr || better(point, *best)) best = &point;
    if (best != nullptr) outermost.push_back(*best);
  };
  keep([](const Point& a, const Point& b) { return a.birth < b.birth; });
  keep([](const Point& a, const Point& b) { return a.birth > b.birth; });
  keep([](const Point& a, const Point& b) { return a.death > b.death; });
  keep([](const Point& a, const Point& b) { return persistence(a) > persistence(b); });
  const auto count = static_cast<std::int64_t>(outermost.size());
  return layer::Frame::fit(diagram::DiagramBatch(std::move(outermost), {0, count}));
}

FeatureBlock diagram_block(std::span<const DiagramGroup> groups, const ItemFeature& feature,
                           const base::Context& context) {
  const DiagramNumbers numbers(feature, groups);
  const std::size_t items = groups.front().diagrams.size(), width = numbers.width();
  FeatureBlock block;
  block.name = feature.name;
  block.values.resize(items * width);
  for (std::size_t item = 1; item <= items; ++item)
    block.offsets.push_back(static_cast<std::int64_t>(item * width));
  std::vector<std::size_t> rows(items);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  base::for_chunks(context, "features of diagrams", items, [&](std::size_t first, std::size_t count) {
    const auto values = std::span(block.values).subspan(first * width, count * width);
    numbers.write(std::span(rows).subspan(first, count), {values, width, 0});
  });
  return block;
}

}  // namespace perslay::features
