#include "plain_parts.h"

#include <fmt/format.h>

#include <perslay/base/error.h>

namespace perslay::nn {
namespace {

using torch::Tensor;

Tensor zero_unless(const Tensor& condition, const Tensor& value) {
  return torch::where(condition, value, torch::zeros_like(value));
}

/// sqrt with gradient 0 at 0.
Tensor safe_sqrt(const Tensor& x) {
  const auto positive = x > 0;
  return zero_unless(positive, torch::where(positive, x, torch::ones_like(x)).sqrt());
}

/// Columns [N, 1] of what phi reads of the points.
struct Coordinates {
  explicit Coordinates(const Tensor& points)
      : birth(points.narrow(1, 0, 1)), death(points.narrow(1, 1, 1)), persistence(death - birth) {}

  Tensor birth, death, persistence;

  /// h - |t - m|, how far inside the bar the samples lie.
  [[nodiscard]] Tensor depth(const Tensor& samples) const {
    return persistence / 2 - (samples - (birth + death) / 2).abs();
  }
  [[nodiscard]] Tensor contains(const Tensor& samples) const {
    return birth.le(samples).logical_and(samples.lt(death));
  }
  [[nodiscard]] Tensor soft_contains(const Tensor& samples, const Tensor& steepness) const {
    return (steepness * depth(samples)).sigmoid();
  }

  /// -(y/Y) log(y/Y); points on the diagonal and below it count for nothing.
  [[nodiscard]] Tensor entropy(const Segments& segments) const {
    const auto total = segments.spread(segments.sum(persistence.relu()));
    const auto counts = persistence.gt(0).logical_and(total > 0);
    const auto one = torch::ones_like(total);
    const auto share = torch::where(counts, persistence, one) / torch::where(counts, total, one);
    return -share * share.log() * counts;
  }

  /// Hofer's nu-logarithm of the persistence, for positive ones.
  [[nodiscard]] Tensor stretched(double nu) const {
    const auto positive = torch::where(persistence > 0, persistence, torch::full_like(persistence, nu));
    return torch::where(persistence < nu, nu * (positive / nu).log() + nu, persistence);
  }
};

Tensor column(const Tensor& pairs, std::int64_t index) { return pairs.select(1, index); }

Tensor gaussian(const Tensor& birth, const Tensor& persistence, const Tensor& centres,
                const Tensor& sharpness) {
  const auto distance = (birth - column(centres, 0)).square() + (persistence - column(centres, 1)).square();
  return (-sharpness.square() * distance).exp();
}

Tensor gaussian_grid(const Coordinates& at, const Tensor& births, const Tensor& persistences,
                     const Tensor& sharpness) {
  const auto along_births = (at.birth - births).square().unsqueeze(2);
  const auto along_persistences = (at.persistence - persistences).square().unsqueeze(1);
  return (-sharpness.square() * (along_births + along_persistences)).exp().flatten(1);
}

Tensor exponential(const Coordinates& at, const Tensor& centres, const Tensor& sharpness) {
  return (-(column(sharpness, 0) * (at.birth - column(centres, 0))).square() -
          (column(sharpness, 1) * (at.persistence - column(centres, 1))).square())
      .exp();
}

Tensor rational(const Coordinates& at, const Tensor& centres, const Tensor& sharpness,
                const Tensor& exponent) {
  const auto distance = column(sharpness, 0).abs() * (at.birth - column(centres, 0)).abs() +
                        column(sharpness, 1).abs() * (at.persistence - column(centres, 1)).abs();
  return (1 + distance).pow(-exponent);
}

Tensor rational_hat(const Coordinates& at, int norm, const Tensor& centres, const Tensor& radius) {
  const auto x = at.birth - column(centres, 0), y = at.persistence - column(centres, 1);
  const auto distance = norm == 1 ? x.abs() + y.abs() : safe_sqrt(x.square() + y.square());
  return 1 / (1 + distance) - 1 / (1 + (radius.abs() - distance).abs());
}

Tensor mixture(const layer::PointTransform& phi, const Tensor& points, const Segments& segments,
               Tensors parameters) {
  const auto shares = parameters[0].softmax(0);
  std::size_t used = 1;
  Tensor sum;
  for (std::size_t i = 0; i < phi.parts.size(); ++i) {
    const std::size_t count = phi.parts[i].parameters().size();
    const auto part = shares[static_cast<std::int64_t>(i)] *
                      plain_phi(phi.parts[i], points, segments, parameters.subspan(used, count));
    sum = sum.defined() ? sum + part : part;
    used += count;
  }
  return sum;
}

}  // namespace

Tensor plain_phi(const layer::PointTransform& phi, const Tensor& points, const Segments& segments,
                 Tensors parameters) {
  using Type = layer::PointTransform::Type;
  const Coordinates at(points);
  switch (phi.type) {
    case Type::triangle:
      return at.depth(parameters[0]).relu();
    case Type::betti:
      return at.contains(parameters[0]).to(points.dtype());
    case Type::flat:
      return at.soft_contains(parameters[0], parameters[1]);
    case Type::entropy:
      return at.entropy(segments) * at.contains(parameters[0]);
    case Type::flat_entropy:
      return at.entropy(segments) * at.soft_contains(parameters[0], parameters[1]);
    case Type::gaussian:
      return gaussian(at.birth, at.persistence, parameters[0], parameters[1]);
    case Type::gaussian_grid:
      return gaussian_grid(at, parameters[0], parameters[1], parameters[2]);
    case Type::hofer:
      return zero_unless(at.persistence > 0,
                         gaussian(at.birth, at.stretched(phi.nu), parameters[0], parameters[1]));
    case Type::exponential:
      return exponential(at, parameters[0], parameters[1]);
    case Type::rational:
      return rational(at, parameters[0], parameters[1], parameters[2]);
    case Type::rational_hat_1:
      return rational_hat(at, 1, parameters[0], parameters[1]);
    case Type::rational_hat_2:
      return rational_hat(at, 2, parameters[0], parameters[1]);
    case Type::line:
      return points.matmul(parameters[0].t()) + parameters[1];
    case Type::mixture:
      return mixture(phi, points, segments, parameters);
    default:
      throw base::user_error(fmt::format("{} has no plain path; take path=fused.", phi.name()));
  }
}

}  // namespace perslay::nn
