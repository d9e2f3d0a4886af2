#include "arrays.h"
#include "items.h"
#include "module.h"
#include "run.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/stl.h>

#include <perslay/base/error.h>
#include <perslay/diagram/distance.h>
#include <perslay/diagram/kind.h>
#include <perslay/diagram/transforms.h>
#include <perslay/features/input_kind.h>
#include <perslay/features/vectorize.h>
#include <perslay/filtration/filtration.h>
#include <perslay/kernel/kernel.h>
#include <perslay/learn/built_in_settings.h>
#include <perslay/learn/models.h>

namespace perslay::python {
namespace {

/// The two ends of values, births and persistences.
using FrameNumbers = std::array<std::pair<double, double>, 3>;

layer::Range to_range(const std::pair<double, double>& ends) {
  if (!(ends.first < ends.second))
    throw base::user_error(
        fmt::format("A range needs two numbers, the lower first, not ({}, {}).", ends.first, ends.second));
  return {ends.first, ends.second};
}

FrameNumbers numbers_of(const layer::Frame& frame) {
  const auto ends = [](const layer::Range& range) { return std::pair(range.low, range.high); };
  return {ends(frame.values), ends(frame.births), ends(frame.persistences)};
}

features::Vectorizer parse_vectorizer(const std::optional<std::string>& name,
                                      const std::optional<std::string>& phi, const std::string& weight,
                                      const std::string& op, const std::string& init) {
  if (name.has_value() == phi.has_value())
    throw base::user_error(
        "A vectorization is chosen by its name, such as 'landscape:5x60', or by phi with weight and op.");
  if (name) return layer::parse_vectorization(*name);
  features::UntrainedChannel untrained;
  untrained.channel.phi = layer::parse_point_transform(*phi);
  untrained.channel.weight = layer::parse_weight(weight);
  untrained.channel.op = layer::parse_operation(op);
  untrained.initialisation = layer::parse_initialisation(init);
  return untrained;
}

layer::Frame to_frame(const FrameNumbers& numbers) {
  const auto& [values, births, persistences] = numbers;
  return {{values.first, values.second},
          {births.first, births.second},
          {persistences.first, persistences.second}};
}

/// The matrix and the frame of each group.
py::tuple vectorize(const py::object& diagrams, const std::optional<std::string>& name,
                    const std::optional<std::string>& phi, const std::string& weight, const std::string& op,
                    const std::string& init, const std::optional<std::pair<double, double>>& range,
                    const std::optional<std::vector<FrameNumbers>>& frames, Seed seed, Threads threads) {
  const auto set = to_set(diagrams);
  const auto vectorizer = parse_vectorizer(name, phi, weight, op, init);
  std::optional<layer::Range> wanted;
  if (range) wanted = to_range(*range);
  std::vector<layer::Frame> given;
  for (const auto& numbers : frames.value_or(std::vector<FrameNumbers>{})) given.push_back(to_frame(numbers));
  auto matrix = run(make_context(threads, seed), [&](const base::Context& context) {
    return frames ? features::vectorize_within(*set, vectorizer, given, context)
                  : features::vectorize(*set, vectorizer, wanted, context);
  });
  std::vector<FrameNumbers> found;
  for (const auto& frame : matrix.frames) found.push_back(numbers_of(frame));
  return py::make_tuple(take(std::move(matrix.values), {matrix.rows, matrix.columns}), found);
}

/// Of a matrix with these frames.
std::vector<std::string> column_names(const py::object& diagrams, const std::optional<std::string>& name,
                                      const std::optional<std::string>& phi, const std::string& weight,
                                      const std::string& op, const std::string& init,
                                      const std::vector<FrameNumbers>& frames, Seed seed) {
  const auto set = to_set(diagrams);
  if (frames.size() != set->groups.size())
    throw base::user_error(
        fmt::format("There are {} frames for {} groups of diagrams.", frames.size(), set->groups.size()));
  std::vector<layer::Frame> given;
  for (const auto& numbers : frames) given.push_back(to_frame(numbers));
  return features::column_names(*set, parse_vectorizer(name, phi, weight, op, init), given, seed);
}

/// What the comment at the head of settings says, in one line.
std::string heading(std::string_view toml) {
  std::string text;
  while (toml.starts_with('#')) {
    const auto line = toml.substr(0, toml.find('\n'));
    toml.remove_prefix(std::min(line.size() + 1, toml.size()));
    const auto begin = line.find_first_not_of("# ");
    if (begin != std::string_view::npos) text += (text.empty() ? "" : " ") + std::string(line.substr(begin));
  }
  return text;
}

using Family = std::pair<std::string, std::vector<base::NameHelp>>;

/// Names with their help, from a table whose entries hold these two.
template <class Table, class Name, class Help>
std::vector<base::NameHelp> help_of(const Table& table, Name name, Help help) {
  std::vector<base::NameHelp> all;
  for (const auto& entry : table)
    all.push_back({std::string(std::invoke(name, entry)), std::string(std::invoke(help, entry))});
  return all;
}

/// Every family of names, from the table that the library itself looks them up in.
std::vector<Family> families() {
  const auto all_of = [](std::span<const base::NameHelp> help) {
    return std::vector(help.begin(), help.end());
  };
  std::vector<Family> all{
      {"settings", help_of(
                       learn::built_in_settings(), [](const auto& entry) { return entry.name; },
                       [](const auto& entry) { return heading(entry.toml); })},
      {"filtrations", all_of(filtration::filtrations().help())}};
  for (const auto* const kind : features::input_kinds())
    if (!kind->is_stored())
      all.emplace_back(fmt::format("{} filtrations", kind->item), all_of(kind->filtrations->help()));
  all.insert(all.end(),
             {{"kinds", help_of(diagram::kind_names(), &diagram::KindName::name, &diagram::KindName::help)},
              {"inputs", help_of(
                             features::input_kinds(), [](const auto* kind) { return kind->name; },
                             [](const auto* kind) { return kind->help; })},
              {"transforms", all_of(diagram::transforms().help())},
              {"metrics", all_of(diagram::metrics().help())},
              {"kernels", all_of(kernel::kernel_help())},
              {"vectorizations", all_of(layer::vectorization_help())},
              {"phi", all_of(layer::point_transform_help())},
              {"weight", all_of(layer::weight_help())},
              {"op", all_of(layer::operation_help())},
              {"models", learn::model_help()}});
  return all;
}

std::vector<std::string> family_names() {
  std::vector<std::string> names;
  for (auto& [name, entries] : families()) names.push_back(std::move(name));
  return names;
}

/// All names of a family, as (usage, meaning).
py::list help(const std::string& family) {
  const auto all = families();
  const auto found = std::ranges::find(all, family, &Family::first);
  if (found == all.end())
    throw base::user_error(
        fmt::format("There are names of {}, not of '{}'.", fmt::join(family_names(), ", "), family));
  py::list names;
  for (const auto& entry : found->second) names.append(py::make_tuple(entry.usage, entry.text));
  return names;
}

}  // namespace

void add_vectors(py::module_& module) {
  module.def("vectorize", &vectorize, py::arg("diagrams"), py::arg("name"), py::arg("phi"), py::arg("weight"),
             py::arg("op"), py::arg("init"), py::arg("range"), py::arg("frames"), py::arg("seed"),
             py::arg("threads"));
  module.def("column_names", &column_names, py::arg("diagrams"), py::arg("name"), py::arg("phi"),
             py::arg("weight"), py::arg("op"), py::arg("init"), py::arg("frames"), py::arg("seed"));
  module.def("names", &help, py::arg("family"));
  module.def("family_names", &family_names);
}

}  // namespace perslay::python
