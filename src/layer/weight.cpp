#include "weight_table.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include <perslay/base/error.h>

namespace perslay::layer {
namespace {

using Type = Weight::Type;
using Array = std::vector<double>;
using Shape = std::vector<std::int64_t>;

std::int64_t extent(std::size_t count) { return static_cast<std::int64_t>(count); }

// ---- trainable arrays

constexpr double first_width = 0.25;  // of the Gaussians of `gmix`

constexpr WeightArray cells{
    "cells",
    [](const Weight& weight) {
      return Shape{extent(weight.births), extent(weight.deaths)};
    },
    [](const Weight& weight, const Start&) { return Array(weight.births * weight.deaths, 1); }};
constexpr WeightArray constant{"constant", [](const Weight&) { return Shape{1}; },
                               [](const Weight&, const Start&) { return Array{1}; }};
constexpr WeightArray centres{
    "centres",
    [](const Weight& weight) {
      return Shape{extent(weight.births), 2};
    },
    [](const Weight& weight, const Start& start) { return start.uniform(2 * weight.births, 0, 1); }};
constexpr WeightArray sharpness{
    "sharpness",
    [](const Weight& weight) {
      return Shape{extent(weight.births), 2};
    },
    [](const Weight& weight, const Start&) { return Array(2 * weight.births, sharpness_of(first_width)); }};
constexpr WeightArray amplitudes{"amplitudes",
                                 [](const Weight& weight) { return Shape{extent(weight.births)}; },
                                 [](const Weight& weight, const Start&) {
                                   return Array(weight.births, 1 / static_cast<double>(weight.births));
                                 }};

// ---- names

void read_power(base::Arguments& arguments, Weight& weight) {
  weight.exponent =
      base::parse_number(arguments.first(), "power needs an exponent of at least 0 such as power:1", 0);
}

std::string power_name(const Weight& weight) {
  return weight.exponent == 0 ? "constant" : fmt::format("power:{}", base::shortest(weight.exponent));
}

void read_grid(base::Arguments& arguments, Weight& weight) {
  std::tie(weight.births, weight.deaths) = base::parse_grid_or_square(
      arguments.first(), "grid needs a number of cells along births and deaths such as grid:10x10");
  weight.low = arguments.take_number("low").value_or(weight.low);
  weight.high = arguments.take_number("high").value_or(weight.high);
  arguments.finish();
  if (weight.low >= weight.high)
    throw base::user_error(fmt::format("grid needs bounds with low < high, not low={} and high={}.",
                                       base::shortest(weight.low), base::shortest(weight.high)));
}

std::string grid_name(const Weight& weight) {
  const Weight defaults;
  std::string name = fmt::format("grid:{}x{}", weight.births, weight.deaths);
  if (weight.low != defaults.low) name += fmt::format(":low={}", base::shortest(weight.low));
  if (weight.high != defaults.high) name += fmt::format(":high={}", base::shortest(weight.high));
  return name;
}

const std::vector<WeightEntry>& table() {
  static const std::vector<WeightEntry> entries{
      {Type::given, "given", {}, nullptr, [](const Weight&) { return std::string("given"); }, {}},
      {Type::one,
       "one",
       {"one", "Every point counts 1."},
       [](base::Arguments&, Weight&) {},
       [](const Weight&) { return std::string("one"); },
       {}},
      {Type::power,
       "constant",
       {"constant", "The same trainable weight for all points."},
       [](base::Arguments&, Weight& weight) { weight.exponent = 0; },  // |d - b|^0 = 1 leaves the constant
       power_name,
       {constant}},
      {Type::grid,
       "grid",
       {"grid:NxM[:low=A:high=B]",
        "A trainable weight for each cell of a grid over (birth, death); from -0.001 to 1.001 by default."},
       read_grid,
       grid_name,
       {cells}},
      {Type::power,
       "power",
       {"power:S", "The distance to the diagonal to the power S, times a trainable constant."},
       read_power,
       power_name,
       {constant}},
      {Type::gmix,
       "gmix",
       {"gmix:K", "A sum of K trainable Gaussians over (birth, death)."},
       [](base::Arguments& arguments, Weight& weight) {
         weight.births =
             base::parse_size(arguments.first(), "gmix needs a number of Gaussians such as gmix:3");
       },
       [](const Weight& weight) { return fmt::format("gmix:{}", weight.births); },
       {centres, sharpness, amplitudes}},
  };
  return entries;
}

base::Registry<Weight> make_registry() {
  base::Registry<Weight> registry("weight");
  for (const auto& entry : table())
    if (entry.read != nullptr)
      registry.add(std::string(entry.head), entry.help, [&entry](base::Arguments& arguments) {
        Weight weight{.type = entry.type};
        entry.read(arguments, weight);
        return weight;
      });
  return registry;
}

const base::Registry<Weight>& weights() {
  static const base::Registry<Weight> registry = make_registry();
  return registry;
}

}  // namespace

const WeightEntry& entry_of(Weight::Type type) {
  const auto found = std::ranges::find(table(), type, &WeightEntry::type);
  if (found == table().end()) throw base::internal_error("The table of weights lacks a type.");
  return *found;
}

std::vector<ParameterShape> Weight::parameters() const {
  std::vector<ParameterShape> shapes;
  for (const auto& array : entry_of(type).arrays)
    shapes.push_back({std::string(array.name), array.shape(*this)});
  return shapes;
}

std::string Weight::name() const { return entry_of(type).name(*this); }

Weight parse_weight(std::string_view name) { return weights().make(name); }

std::span<const base::NameHelp> weight_help() { return weights().help(); }

}  // namespace perslay::layer
