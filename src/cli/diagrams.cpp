#include "commands.h"
#include "diagram_summary.h"
#include "options.h"
#include "output.h"
#include "stopwatch.h"

#include <algorithm>
#include <memory>
#include <string_view>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/parallel.h>
#include <perslay/base/registry.h>
#include <perslay/features/graph_diagrams.h>
#include <perslay/filtration/filtration.h>
#include <perslay/io/diagram_file.h>
#include <perslay/io/graph_dataset.h>

namespace perslay::cli {
namespace {

using diagram::Kind;
using filtration::Filtration;
using persistence::EssentialPolicy;

constexpr std::string_view default_filtration = "hks:10";

/// The command line as the user wrote it.
struct DiagramsOptions {
  CommonOptions common;
  std::string data;
  std::vector<std::string> filtrations;
  std::vector<std::string> kinds;
  bool ordinary = false;
  std::string essential;
  bool keep_diagonal = false;
  bool cycles = false;
  bool one_based = false;
  std::string output;
};

struct Seconds {
  double reading = 0;
  features::GraphDiagramSeconds computing;
  double writing = 0;
  double total = 0;
};

std::string help_footer() {
  std::string text =
      R"(DATA is a graph dataset: a TU folder, the same inside a .zip or .tar.* archive, or an edge list.

Filtrations (several with commas or by repeating the option; file: takes the rest of its argument):
)";
  for (const auto& entry : filtration::filtrations().help())
    text += fmt::format("  {:<14}{}\n", entry.usage, entry.text);
  return text + R"(
Kinds: ord0 downward branches, rel1 upward branches, ext0 components, ext1 loops (extended persistence,
the default); sub0, sup0 components and sub1 loops of ordinary persistence.
Classes that never die (ordinary kinds): drop leaves them out, which is the default; clip lets them die
at the function's last value, clip:VALUE at VALUE.

Examples:
  perslay diagrams MUTAG.zip -o mutag.h5
  perslay diagrams MUTAG.zip --filtration hks:0.1,hks:10,degree --kinds ord0,ext1 -o mutag.csv
  perslay diagrams roads.txt --filtration closeness --cycles -o roads.h5
  perslay diagrams shapes --ordinary --essential clip --json)";
}

// ---- from the command line to what it means

/// The parts of comma-separated lists; a part that starts with "file:" takes the rest of its argument, commas
/// included.
std::vector<std::string> split_lists(const std::vector<std::string>& lists) {
  std::vector<std::string> parts;
  for (std::string_view rest : lists) {
    while (true) {
      const auto comma = rest.starts_with("file:") ? std::string_view::npos : rest.find(',');
      parts.emplace_back(rest.substr(0, comma));
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
  }
  return parts;
}

std::vector<Filtration> chosen_filtrations(const DiagramsOptions& options) {
  if (options.filtrations.empty()) return {filtration::parse_filtration(default_filtration)};
  std::vector<Filtration> chosen;
  for (const auto& name : split_lists(options.filtrations)) {
    auto filtration = filtration::parse_filtration(name);
    if (std::ranges::find(chosen, filtration.name, &Filtration::name) == chosen.end())
      chosen.push_back(std::move(filtration));
  }
  return chosen;
}

std::vector<Kind> chosen_kinds(const DiagramsOptions& options) {
  if (options.ordinary && !options.kinds.empty())
    throw base::user_error("--ordinary stands for --kinds sub0,sup0,sub1; give one of the two, not both.");
  if (options.ordinary) return {diagram::ordinary_kinds.begin(), diagram::ordinary_kinds.end()};
  if (options.kinds.empty()) return {diagram::extended_kinds.begin(), diagram::extended_kinds.end()};
  std::vector<Kind> kinds;
  for (const auto& name : split_lists(options.kinds)) {
    const Kind kind = diagram::parse_kind(name);
    if (kind == Kind::h0 || kind == Kind::h1)
      throw base::user_error(fmt::format("The kind {} belongs to point clouds, not to graphs.", name));
    if (std::ranges::find(kinds, kind) == kinds.end()) kinds.push_back(kind);
  }
  return kinds;
}

bool is_ordinary(Kind kind) {
  return std::ranges::find(diagram::ordinary_kinds, kind) != diagram::ordinary_kinds.end();
}

EssentialPolicy chosen_policy(const DiagramsOptions& options, const std::vector<Kind>& kinds) {
  using Action = EssentialPolicy::Action;
  if (options.essential.empty()) return {};
  if (std::ranges::none_of(kinds, is_ordinary))
    throw base::user_error(
        "--essential is about the ordinary kinds sub0, sup0 and sub1, and none of them is asked for.");
  if (options.essential == "drop") return {Action::drop, 0};
  if (options.essential == "clip") return {Action::clip_to_extreme, 0};
  const auto [head, value, has_value] = base::split_name(options.essential);
  constexpr auto what = "--essential takes drop, clip or clip:VALUE with a finite number";
  if (head != "clip" || !has_value)
    throw base::user_error(fmt::format("{}, not '{}'.", what, options.essential));
  return {Action::clip_to_value, base::parse_number(value, what)};
}

features::GraphDiagramOptions chosen_options(const DiagramsOptions& options) {
  features::GraphDiagramOptions chosen;
  chosen.kinds = chosen_kinds(options);
  chosen.essential = chosen_policy(options, chosen.kinds);
  chosen.keep_diagonal = options.keep_diagonal;
  chosen.cycles = options.cycles;
  if (chosen.cycles && std::ranges::find(chosen.kinds, Kind::ext1) == chosen.kinds.end())
    throw base::user_error(
        "--cycles finds the loops behind ext1 points, and the kind ext1 is not asked for.");
  return chosen;
}

// ---- what it found

void say_notes(const Session& session, const DiagramsOptions& options,
               const features::GraphDiagramOptions& chosen, const data::GraphDataset& dataset) {
  if (options.filtrations.empty())
    session.note(fmt::format("No --filtration is given; {} is taken.", default_filtration));
  for (const auto& note : dataset.notes) session.note(note);
  if (dataset.cleaning.self_loops_dropped > 0)
    session.note(fmt::format("{} self loops dropped.", dataset.cleaning.self_loops_dropped));
  const bool loops = std::ranges::find(chosen.kinds, Kind::sub1) != chosen.kinds.end();
  if (loops && chosen.essential.action == EssentialPolicy::Action::drop)
    session.note("Loops of a graph never die, so sub1 is empty unless they are kept by --essential clip.");
}

void report_json(const DiagramsOptions& options, const diagram::DiagramSet& set, const Seconds& seconds,
                 int threads) {
  using nlohmann::ordered_json;
  print(ordered_json{
      {"items", set.item_count()},
      {"groups", groups_json(set)},
      {"seconds",
       {{"reading", seconds.reading},
        {"filtration", seconds.computing.filtration},
        {"persistence", seconds.computing.persistence},
        {"writing", seconds.writing},
        {"total", seconds.total}}},
      {"threads", threads},
      {"output", options.output.empty() ? ordered_json(nullptr) : ordered_json(options.output)}});
}

void report_text(const DiagramsOptions& options, const diagram::DiagramSet& set, const Seconds& seconds,
                 int threads) {
  const std::string written = options.output.empty() ? "" : fmt::format("Written to {}.\n", options.output);
  print(fmt::format(
      "{}\n{}Seconds: {:.3f} (reading {:.3f}, filtration {:.3f}, persistence {:.3f}, writing {:.3f}), "
      "threads: {}.\n",
      class_table(set), written, seconds.total, seconds.reading, seconds.computing.filtration,
      seconds.computing.persistence, seconds.writing, threads));
}

void run(const DiagramsOptions& options) {
  const Stopwatch total;
  const auto filtrations = chosen_filtrations(options);
  const auto chosen = chosen_options(options);
  if (!options.output.empty()) io::check_diagram_target(options.output);

  const Session session(options.common);
  Seconds seconds;
  Stopwatch watch;
  const auto dataset =
      io::read_graph_dataset(options.data, session.context(), {.one_based = options.one_based});
  seconds.reading = watch.restart();
  say_notes(session, options, chosen, dataset);
  const auto set =
      features::graph_diagrams(dataset, filtrations, chosen, session.context(), &seconds.computing);
  watch.restart();
  if (!options.output.empty()) {
    io::write_diagrams(options.output, set);
    seconds.writing = watch.seconds();
  }
  seconds.total = total.seconds();

  const int threads = base::worker_count(session.context());
  if (options.common.json)
    report_json(options, set, seconds, threads);
  else
    report_text(options, set, seconds, threads);
}

}  // namespace

void add_diagrams(CLI::App& program, Action& chosen) {
  const auto options = std::make_shared<DiagramsOptions>();
  auto& command = *program.add_subcommand("diagrams", "Compute the persistence diagrams of a graph dataset");
  command.add_option("DATA", options->data, "Graph dataset")->required()->type_name("");
  command.add_option("--filtration", options->filtrations, "Vertex functions; hks:10 by default")
      ->type_name("NAME[,NAME...]")
      ->allow_extra_args(false);
  command.add_option("--kinds", options->kinds, "Kinds of diagrams; ord0,rel1,ext0,ext1 by default")
      ->type_name("KIND[,KIND...]")
      ->allow_extra_args(false);
  command.add_flag("--ordinary", options->ordinary, "Ordinary persistence: the kinds sub0,sup0,sub1");
  command
      .add_option("--essential", options->essential, "Ordinary kinds: drop, clip or clip:VALUE (see below)")
      ->type_name("POLICY");
  command.add_flag("--keep-diagonal", options->keep_diagonal, "Keep points whose birth equals their death");
  command.add_flag("--cycles", options->cycles, "Find a representative cycle for each ext1 point");
  command.add_flag("--one-based", options->one_based, "Edge lists: vertices are numbered from 1");
  command.add_option("-o,--output", options->output, "Diagram file to write (.h5, .hdf5 or .csv)")
      ->type_name("FILE");
  add_common_options(command, options->common);
  command.footer(help_footer());
  command.callback([&chosen, options] { chosen = [options] { run(*options); }; });
}

}  // namespace perslay::cli
