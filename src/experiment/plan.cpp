#include "figure_jobs.h"
#include "t_optimisation.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/error.h>
#include <perslay/experiment/plan.h>
#include <perslay/learn/built_in_settings.h>
#include <perslay/learn/evaluation.h>
#include <perslay/learn/models.h>
#include <perslay/learn/schedule.h>
#include <perslay/learn/trained_filtrations.h>

namespace perslay::experiment {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

constexpr auto paper_column = "paper's network";
constexpr auto authors_column = "authors' training";
constexpr auto standardised_column = "features standardised";
constexpr auto apart_column = "births and deaths apart";
constexpr auto strong_column = "stronger recipe";

/// Microseconds of training per item and epoch on one core, and the number of items.
struct Cost {
  std::string_view row;
  std::size_t items;
  double paper;
  double strong;
};

const Cost& cost_of(std::string_view row) {
  static constexpr auto costs = std::to_array<Cost>({
      {"ORBIT5K", 5000, 45, 20},
      {"ORBIT100K", 100000, 45, 20},
      {"REDDIT5K", 4999, 60, 30},
      {"REDDIT12K", 11929, 50, 30},
      {"COLLAB", 5000, 60, 10},
      {"IMDB-B", 1000, 45, 10},
      {"IMDB-M", 1500, 25, 10},
      {"COX2", 467, 40, 10},
      {"DHFR", 756, 40, 10},
      {"MUTAG", 188, 25, 10},
      {"PROTEINS", 1113, 30, 10},
      {"NCI1", 4110, 25, 10},
      {"NCI109", 4127, 25, 10},
  });
  const auto found = std::ranges::find(costs, row, &Cost::row);
  return *found;
}

/// Microseconds per pair of orbits, all bases together, and microseconds of support vectors per pair of
/// training items and run, all that a run tries together.
struct KernelCost {
  std::string_view model;
  double base;
  double training;
};

const KernelCost& kernel_cost_of(std::string_view model) {
  static constexpr auto costs = std::to_array<KernelCost>(
      {{"svm:pss", 18000, 26}, {"svm:pwg", 1400, 30}, {"svm:sw", 10, 30}, {"svm:pf", 2400, 48}});
  return *std::ranges::find(costs, model, &KernelCost::model);
}

double kernel_seconds(const Job& job) {
  const auto items = static_cast<double>(job.items);
  const double trained = (1 - job.protocol.test_fraction) * items;
  const auto& cost = kernel_cost_of(job.settings.model);
  return 1e-6 * (cost.base * items * items / 2 +
                 cost.training * trained * trained * static_cast<double>(job.protocol.repeats));
}

bool is_kernel(const Job& job) { return model_kind(job.settings).section == "svm"; }

/// What the learner itself knows; networks know nothing.
double learner_seconds(const Job& job, int threads) {
  const auto learner = learn::all_learners()(job.settings);
  return static_cast<double>(job.draws) *
         learn::expected_cost(*learner, job.protocol, job.items, threads).seconds;
}

double network_seconds(const Job& job) {
  const auto& cost = cost_of(job.row);
  const double per_item = job.settings.network.use_diagrams ? cost.paper : cost.strong;
  const double trained = job.protocol.type == learn::Protocol::Type::k_fold
                             ? static_cast<double>(job.protocol.folds - 1)
                             : 1 - job.protocol.test_fraction;
  const double passes = trained * static_cast<double>(job.protocol.repeats * job.draws *
                                                      learn::effective_epochs(job.settings.training) *
                                                      job.settings.training.nets);
  const double recomputing = learn::trains_filtrations(job.settings) ? 2.5 : 1;
  return 1e-6 * per_item * recomputing * static_cast<double>(job.items) * passes;
}

void make_quick(Job& job) {
  job.settings.training.epochs = std::max<std::size_t>(job.settings.training.epochs / 5, 5);
  job.protocol.repeats = 1;
  job.draws = 1;
  job.per_class = std::min<std::size_t>(job.per_class, 200);
  if (job.per_class > 0) job.items = 5 * job.per_class;
}

constexpr std::size_t kernel_orbits = 100;  // of each class

void make_quick_kernel(Job& job) {
  job.per_class = std::min<std::size_t>(job.per_class, 20);
  job.items = 5 * job.per_class;
  job.protocol.repeats = 1;
}

void make_full(Job& job) {
  job.per_class = 1000;
  job.items = 5 * job.per_class;
  job.protocol.repeats = 100;
}

void adjust(Job& job, const Request& request) {
  if (is_kernel(job) && request.full) make_full(job);
  if (request.quick) is_kernel(job) ? make_quick_kernel(job) : make_quick(job);
  if (request.repeats) job.protocol.repeats = *request.repeats;
}

/// The large sets are evaluated on one ten-fold unless asked otherwise; the paper has ten.
std::size_t ten_folds(std::string_view row) {
  return row == "COLLAB" || row == "REDDIT5K" || row == "REDDIT12K" ? 1 : 10;
}

Job graph_job(const GraphRow& row, std::string column, std::string folder, learn::Settings settings) {
  Job job;
  job.row = row.name;
  job.column = std::move(column);
  job.folder = fmt::format("{}/{}", lower(row.name), folder);
  job.archive = row.archive;
  job.settings = std::move(settings);
  job.protocol.repeats = ten_folds(row.name);
  job.items = cost_of(row.name).items;
  return job;
}

/// The paper's settings, trained as in the program that the authors published first: at a constant rate, and
/// every epoch begins with the moving average.
learn::Settings trained_as_by_the_authors(learn::Settings settings) {
  settings.training.schedule = "constant";
  settings.training.restart_from_average = true;
  return settings;
}

/// The paper normalises the input of the last layer; here the features are normalised.
learn::Settings with_standardised_features(learn::Settings settings) {
  settings.features.standardise = true;
  return settings;
}

/// As some versions of the authors' program scaled diagrams.
learn::Settings with_scales_apart(learn::Settings settings) {
  settings.network.scale = learn::Scaling::apart;
  return settings;
}

std::vector<Job> main_jobs(const GraphRow& row) {
  const auto settings = learn::built_in(row.name);
  std::vector<Job> jobs{
      graph_job(row, paper_column, "paper", settings),
      graph_job(row, authors_column, "authors", trained_as_by_the_authors(settings)),
      graph_job(row, standardised_column, "standardised", with_standardised_features(settings)),
      graph_job(row, apart_column, "apart", with_scales_apart(settings)),
      graph_job(row, strong_column, "strong", learn::built_in("graphs-strong"))};
  for (auto& job : jobs) {
    job.paper = row.perslay;
    job.paper_max = row.perslay_max;
  }
  return jobs;
}

constexpr auto ridge_prefix = "ridge ";

/// The learner of the last section of the results: the same graphs, other learners. Three ten-folds of the
/// middle sets, one of the large ones.
Job ridge_job(const GraphRow& row, const std::string& pool) {
  auto job = graph_job(row, ridge_prefix + pool, "ridge-" + pool,
                       learn::with_model(learn::built_in("graphs-ridge"), "ridge:" + pool));
  if (row.name == "NCI1" || row.name == "NCI109") job.protocol.repeats = 3;
  job.paper = row.perslay;
  job.paper_max = row.perslay_max;
  return job;
}

std::vector<Job> ridge_jobs(const GraphRow& row) {
  std::vector<std::string> pools{"diagrams-only", "unlabelled", "no-topology"};
  if (row.has_node_labels) pools.insert(pools.end(), {"labelled", "labelled-no-topology"});
  std::vector<Job> jobs;
  jobs.reserve(pools.size());
  for (const auto& pool : pools) jobs.push_back(ridge_job(row, pool));
  return jobs;
}

Job ablation_job(const GraphRow& row, const std::string& column, const std::string& variant, Reported paper) {
  auto job = graph_job(row, column, variant, learn::variant(learn::built_in(row.name), variant));
  job.variant = variant;
  job.paper = paper;
  return job;
}

std::vector<Job> ablation_jobs(const GraphRow& row) {
  return {ablation_job(row, "spectral alone", "features-only", row.spectral),
          ablation_job(row, "extended alone", "extended-only", {row.extended, {}}),
          ablation_job(row, "ordinary alone", "ordinary-only", {row.ordinary, {}}), main_jobs(row).front()};
}

std::vector<Job> orbit_jobs(const OrbitRow& row) {
  Job paper;
  paper.row = row.name;
  paper.column = paper_column;
  paper.folder = fmt::format("{}/paper", lower(row.name));
  paper.per_class = row.per_class;
  paper.settings = learn::built_in(row.name);
  paper.protocol.type = learn::Protocol::Type::random_split;
  paper.protocol.repeats = row.per_class > 1000 ? 3 : 100;
  paper.items = 5 * row.per_class;
  paper.paper = row.perslay;
  auto strong = paper;
  strong.column = strong_column;
  strong.folder = fmt::format("{}/strong", lower(row.name));
  strong.settings = learn::built_in(row.per_class > 1000 ? "orbits-strong-large" : "orbits-strong");
  if (row.per_class <= 1000) {
    strong.draws = 5;
    strong.protocol.repeats = 10;
  }
  std::vector<Job> jobs{paper, strong};
  if (row.per_class > 1000) return jobs;  // a Gram matrix of 70 000 orbits has 39 GB
  auto ridge = strong;
  ridge.column = "ridge orbits";
  ridge.folder = fmt::format("{}/ridge", lower(row.name));
  ridge.settings = learn::built_in("orbits-ridge");
  auto both = strong;
  both.column = "ridge + stronger recipe";
  both.folder = fmt::format("{}/ridge-strong", lower(row.name));
  both.settings = learn::built_in("orbits-ridge-strong");
  jobs.insert(jobs.end(), {ridge, both});
  return jobs;
}

/// A kernel of the paper's first table, on a part of ORBIT5K: a kernel matrix grows with the square of the
/// items.
Job kernel_job(const OrbitRow& row, const std::string& column, const std::string& name,
               const std::optional<Reported>& paper) {
  auto job = orbit_jobs(row).front();
  job.column = column;
  job.folder = fmt::format("{}/kernel-{}", lower(row.name), name);
  job.settings = learn::with_model(learn::built_in("orbits-kernels"), "svm:" + name);
  job.per_class = kernel_orbits;
  job.items = 5 * job.per_class;
  job.protocol.repeats = 10;
  job.paper = paper;
  return job;
}

std::vector<Job> kernel_jobs(const OrbitRow& row) {
  return {kernel_job(row, "PSS-K", "pss", row.pss), kernel_job(row, "PWG-K", "pwg", row.pwg),
          kernel_job(row, "SW-K", "sw", row.sw), kernel_job(row, "PF-K", "pf", row.pf)};
}

/// The channel of a dataset's settings with one choice changed.
learn::ChannelSettings changed_channel(const GraphRow& row, const HyperparameterColumn& column) {
  const bool image = row.name == "MUTAG";
  const auto paper = [&](std::string_view grid, std::string_view op) {
    return learn::ChannelSettings{
        fmt::format("{},{},{})", image ? "Im(20,(10,2)" : "Pm(5,5", grid, op), {}, {}, {}};
  };
  switch (column.group) {
    case HyperparameterColumn::Group::grid:
      return paper(column.name.substr(0, column.name.find('x')), "sum");
    case HyperparameterColumn::Group::op:
      return paper("10", column.name);
    case HyperparameterColumn::Group::phi:
      break;
  }
  if (column.name == (image ? "gaussian" : "line")) return paper("10", "sum");
  const std::string phi = column.name == "gaussian" ? "gaussian:20x20" : fmt::format("{}:50", column.name);
  return {{}, phi, "grid:10x10", "sum"};
}

Job hyperparameter_job(const GraphRow& row, const HyperparameterColumn& column) {
  constexpr std::array groups{"grid", "phi", "op"};
  const std::string group = groups[static_cast<std::size_t>(column.group)];
  auto settings = learn::built_in(row.name);
  settings.network.channel = changed_channel(row, column);
  // The paper's own choice stands in several columns; it is trained once.
  const std::string folder =
      settings == learn::built_in(row.name) ? "paper" : fmt::format("{}-{}", group, column.name);
  auto job = graph_job(row, fmt::format("{} {}", group, column.name), folder, std::move(settings));
  const auto& paper = row.name == "MUTAG" ? column.mutag : column.collab;
  job.paper = Reported{paper.test, {}};
  job.paper_training = paper.train;
  job.paper_seconds = paper.seconds;
  return job;
}

const GraphRow& graph_row(std::string_view name) {
  return *std::ranges::find(graph_rows(), name, &GraphRow::name);
}

void append(std::vector<Job>& jobs, std::vector<Job> more) {
  std::ranges::move(more, std::back_inserter(jobs));
}

Table make_table(const std::string& name) {
  if (name == "table-orbits") {
    Table table{name, "Classification of orbits (table 1 of the paper)", {}};
    for (const auto& row : orbit_rows()) append(table.jobs, orbit_jobs(row));
    return table;
  }
  if (name == "table-kernels")
    return {name, "Kernels on orbits (table 1 of the paper)", kernel_jobs(orbit_rows().front())};
  if (name == "table-graphs") {
    Table table{name, "Classification of graphs (table 2 of the paper)", {}};
    for (const auto& row : graph_rows()) {
      append(table.jobs, main_jobs(row));
      append(table.jobs, ridge_jobs(row));
    }
    return table;
  }
  if (name == "table-ablation") {
    Table table{name, "What features and diagrams add (table 7 of the paper)", {}};
    for (const auto& row : graph_rows()) append(table.jobs, ablation_jobs(row));
    return table;
  }
  if (name == "table-hyperparameters") {
    Table table{name, "Influence of hyper-parameters (table 6 of the paper)", {}};
    for (const auto* row : {"MUTAG", "COLLAB"})
      for (const auto& column : hyperparameter_columns())
        table.jobs.push_back(hyperparameter_job(graph_row(row), column));
    return table;
  }
  if (name == "t-optimisation")
    return {name, "Training the time of the heat kernel signature (the paper's appendix)",
            t_optimisation_jobs(main_jobs(graph_row("MUTAG")).front())};
  if (name == "figures")
    return {name, "What the paper's figures show",
            figure_jobs({main_jobs(graph_row("MUTAG")).front(), main_jobs(graph_row("COLLAB")).front()})};
  for (const auto& row : graph_rows())
    if (lower(name) == lower(row.name) || lower(name) == lower(row.archive)) {
      Table table{lower(row.name), std::string(row.name), main_jobs(row)};
      append(table.jobs, ridge_jobs(row));
      return table;
    }
  for (const auto& row : orbit_rows())
    if (lower(row.name) == lower(name)) return {lower(name), std::string(row.name), orbit_jobs(row)};
  throw base::user_error(fmt::format("There is nothing called '{}' to reproduce; there are {}.", name,
                                     fmt::join(plan_names(), ", ")));
}

/// Leaves the jobs whose `field` is among `wanted`, whatever the case of letters; all if nothing is wanted.
void keep_only(std::vector<Table>& tables, const std::vector<std::string>& wanted, std::string Job::*field,
               std::string_view noun) {
  if (wanted.empty()) return;
  std::vector<std::string> names, there;
  for (const auto& table : tables) {
    names.push_back(table.name);
    for (const auto& job : table.jobs)
      if (std::ranges::find(there, job.*field) == there.end()) there.push_back(job.*field);
  }
  const auto same = [](std::string_view name) {
    return [name](const std::string& other) { return lower(name) == lower(other); };
  };
  for (const auto& name : wanted)
    if (std::ranges::none_of(there, same(name)))
      throw base::user_error(fmt::format("There is no {} called '{}' in {}; there are {}.", noun, name,
                                         fmt::join(names, " and "), fmt::join(there, ", ")));
  for (auto& table : tables)
    std::erase_if(table.jobs, [&](const Job& job) { return std::ranges::none_of(wanted, same(job.*field)); });
  std::erase_if(tables, [](const Table& table) { return table.jobs.empty(); });
}

}  // namespace

std::vector<std::string> plan_names() {
  std::vector<std::string> names{"table-orbits",          "table-kernels",  "table-graphs", "table-ablation",
                                 "table-hyperparameters", "t-optimisation", "figures"};
  for (const auto& row : orbit_rows()) names.emplace_back(row.name);
  for (const auto& row : graph_rows()) names.emplace_back(row.name);
  return names;
}

std::vector<Table> plan_all(const std::vector<std::string>& names, const Request& request) {
  std::vector<Table> tables;
  tables.reserve(names.size());
  for (const auto& name : names) tables.push_back(make_table(name));
  keep_only(tables, request.datasets, &Job::row, "dataset");
  keep_only(tables, request.columns, &Job::column, "column");
  for (auto& table : tables) {
    for (auto& job : table.jobs) adjust(job, request);
    if (request.quick) table.title += " (--quick: not to be compared)";
  }
  return tables;
}

Table plan(const std::string& name, const Request& request) { return plan_all({name}, request).front(); }

double estimated_seconds(const Job& job, int threads) {
  if (is_kernel(job)) return kernel_seconds(job) / threads;
  return learner_seconds(job, threads) +
         (model_kind(job.settings).has_epochs ? network_seconds(job) / threads : 0);
}

}  // namespace perslay::experiment
