#include "evenly.h"
#include "half_circle.h"
#include "name_fields.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

#include <fmt/format.h>

#include <perslay/layer/vectorization.h>

namespace perslay::layer {
namespace {

using Kind = Vectorization::Kind;
using Array = std::vector<double>;

// ---- names

using Make = base::Registry<Vectorization>::Make;

Vectorization landscape(const base::Name& name) {
  NameFields fields(name);
  Vectorization made{Kind::landscape};
  std::tie(made.ranks, made.count) = parse_grid(
      fields.size(), "landscape needs a number of landscapes and of samples such as landscape:5x60");
  fields.finish();
  return made;
}

Vectorization projections(const base::Name& name) {
  NameFields fields(name);
  Vectorization made{Kind::projections};
  std::tie(made.count, made.ranks) = parse_grid(
      fields.size(), "projections needs a number of lines and of places such as projections:10x20");
  fields.finish();
  return made;
}

Vectorization silhouette(const base::Name& name) {
  NameFields fields(name);
  Vectorization made{Kind::silhouette};
  made.count = parse_size(fields.size(), "silhouette needs a number of samples such as silhouette:60");
  made.power = fields.take_nonnegative("power").value_or(1);
  fields.finish();
  return made;
}

Vectorization image(const base::Name& name) {
  NameFields fields(name);
  Vectorization made{Kind::image};
  std::tie(made.count, made.rows) = parse_grid_or_square(
      fields.size(), "image needs a number of pixels along births and persistences such as image:20x20");
  made.sigma = fields.take_positive("sigma").value_or(0);
  made.power = fields.take_nonnegative("power").value_or(1);
  fields.finish();
  return made;
}

Vectorization hofer(const base::Name& name) {
  NameFields fields(name);
  Vectorization made{Kind::hofer};
  made.count = parse_size(fields.size(), "hofer needs a number of centres such as hofer:50");
  made.nu = fields.take_positive("nu").value_or(0);
  made.sigma = fields.take_positive("sigma").value_or(0);
  fields.finish();
  return made;
}

Make curve(Kind kind) {
  return [kind](const base::Name& name) {
    NameFields fields(name);
    Vectorization made{kind};
    made.count =
        parse_size(fields.size(), fmt::format("{0} needs a number of samples such as {0}:60", name.head));
    fields.finish();
    return made;
  };
}

base::Registry<Vectorization> make_registry() {
  base::Registry<Vectorization> registry("vectorization");
  registry.add("landscape", {"landscape:KxN", "The first K persistence landscapes at N samples."}, landscape)
      .add("silhouette",
           {"silhouette:N[:power=S]",
            "Sum of tents at N samples, weighted by persistence to the power S (1)."},
           silhouette)
      .add("image",
           {"image:NxM[:sigma=S][:power=P]",
            "Persistence surface on a grid over (birth, persistence), weighted by persistence to the power P "
            "(1)."},
           image)
      .add("hofer",
           {"hofer:N[:nu=V][:sigma=S]", "Gaussians at N centres, of a logarithm of persistences below nu."},
           hofer)
      .add("projections",
           {"projections:LxK", "The K largest projections onto each of L lines (sliced Wasserstein)."},
           projections)
      .add("betti", {"betti:N", "Betti curve: how many bars hold each of N samples."}, curve(Kind::betti))
      .add("entropy", {"entropy:N", "Entropy of the bars that hold each of N samples."},
           curve(Kind::entropy));
  return registry;
}

const base::Registry<Vectorization>& vectorizations() {
  static const base::Registry<Vectorization> registry = make_registry();
  return registry;
}

std::string option(std::string_view key, double value, double otherwise) {
  return value == otherwise ? std::string() : fmt::format(":{}={}", key, base::shortest(value));
}

// ---- their layers

PointTransform transform_of(Family family, std::size_t count, std::size_t rows = 0) {
  PointTransform phi;
  phi.family = family;
  phi.count = count;
  phi.rows = rows;
  return phi;
}

Array samples(std::size_t count, Range range) { return evenly(count, range.low, range.high); }

double spacing(std::size_t count, Range range) {
  return count == 1 ? range.length() : range.length() / static_cast<double>(count - 1);
}

double sharpness_of(double sigma) { return 1 / (std::numbers::sqrt2 * sigma); }

/// The first number if it is positive; without any extent, 1 is as good as any other width.
double positive_or_one(double width) { return width > 0 ? width : 1; }

/// Multiplies every point by y^power; `power` measures distances to the diagonal, y/sqrt(2).
void weigh_by_persistence(FixedChannel& fixed, double power) {
  if (power == 0) return;
  fixed.channel.weight.family = WeightFamily::power;
  fixed.channel.weight.exponent = power;
  fixed.parameters.push_back({std::pow(2, power / 2)});
}

/// Curves: some function of (b, d) at samples.
FixedChannel curve_channel(Family family, std::size_t count, const Frame& frame) {
  FixedChannel fixed;
  fixed.channel.phi = transform_of(family, count);
  fixed.parameters = {samples(count, frame.values)};
  return fixed;
}

FixedChannel landscape_channel(const Vectorization& made, const Frame& frame) {
  auto fixed = curve_channel(Family::triangle, made.count, frame);
  fixed.channel.op = {Operation::Kind::topk, made.ranks};
  return fixed;
}

FixedChannel silhouette_channel(const Vectorization& made, const Frame& frame) {
  auto fixed = curve_channel(Family::triangle, made.count, frame);
  weigh_by_persistence(fixed, made.power);
  return fixed;
}

FixedChannel image_channel(const Vectorization& made, const Frame& frame) {
  const double gap = std::max(spacing(made.count, frame.births), spacing(made.rows, frame.persistences));
  const double sigma = made.sigma > 0 ? made.sigma : positive_or_one(gap);
  FixedChannel fixed;
  fixed.channel.phi = transform_of(Family::gaussian_grid, made.count, made.rows);
  fixed.parameters = {
      samples(made.count, frame.births), samples(made.rows, frame.persistences), {sharpness_of(sigma)}};
  weigh_by_persistence(fixed, made.power);
  return fixed;
}

/// The sequence frac(1/2 + i/g), frac(1/2 + i/g^2) for the plastic number g, g^3 = g + 1, fills the unit
/// square evenly however many of its points are taken (Roberts 2018).
Array spread_centres(std::size_t count, const Frame& frame) {
  constexpr double plastic = 1.32471795724474602596;
  const auto fraction = [](double x) { return x - std::floor(x); };
  Array centres;
  for (std::size_t i = 1; i <= count; ++i) {
    const auto step = static_cast<double>(i);
    centres.push_back(std::lerp(frame.births.low, frame.births.high, fraction(0.5 + step / plastic)));
    centres.push_back(std::lerp(frame.persistences.low, frame.persistences.high,
                                fraction(0.5 + step / (plastic * plastic))));
  }
  return centres;
}

FixedChannel hofer_channel(const Vectorization& made, const Frame& frame) {
  const double side = positive_or_one(std::max(frame.births.length(), frame.persistences.length()));
  const double sigma = made.sigma > 0 ? made.sigma : side / std::sqrt(static_cast<double>(made.count));
  FixedChannel fixed;
  fixed.channel.phi = transform_of(Family::hofer, made.count);
  fixed.channel.phi.nu = made.nu > 0 ? made.nu : positive_or_one(frame.persistences.high) / 10;
  fixed.parameters = {spread_centres(made.count, frame), {sharpness_of(sigma)}};
  return fixed;
}

FixedChannel projection_channel(const Vectorization& made) {
  FixedChannel fixed;
  fixed.channel.phi = transform_of(Family::line, made.count);
  fixed.channel.op = {Operation::Kind::topk, made.ranks};
  fixed.parameters = {half_circle(made.count), Array(made.count, 0)};
  return fixed;
}

// ---- names of what comes out

std::vector<std::string> sample_names(const Array& samples) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < samples.size(); ++i) names.push_back(fmt::format("t{}={:.6g}", i, samples[i]));
  return names;
}

std::vector<std::string> centre_names(const Array& centres) {
  std::vector<std::string> names;
  for (std::size_t i = 0; 2 * i < centres.size(); ++i)
    names.push_back(fmt::format("b{0}={1:.6g}/p{0}={2:.6g}", i, centres[2 * i], centres[2 * i + 1]));
  return names;
}

std::vector<std::string> grid_names(const Array& births, const Array& persistences) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < births.size(); ++i)
    for (std::size_t j = 0; j < persistences.size(); ++j)
      names.push_back(fmt::format("b{}={:.6g}/p{}={:.6g}", i, births[i], j, persistences[j]));
  return names;
}

std::vector<std::string> numbered(std::string_view word, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(fmt::format("{}{}", word, i));
  return names;
}

std::vector<std::string> feature_names(const FixedChannel& fixed) {
  const auto& phi = fixed.channel.phi;
  if (!fixed.channel.equivariant.empty()) return numbered("f", fixed.channel.features());
  switch (phi.family) {
    case Family::triangle:
    case Family::betti:
    case Family::flat:
    case Family::entropy:
    case Family::flat_entropy:
      return sample_names(fixed.parameters[0]);
    case Family::gaussian:
    case Family::hofer:
    case Family::exponential:
    case Family::rational:
    case Family::rational_hat:
      return centre_names(fixed.parameters[0]);
    case Family::gaussian_grid:
      return grid_names(fixed.parameters[0], fixed.parameters[1]);
    case Family::line:
      return numbered("line", phi.count);
    case Family::given:
    case Family::mixture:
      break;
  }
  return numbered("f", phi.size());
}

}  // namespace

Frame Frame::fit(const diagram::DiagramBatch& batch) {
  if (batch.points().empty()) return {};
  const auto first = batch.points().front();
  Frame frame{{first.birth, first.death}, {first.birth, first.birth}, {0, 0}};
  for (const auto& [birth, death] : batch.points()) {
    frame.births.low = std::min(frame.births.low, birth);
    frame.births.high = std::max(frame.births.high, birth);
    frame.values.high = std::max(frame.values.high, death);
    frame.persistences.high = std::max(frame.persistences.high, death - birth);
  }
  frame.values.low = frame.births.low;
  return frame;
}

Frame Frame::over(Range values) { return {values, values, {0, values.length()}}; }

std::string Vectorization::name() const {
  switch (kind) {
    case Kind::landscape:
      return fmt::format("landscape:{}x{}", ranks, count);
    case Kind::silhouette:
      return fmt::format("silhouette:{}{}", count, option("power", power, 1));
    case Kind::image:
      return fmt::format("image:{}x{}{}{}", count, rows, option("sigma", sigma, 0),
                         option("power", power, 1));
    case Kind::hofer:
      return fmt::format("hofer:{}{}{}", count, option("nu", nu, 0), option("sigma", sigma, 0));
    case Kind::projections:
      return fmt::format("projections:{}x{}", count, ranks);
    case Kind::betti:
      return fmt::format("betti:{}", count);
    case Kind::entropy:
      break;
  }
  return fmt::format("entropy:{}", count);
}

FixedChannel Vectorization::in(const Frame& frame) const {
  switch (kind) {
    case Kind::landscape:
      return landscape_channel(*this, frame);
    case Kind::silhouette:
      return silhouette_channel(*this, frame);
    case Kind::image:
      return image_channel(*this, frame);
    case Kind::hofer:
      return hofer_channel(*this, frame);
    case Kind::projections:
      return projection_channel(*this);
    case Kind::betti:
      return curve_channel(Family::betti, count, frame);
    case Kind::entropy:
      break;
  }
  return curve_channel(Family::entropy, count, frame);
}

Vectorization parse_vectorization(std::string_view name) { return vectorizations().make(name); }

std::span<const base::NameHelp> vectorization_help() { return vectorizations().help(); }

std::vector<std::string> output_names(const FixedChannel& fixed) {
  auto features = feature_names(fixed);
  const auto& op = fixed.channel.op;
  if (op.kind != Operation::Kind::topk) return features;
  std::vector<std::string> names;
  for (const auto& feature : features)
    for (std::size_t rank = 1; rank <= op.k; ++rank) names.push_back(fmt::format("{}/k{}", feature, rank));
  return names;
}

}  // namespace perslay::layer
