#include "heat_modes.h"
#include "snap.h"
#include "twin_quotient.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/filtration/heat_spectrum.h>

namespace perslay::filtration {

struct HeatSpectrum::Buffer::Work {
  std::vector<double> values, slopes;  // per class
  Snap snap;
};

HeatSpectrum::Buffer::Buffer() : work_(base::make_hidden<Work>()) {}

HeatSpectrum::HeatSpectrum(const data::Graph& graph) {
  TwinQuotient quotient;
  quotient.build(graph);
  const std::size_t classes = quotient.class_count();
  has_isolated_ = quotient.isolated_count() > 0;
  class_of_.assign(quotient.class_of().begin(), quotient.class_of().end());
  for (std::size_t c = 0; c < classes; ++c) {
    twin_rates_.push_back(1 - quotient.twin_eigenvalues()[c]);
    twin_weights_.push_back(1 - 1.0 / quotient.sizes()[c]);
  }
  if (classes == 0) return;
  HeatModes modes;
  modes.compute(quotient, data::component_count(graph) - quotient.isolated_count(), longest_time);
  rates_.assign(modes.rates().begin(), modes.rates().end());
  squares_.reserve(classes * classes);
  for (std::size_t k = 0; k < classes; ++k)
    for (std::size_t c = 0; c < classes; ++c)
      squares_.push_back((1 - twin_weights_[c]) * modes.mode(k)[c] * modes.mode(k)[c]);
}

void HeatSpectrum::compute(double time, std::span<double> values, std::span<double> derivatives,
                           Buffer& buffer) const {
  constexpr double negligible_exponent = 42;  // exp(-42) is 6e-19
  if (!(time >= 0 && time <= longest_time))
    throw base::user_error(
        fmt::format("A heat spectrum serves times from 0 to {}, not {}.", longest_time, time));
  const std::size_t classes = twin_rates_.size();
  auto& [class_values, slopes, snap] = *buffer.work_;
  class_values.resize(classes);
  slopes.resize(classes);
  for (std::size_t c = 0; c < classes; ++c) {
    class_values[c] = twin_weights_[c] == 0 ? 0 : twin_weights_[c] * std::exp(-time * twin_rates_[c]);
    slopes[c] = -twin_rates_[c] * class_values[c];
  }
  for (std::size_t k = 0; k < rates_.size() && time * rates_[k] < negligible_exponent; ++k) {
    const double decay = std::exp(-time * rates_[k]), slope = -rates_[k] * decay;
    const double* squares = squares_.data() + k * classes;
    for (std::size_t c = 0; c < classes; ++c) {
      class_values[c] += decay * squares[c];
      slopes[c] += slope * squares[c];
    }
  }
  if (has_isolated_) {
    class_values.push_back(1);
    slopes.push_back(0);
  }
  if (time == 0) std::ranges::fill(class_values, 1.0);
  snap(class_values);
  for (std::size_t v = 0; v < class_of_.size(); ++v) {
    const auto c = static_cast<std::size_t>(class_of_[v]);
    values[v] = class_values[c];
    derivatives[v] = slopes[c];
  }
}

HeatSpectrum HeatSpectrum::at(data::Vertex vertex) const {
  HeatSpectrum result;
  result.class_of_ = {0};
  const std::size_t classes = twin_rates_.size();
  const auto own = static_cast<std::size_t>(class_of_[static_cast<std::size_t>(vertex)]);
  if (own == classes) {
    result.has_isolated_ = true;
    return result;
  }
  result.rates_ = rates_;
  for (std::size_t k = 0; k < rates_.size(); ++k) result.squares_.push_back(squares_[k * classes + own]);
  result.twin_rates_ = {twin_rates_[own]};
  result.twin_weights_ = {twin_weights_[own]};
  return result;
}

std::size_t HeatSpectrum::class_count(const data::Graph& graph) {
  TwinQuotient quotient;
  quotient.build(graph);
  return quotient.class_count();
}

}  // namespace perslay::filtration
