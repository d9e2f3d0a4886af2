#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/features/item_features.h>

namespace perslay::features {
namespace {

using Type = ItemFeature::Type;
using Make = base::Registry<ItemFeature>::Make;

Make alone(Type type, std::size_t width) {
  return [=](base::Arguments& arguments) {
    return ItemFeature{.type = type, .name = std::string(arguments.head()), .width = width};
  };
}

/// `what` is the noun of the number that follows the head.
Make counted(Type type, std::string_view what, std::size_t example) {
  return [=](base::Arguments& arguments) {
    const auto head = arguments.head();
    ItemFeature feature{.type = type};
    feature.count = base::parse_size(
        arguments.text(), fmt::format("{0} needs a number of {1} such as {0}:{2}", head, what, example));
    feature.width = feature.is_keyed() ? 1 : feature.count * (type == Type::top ? 2 : 1);
    feature.name = fmt::format("{}:{}", head, feature.count);
    return feature;
  };
}

ItemFeature deciles(base::Arguments& arguments) {
  const auto function = arguments.text();
  if (function.empty())
    throw base::user_error("deciles needs a function of vertices such as deciles:hks:10.");
  ItemFeature feature{.type = Type::deciles, .count = 11, .width = 11};
  feature.function = filtration::parse_filtration(function);
  if (feature.function.edge_weights)
    throw base::user_error(
        fmt::format("deciles needs a function of vertices, and {} is one of edges.", feature.function.name));
  feature.name = fmt::format("deciles:{}", feature.function.name);
  return feature;
}

ItemFeature projection_quantiles(base::Arguments& arguments) {
  const auto [lines, ranks] = base::parse_grid(
      arguments.text(),
      "projection-quantiles needs a number of lines and of quantiles such as projection-quantiles:8x40");
  return {.type = Type::projection_quantiles,
          .name = fmt::format("projection-quantiles:{}x{}", lines, ranks),
          .count = lines,
          .width = lines * ranks};
}

/// Random Fourier features: an even number of them, and the width of the Gaussian.
Make fourier(Type type, std::string_view example) {
  return [=](base::Arguments& arguments) {
    const auto head = arguments.head();
    const auto text = arguments.text();
    const auto what =
        fmt::format("{0} needs an even number of features and a width such as {0}:{1}", head, example);
    const auto [number, width] = base::split_once(text, "@");
    if (!width) throw base::user_error(fmt::format("{}, not '{}'.", what, text));
    ItemFeature feature{.type = type, .count = base::parse_size(number, what)};
    feature.sigma = base::parse_number(*width, what, base::above_zero);
    if (feature.count % 2 != 0 || !std::isfinite(1 / feature.sigma))
      throw base::user_error(fmt::format("{}, not '{}'.", what, text));
    feature.width = feature.count;
    feature.name = fmt::format("{}:{}@{}", head, feature.count, base::shortest(feature.sigma));
    return feature;
  };
}

layer::Range parse_range(std::string_view text) {
  constexpr auto what = "A range is written as two numbers, the lower first, such as @0..0.15";
  const auto [low, high] = base::split_once(text, "..");
  if (!high) throw base::user_error(fmt::format("{}, not '@{}'.", what, text));
  const layer::Range range{base::parse_number(low, what), base::parse_number(*high, what)};
  if (range.low >= range.high) throw base::user_error(fmt::format("{}, not '@{}'.", what, text));
  if (!std::isfinite(range.length()) || !std::isfinite(1 / range.length()))
    throw base::user_error(fmt::format("The range @{} is too long or too short to compute with.", text));
  return range;
}

ItemFeature vectorization(base::Arguments& arguments) {
  const auto [samples, range] = base::split_once(arguments.text(), "@");
  ItemFeature feature{.type = Type::vectorization};
  feature.vectorization = layer::parse_vectorization(fmt::format("{}:{}", arguments.head(), samples));
  feature.name = feature.vectorization.name();
  feature.width = feature.vectorization.size();
  if (!range) return feature;
  feature.range = parse_range(*range);
  feature.name +=
      fmt::format("@{}..{}", base::shortest(feature.range->low), base::shortest(feature.range->high));
  return feature;
}

struct Entry {
  base::NameHelp help;
  Make make;
};

base::Registry<ItemFeature> make_registry() {
  const std::vector<Entry> of_graphs{
      {{"eigenvalues", "Of the normalized Laplacian of a graph, the largest first."},
       alone(Type::eigenvalues, 0)},
      {{"spectrum:Q", "Q quantiles of these eigenvalues."}, counted(Type::spectrum, "quantiles", 20)},
      {{"spectrum-histogram:B", "Fractions of these eigenvalues in B bins over 0 .. 2."},
       counted(Type::spectrum_histogram, "bins", 20)},
      {{"deciles:FUNCTION", "The 11 deciles of a function of vertices, a filtration of graphs."}, deciles},
      {{"size", "Of a graph: vertices, edges, components, cycles, triangles, density."},
       alone(Type::size, 6)},
      {{"degree-histogram:B", "Fractions of vertices with 0, 1, ... and at least B-1 neighbours."},
       counted(Type::degree_histogram, "bins", 10)},
      {{"path-lengths:B", "Fractions of pairs of vertices at distance 1, 2, ... and at least B."},
       counted(Type::path_lengths, "bins", 12)},
      {{"moments:K", "Means of the Chebyshev polynomials 1 .. K of one minus these eigenvalues."},
       counted(Type::moments, "polynomials", 48)},
      {{"returns:N@SIGMA", "Random Fourier features of return probabilities, averaged over vertices."},
       fourier(Type::returns, "256@0.2")},
      {{"wl:LEVELS", "Keyed: colours of vertices after 0 .. LEVELS rounds of refinement, counted."},
       counted(Type::colours, "levels", 4)},
      {{"wl-labels:LEVELS", "Keyed: the same from node labels."}, counted(Type::label_colours, "levels", 3)},
      {{"labels", "Keyed: node labels, their pairs on edges and with the degree, counted."},
       alone(Type::labels, 1)},
      {{"label-returns:N@SIGMA", "Keyed: returns for each node label on its own."},
       fourier(Type::label_returns, "256@0.2")}};
  std::vector<Entry> of_diagrams{
      {{"statistics", "12 statistics of a diagram's births, deaths and persistences."},
       alone(Type::statistics, 12)},
      {{"quantiles:Q", "Q quantiles of a diagram's persistences."},
       counted(Type::quantiles, "quantiles", 80)},
      {{"top:K", "Persistence and birth of a diagram's K most persistent points."},
       counted(Type::top, "points", 50)},
      {{"projection-quantiles:LxQ", "Q quantiles of a diagram's projections onto each of L lines."},
       projection_quantiles},
      {{"fourier:N@SIGMA", "Random Fourier features of a diagram's points (birth, persistence), summed."},
       fourier(Type::fourier, "128@0.02")},
      {{"label-pairs", "Keyed: node labels of the vertices of birth and death of a diagram's points."},
       alone(Type::label_pairs, 1)}};
  for (const auto& help : layer::vectorization_help())
    of_diagrams.push_back({{help.usage + "[@A..B]", help.text}, vectorization});
  base::Registry<ItemFeature> registry("feature");
  const auto add = [&](const std::vector<Entry>& entries, ItemFeature::Source source) {
    for (const auto& entry : entries)
      registry.add(std::string(base::split_name(entry.help.usage).head), entry.help,
                   [make = entry.make, source](base::Arguments& arguments) {
                     auto feature = make(arguments);
                     feature.source = source;
                     return feature;
                   });
  };
  add(of_graphs, ItemFeature::Source::graphs);
  add(of_diagrams, ItemFeature::Source::diagrams);
  return registry;
}

}  // namespace

const base::Registry<ItemFeature>& item_features() {
  static const base::Registry<ItemFeature> registry = make_registry();
  return registry;
}

ItemFeature parse_item_feature(std::string_view name) {
  std::optional<diagram::Kind> kind;
  bool log = false;
  auto bare = name;  // without what stands before it, as in h1/log/top:50
  for (auto slash = bare.find('/'); slash < bare.find(':'); slash = bare.find('/')) {
    const auto word = bare.substr(0, slash);
    if (log || (word != "log" && kind))
      throw base::user_error(fmt::format(
          "A feature has a kind and then log before its name, as in h1/log/top:50, not '{}'.", name));
    if (word == "log")
      log = true;
    else
      kind = diagram::parse_kind(word);
    bare.remove_prefix(slash + 1);
  }
  auto feature = item_features().make(bare);
  if (feature.of_graphs() && bare.size() != name.size())
    throw base::user_error(fmt::format("{} describes graphs, not diagrams, and takes no prefix, as in '{}'.",
                                       feature.name, name));
  if (log && feature.type != Type::quantiles && feature.type != Type::top &&
      feature.type != Type::projection_quantiles)
    throw base::user_error(
        fmt::format("log/ goes with quantiles, top and projection-quantiles, not with {}.", feature.name));
  feature.log = log;
  feature.kind = kind;
  if (log) feature.name.insert(0, "log/");
  if (kind) feature.name.insert(0, fmt::format("{}/", diagram::kind_name(*kind)));
  return feature;
}

std::vector<ItemFeature> parse_item_features(std::span<const std::string> names) {
  std::vector<ItemFeature> features;
  for (const auto& name : names) features.push_back(parse_item_feature(name));
  return features;
}

}  // namespace perslay::features
