#include "point_transform_table.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include <perslay/base/error.h>

namespace perslay::layer {
namespace {

using Type = PointTransform::Type;
using Phi = PointTransform;

// ---- first values

using Array = std::vector<double>;

constexpr double smallest_width = 0.05;
constexpr double authors_sharpness = 3;
constexpr double authors_margin = 0.001;
constexpr double first_steepness = 50;
constexpr double first_exponent = 2;

/// The width of Gaussians, one spacing of their centres.
double width_of(const Phi& phi) {
  if (phi.sigma > 0) return phi.sigma;
  const double gap = phi.type == Phi::Type::gaussian_grid
                         ? std::max(spacing(phi.count, 1), spacing(phi.rows, 1))
                         : 1 / std::sqrt(static_cast<double>(phi.count));
  return std::max(smallest_width, gap);
}

double first_sharpness(const Phi& phi, const Start& start) {
  return start.authors && phi.sigma == 0 ? authors_sharpness : sharpness_of(width_of(phi));
}

Array grid_axis(std::size_t count, const Start& start) {
  const double margin = start.authors ? authors_margin : 0;
  return evenly(count, -margin, 1 + margin);
}

// ---- options

std::string written(std::string_view key, double value, double otherwise) {
  return value == otherwise ? std::string() : fmt::format(":{}={}", key, base::shortest(value));
}

constexpr PhiOption nu{[](base::Arguments& arguments, Phi& phi) {
                         phi.nu = arguments.take_number("nu", base::above_zero).value_or(phi.nu);
                       },
                       [](const Phi& phi) { return written("nu", phi.nu, Phi{}.nu); }};

constexpr PhiOption sigma{[](base::Arguments& arguments, Phi& phi) {
                            phi.sigma = arguments.take_number("sigma", smallest_sigma).value_or(phi.sigma);
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

constexpr PhiOption axes{
    [](base::Arguments& arguments, Phi& phi) {
      const auto text = arguments.take("axes").value_or("birth-persistence");
      if (text != "birth-persistence" && text != "birth-death")
        throw base::user_error(
            fmt::format("gaussian has axes=birth-persistence or axes=birth-death, not '{}'.", text));
      phi.reads_death = text == "birth-death";
    },
    [](const Phi& phi) { return std::string(phi.reads_death ? ":axes=birth-death" : ""); }};

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

std::vector<std::int64_t> PhiArray::shape(const PointTransform& phi) const {
  const auto count = static_cast<std::int64_t>(phi.count);
  switch (layout) {
    case Layout::single:
      return {1};
    case Layout::each:
    case Layout::along_births:
      return {count};
    case Layout::pairs:
      return {count, 2};
    case Layout::width:
      return {phi.shared_width ? 1 : count};
    case Layout::along_persistences:
      break;
  }
  return {static_cast<std::int64_t>(phi.rows)};
}

std::size_t PhiArray::reads() const noexcept {
  return layout == Layout::pairs || layout == Layout::width ? 2 : 1;
}

std::size_t PhiArray::place(const PointTransform& phi, std::size_t feature, std::size_t i) const noexcept {
  switch (layout) {
    case Layout::single:
      return 0;
    case Layout::each:
      return feature;
    case Layout::pairs:
      return 2 * feature + i;
    case Layout::width:
      return phi.shared_width ? 0 : feature;
    case Layout::along_births:
      return feature / phi.rows;
    case Layout::along_persistences:
      break;
  }
  return feature % phi.rows;
}

constexpr PhiArray PhiArray::samples{"samples", Layout::each,
                                     [](const Phi& phi, const Start&) { return evenly(phi.count, 0, 1); }};

constexpr PhiArray PhiArray::steepness{"steepness", Layout::single,
                                       [](const Phi&, const Start&) { return Array{first_steepness}; }};

constexpr PhiArray PhiArray::centres{"centres", Layout::pairs, [](const Phi& phi, const Start& start) {
                                       return start.uniform(2 * phi.count, 0, 1);
                                     }};

constexpr PhiArray PhiArray::width{"sharpness", Layout::width, [](const Phi& phi, const Start& start) {
                                     return Array(phi.shared_width ? 1 : phi.count,
                                                  first_sharpness(phi, start));
                                   }};

constexpr PhiArray PhiArray::width_per_axis{
    "sharpness", Layout::pairs,
    [](const Phi& phi, const Start& start) { return Array(2 * phi.count, first_sharpness(phi, start)); }};

constexpr PhiArray PhiArray::slope{"sharpness", Layout::pairs, [](const Phi& phi, const Start&) {
                                     return Array(2 * phi.count, 1 / width_of(phi));
                                   }};

constexpr PhiArray PhiArray::exponent{
    "exponent", Layout::each, [](const Phi& phi, const Start&) { return Array(phi.count, first_exponent); }};

// The hat is 0 at half its radius.
constexpr PhiArray PhiArray::radius{
    "radius", Layout::each, [](const Phi& phi, const Start&) { return Array(phi.count, 2 * width_of(phi)); }};

constexpr PhiArray PhiArray::births{"births", Layout::along_births, [](const Phi& phi, const Start& start) {
                                      return grid_axis(phi.count, start);
                                    }};

constexpr PhiArray PhiArray::persistences{
    "persistences", Layout::along_persistences,
    [](const Phi& phi, const Start& start) { return grid_axis(phi.rows, start); }};

constexpr PhiArray PhiArray::directions{"directions", Layout::pairs, [](const Phi& phi, const Start& start) {
                                          return start.authors ? start.uniform(2 * phi.count, 0, 1)
                                                               : half_circle(phi.count);
                                        }};

constexpr PhiArray PhiArray::bias{"bias", Layout::each, [](const Phi& phi, const Start& start) {
                                    return start.authors ? start.uniform(phi.count, 0, 1)
                                                         : Array(phi.count, 0);
                                  }};

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
       {"gaussian:NxM[:sigma=S][:axes=birth-death]",
        "Gaussians at a grid over (birth, persistence) or, by axes, (birth, death); "
        "gaussian:N[:widths=each] at N free centres, with a width each or one for all."},
       centres_or_grid,
       birth_persistence,
       {PhiArray::centres, PhiArray::width},
       {sigma, widths, axes}},
      {Type::gaussian_grid,
       "gaussian",
       {},
       {},
       birth_persistence,
       {PhiArray::births, PhiArray::persistences, PhiArray::width},
       {sigma, axes}},
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

Coordinates coordinates_of(const PointTransform& phi) {
  return phi.reads_death ? Coordinates::birth_death : entry_of(phi.type).coordinates;
}

}  // namespace perslay::layer
