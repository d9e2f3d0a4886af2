#include "commands.h"
#include "options.h"
#include "output.h"
#include "read_diagrams.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/parallel.h>
#include <perslay/base/stopwatch.h>
#include <perslay/diagram/distance.h>
#include <perslay/io/atomic_file.h>
#include <perslay/io/matrix_file.h>
#include <perslay/io/overwriting.h>

namespace perslay::cli {
namespace {

using diagram::DiagramBatch;
using diagram::DiagramGroup;
using diagram::Distance;
using diagram::Metric;
using diagram::Point;
using nlohmann::ordered_json;

struct Options {
  CommonOptions common;
  std::string a, b;
  std::string metric = "bottleneck";
  GroupChoice groups;
  std::optional<std::string> items;
  std::string matching;
  std::string output;
};

std::string help_footer() {
  std::string text =
      R"(A and B are diagram files, as 'perslay diagrams' writes them (.h5, .hdf5 or .csv). Files with one item each,
or two --items, give one distance for every filtration and kind; otherwise -o takes the matrix of all
distances between the items of A and of B, or of A alone, for one filtration and kind.
)";
  text += name_list("Metrics (--metric)", diagram::metrics().help(), 24);
  return text + R"(  NAME~E                   The same within a relative error of E, which is proved.

Points are compared where they lie, on either side of the diagonal. Infinite points are matched with their like;
if these are not as many, the distance is infinite.

Examples:
  perslay distance first.h5 second.h5
  perslay distance mutag.h5 --items 0,1 --metric wasserstein:2 --kind ext1 --matching pairs.csv
  perslay distance orbits.h5 --metric wasserstein:1 --kind h1 -o distances.npy
  perslay distance train.h5 test.h5 --metric bottleneck --kind ext1 --json -o cross.csv)";
}

// ---- the request

struct Items {
  std::size_t a = 0;
  std::size_t b = 0;
};

Items chosen_items(const std::string& text, std::size_t count_a, std::size_t count_b) {
  const auto parse = [&](std::string_view part, std::size_t count) {
    std::size_t item = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), item);
    if (error != std::errc{} || end != part.data() + part.size())
      throw base::user_error(
          fmt::format("--items needs two items, counted from 0, such as --items 0,1, not '{}'.", text));
    if (item >= count)
      throw base::user_error(
          fmt::format("--items {}: There is no item {}, but {} items, counted from 0.", text, item, count));
    return item;
  };
  const auto [first, second] = base::split_once(text, ",");
  return {parse(first, count_a), parse(second.value_or(std::string_view()), count_b)};
}

void require_one_group(const TwoSets& input, std::string_view purpose) {
  if (input.a.groups.size() == 1) return;
  throw base::user_error(
      fmt::format("{} is about one filtration and kind; choose it with --filtration and --kind from {}.",
                  purpose, diagram::titles(input.a.groups)));
}

// ---- one pair of items

/// How near the values are to the distances, for people.
std::string accuracy(double relative_error) {
  return relative_error == 0 ? "exact" : fmt::format("at most {:.2g} % too large", 100 * relative_error);
}

std::string matching_csv(std::span<const Point> a, std::span<const Point> b, const Distance& distance) {
  const auto on_diagonal = [](const Point& p) {
    const double middle = p.birth / 2 + p.death / 2;
    return Point{middle, middle};
  };
  std::string text = "a,b,birth_a,death_a,birth_b,death_b,distance\n";
  for (const auto& [i, j, apart] : distance.matching) {
    const Point p = i >= 0 ? a[static_cast<std::size_t>(i)] : on_diagonal(b[static_cast<std::size_t>(j)]);
    const Point q = j >= 0 ? b[static_cast<std::size_t>(j)] : on_diagonal(p);
    text += fmt::format("{},{},{},{},{},{},{}\n", i, j, p.birth, p.death, q.birth, q.death, apart);
  }
  return text;
}

void compare(const Options& options, const Metric& metric, const TwoSets& input, Items items,
             const base::Stopwatch& watch) {
  const bool matching = !options.matching.empty();
  if (matching) require_one_group(input, "--matching");
  Table table({"filtration", "kind", "points of A", "of B", metric.name}, 2);
  auto distances = ordered_json::array();
  double error = 0;
  for (std::size_t g = 0; g < input.a.groups.size(); ++g) {
    const auto& group = input.a.groups[g];
    const std::string kind(diagram::kind_name(group.kind));
    const auto a = group.diagrams[items.a];
    const auto b = input.b().groups[g].diagrams[items.b];
    const auto distance = diagram::distance(a, b, metric, {.matching = matching});
    if (matching) io::write_file(options.matching, matching_csv(a, b, distance));
    table.add({group.filtration, kind, fmt::format("{}", a.size()), fmt::format("{}", b.size()),
               base::shortest(distance.value)});
    distances.push_back({{"filtration", group.filtration},
                         {"kind", kind},
                         {"points", {a.size(), b.size()}},
                         {"distance", distance.value},
                         {"relative_error", distance.relative_error}});
    error = std::max(error, distance.relative_error);
  }
  if (options.common.json) {
    ordered_json json{{"metric", metric.name},
                      {"items", {items.a, items.b}},
                      {"distances", std::move(distances)},
                      {"seconds", watch.seconds()}};
    if (matching) json["matching"] = options.matching;
    return print(json);
  }
  const auto written = matching ? fmt::format(" The matching is in {}.", options.matching) : "";
  print(fmt::format("{}\nThe distances are {}.{}\n", table.text(), accuracy(error), written));
}

// ---- all pairs

/// Says what a large matrix will cost, judged by a few of its pairs.
void announce(const Session& session, const Metric& metric, const DiagramBatch& a, const DiagramBatch& b,
              std::size_t pairs) {
  constexpr std::size_t samples = 8;
  constexpr double long_enough = 0.5;
  constexpr double worth_saying = 5;
  const std::size_t all = a.size() * b.size();
  if (pairs <= samples) return;
  const base::Stopwatch watch;
  std::size_t measured = 0;
  while (measured < samples && watch.seconds() < long_enough) {
    const std::size_t pair = (2 * measured + 1) * all / (2 * samples);
    (void)diagram::distance(a[pair / b.size()], b[pair % b.size()], metric);
    ++measured;
  }
  const int threads = base::worker_count(session.context());
  const double seconds =
      watch.seconds() / static_cast<double>(measured) * static_cast<double>(pairs) / threads;
  if (seconds < worth_saying) return;
  session.note(fmt::format(
      "{} distances, about {} on {} threads, and {:.1f} MB.", pairs,
      seconds < 120 ? fmt::format("{:.0f} s", seconds) : fmt::format("{:.0f} minutes", seconds / 60), threads,
      8e-6 * static_cast<double>(all)));
}

void report_all(const Options& options, const Metric& metric, const DiagramGroup& group,
                const diagram::DistanceMatrix& matrix, double seconds, int threads) {
  double largest = 0;
  double mean = 0;
  for (const double value : matrix.values) {
    largest = std::max(largest, value);
    mean += value / static_cast<double>(matrix.values.size());  // a sum of all could overflow
  }
  if (options.common.json)
    return print(ordered_json{{"metric", metric.name},
                              {"filtration", group.filtration},
                              {"kind", diagram::kind_name(group.kind)},
                              {"rows", matrix.rows},
                              {"columns", matrix.columns},
                              {"mean", mean},
                              {"largest", largest},
                              {"relative_error", matrix.relative_error},
                              {"seconds", seconds},
                              {"threads", threads},
                              {"output", options.output}});
  print(
      fmt::format("Written to {}: {} x {} distances {} of {}, mean {:.4g}, largest {:.4g}; they are {}.\n"
                  "Seconds: {:.3f}, threads: {}.\n",
                  options.output, matrix.rows, matrix.columns, metric.name, group.title(), mean, largest,
                  accuracy(matrix.relative_error), seconds, threads));
}

// ---- the command

void check_targets(const Options& options) {
  if (!options.output.empty()) {
    if (options.items || !options.matching.empty())
      throw base::user_error(
          "-o takes the matrix of all items; --items and --matching are about two of them.");
    io::check_matrix_target(options.output);
    io::refuse_overwriting({options.a, options.b}, options.output);
  }
  if (!options.matching.empty()) {
    if (std::filesystem::path(options.matching).extension() != ".csv")
      throw base::user_error(
          fmt::format("{}: The name of a file for a matching ends in .csv.", options.matching));
    const io::AtomicFile would_be_written(options.matching);
    io::refuse_overwriting({options.a, options.b}, options.matching);
  }
}

void run(const Options& options) {
  const base::Stopwatch watch;
  const Metric metric = diagram::parse_metric(options.metric);
  check_targets(options);
  const Session session(options.common);
  const auto input = read_diagrams(options.a, options.b, options.groups, session);
  const std::size_t items_a = input.a.item_count(), items_b = input.b().item_count();

  const bool one_each = input.other && items_a == 1 && items_b == 1;
  if (options.items || (one_each && options.output.empty())) {
    const Items items = options.items ? chosen_items(*options.items, items_a, items_b) : Items{};
    return compare(options, metric, input, items, watch);
  }
  if (options.output.empty())
    throw base::user_error(fmt::format(
        "There are {} x {} distances; -o FILE takes them all (.npy or .csv), --items I,J chooses two items.",
        items_a, items_b));
  require_one_group(input, "A matrix");
  const auto &a = input.a.groups.front().diagrams, &b = input.b().groups.front().diagrams;
  const std::size_t all = items_a * items_b;
  announce(session, metric, a, b, input.other ? all : (all - items_a) / 2);
  const auto matrix = input.other ? diagram::distance_matrix(a, b, metric, session.context())
                                  : diagram::distance_matrix(a, metric, session.context());
  write_pairs(options.output, input.a, matrix.columns, matrix.values);
  report_all(options, metric, input.a.groups.front(), matrix, watch.seconds(),
             base::worker_count(session.context()));
}

}  // namespace

void add_distance(CLI::App& program, Action& chosen) {
  const auto options = std::make_shared<Options>();
  auto& command = *program.add_subcommand("distance", "Measure how far persistence diagrams are apart");
  add_input_option(command, "A", options->a, "Diagram file (.h5, .hdf5 or .csv)")->required();
  add_input_option(command, "B", options->b,
                   "Another one; without it, items of A are compared with each other");
  command.add_option("--metric", options->metric, "The distance (see below); bottleneck by default")
      ->type_name("NAME");
  add_group_options(command, options->groups);
  command.add_option("--items", options->items, "Two items, one of A and one of B, counted from 0")
      ->type_name("I,J");
  add_output_option(command, options->matching, "Where to write a matching of the two items' points (.csv)",
                    "--matching");
  add_output_option(command, options->output, "Matrix of all distances to write (.npy or .csv)");
  add_common_options(command, options->common);
  command.footer(help_footer());
  command.callback([&chosen, options] { chosen = [options] { run(*options); }; });
}

}  // namespace perslay::cli
