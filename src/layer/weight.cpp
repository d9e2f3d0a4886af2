#include <tuple>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/layer/weight.h>

namespace perslay::layer {
namespace {

using Type = Weight::Type;

Weight read_grid(base::Arguments& arguments) {
  Weight weight{.type = Type::grid};
  std::tie(weight.births, weight.deaths) = base::parse_grid_or_square(
      arguments.first(), "grid needs a number of cells along births and deaths such as grid:10x10");
  weight.low = arguments.take_number("low").value_or(weight.low);
  weight.high = arguments.take_number("high").value_or(weight.high);
  arguments.finish();
  if (weight.low >= weight.high)
    throw base::user_error(fmt::format("grid needs bounds with low < high, not low={} and high={}.",
                                       base::shortest(weight.low), base::shortest(weight.high)));
  return weight;
}

/// What a weight computes is in weighting.cpp.
const base::Registry<Weight>& weights() {
  static const auto registry =
      base::Registry<Weight>("weight")
          .add("one", {"one", "Every point counts 1."}, [](base::Arguments&) { return Weight{}; })
          .add("constant", {"constant", "The same trainable weight for all points."},
               [](base::Arguments&) {  // |d - b|^0 = 1 leaves the constant
                 return Weight{.type = Type::power, .exponent = 0};
               })
          .add("grid",
               {"grid:NxM[:low=A:high=B]",
                "A trainable weight for each cell of a grid over (birth, death); from -0.001 to 1.001 by "
                "default."},
               read_grid)
          .add("power",
               {"power:S", "The distance to the diagonal to the power S, times a trainable constant."},
               [](base::Arguments& arguments) {
                 return Weight{
                     .type = Type::power,
                     .exponent = base::parse_number(
                         arguments.first(), "power needs an exponent of at least 0 such as power:1", 0)};
               })
          .add("gmix", {"gmix:K", "A sum of K trainable Gaussians over (birth, death)."},
               [](base::Arguments& arguments) {
                 return Weight{.type = Type::gmix,
                               .births = base::parse_size(arguments.first(),
                                                          "gmix needs a number of Gaussians such as gmix:3")};
               });
  return registry;
}

}  // namespace

std::vector<ParameterShape> Weight::parameters() const {
  const auto rows = static_cast<std::int64_t>(births), columns = static_cast<std::int64_t>(deaths);
  switch (type) {
    case Type::given:
    case Type::one:
      break;
    case Type::grid:
      return {{"cells", {rows, columns}}};
    case Type::power:
      return {{"constant", {1}}};
    case Type::gmix:
      return {{"centres", {rows, 2}}, {"sharpness", {rows, 2}}, {"amplitudes", {rows}}};
  }
  return {};
}

std::string Weight::name() const {
  switch (type) {
    case Type::given:
      return "given";
    case Type::one:
      break;
    case Type::grid: {
      const Weight defaults;
      std::string text = fmt::format("grid:{}x{}", births, deaths);
      if (low != defaults.low) text += fmt::format(":low={}", base::shortest(low));
      if (high != defaults.high) text += fmt::format(":high={}", base::shortest(high));
      return text;
    }
    case Type::power:
      return exponent == 0 ? "constant" : fmt::format("power:{}", base::shortest(exponent));
    case Type::gmix:
      return fmt::format("gmix:{}", births);
  }
  return "one";
}

Weight parse_weight(std::string_view name) { return weights().make(name); }

std::span<const base::NameHelp> weight_help() { return weights().help(); }

}  // namespace perslay::layer
