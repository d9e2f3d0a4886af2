#include "commands.h"
#include "diagram_summary.h"
#include "diagrams_request.h"
#include "learning.h"
#include "options.h"
#include "output.h"
#include "overwriting.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <span>
#include <tuple>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/parallel.h>
#include <perslay/base/stopwatch.h>
#include <perslay/io/atomic_file.h>
#include <perslay/io/diagram_file.h>
#include <perslay/io/graph_dataset.h>
#include <perslay/io/point_clouds.h>
#include <perslay/report/diagram_view.h>

namespace perslay::cli {
namespace {

using diagram::Kind;
using diagram::Transform;
using persistence::EssentialPolicy;

struct Seconds {
  double reading = 0;
  features::GraphDiagramSeconds computing;
  double writing = 0;
  double total = 0;
};

std::string help_footer() {
  std::string text =
      R"(DATA is a graph dataset (a TU folder, the same inside a .zip or .tar.* archive, or an edge list) or
holds point clouds in the plane: an .npy file, a folder of .csv, .txt and .npy files (with labels in
labels.csv), a diagram file that keeps clouds or, with --filtration alpha, a .csv or .txt file. Any other
diagram file can be looked at: --plot alone draws it as it is.

Filtrations (several with commas or by repeating the option; file: takes the rest of its argument):
)";
  const auto add = [&text](std::span<const base::NameHelp> entries) {
    for (const auto& entry : entries) text += fmt::format("  {:<19}{}\n", entry.usage, entry.text);
  };
  add(filtration::filtrations().help());
  add(features::cloud_filtrations().help());
  text += "\nTransforms of the diagrams, applied in their order:\n";
  add(diagram::transforms().help());
  return text + R"(
Kinds: ord0 downward branches, rel1 upward branches, ext0 components, ext1 loops (extended persistence,
the default); sub0, sup0 components and sub1 loops of ordinary persistence; h0 components
and h1 loops of point clouds.
Classes that never die (ordinary kinds, h0): drop leaves them out, which is the default; clip lets them die
at the function's last value, clip:VALUE at VALUE.

Examples:
  perslay diagrams MUTAG.zip -o mutag.h5
  perslay diagrams MUTAG.zip --filtration hks:0.1,hks:10,degree --kinds ord0,ext1 -o mutag.csv
  perslay diagrams roads.txt --filtration closeness --cycles -o roads.h5
  perslay diagrams shapes --ordinary --essential clip --json
  perslay diagrams clouds --transform prom:500,sqrt -o clouds.h5
  perslay diagrams points.csv --filtration alpha -o diagrams.csv
  perslay diagrams MUTAG.zip --plot mutag.html
  perslay diagrams mutag.h5 --kinds ext1 --plot loops.html)";
}

/// What the command computed, and how.
struct Outcome {
  diagram::DiagramSet set;
  /// Transforms, fitted; for each group those that were applied to it.
  std::vector<std::vector<Transform>> transforms;
  Seconds seconds;
};

// ---- graphs and point clouds

void say_notes(const Session& session, const DiagramsOptions& options, const GraphRequest& request,
               const data::GraphDataset& dataset) {
  if (options.filtrations.empty())
    session.note(fmt::format("No --filtration is given; {} is taken.", default_graph_filtration));
  for (const auto& note : dataset.notes) session.note(note);
  if (dataset.cleaning.self_loops_dropped > 0)
    session.note(fmt::format("{} self loops dropped.", dataset.cleaning.self_loops_dropped));
  const auto& kinds = request.options.kinds;
  const bool loops = std::ranges::find(kinds, Kind::sub1) != kinds.end();
  if (loops && request.options.essential.action == EssentialPolicy::Action::drop)
    session.note("Loops of a graph never die, so sub1 is empty unless they are kept by --essential clip.");
}

Outcome graph_diagrams(const DiagramsOptions& options, const GraphRequest& request, const Session& session) {
  Outcome outcome;
  const base::Stopwatch watch;
  const auto dataset =
      io::read_graph_dataset(options.data, session.context(), {.one_based = options.one_based});
  outcome.seconds.reading = watch.seconds();
  say_notes(session, options, request, dataset);
  outcome.set = features::graph_diagrams(dataset, request.filtrations, request.options, session.context(),
                                         &outcome.seconds.computing);
  return outcome;
}

Outcome cloud_diagrams(const DiagramsOptions& options, const CloudRequest& request, const Session& session) {
  Outcome outcome;
  base::Stopwatch watch;
  const auto clouds = io::read_point_clouds(options.data, session.context());
  outcome.seconds.reading = watch.restart();
  if (options.filtrations.empty())
    session.note(fmt::format("No --filtration is given; {} is taken.", default_cloud_filtration));
  for (const auto& note : clouds.notes) session.note(note);
  std::int64_t duplicates = 0;
  for (const auto& cloud_options : request.options) {
    auto set = features::cloud_diagrams(clouds, cloud_options, session.context(), &duplicates);
    if (outcome.set.groups.empty())
      std::tie(outcome.set.labels, outcome.set.classes) = std::tie(set.labels, set.classes);
    std::ranges::move(set.groups, std::back_inserter(outcome.set.groups));
  }
  if (duplicates > 0)
    session.note(fmt::format("{} points equal to another of their cloud merged.", duplicates));
  outcome.seconds.computing.persistence = watch.seconds();
  return outcome;
}

Outcome stored_diagrams(const DiagramsOptions& options) {
  Outcome outcome;
  const base::Stopwatch watch;
  outcome.set = chosen_groups(options, io::read_diagrams(options.data));
  outcome.seconds.reading = watch.seconds();
  return outcome;
}

// ---- transforms

void apply_transforms(const std::vector<Transform>& transforms, Outcome& outcome) {
  if (transforms.empty()) return;
  for (auto& group : outcome.set.groups) {
    auto& fitted = outcome.transforms.emplace_back(transforms);
    try {
      group.diagrams = diagram::fit_and_apply(fitted, std::move(group.diagrams));
    } catch (const base::Error& error) {
      throw base::Error(error.fault(), fmt::format("{} {}: {}", group.filtration,
                                                   diagram::kind_name(group.kind), error.what()));
    }
  }
}

void say_fitted(const Session& session, const Outcome& outcome) {
  for (std::size_t g = 0; g < outcome.transforms.size(); ++g)
    for (const auto& transform : outcome.transforms[g])
      if (transform.fitted)
        session.note(fmt::format("scale is fitted on all {} items of {} {}: from {} .. {} to 0 .. 1.",
                                 outcome.set.item_count(), outcome.set.groups[g].filtration,
                                 diagram::kind_name(outcome.set.groups[g].kind), transform.fitted->min,
                                 transform.fitted->max));
}

nlohmann::ordered_json transforms_json(const std::vector<Transform>& transforms) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& transform : transforms) {
    nlohmann::ordered_json entry{{"name", transform.name}};
    if (transform.fitted) {
      entry["min"] = transform.fitted->min;
      entry["max"] = transform.fitted->max;
    }
    list.push_back(std::move(entry));
  }
  return list;
}

// ---- what it found

void report_json(const DiagramsOptions& options, const Outcome& outcome, int threads) {
  using nlohmann::ordered_json;
  const SetSummary summary(outcome.set);
  auto groups = summary.json();
  for (std::size_t g = 0; g < outcome.transforms.size(); ++g)
    groups[g]["transforms"] = transforms_json(outcome.transforms[g]);
  const Seconds& seconds = outcome.seconds;
  print(
      ordered_json{{"items", summary.items()},
                   {"groups", std::move(groups)},
                   {"seconds",
                    {{"reading", seconds.reading},
                     {"filtration", seconds.computing.filtration},
                     {"persistence", seconds.computing.persistence},
                     {"writing", seconds.writing},
                     {"total", seconds.total}}},
                   {"threads", threads},
                   {"output", options.output.empty() ? ordered_json(nullptr) : ordered_json(options.output)},
                   {"plot", options.plot.empty() ? ordered_json(nullptr) : ordered_json(options.plot)}});
}

void report_text(const DiagramsOptions& options, const Outcome& outcome, int threads) {
  std::string written = options.output.empty() ? "" : fmt::format("Written to {}.\n", options.output);
  if (!options.plot.empty()) written += fmt::format("Drawn in {}; open it in a browser.\n", options.plot);
  const Seconds& seconds = outcome.seconds;
  print(fmt::format(
      "{}\n{}Seconds: {:.3f} (reading {:.3f}, filtration {:.3f}, persistence {:.3f}, writing {:.3f}), "
      "threads: {}.\n",
      SetSummary(outcome.set).class_table(), written, seconds.total, seconds.reading,
      seconds.computing.filtration, seconds.computing.persistence, seconds.writing, threads));
}

/// Understands the request as a whole before anything is read.
std::function<Outcome(const Session&)> understand(const DiagramsOptions& options) {
  if (wants_file_drawn(options)) return [&options](const Session&) { return stored_diagrams(options); };
  if (wants_clouds(options))
    return [&options, request = CloudRequest(options)](const Session& session) {
      return cloud_diagrams(options, request, session);
    };
  return [&options, request = GraphRequest(options)](const Session& session) {
    return graph_diagrams(options, request, session);
  };
}

void check_targets(const DiagramsOptions& options) {
  auto read = features::files_named({.filtrations = split_lists(options.filtrations)});
  read.emplace_back(options.data);
  if (!options.output.empty()) {
    io::check_diagram_target(options.output);
    refuse_overwriting(read, options.output);
  }
  if (!options.plot.empty()) {
    check_page_target(options.plot);
    refuse_overwriting(read, options.plot);
    const io::AtomicFile possible(options.plot);
  }
}

void run(const DiagramsOptions& options) {
  const base::Stopwatch total;
  const auto compute = understand(options);
  const auto transforms = chosen_transforms(options);
  check_targets(options);

  const Session session(options.common);
  Outcome outcome = compute(session);
  apply_transforms(transforms, outcome);
  say_fitted(session, outcome);
  const base::Stopwatch watch;
  if (!options.output.empty()) io::write_diagrams(options.output, outcome.set);
  if (!options.plot.empty())
    io::write_file(options.plot, report::diagrams_page(outcome.set, dataset_name(options.data)).html());
  outcome.seconds.writing = watch.seconds();
  outcome.seconds.total = total.seconds();

  const int threads = base::worker_count(session.context());
  if (options.common.json)
    report_json(options, outcome, threads);
  else
    report_text(options, outcome, threads);
}

}  // namespace

void add_diagrams(CLI::App& program, Action& chosen) {
  const auto options = std::make_shared<DiagramsOptions>();
  auto& command =
      *program.add_subcommand("diagrams", "Compute the persistence diagrams of graphs or point clouds");
  command.add_option("DATA", options->data, "Graph dataset or point clouds")->required()->type_name("");
  command
      .add_option("--filtration", options->filtrations, "Filtrations; hks:10 by default, alpha for clouds")
      ->type_name("NAME[,NAME...]")
      ->allow_extra_args(false);
  command
      .add_option("--kinds", options->kinds,
                  "Kinds of diagrams; ord0,rel1,ext0,ext1 by default, h0,h1 for clouds")
      ->type_name("KIND[,KIND...]")
      ->allow_extra_args(false);
  command.add_flag("--ordinary", options->ordinary, "Ordinary persistence: the kinds sub0,sup0,sub1");
  command
      .add_option("--essential", options->essential,
                  "Classes that never die: drop, clip or clip:VALUE (see below)")
      ->type_name("POLICY");
  command.add_flag("--keep-diagonal", options->keep_diagonal, "Keep points whose birth equals their death");
  command.add_flag("--cycles", options->cycles, "Find a representative cycle for each ext1 point");
  command.add_flag("--one-based", options->one_based, "Edge lists: vertices are numbered from 1");
  command.add_option("--transform", options->transforms, "Transforms of the diagrams (see below)")
      ->type_name("NAME[,NAME...]")
      ->allow_extra_args(false);
  add_output_option(command, options->output, "Diagram file to write (.h5, .hdf5 or .csv)");
  add_output_option(command, options->plot, "Page to write (.html) with the diagrams of up to 200 items",
                    "--plot");
  add_common_options(command, options->common);
  command.footer(help_footer());
  command.callback([&chosen, options] { chosen = [options] { run(*options); }; });
}

}  // namespace perslay::cli
