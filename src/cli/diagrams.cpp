#include "commands.h"
#include "data_options.h"
#include "diagram_summary.h"
#include "options.h"
#include "output.h"

#include <memory>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/parallel.h>
#include <perslay/base/stopwatch.h>
#include <perslay/diagram/transforms.h>
#include <perslay/features/load_items.h>
#include <perslay/features/reading.h>
#include <perslay/io/atomic_file.h>
#include <perslay/io/diagram_file.h>
#include <perslay/io/overwriting.h>
#include <perslay/report/diagram_view.h>

namespace perslay::cli {
namespace {

using diagram::Kind;
using diagram::Transform;
using features::InputKind;

/// The command line as the user wrote it.
struct DiagramsOptions {
  CommonOptions common;
  DataOptions data;
  std::vector<std::string> filtrations;
  std::vector<std::string> kinds;
  bool ordinary = false;
  std::string essential;
  bool keep_diagonal = false;
  bool cycles = false;
  std::vector<std::string> transforms;
  std::string output;
  std::string plot;
};

struct Seconds {
  double reading = 0;
  double filtration = 0;
  double persistence = 0;
  double writing = 0;
  double total = 0;
};

std::string help_footer() {
  auto text = data_help() + "Diagrams that are there already are drawn as they are by --plot alone.\n";
  for (const auto* const kind : features::input_kinds())
    if (!kind->is_stored())
      text += name_list(
          fmt::format("Filtrations of {} (several with commas or by repeating the option)", kind->plural),
          kind->filtrations->help(), 18);
  text += name_list("Transforms of the diagrams, applied in their order", diagram::transforms().help(), 18);
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
  perslay diagrams points.csv --as clouds -o diagrams.csv
  perslay diagrams MUTAG.zip --plot mutag.html
  perslay diagrams mutag.h5 --kinds ext1 --plot loops.html)";
}

// ---- what is asked for

std::vector<Kind> asked_kinds(const DiagramsOptions& options) {
  if (options.ordinary && !options.kinds.empty())
    throw base::user_error("--ordinary stands for --kinds sub0,sup0,sub1; give one of the two, not both.");
  if (options.ordinary) return {diagram::ordinary_kinds.begin(), diagram::ordinary_kinds.end()};
  std::vector<Kind> kinds;
  for (const auto& name : split_lists(options.kinds)) kinds.push_back(diagram::parse_kind(name));
  return kinds;
}

/// Whether DATA has diagrams that are to be drawn as they are: nothing that others could be computed from.
bool wants_stored(const DiagramsOptions& options) {
  const auto* const kind = features::certain_kind(options.data.data, false);
  return !options.plot.empty() && options.output.empty() && kind != nullptr && kind->is_stored() &&
         features::certain_kind(options.data.data, true) == nullptr;
}

/// The options that are given and that only some kinds of data take.
std::vector<std::string_view> special_options(const DiagramsOptions& options) {
  const std::pair<std::string_view, bool> given[] = {{"essential", !options.essential.empty()},
                                                     {"ordinary", options.ordinary},
                                                     {"keep-diagonal", options.keep_diagonal},
                                                     {"cycles", options.cycles}};
  std::vector<std::string_view> names;
  for (const auto& [option, is_given] : given)
    if (is_given) names.push_back(option);
  return names;
}

/// What DATA is read as, and the diagrams that are asked for, understood before anything is read.
std::pair<const InputKind&, features::DiagramRequest> understand(const DiagramsOptions& options) {
  features::DiagramRequest request{.filtrations = split_lists(options.filtrations),
                                   .kinds = asked_kinds(options),
                                   .essential = options.essential,
                                   .keep_diagonal = options.keep_diagonal,
                                   .cycles = options.cycles};
  const auto special = special_options(options);
  const auto& kind = kind_of(options.data, {.filtrations = request.filtrations,
                                            .kinds = request.kinds,
                                            .options = special,
                                            .computed = !wants_stored(options)});
  for (const auto option : special) require_option(option, options.data.data, kind);
  kind.check(request);
  return {kind, std::move(request)};
}

std::vector<Transform> chosen_transforms(const DiagramsOptions& options) {
  std::vector<Transform> chosen;
  for (const auto& name : split_lists(options.transforms)) chosen.push_back(diagram::parse_transform(name));
  if (!chosen.empty() && options.cycles)
    throw base::user_error(
        "--cycles keeps a loop beside each point as it is computed; it does not go with --transform.");
  return chosen;
}

/// What the command computed, and how.
struct Outcome {
  diagram::DiagramSet set;
  io::VertexNames vertices;
  /// Transforms, fitted; for each group those that were applied to it.
  std::vector<std::vector<Transform>> transforms;
  Seconds seconds;
  nlohmann::ordered_json reading;  ///< What was read.
};

Outcome compute(const DiagramsOptions& options, const InputKind& kind,
                const features::DiagramRequest& request, const Session& session) {
  Outcome outcome;
  const base::Stopwatch watch;
  const auto input = read_as(kind, options.data, session.context(), [&] {
    return kind.read(options.data.data, options.data.reading, session.context());
  });
  outcome.seconds.reading = watch.seconds();
  session.note(features::reading_sentence(kind, options.data.data, *input));
  outcome.reading = reading_json(kind, input->size(), input->classes().size(), input->reading());
  if (request.filtrations.empty() && input->stored() == nullptr)
    session.note(fmt::format("No --filtration is given; {} is taken.", kind.default_filtration));
  for (const auto& note : input->notes()) session.note(note);
  auto computed = input->diagrams(request, session.context());
  for (const auto& note : computed.notes) session.note(note);
  outcome.set = std::move(computed.set);
  outcome.vertices = std::move(computed.vertices);
  outcome.seconds.filtration = computed.filtration_seconds;
  outcome.seconds.persistence = computed.persistence_seconds;
  return outcome;
}

// ---- transforms

void apply_transforms(const std::vector<Transform>& transforms, const Session& session, Outcome& outcome) {
  if (transforms.empty()) return;
  for (auto& group : outcome.set.groups) {
    auto& fitted = outcome.transforms.emplace_back(transforms);
    try {
      group.diagrams = diagram::fit_and_apply(fitted, std::move(group.diagrams));
    } catch (const base::Error& error) {
      throw base::Error(error.fault(), fmt::format("{}: {}", group.title(), error.what()));
    }
  }
  for (std::size_t g = 0; g < outcome.transforms.size(); ++g)
    for (const auto& transform : outcome.transforms[g])
      if (transform.fitted)
        session.note(fmt::format("scale is fitted on all {} items of {}: from {} .. {} to 0 .. 1.",
                                 outcome.set.item_count(), outcome.set.groups[g].title(),
                                 transform.fitted->min, transform.fitted->max));
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

void report(const DiagramsOptions& options, const Outcome& outcome, int threads) {
  using nlohmann::ordered_json;
  const SetSummary summary(outcome.set);
  const auto& [reading, filtration, persistence, writing, total] = outcome.seconds;
  if (options.common.json) {
    auto groups = summary.json();
    for (std::size_t g = 0; g < outcome.transforms.size(); ++g)
      groups[g]["transforms"] = transforms_json(outcome.transforms[g]);
    return print(ordered_json{
        {"items", summary.items()},
        {"read", outcome.reading},
        {"groups", std::move(groups)},
        {"seconds",
         {{"reading", reading},
          {"filtration", filtration},
          {"persistence", persistence},
          {"writing", writing},
          {"total", total}}},
        {"threads", threads},
        {"output", options.output.empty() ? ordered_json(nullptr) : ordered_json(options.output)},
        {"plot", options.plot.empty() ? ordered_json(nullptr) : ordered_json(options.plot)}});
  }
  std::string written = options.output.empty() ? "" : fmt::format("Written to {}.\n", options.output);
  if (!options.plot.empty()) written += fmt::format("Drawn in {}; open it in a browser.\n", options.plot);
  print(fmt::format(
      "{}\n{}Seconds: {:.3f} (reading {:.3f}, filtration {:.3f}, persistence {:.3f}, writing {:.3f}), "
      "threads: {}.\n",
      summary.class_table(), written, total, reading, filtration, persistence, writing, threads));
}

void check_targets(const DiagramsOptions& options) {
  auto read = features::files_named({.filtrations = split_lists(options.filtrations)});
  read.emplace_back(options.data.data);
  if (!options.output.empty()) {
    io::check_diagram_target(options.output);
    io::refuse_overwriting(read, options.output);
  }
  if (!options.plot.empty()) {
    check_page_target(options.plot);
    io::refuse_overwriting(read, options.plot);
    const io::AtomicFile possible(options.plot);
  }
}

void run(const DiagramsOptions& options) {
  const base::Stopwatch total;
  const auto [kind, request] = understand(options);
  const auto transforms = chosen_transforms(options);
  check_targets(options);

  const Session session(options.common);
  Outcome outcome = compute(options, kind, request, session);
  apply_transforms(transforms, session, outcome);
  const base::Stopwatch watch;
  if (!options.output.empty()) io::write_diagrams(options.output, outcome.set, outcome.vertices);
  if (!options.plot.empty())
    io::write_file(options.plot, report::diagrams_page(outcome.set, dataset_name(options.data.data)).html());
  outcome.seconds.writing = watch.seconds();
  outcome.seconds.total = total.seconds();

  report(options, outcome, base::worker_count(session.context()));
}

}  // namespace

void add_diagrams(CLI::App& program, Action& chosen) {
  const auto options = std::make_shared<DiagramsOptions>();
  auto& command =
      *program.add_subcommand("diagrams", "Compute the persistence diagrams of graphs or point clouds");
  add_data_options(command, options->data);
  add_list_option(command, "--filtration", options->filtrations,
                  "Filtrations; hks:10 by default, alpha for clouds");
  add_list_option(command, "--kinds", options->kinds,
                  "Kinds of diagrams; ord0,rel1,ext0,ext1 by default, h0,h1 for clouds", "KIND");
  command.add_flag("--ordinary", options->ordinary, "Ordinary persistence: the kinds sub0,sup0,sub1");
  command
      .add_option("--essential", options->essential,
                  "Classes that never die: drop, clip or clip:VALUE (see below)")
      ->type_name("POLICY");
  command.add_flag("--keep-diagonal", options->keep_diagonal, "Keep points whose birth equals their death");
  command.add_flag("--cycles", options->cycles, "Find a representative cycle for each ext1 point");
  add_one_based_option(command, options->data);
  add_list_option(command, "--transform", options->transforms, "Transforms of the diagrams (see below)");
  add_output_option(command, options->output, "Diagram file to write (.h5, .hdf5 or .csv)");
  add_output_option(command, options->plot, "Page to write (.html) with the diagrams of up to 200 items",
                    "--plot");
  add_common_options(command, options->common);
  command.footer(help_footer());
  command.callback([&chosen, options] { chosen = [options] { run(*options); }; });
}

}  // namespace perslay::cli
