#include "name_fields.h"

#include <tuple>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/layer/weight.h>

namespace perslay::layer {
namespace {

Weight one(const base::Name& name) {
  expect_alone(name);
  return {};
}

/// |d - b|^0 = 1 everywhere, so what is left of `power` is its constant.
Weight constant(const base::Name& name) {
  expect_alone(name);
  Weight weight;
  weight.family = WeightFamily::power;
  weight.exponent = 0;
  return weight;
}

Weight power(const base::Name& name) {
  Weight weight;
  weight.family = WeightFamily::power;
  constexpr auto wanted = "power needs an exponent of at least 0 such as power:1";
  weight.exponent = base::parse_number(name.arguments, wanted) + 0.0;  // + 0.0 makes -0 a plain 0
  if (weight.exponent < 0) throw base::user_error(fmt::format("{}, not '{}'.", wanted, name.arguments));
  return weight;
}

Weight grid(const base::Name& name) {
  NameFields fields(name);
  Weight weight;
  weight.family = WeightFamily::grid;
  constexpr auto wanted = "grid needs a number of cells along births and deaths such as grid:10x10";
  std::tie(weight.births, weight.deaths) = parse_grid_or_square(fields.size(), wanted);
  weight.low = fields.take_number("low").value_or(weight.low);
  weight.high = fields.take_number("high").value_or(weight.high);
  fields.finish();
  if (weight.low >= weight.high)
    throw base::user_error(fmt::format("grid needs bounds with low < high, not low={} and high={}.",
                                       base::shortest(weight.low), base::shortest(weight.high)));
  return weight;
}

Weight gaussian_mixture(const base::Name& name) {
  Weight weight;
  weight.family = WeightFamily::gmix;
  weight.births = parse_size(name.arguments, "gmix needs a number of Gaussians such as gmix:3");
  return weight;
}

base::Registry<Weight> make_registry() {
  base::Registry<Weight> registry("weight");
  registry.add("one", {"one", "Every point counts 1."}, one)
      .add("constant", {"constant", "The same trainable weight for all points."}, constant)
      .add("grid",
           {"grid:NxM[:low=A:high=B]",
            "A trainable weight for each cell of a grid over (birth, death); from -0.001 to 1.001 by "
            "default."},
           grid)
      .add("power", {"power:S", "The distance to the diagonal to the power S, times a trainable constant."},
           power)
      .add("gmix", {"gmix:K", "A sum of K trainable Gaussians over (birth, death)."}, gaussian_mixture);
  return registry;
}

const base::Registry<Weight>& weights() {
  static const base::Registry<Weight> registry = make_registry();
  return registry;
}

std::string grid_name(const Weight& weight) {
  const Weight defaults;
  std::string name = fmt::format("grid:{}x{}", weight.births, weight.deaths);
  if (weight.low != defaults.low) name += fmt::format(":low={}", base::shortest(weight.low));
  if (weight.high != defaults.high) name += fmt::format(":high={}", base::shortest(weight.high));
  return name;
}

}  // namespace

std::vector<ParameterShape> Weight::parameters() const {
  const auto rows = static_cast<std::int64_t>(births);
  switch (family) {
    case WeightFamily::given:
    case WeightFamily::one:
      return {};
    case WeightFamily::grid:
      return {{"cells", {rows, static_cast<std::int64_t>(deaths)}}};
    case WeightFamily::power:
      return {{"constant", {1}}};
    case WeightFamily::gmix:
      break;
  }
  return {{"centres", {rows, 2}}, {"sharpness", {rows, 2}}, {"amplitudes", {rows}}};
}

std::string Weight::name() const {
  switch (family) {
    case WeightFamily::given:
      return "given";
    case WeightFamily::one:
      return "one";
    case WeightFamily::grid:
      return grid_name(*this);
    case WeightFamily::power:
      return exponent == 0 ? "constant" : fmt::format("power:{}", base::shortest(exponent));
    case WeightFamily::gmix:
      break;
  }
  return fmt::format("gmix:{}", births);
}

Weight parse_weight(std::string_view name) { return weights().make(name); }

std::span<const base::NameHelp> weight_help() { return weights().help(); }

}  // namespace perslay::layer
