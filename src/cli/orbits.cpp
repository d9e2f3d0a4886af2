#include "commands.h"
#include "diagram_summary.h"
#include "options.h"
#include "output.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

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

// ---- the picture

/// The place of a coordinate of [0, 1) among `count` cells; what lies outside goes to the border.
std::size_t cell(double x, std::size_t count) {
  const auto last = static_cast<double>(count - 1);
  return static_cast<std::size_t>(std::clamp(x * static_cast<double>(count), 0.0, last));
}

/// U+2800 and the 255 characters after it, in UTF-8.
std::string braille(std::uint8_t dots) {
  return {'\xE2', static_cast<char>(0xA0 + (dots >> 6)), static_cast<char>(0x80 + (dots & 0x3F))};
}

/// The bit of a dot in the pattern, by its line and column within the character.
constexpr std::array<std::array<std::uint8_t, 2>, 4> dot_bits{
    {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}};

/// A framed picture of points of the unit square, y upwards, with a title in its upper edge, as lines of text. Each
/// character is a Braille pattern of 2 x 4 dots.
std::vector<std::string> dot_plot(std::span<const data::PlanePoint> points, const std::string& title) {
  constexpr std::size_t columns = 24, rows = 12;
  std::array<std::array<std::uint8_t, columns>, rows> patterns{};
  for (const auto& [x, y] : points) {
    const std::size_t column = cell(x, 2 * columns);
    const std::size_t line = 4 * rows - 1 - cell(y, 4 * rows);
    patterns[line / 4][column / 2] |= dot_bits[line % 4][column % 2];
  }
  std::vector<std::string> lines{fmt::format("┌─{:─<{}}┐", fmt::format(" {} ", title), columns - 1)};
  for (const auto& row : patterns) {
    std::string text;
    for (const auto dots : row) text += braille(dots);
    lines.push_back(fmt::format("│{}│", text));
  }
  lines.push_back(fmt::format("└{:─<{}}┘", "", columns));
  return lines;
}

/// One orbit of each class, the first, three beside each other.
std::string picture(const data::OrbitSet& set, const base::Context& context) {
  constexpr std::size_t across = 3;
  std::vector<std::vector<std::string>> plots;
  for (std::size_t c = 0; c < data::orbit_parameters.size(); ++c) {
    const auto orbit = data::make_orbits(set, c * set.per_class, 1, context);
    plots.push_back(dot_plot(orbit[0], "r = " + orbit.classes[c]));
  }
  std::string text;
  for (std::size_t first = 0; first < plots.size(); first += across) {
    const auto row = std::span(plots).subspan(first, std::min(across, plots.size() - first));
    for (std::size_t line = 0; line < row.front().size(); ++line) {
      for (std::size_t block = 0; block < row.size(); ++block)
        text += (block == 0 ? "" : " ") + row[block][line];
      text += '\n';
    }
  }
  return text + '\n';
}

// ---- the work

/// The context for a piece of a longer stage: progress counts from `first` to the whole.
base::Context part_of(const base::Context& whole, std::size_t first, std::size_t total) {
  base::Context part = whole;
  if (whole.progress)
    part.progress = [&whole, first, total](const base::Progress& progress) {
      whole.progress({"orbits", first + progress.done, total});
    };
  return part;
}

void run(const OrbitsOptions& options) {
  const Session session(options.common);
  const base::Stopwatch watch;
  const data::OrbitSet set{static_cast<std::size_t>(options.per_class),
                           static_cast<std::size_t>(options.points)};
  features::CloudDiagramOptions chosen;
  chosen.filtration = features::parse_cloud_filtration(options.radii ? "alpha:radii" : "alpha");
  if (options.prominent > 0) chosen.prominent = static_cast<std::size_t>(options.prominent);
  std::optional<io::DiagramWriter> writer;
  if (!options.output.empty()) {
    io::DiagramFileLayout layout;
    for (const auto kind : chosen.kinds) layout.groups.push_back({std::string(chosen.filtration.name), kind});
    layout.classes = data::orbit_classes();
    layout.clouds = options.clouds;
    writer.emplace(options.output, layout);
  }

  SetSummary summary;
  std::int64_t merged = 0;
  auto silent = session.context();
  silent.progress = nullptr;
  const std::size_t piece = std::max<std::size_t>(1, points_per_piece / set.points);
  for (std::size_t first = 0; first < set.size(); first += piece) {
    const auto clouds = data::make_orbits(set, first, std::min(piece, set.size() - first), silent);
    std::int64_t duplicates = 0;
    const auto diagrams =
        features::cloud_diagrams(clouds, chosen, part_of(session.context(), first, set.size()), &duplicates);
    merged += duplicates;
    summary.add(diagrams);
    if (writer) writer->append(diagrams, &clouds);
  }
  if (writer) writer->finish();

  const double seconds = watch.seconds();
  const double per_second = static_cast<double>(summary.items()) / seconds;
  if (merged > 0) session.note(fmt::format("{} points equal to another of their cloud merged.", merged));
  const int threads = base::worker_count(session.context());
  if (options.common.json)
    return print(ordered_json{
        {"items", summary.items()},
        {"per_class", options.per_class},
        {"points", options.points},
        {"seed", options.common.seed},
        {"prominent", options.prominent > 0 ? ordered_json(options.prominent) : ordered_json(nullptr)},
        {"duplicates_merged", merged},
        {"groups", summary.json()},
        {"seconds", seconds},
        {"clouds_per_second", per_second},
        {"threads", threads},
        {"output", options.output.empty() ? ordered_json(nullptr) : ordered_json(options.output)}});
  const std::string written = options.output.empty() ? "" : fmt::format("Written to {}.\n", options.output);
  print(fmt::format(
      "{}{}\n{}{} clouds of {} points in {:.3f} seconds, {:.0f} clouds per second, threads: {}.\n",
      options.show ? picture(set, session.context()) : "", summary.class_table(), written, summary.items(),
      options.points, seconds, per_second, threads));
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
