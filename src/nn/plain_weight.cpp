#include "plain_parts.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <perslay/base/error.h>

namespace perslay::nn {
namespace {

using torch::Tensor;

/// In the precision of the coordinates: on cell borders rounding decides, and it must decide as in the
/// kernels.
template <class T>
Tensor cell_in(const Tensor& coordinate, double low, double high, std::size_t count) {
  const T start = static_cast<T>(low), length = static_cast<T>(high) - start, cells = static_cast<T>(count);
  return ((coordinate - start) * (cells / length)).floor().clamp(0, cells - 1).to(torch::kInt64);
}

Tensor cell(const Tensor& coordinate, double low, double high, std::size_t count) {
  return coordinate.scalar_type() == torch::kFloat32 ? cell_in<float>(coordinate, low, high, count)
                                                     : cell_in<double>(coordinate, low, high, count);
}

Tensor grid(const layer::Weight& weight, const Tensor& points, const Tensor& cells) {
  const auto detached = points.detach();
  return cells.index({cell(detached.select(1, 0), weight.low, weight.high, weight.births),
                      cell(detached.select(1, 1), weight.low, weight.high, weight.deaths)});
}

Tensor power(double exponent, const Tensor& points, const Tensor& constant) {
  if (exponent == 0) return constant.expand({points.size(0)});
  const auto distance = (points.select(1, 1) - points.select(1, 0)).abs() / std::numbers::sqrt2;
  const auto positive = distance > 0;
  const auto power = torch::where(positive, distance, torch::ones_like(distance)).pow(exponent);
  return constant * torch::where(positive, power, torch::zeros_like(power));
}

Tensor gaussian_mixture(const Tensor& points, const Tensor& centres, const Tensor& sharpness,
                        const Tensor& amplitudes) {
  const auto scaled = sharpness * (points.unsqueeze(1) - centres);
  return (-scaled.square().sum(2)).exp().matmul(amplitudes);
}

}  // namespace

Tensor plain_weight(const layer::Weight& weight, const Tensor& points, Tensors parameters) {
  using Type = layer::Weight::Type;
  switch (weight.type) {
    case Type::one:
      return torch::ones({points.size(0)}, points.options());
    case Type::grid:
      return grid(weight, points, parameters[0]);
    case Type::power:
      return power(weight.exponent, points, parameters[0]);
    case Type::gmix:
      return gaussian_mixture(points, parameters[0], parameters[1], parameters[2]);
    default:
      throw base::user_error(fmt::format("{} has no plain path; take path=fused.", weight.name()));
  }
}

}  // namespace perslay::nn
