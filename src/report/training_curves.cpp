#include "training_curves.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include <fmt/format.h>

#include <perslay/report/html.h>

namespace perslay::report {
namespace {

using learn::Epoch;

/// Numbers of an epoch over all trainings.
struct Spread {
  double mean = 0, low = 0, high = 0;
};

struct Curve {
  std::vector<double> epochs;  ///< Counted from 1.
  std::vector<Spread> values;
};

/// About the number of epochs to draw, of many.
constexpr std::size_t most_epochs = 250;

using Value = std::function<std::optional<double>(const Epoch&)>;

Curve curve_of(const learn::Evaluation& evaluation, const Value& value) {
  std::vector<std::vector<double>> by_epoch;
  for (const auto& fold : evaluation.folds)
    for (const auto& epoch : fold.history) {
      const auto own = epoch.net == 0 ? value(epoch) : std::nullopt;
      if (!own || !std::isfinite(*own)) continue;
      if (by_epoch.size() <= epoch.epoch) by_epoch.resize(epoch.epoch + 1);
      by_epoch[epoch.epoch].push_back(*own);
    }
  Curve curve;
  const std::size_t step = (by_epoch.size() + most_epochs - 1) / most_epochs;
  for (std::size_t e = 0; e < by_epoch.size(); ++e) {
    if (by_epoch[e].empty() || (e % step != 0 && e + 1 != by_epoch.size())) continue;
    double sum = 0;
    for (const double x : by_epoch[e]) sum += x;
    const auto [low, high] = std::ranges::minmax(by_epoch[e]);
    curve.epochs.push_back(static_cast<double>(e + 1));
    curve.values.push_back({sum / static_cast<double>(by_epoch[e].size()), low, high});
  }
  return curve;
}

/// A logarithmic axis if all values are positive and span more than a factor of 20.
Chart chart_of(const std::string& title, const Curve& curve, const std::string& style, bool always_linear) {
  std::vector<double> all;
  for (const auto& spread : curve.values) all.insert(all.end(), {spread.mean, spread.low, spread.high});
  const auto [low, high] = std::ranges::minmax(all);
  const bool logarithmic = !always_linear && low > 0 && high > 20 * low;
  Axis epochs{"epoch", curve.epochs.front(), curve.epochs.back(), false, {}, true};
  Chart chart(title, std::move(epochs), axis_around(title, all, logarithmic), {520, 300});
  std::vector<Position> lows;
  std::vector<Position> highs;
  std::vector<Position> means;
  for (std::size_t i = 0; i < curve.epochs.size(); ++i) {
    lows.push_back({curve.epochs[i], curve.values[i].low});
    highs.push_back({curve.epochs[i], curve.values[i].high});
    means.push_back({curve.epochs[i], curve.values[i].mean});
  }
  chart.band(lows, highs, style);
  chart.line(means, style);
  for (std::size_t i = 0; i < means.size(); ++i)
    chart.dot(means[i], style,
              fmt::format("epoch {}: {} (lowest {}, highest {})", curve.epochs[i], short_number(means[i].y),
                          short_number(curve.values[i].low), short_number(curve.values[i].high)),
              1.5);
  return chart;
}

}  // namespace

std::vector<Chart> training_curves(const learn::FinishedEvaluation& finished) {
  const auto& evaluation = finished.evaluation;
  std::vector<Chart> charts;
  const auto add = [&](const std::string& title, const std::string& style, bool always_linear,
                       const Value& value) {
    const auto curve = curve_of(evaluation, value);
    if (curve.epochs.size() > 1) charts.push_back(chart_of(title, curve, style, always_linear));
  };
  add("loss", "b", false, [](const Epoch& epoch) { return epoch.loss; });
  add("training accuracy in %", "a", true, [](const Epoch& epoch) { return 100 * epoch.accuracy; });
  const auto& history = evaluation.folds.front().history;
  const std::size_t times = history.empty() ? 0 : history.front().times.size();
  for (std::size_t i = 0; i < times; ++i)
    add(times == 1 ? "time t" : fmt::format("time t of filtration {}", i + 1), "c", false,
        [i](const Epoch& epoch) {
          return i < epoch.times.size() ? std::optional(epoch.times[i]) : std::nullopt;
        });
  return charts;
}

}  // namespace perslay::report
