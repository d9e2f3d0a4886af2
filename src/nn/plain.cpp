#include "parts.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/error.h>

namespace perslay::nn {
namespace {

using torch::Tensor;
using Tensors = std::span<const Tensor>;

void check_input(const Tensor& tensor, std::vector<std::int64_t> shape, const Tensor& points,
                 std::string_view name) {
  if (!tensor.defined()) throw base::user_error(fmt::format("The channel needs {}, which is missing.", name));
  if (tensor.sizes() != torch::IntArrayRef(shape))
    throw base::user_error(fmt::format("The channel needs {} of the shape [{}], not [{}].", name,
                                       fmt::join(shape, ", "), fmt::join(tensor.sizes(), ", ")));
  if (tensor.scalar_type() != points.scalar_type() || tensor.device() != points.device())
    throw base::user_error(fmt::format("The points are {} on {}, but {} is {} on {}.",
                                       torch::toString(points.scalar_type()), points.device().str(), name,
                                       torch::toString(tensor.scalar_type()), tensor.device().str()));
}

// ---- phi of points [N, 2], [N, phi.size()]

Tensor zero_unless(const Tensor& condition, const Tensor& value) {
  return torch::where(condition, value, torch::zeros_like(value));
}

/// sqrt with gradient 0 at 0.
Tensor safe_sqrt(const Tensor& x) {
  const auto positive = x > 0;
  return zero_unless(positive, torch::where(positive, x, torch::ones_like(x)).sqrt());
}

/// What phi reads of the points, in columns [N, 1].
struct Coordinates {
  explicit Coordinates(const Tensor& points)
      : birth(points.narrow(1, 0, 1)), death(points.narrow(1, 1, 1)), persistence(death - birth) {}

  Tensor birth, death, persistence;

  /// h - |t - m|. It says how far inside the bar the samples lie.
  [[nodiscard]] Tensor depth(const Tensor& samples) const {
    return persistence / 2 - (samples - (birth + death) / 2).abs();
  }
  [[nodiscard]] Tensor contains(const Tensor& samples) const {
    return birth.le(samples).logical_and(samples.lt(death));
  }
  [[nodiscard]] Tensor soft_contains(const Tensor& samples, const Tensor& steepness) const {
    return (steepness * depth(samples)).sigmoid();
  }

  /// -(y/Y) log(y/Y). Points on the diagonal and below it count for nothing.
  [[nodiscard]] Tensor entropy(const Segments& segments) const {
    const auto total = segments.spread(segments.sum(persistence.relu()));
    const auto counts = persistence.gt(0).logical_and(total > 0);
    const auto one = torch::ones_like(total);
    const auto share = torch::where(counts, persistence, one) / torch::where(counts, total, one);
    return -share * share.log() * counts;
  }

  /// Hofer's logarithm of positive persistences below nu.
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

Tensor gaussian_grid(const Tensor& birth, const Tensor& persistence, const Tensor& births,
                     const Tensor& persistences, const Tensor& sharpness) {
  const auto along_births = (birth - births).square().unsqueeze(2);
  const auto along_persistences = (persistence - persistences).square().unsqueeze(1);
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

Tensor plain_phi(const layer::PointTransform& phi, const Tensor& points, const Segments& segments,
                 Tensors parameters);

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

Tensor plain_phi(const layer::PointTransform& phi, const Tensor& points, const Segments& segments,
                 Tensors parameters) {
  using Type = layer::PointTransform::Type;
  const Coordinates at(points);
  const auto& second = phi.reads_death ? at.death : at.persistence;
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
      return gaussian(at.birth, second, parameters[0], parameters[1]);
    case Type::gaussian_grid:
      return gaussian_grid(at.birth, second, parameters[0], parameters[1], parameters[2]);
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

// ---- w of points [N, 2], [N]

/// Computes in the precision of the coordinates. On cell borders rounding decides, as it does in the kernels.
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

}  // namespace

void check_inputs(const layer::Channel& channel, const RaggedBatch& batch,
                  const std::vector<Tensor>& parameters, const Given& given) {
  const auto& points = batch.points();
  const auto shapes = channel.parameters();
  if (parameters.size() != shapes.size())
    throw base::user_error(
        fmt::format("The channel has {} parameters, but {} came.", shapes.size(), parameters.size()));
  for (std::size_t i = 0; i < shapes.size(); ++i)
    check_input(parameters[i], shapes[i].shape, points, shapes[i].name);
  const bool takes_features = channel.phi.type == layer::PointTransform::Type::given;
  const bool takes_weights = channel.weight.type == layer::Weight::Type::given;
  if (takes_features)
    check_input(given.features, {points.size(0), static_cast<std::int64_t>(channel.phi.size())}, points,
                "features");
  if (takes_weights) check_input(given.weights, {points.size(0)}, points, "weights");
  // Ignored, they would get no gradient.
  if (!takes_features && given.features.defined())
    throw base::user_error(
        fmt::format("Features are given, but the phi of the channel is {}.", channel.phi.name()));
  if (!takes_weights && given.weights.defined())
    throw base::user_error(
        fmt::format("Weights are given, but the weight of the channel is {}.", channel.weight.name()));
}

Segments::Segments(const Tensor& offsets, torch::Device device) {
  const std::int64_t size = offsets.size(0) - 1;
  begin_ = offsets.narrow(0, 0, size).to(device);
  count_ = offsets.narrow(0, 1, size).to(device) - begin_;
  diagram_ = torch::repeat_interleave(torch::arange(size, count_.options()), count_);
}

Tensor Segments::sum(const Tensor& rows) const {
  return torch::zeros({begin_.size(0), rows.size(1)}, rows.options()).index_add(0, diagram_, rows);
}

Tensor Segments::first(const Tensor& rows, std::int64_t count, bool largest) const {
  if (rows.size(0) == 0) return torch::zeros({begin_.size(0), rows.size(1), count}, rows.options());
  // Two stable sorts, by value and then by diagram, put the rows of every diagram in order. Each diagram keeps its
  // place. topk and max would pick any of equal rows.
  const auto by_value = std::get<1>(rows.detach().sort(/*stable=*/true, 0, largest));
  const auto by_diagram = std::get<1>(diagram_.index({by_value}).sort(/*stable=*/true, 0, false));
  const auto order = by_value.gather(0, by_diagram);

  const auto rank = torch::arange(count, begin_.options());
  const auto exists = rank.unsqueeze(0) < count_.unsqueeze(1);
  const auto place = (begin_.unsqueeze(1) + rank).clamp_max(rows.size(0) - 1);
  const auto chosen = order.index({place.flatten()});
  const auto values = rows.gather(0, chosen).reshape({begin_.size(0), count, rows.size(1)});
  return values.masked_fill(exists.unsqueeze(2).logical_not(), 0).transpose(1, 2);
}

Tensor Segments::reduce(const Tensor& rows, const layer::Operation& op) const {
  using Type = layer::Operation::Type;
  const auto k = static_cast<std::int64_t>(op.k);
  switch (op.type) {
    case Type::sum:
      return sum(rows);
    case Type::mean:
      return sum(rows) / count_.clamp_min(1).unsqueeze(1);
    case Type::max:
      return first(rows, 1, true).squeeze(2);
    case Type::min:
      return first(rows, 1, false).squeeze(2);
    case Type::kth:
      return first(rows, k, true).select(2, k - 1);
    case Type::topk:
      return first(rows, k, true).flatten(1);
  }
  return {};
}

Tensor Segments::spread(const Tensor& per_diagram) const { return per_diagram.index_select(0, diagram_); }

Tensor plain_equivariant(const layer::Equivariant& layer, const Tensor& features, const Segments& segments,
                         Tensors parameters) {
  const auto own = features.matmul(parameters.front()) + parameters.back();
  if (layer.pool == layer::Pool::none) return own;
  // Every other pool is an operation of the same name.
  const auto pool = layer::parse_operation(layer::pool_name(layer.pool));
  return own - segments.spread(segments.reduce(features, pool).matmul(parameters[1]));
}

Tensor weighted_features(const layer::Channel& channel, const RaggedBatch& batch, const Segments& segments,
                         const std::vector<Tensor>& parameters, const Given& given) {
  check_inputs(channel, batch, parameters, given);
  const auto& points = batch.points();
  Tensors rest(parameters);
  const auto take = [&rest](std::size_t count) {
    const auto taken = rest.first(count);
    rest = rest.subspan(count);
    return taken;
  };
  auto features = channel.phi.type == layer::PointTransform::Type::given
                      ? given.features
                      : plain_phi(channel.phi, points, segments, take(channel.phi.parameters().size()));
  for (const auto& layer : channel.equivariant)
    features = plain_equivariant(layer, features, segments, take(layer.pool == layer::Pool::none ? 2 : 3));
  const auto weights = channel.weight.type == layer::Weight::Type::given
                           ? given.weights
                           : plain_weight(channel.weight, points, rest);
  return weights.unsqueeze(1) * features;
}

Tensor plain_forward(const layer::Channel& channel, const RaggedBatch& batch,
                     const std::vector<Tensor>& parameters, const Given& given) {
  const Segments segments(batch.offsets(), batch.points().device());
  return segments.reduce(weighted_features(channel, batch, segments, parameters, given), channel.op);
}

}  // namespace perslay::nn
