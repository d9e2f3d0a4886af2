#include "point_transform_table.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include <perslay/base/error.h>

namespace perslay::layer {
namespace {

using Type = PointTransform::Type;
using Phi = PointTransform;

// ---- options

std::string written(std::string_view key, double value, double otherwise) {
  return value == otherwise ? std::string() : fmt::format(":{}={}", key, base::shortest(value));
}

constexpr PhiOption nu{[](base::Arguments& arguments, Phi& phi) {
                         phi.nu = arguments.take_number("nu", base::above_zero).value_or(phi.nu);
                       },
                       [](const Phi& phi) { return written("nu", phi.nu, Phi{}.nu); }};

constexpr PhiOption sigma{[](base::Arguments& arguments, Phi& phi) {
                            phi.sigma = arguments.take_number("sigma", base::above_zero).value_or(phi.sigma);
                          },
                          [](const Phi& phi) { return written("sigma", phi.sigma, 0); }};

constexpr PhiOption widths{
    [](base::Arguments& arguments, Phi& phi) {
      const auto text = arguments.take("widths").value_or("shared");
      if (text != "each" && text != "shared")
        throw base::user_error(fmt::format("Gaussians have widths=shared or widths=each, not '{}'.", text));
      phi.shared_width = text == "shared";
    },
    [](const Phi& phi) { return std::string(phi.shared_width ? "" : ":widths=each"); }};

constexpr PhiOption norm{
    [](base::Arguments& arguments, Phi& phi) {
      const auto text = arguments.take("norm").value_or("1");
      if (text != "1" && text != "2")
        throw base::user_error(fmt::format("rational-hat needs the norm 1 or 2, not '{}'.", text));
      if (text == "2") phi.type = Type::rational_hat_2;
    },
    [](const Phi& phi) { return std::string(phi.type == Type::rational_hat_2 ? ":norm=2" : ""); }};

void centres_or_grid(base::Arguments& arguments, Phi& phi) {
  const auto size = arguments.first();
  if (size.find('x') == std::string_view::npos) {
    phi.count = base::parse_size(
        size, "gaussian needs a number of centres such as gaussian:50 or a grid such as gaussian:20x20");
  } else {
    phi.type = Type::gaussian_grid;
    std::tie(phi.count, phi.rows) = base::parse_grid(size, "gaussian needs a grid such as gaussian:20x20");
  }
}

}  // namespace

std::function<void(base::Arguments&, PointTransform&)> sized(std::string_view things) {
  return [things](base::Arguments& arguments, PointTransform& phi) {
    const auto wanted = fmt::format("{0} needs a number of {1} such as {0}:50", arguments.head(), things);
    phi.count = base::parse_size(arguments.first(), wanted);
  };
}

std::span<const PhiEntry> point_transform_table() {
  using enum Coordinates;
  static const std::vector<PhiEntry> table{
      {Type::given, "given", {}, {}, birth_death, {}},
      {Type::gaussian,
       "gaussian",
       {"gaussian:NxM[:sigma=S]",
        "Gaussians at a grid over (birth, persistence); gaussian:N[:widths=each] at N "
        "free centres, with a width each or one for all."},
       centres_or_grid,
       birth_persistence,
       {PhiArray::centres, PhiArray::width},
       {sigma, widths}},
      {Type::gaussian_grid,
       "gaussian",
       {},
       {},
       birth_persistence,
       {PhiArray::births, PhiArray::persistences, PhiArray::width},
       {sigma}},
      {Type::triangle,
       "triangle",
       {"triangle:N", "The tent of the bar at N samples, as in landscapes."},
       sized("samples"),
       middle_half,
       {PhiArray::samples}},
      {Type::line,
       "line",
       {"line:N", "Affine functions of (birth, death)."},
       sized("lines"),
       birth_death,
       {PhiArray::directions, PhiArray::bias}},
      {Type::hofer,
       "hofer",
       {"hofer:N[:nu=V][:sigma=S]", "Gaussians whose persistence is a logarithm below nu (0.1)."},
       sized("centres"),
       birth_log_persistence,
       {PhiArray::centres, PhiArray::width},
       {nu, sigma, widths}},
      {Type::betti,
       "betti",
       {"betti:N", "Whether the bar holds the sample: the Betti curve at N samples."},
       sized("samples"),
       birth_death,
       {PhiArray::samples}},
      {Type::flat,
       "flat",
       {"flat:N", "The Betti curve with soft ends of trainable steepness."},
       sized("samples"),
       middle_half,
       {PhiArray::samples, PhiArray::steepness}},
      {Type::entropy,
       "entropy",
       {"entropy:N", "The bar's share of the entropy of the diagram, where it holds the sample."},
       sized("samples"),
       birth_death_entropy,
       {PhiArray::samples}},
      {Type::flat_entropy,
       "flat-entropy",
       {"flat-entropy:N", "The entropy curve with soft ends of trainable steepness."},
       sized("samples"),
       middle_half_entropy,
       {PhiArray::samples, PhiArray::steepness}},
      {Type::exponential,
       "exponential",
       {"exponential:N[:sigma=S]", "Gaussians with a width per axis."},
       sized("centres"),
       birth_persistence,
       {PhiArray::centres, PhiArray::width_per_axis},
       {sigma}},
      {Type::rational,
       "rational",
       {"rational:N", "Inverse powers of 1 + weighted distance to a centre."},
       sized("centres"),
       birth_persistence,
       {PhiArray::centres, PhiArray::slope, PhiArray::exponent}},
      {Type::rational_hat_1,
       "rational-hat",
       {"rational-hat:N[:norm=2]", "Rational hats around centres, in the 1- or 2-norm."},
       sized("centres"),
       birth_persistence,
       {PhiArray::centres, PhiArray::radius},
       {norm}},
      {Type::rational_hat_2,
       "rational-hat",
       {},
       {},
       birth_persistence,
       {PhiArray::centres, PhiArray::radius},
       {norm}},
  };
  return table;
}

const PhiEntry& entry_of(PointTransform::Type type) {
  const auto found = std::ranges::find(point_transform_table(), type, &PhiEntry::type);
  if (found == point_transform_table().end())
    throw base::internal_error("The table of point transformations lacks a type.");
  return *found;
}

}  // namespace perslay::layer
