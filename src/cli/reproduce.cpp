#include "commands.h"
#include "interrupt.h"
#include "learning.h"
#include "options.h"
#include "output.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/parallel.h>
#include <perslay/base/stopwatch.h>
#include <perslay/experiment/descriptions.h>
#include <perslay/experiment/figures.h>
#include <perslay/experiment/reproduce.h>
#include <perslay/features/cache.h>
#include <perslay/io/overwriting.h>
#include <perslay/learn/models.h>

namespace perslay::cli {
namespace {

struct ReproduceCommand {
  CommonOptions common;
  std::vector<std::string> names;
  std::string data;
  std::string output;
  std::vector<std::string> columns;
  std::vector<std::string> datasets;
  std::int64_t repeats = 0;
  bool quick = false;
  bool full = false;
  bool fresh = false;
  bool no_cache = false;
};

constexpr auto footer = R"(Tables:
  table-orbits-description, table-datasets, table-settings
                          what the data and the settings are; without training
  table-orbits            orbits of five classes: needs no data
  table-kernels           support vector machines on four kernels, on 500 orbits; needs no data either
  table-graphs            the eleven graph datasets
  table-ablation          spectral features alone, extended diagrams alone, ordinary ones alone, all
  table-hyperparameters   grid size, point transformation and operation, on MUTAG and COLLAB
  t-optimisation          the time t of hks:T, fixed and trained with the network, on MUTAG
  figures                 the paper's figures, as SVG files and on one page; needs MUTAG and COLLAB
  MUTAG, ORBIT5K, ...     one dataset
Columns: "paper's network", "stronger recipe", "spectral alone", ...

What was interrupted goes on where it was when the same command is given again.

Examples:
  perslay reproduce MUTAG --data datasets -o reproduced
  perslay reproduce table-datasets table-settings --data datasets -o tables
  perslay reproduce table-ablation --datasets MUTAG,DHFR --repeats 1 --data datasets -o ablation
  perslay reproduce table-orbits --quick -o quick)";

void announce(const std::vector<experiment::Table>& tables, int threads, const ReproduceCommand& options,
              const Session& session) {
  double seconds = 0;
  std::set<std::string> folders;  // what stands in several columns is trained once
  for (const auto& table : tables)
    for (const auto& job : table.jobs)
      if (folders.insert(job.folder).second) seconds += experiment::estimated_seconds(job, threads);
  session.note(fmt::format("{} evaluation{}, about {} of training on {} thread{}; results go to {}.",
                           folders.size(), folders.size() == 1 ? "" : "s", duration(seconds), threads,
                           threads == 1 ? "" : "s", options.output));
  if (options.full &&
      std::ranges::none_of(tables, [](const auto& table) { return table.name == "table-kernels"; }))
    session.note("--full has no effect: it is about table-kernels.");
  if (options.quick)
    session.note(
        "--quick: a fifth of the epochs, fewer repeats, small sets of orbits; not to be compared with the "
        "paper.");
}

std::string table_text(const std::string& title, const std::vector<std::vector<std::string>>& rows,
                       std::size_t text_columns) {
  Table text(rows.front(), text_columns);
  for (std::size_t i = 1; i < rows.size(); ++i) text.add(rows[i]);
  return fmt::format("\n{}\n{}", title, text.text());
}

void print_end(nlohmann::ordered_json tables, const ReproduceCommand& options) {
  if (options.common.json)
    print(nlohmann::ordered_json{{"tables", std::move(tables)}, {"output", options.output}});
  else
    print(fmt::format("\nWritten to {} as JSON and Markdown.\n", options.output));
}

/// Makes tables that need no training.
void describe(const std::vector<std::string>& names, const ReproduceCommand& options,
              const Session& session) {
  if (!options.columns.empty() || options.repeats > 0 || options.quick || options.full)
    throw base::user_error(fmt::format(
        "{} needs no training; --columns, --repeats, --quick and --full are not for it.", names.front()));
  for (const auto& row : experiment::graph_rows())
    if (const auto archive = experiment::dataset_in(options.data, std::string(row.archive)))
      io::refuse_overwriting({*archive}, options.output);
  io::refuse_overwriting({options.data}, options.output);
  for (const auto& name : names) experiment::require_own_files(name, options.output);
  std::vector<experiment::Description> descriptions;
  descriptions.reserve(names.size());
  for (const auto& name : names)
    descriptions.push_back(
        experiment::describe(name, options.data, split_lists(options.datasets), session.context()));
  auto json = nlohmann::ordered_json::array();
  for (const auto& description : descriptions) {
    experiment::write(description, options.output);
    json.push_back(nlohmann::ordered_json::parse(experiment::to_json(description)));
    if (options.common.json) continue;
    print(table_text(description.title, experiment::cells(description), description.columns.size() + 1));
    for (const auto& row : description.rows)
      if (!row.remark.empty()) print(fmt::format("{}: {}\n", row.dataset, row.remark));
    if (!description.note.empty()) print(description.note + '\n');
  }
  print_end(std::move(json), options);
}

/// Shows each table when it is there; returns all of them as JSON.
nlohmann::ordered_json train_all(const std::vector<experiment::Table>& tables,
                                 const experiment::ReproduceOptions& how, const ReproduceCommand& options,
                                 const Session& session) {
  auto json = nlohmann::ordered_json::array();
  for (const auto& table : tables) {
    const auto outcomes = experiment::reproduce(table, learn::all_learners(), how, session.context());
    if (options.common.json)
      json.push_back(nlohmann::ordered_json::parse(experiment::to_json(table, outcomes)));
    else
      print(table_text(table.title, experiment::cells(table, outcomes), 3));
    if (table.name == "figures") {
      const auto files = experiment::draw_figures(outcomes, how, session.context());
      if (!options.common.json)
        print(fmt::format("\n{} figures drawn, all of them in {}.\n", files.size() - 1,
                          files.front().string()));
    }
  }
  return json;
}

void run(const ReproduceCommand& options) {
  const Session session(options.common);
  const auto descriptions = experiment::description_names();
  std::vector<std::string> described, trained;
  for (const auto& name : options.names)
    (std::ranges::find(descriptions, name) == descriptions.end() ? trained : described).push_back(name);
  if (trained.empty()) return describe(described, options, session);
  if (!described.empty())
    throw base::user_error(fmt::format("{} needs no training, and {} does; give them to two commands.",
                                       described.front(), trained.front()));
  const int threads = base::worker_count(session.context());
  experiment::Request request{.quick = options.quick,
                              .full = options.full,
                              .datasets = split_lists(options.datasets),
                              .columns = split_lists(options.columns)};
  if (options.repeats > 0) request.repeats = static_cast<std::size_t>(options.repeats);
  const auto tables = experiment::plan_all(options.names, request);
  announce(tables, threads, options, session);
  for (const auto& table : tables)  // all of them before the first is trained on
    for (const auto& job : table.jobs)
      if (!job.archive.empty())
        io::refuse_overwriting({experiment::find_dataset(options.data, job.archive)}, options.output);
  io::refuse_overwriting({options.data}, options.output);
  for (const auto& table : tables) experiment::require_own_files(table.name, options.output);

  experiment::ReproduceOptions how;
  how.data = options.data;
  how.folder = options.output;
  how.fresh = options.fresh;
  how.loading.remark = [&](const std::string& sentence) { session.note(sentence); };
  if (!options.no_cache) how.loading.cache = features::default_cache_folder();
  std::string place;
  how.begin = [&](const experiment::Job& job) {
    place = fmt::format("{}, {}", job.row, job.column);
    session.note(fmt::format("{}: {}.", place, job.protocol.name()));
    note_settings({job.settings}, session);
  };
  allow_time_to_keep_state();
  try {
    print_end(train_all(tables, how, options, session), options);
  } catch (const base::Error& error) {
    if (error.fault() != base::Fault::cancelled) throw;
    throw base::Error(base::Fault::cancelled,
                      fmt::format("Interrupted in {}; the same command{} goes on there.", place,
                                  options.fresh ? " without --fresh" : ""));
  }
}

}  // namespace

void add_reproduce(CLI::App& program, Action& chosen) {
  const auto options = std::make_shared<ReproduceCommand>();
  auto& command = *program.add_subcommand("reproduce", "Redo the paper's tables, beside its numbers");
  command.add_option("NAME", options->names, "Tables or datasets (see below)")->required()->type_name("");
  command.add_option("--data", options->data, "Folder with the archives of the graph datasets")
      ->type_name("DIR");
  command.add_flag("--quick", options->quick, "A short version, to see that it works");
  command
      .add_flag("--full", options->full,
                "table-kernels: all 5000 orbits and 100 runs, as in the paper, which takes days")
      ->excludes("--quick");
  add_integer_option(command, "--repeats", options->repeats, 1, 10000,
                     "Ten-folds of graphs, runs of orbits; the table's own number by default");
  add_list_option(command, "--datasets,--dataset", options->datasets, "Only these rows of the tables");
  add_list_option(command, "--columns,--column", options->columns, "Only these columns");
  command.add_flag("--no-cache", options->no_cache,
                   "Neither read nor keep diagrams and features computed before");
  command.add_flag("--fresh", options->fresh, "Throw away what an earlier run left in the output folder");
  add_output_option(command, options->output, "Folder for results")->required()->type_name("DIR");
  add_common_options(command, options->common);
  command.footer(footer);
  command.callback([&chosen, options] { chosen = [options] { run(*options); }; });
}

}  // namespace perslay::cli
