#include "commands.h"
#include "diagram_summary.h"
#include "dot_plot.h"
#include "options.h"
#include "output.h"

#include <algorithm>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include <perslay/base/parallel.h>
#include <perslay/base/stopwatch.h>
#include <perslay/data/orbits.h>
#include <perslay/features/cloud_diagrams.h>
#include <perslay/io/diagram_writer.h>

namespace perslay::cli {
namespace {

using nlohmann::ordered_json;

struct OrbitsOptions {
  CommonOptions common;
  std::int64_t per_class = 1000;
  std::int64_t points = 1000;
  std::int64_t prominent = 0;  // 0: all
  bool radii = false;
  bool clouds = false;
  bool show = false;
  std::string output;
};

/// Points that are in memory at a time, at most, unless a single orbit has more.
constexpr std::size_t points_per_piece = 512'000;

constexpr auto help =
    R"(Orbits of the map x' = x + r y (1 - y), y' = y + r x' (1 - x'), modulo 1, from random first points,
for r = 2.5, 3.5, 4.0, 4.1 and 4.3, the five classes. Their diagrams are those of the alpha complex: h0 components,
h1 loops; coordinates are squared radii unless --radii is given. The set depends on --per-class, --points and --seed
alone. It is computed and written piece by piece, so any number of orbits fits into memory.

Examples:
  perslay orbits --per-class 20 --show
  perslay orbits --prom 500 -o orbit5k.h5                      (ORBIT5K of the paper)
  perslay orbits --per-class 20000 --prom 500 -o orbit100k.h5  (ORBIT100K)
  perslay orbits --per-class 100 --clouds -o orbits.h5)";

data::OrbitSet orbit_set(const OrbitsOptions& options) {
  return {static_cast<std::size_t>(options.per_class), static_cast<std::size_t>(options.points)};
}

features::CloudDiagramOptions diagram_options(const OrbitsOptions& options) {
  features::CloudDiagramOptions chosen;
  chosen.filtration = features::parse_cloud_filtration(options.radii ? "alpha:radii" : "alpha");
  if (options.prominent > 0) chosen.prominent = static_cast<std::size_t>(options.prominent);
  return chosen;
}

io::DiagramFileLayout layout_of(const OrbitsOptions& options, const features::CloudDiagramOptions& chosen) {
  io::DiagramFileLayout layout;
  for (const auto kind : chosen.kinds) layout.groups.push_back({std::string(chosen.filtration.name), kind});
  layout.classes = data::orbit_classes();
  layout.clouds = options.clouds;
  return layout;
}

/// The context for a piece of a longer stage: progress counts from `first` to the whole.
base::Context part_of(const base::Context& whole, std::size_t first, std::size_t total) {
  base::Context part = whole;
  if (whole.progress)
    part.progress = [&whole, first, total](const base::Progress& progress) {
      whole.progress({"orbits", first + progress.done, total});
    };
  return part;
}

struct Outcome {
  SetSummary summary;
  std::int64_t duplicates_merged = 0;
  double seconds = 0;
};

/// Orbits, their diagrams, the file: piece by piece.
Outcome make(const OrbitsOptions& options, const Session& session) {
  const base::Stopwatch watch;
  const auto set = orbit_set(options);
  const auto chosen = diagram_options(options);
  std::optional<io::DiagramWriter> writer;
  if (!options.output.empty()) writer.emplace(options.output, layout_of(options, chosen));

  Outcome outcome;
  const std::size_t piece = std::max<std::size_t>(1, points_per_piece / set.points);
  for (std::size_t first = 0; first < set.size(); first += piece) {
    const std::size_t count = std::min(piece, set.size() - first);
    base::Context silent = session.context();
    silent.progress = nullptr;
    const auto clouds = data::make_orbits(set, first, count, silent);
    std::int64_t duplicates = 0;
    const auto diagrams =
        features::cloud_diagrams(clouds, chosen, part_of(session.context(), first, set.size()), &duplicates);
    outcome.duplicates_merged += duplicates;
    outcome.summary.add(diagrams);
    if (writer) writer->append(diagrams, &clouds);
  }
  if (writer) writer->finish();
  outcome.seconds = watch.seconds();
  return outcome;
}

/// One orbit of each class, the first.
std::string picture(const OrbitsOptions& options, const Session& session) {
  const auto set = orbit_set(options);
  std::vector<std::vector<std::string>> plots;
  for (std::size_t c = 0; c < data::orbit_parameters.size(); ++c) {
    const auto orbit = data::make_orbits(set, c * set.per_class, 1, session.context());
    plots.push_back(dot_plot(orbit[0], "r = " + orbit.classes[c], 24, 12));
  }
  return side_by_side(plots, 3) + '\n';
}

void report_json(const OrbitsOptions& options, const Outcome& outcome, int threads) {
  const auto items = outcome.summary.items();
  print(ordered_json{
      {"items", items},
      {"per_class", options.per_class},
      {"points", options.points},
      {"seed", options.common.seed},
      {"prominent", options.prominent > 0 ? ordered_json(options.prominent) : ordered_json(nullptr)},
      {"duplicates_merged", outcome.duplicates_merged},
      {"groups", outcome.summary.json()},
      {"seconds", outcome.seconds},
      {"clouds_per_second", static_cast<double>(items) / outcome.seconds},
      {"threads", threads},
      {"output", options.output.empty() ? ordered_json(nullptr) : ordered_json(options.output)}});
}

void report_text(const OrbitsOptions& options, const Outcome& outcome, const Session& session, int threads) {
  const auto items = outcome.summary.items();
  const std::string written = options.output.empty() ? "" : fmt::format("Written to {}.\n", options.output);
  print(fmt::format(
      "{}{}\n{}{} clouds of {} points in {:.3f} seconds, {:.0f} clouds per second, threads: {}.\n",
      options.show ? picture(options, session) : "", outcome.summary.class_table(), written, items,
      options.points, outcome.seconds, static_cast<double>(items) / outcome.seconds, threads));
}

void run(const OrbitsOptions& options) {
  const Session session(options.common);
  const auto outcome = make(options, session);
  if (outcome.duplicates_merged > 0)
    session.note(fmt::format("{} points equal to another of their cloud merged.", outcome.duplicates_merged));
  const int threads = base::worker_count(session.context());
  if (options.common.json)
    report_json(options, outcome, threads);
  else
    report_text(options, outcome, session, threads);
}

}  // namespace

void add_orbits(CLI::App& program, Action& chosen) {
  const auto options = std::make_shared<OrbitsOptions>();
  auto& command = *program.add_subcommand("orbits", "Make the ORBIT point clouds and their diagrams");
  add_integer_option(command, "--per-class", options->per_class, 1, 10'000'000,
                     "Orbits per class; 1000 by default");
  add_integer_option(command, "--points", options->points, 1, 10'000'000,
                     "Points per orbit; 1000 by default");
  add_integer_option(command, "--prom", options->prominent, 1, 10'000'000,
                     "Keep only N points of each diagram, those farthest from the diagonal; all by default");
  command.add_flag("--radii", options->radii, "Radii instead of squared radii");
  command.add_flag("--clouds", options->clouds, "Keep the orbits themselves in the file too");
  command.add_flag("--show", options->show, "Draw one orbit of each class");
  add_output_option(command, options->output, "Diagram file to write (.h5 or .hdf5)");
  add_common_options(command, options->common);
  command.footer(help);
  command.callback([&chosen, options] { chosen = [options] { run(*options); }; });
}

}  // namespace perslay::cli
