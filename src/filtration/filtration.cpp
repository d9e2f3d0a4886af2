#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/filtration/filtration.h>
#include <perslay/filtration/vertex_functions.h>

namespace perslay::filtration {
namespace {

constexpr std::size_t most_times = 1000;  // in a range

Filtration heat_kernel(base::Arguments& arguments) {
  if (arguments.text().find("..") != std::string_view::npos)
    throw base::user_error(fmt::format(
        "hks:{} stands for several times, and one is needed here, such as hks:10.", arguments.text()));
  const auto [time, error] = base::split_once(arguments.text(), "~");
  HeatKernel kernel;
  kernel.time = base::parse_number(time, "hks needs a time of at least 0, such as hks:10", 0);
  auto name = fmt::format("hks:{}", base::shortest(kernel.time));
  if (error) {
    kernel.tolerance =
        base::parse_number(*error, "hks needs an error between 0 and 1 after '~', such as hks:10~1e-6",
                           base::above_zero, base::below_one);
    name += fmt::format("~{}", base::shortest(kernel.tolerance));
  }
  return {.name = std::move(name), .heat_kernel = kernel};
}

Filtration ollivier_curvature(base::Arguments& arguments) {
  constexpr double usual = 0.5;
  const auto wanted = "ollivier needs a laziness of at least 0 and below 1, such as ollivier:0.5";
  const double laziness =
      arguments.has_first() ? base::parse_number(arguments.first(), wanted, 0, base::below_one) : usual;
  return {
      .name = laziness == usual ? "ollivier" : fmt::format("ollivier:{}", base::shortest(laziness)),
      .compute = [laziness](const data::Graph& graph, std::span<double> values,
                            const base::Context& context) { ollivier(graph, laziness, values, context); }};
}

Filtration page_rank(base::Arguments& arguments) {
  constexpr double usual = 0.85;
  const double damping = arguments.first_number("the damping", 0, largest_damping).value_or(usual);
  return {.name = damping == usual ? "pagerank" : fmt::format("pagerank:{}", base::shortest(damping)),
          .compute = [damping](const data::Graph& graph, std::span<double> values,
                               const base::Context& context) { pagerank(graph, damping, values, context); }};
}

Filtration node_attribute(base::Arguments& arguments) {
  const auto text = arguments.text();
  std::size_t column = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), column);
  if (text.empty() || error != std::errc() || end != text.data() + text.size())
    throw base::user_error(fmt::format(
        "attribute needs a column of the node attributes, counted from 0, such as attribute:0, not '{}'.",
        text));
  return {.name = fmt::format("attribute:{}", column), .attribute = column};
}

Filtration node_label(base::Arguments& arguments) {
  const std::string label(arguments.text());
  if (label.empty()) throw base::user_error("label needs a node label as in the data, such as label:3.");
  return {.name = fmt::format("label:{}", label), .label = label};
}

Filtration from_file(base::Arguments& arguments) {
  const std::string path(arguments.text());
  if (path.empty()) throw base::user_error("file needs a path, as in file:values.txt.");
  return {.name = fmt::format("file:{}", path), .path = path};
}

/// So many times from `low` to `high`; those between are rounded to so many digits.
std::vector<double> rounded_times(double low, double high, std::size_t count, int digits) {
  std::vector<double> times{low};
  for (std::size_t i = 1; i + 1 < count; ++i) {
    const double place = static_cast<double>(i) / static_cast<double>(count - 1);
    const auto rounded = fmt::format("{:.{}g}", std::pow(low, 1 - place) * std::pow(high, place), digits);
    times.push_back(base::parse_number(rounded, "A time is a number"));
  }
  times.push_back(high);
  return times;
}

/// The times of "0.1..10x3".
std::vector<double> times_of(std::string_view range) {
  constexpr auto sentence = "A range of times has its ends and how many there are, such as hks:0.1..10x3";
  const auto [low_text, rest] = base::split_once(range, "..");
  const auto [high_text, count_text] = base::split_once(*rest, "x");
  if (low_text.empty() || high_text.empty() || count_text.value_or("").empty())
    throw base::user_error(fmt::format("{}, not '{}'.", sentence, range));
  const double low = base::parse_number(low_text, sentence, base::above_zero);
  const double high = base::parse_number(high_text, sentence, base::above_zero);
  const auto count = base::parse_size(*count_text, sentence);
  if (low >= high || count < 2 || count > most_times)
    throw base::user_error(
        fmt::format("{}: from a lower to a higher one, 2 to {}, not '{}'.", sentence, most_times, range));
  constexpr int few_digits = 3, all_digits = 17;
  for (int digits = few_digits; digits <= all_digits; ++digits) {
    auto times = rounded_times(low, high, count, digits);
    if (std::ranges::adjacent_find(times, std::ranges::greater_equal()) == times.end()) return times;
  }
  throw base::user_error(
      fmt::format("hks:{}: The ends are too near each other for {} different times.", range, count));
}

base::Registry<Filtration> make_registry() {
  base::Registry<Filtration> registry("filtration");
  registry.add("hks",
               {"hks:T",
                "Heat kernel signature at time T; hks:T~EPS allows an error of EPS, for very large graphs; "
                "hks:0.1..10x3 is three times on a log scale."},
               heat_kernel);
  for (const auto& function : vertex_functions())
    registry.add(std::string(function.name), {std::string(function.name), std::string(function.help)},
                 [&function](base::Arguments&) {
                   return Filtration{.name = std::string(function.name), .compute = function.compute};
                 });
  registry.add("ollivier",
               {"ollivier:ALPHA",
                "Mean Ollivier-Ricci curvature of the edges, for walks that stay with probability ALPHA; "
                "ollivier is ollivier:0.5."},
               ollivier_curvature);
  registry.add("pagerank", {"pagerank:DAMPING", "PageRank; pagerank is pagerank:0.85."}, page_rank);
  registry.add("attribute", {"attribute:K", "Column K of the node attributes, counted from 0."},
               node_attribute);
  registry.add("label", {"label:NAME", "1 on vertices with the node label NAME, 0 on all others."},
               node_label);
  registry.add("weight",
               {"weight", "Weights of edges: an edge enters at its weight, a vertex with its first edge."},
               [](base::Arguments&) { return Filtration{.name = "weight", .edge_weights = true}; });
  registry.add("file", {"file:PATH", "Values from a file, one line per vertex."}, from_file);
  return registry;
}

}  // namespace

const base::Registry<Filtration>& filtrations() {
  static const base::Registry<Filtration> registry = make_registry();
  return registry;
}

Filtration parse_filtration(std::string_view name) { return filtrations().make(name); }

std::vector<std::string> expand_times(std::span<const std::string> names) {
  std::vector<std::string> all;
  for (const auto& name : names) {
    const std::string prefix = name.starts_with("deciles:") ? "deciles:hks:" : "hks:";
    const auto range = name.starts_with(prefix) ? std::string_view(name).substr(prefix.size()) : "";
    if (range.find("..") == std::string_view::npos) {
      all.push_back(name);
    } else {
      for (const double time : times_of(range)) all.push_back(prefix + base::shortest(time));
    }
  }
  return all;
}

}  // namespace perslay::filtration
