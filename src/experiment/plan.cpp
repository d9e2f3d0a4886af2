#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/error.h>
#include <perslay/experiment/descriptions.h>
#include <perslay/experiment/plan.h>
#include <perslay/learn/built_in_settings.h>
#include <perslay/learn/evaluation.h>
#include <perslay/learn/models.h>
#include <perslay/learn/schedule.h>
#include <perslay/learn/trained_filtrations.h>

namespace perslay::experiment {
namespace {

/// The number of items, and microseconds of training per item and epoch on one core.
struct Dataset {
  std::string_view row;
  std::size_t items;
  double paper;
  double strong;
  bool has_node_labels = false;
};

const Dataset& dataset(std::string_view row) {
  static constexpr auto datasets = std::to_array<Dataset>({
      {"ORBIT5K", 5000, 45, 20},
      {"ORBIT100K", 100000, 45, 20},
      {"REDDIT5K", 4999, 60, 30},
      {"REDDIT12K", 11929, 50, 30},
      {"COLLAB", 5000, 60, 10},
      {"IMDB-B", 1000, 45, 10},
      {"IMDB-M", 1500, 25, 10},
      {"COX2", 467, 40, 10, true},
      {"DHFR", 756, 40, 10, true},
      {"MUTAG", 188, 25, 10, true},
      {"PROTEINS", 1113, 30, 10, true},
      {"NCI1", 4110, 25, 10, true},
      {"NCI109", 4127, 25, 10, true},
  });
  return *std::ranges::find(datasets, row, &Dataset::row);
}

/// Microseconds per pair of orbits, all bases together, and microseconds of support vectors per pair of
/// training items and run, all that a run tries together.
struct KernelCost {
  std::string_view model;
  double base;
  double training;
};

double kernel_seconds(const Job& job) {
  static constexpr auto costs = std::to_array<KernelCost>(
      {{"svm:pss", 18000, 26}, {"svm:pwg", 1400, 30}, {"svm:sw", 10, 30}, {"svm:pf", 2400, 48}});
  const auto& cost = *std::ranges::find(costs, job.settings.model, &KernelCost::model);
  const auto items = static_cast<double>(job.items);
  const double trained = (1 - job.protocol.test_fraction) * items;
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
  const auto& cost = dataset(job.row);
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

void adjust(Job& job, const Request& request) {
  const bool kernel = is_kernel(job);
  if (kernel && request.full) {
    job.per_class = 1000;
    job.protocol.repeats = 100;
  }
  if (request.quick) {
    job.per_class = std::min<std::size_t>(job.per_class, kernel ? 20 : 200);
    job.protocol.repeats = job.draws = 1;
    if (!kernel) job.settings.training.epochs = std::max<std::size_t>(job.settings.training.epochs / 5, 5);
  }
  if (job.per_class > 0) job.items = 5 * job.per_class;
  if (request.repeats) job.protocol.repeats = *request.repeats;
}

/// The large sets are evaluated on one ten-fold unless asked otherwise; the paper has ten.
std::size_t ten_folds(std::string_view row) {
  return row == "COLLAB" || row == "REDDIT5K" || row == "REDDIT12K" ? 1 : 10;
}

Job graph_job(const GraphRow& row, std::string column, std::string_view folder, learn::Settings settings) {
  return {.row = std::string(row.name),
          .column = std::move(column),
          .folder = fmt::format("{}/{}", lower(row.name), folder),
          .archive = std::string(row.archive),
          .settings = std::move(settings),
          .protocol = {.repeats = ten_folds(row.name)},
          .items = dataset(row.name).items,
          .paper = row.perslay,
          .paper_max = row.perslay_max};
}

std::vector<Job> main_jobs(const GraphRow& row) {
  const auto paper = learn::built_in(row.name);
  // In the program that the authors published first the rate is constant, and every epoch begins with the moving
  // average.
  auto authors = paper;
  authors.training.schedule = "constant";
  authors.training.restart_from_average = true;
  // The paper normalises the input of the last layer; here the features are normalised.
  auto standardised = paper;
  standardised.features.standardise = true;
  // Some versions of the authors' program scale diagrams so.
  auto apart = paper;
  apart.network.scale = learn::Scaling::apart;
  return {graph_job(row, "paper's network", "paper", paper),
          graph_job(row, "authors' training", "authors", authors),
          graph_job(row, "features standardised", "standardised", standardised),
          graph_job(row, "births and deaths apart", "apart", apart),
          graph_job(row, "stronger recipe", "strong", learn::built_in("graphs-strong"))};
}

/// The learner of the last section of the results: the same graphs, other learners. Three ten-folds of the
/// middle sets, one of the large ones.
std::vector<Job> ridge_jobs(const GraphRow& row) {
  std::vector<std::string> pools{"diagrams-only", "unlabelled", "no-topology"};
  if (dataset(row.name).has_node_labels) pools.insert(pools.end(), {"labelled", "labelled-no-topology"});
  std::vector<Job> jobs;
  jobs.reserve(pools.size());
  for (const auto& pool : pools) {
    jobs.push_back(graph_job(row, "ridge " + pool, "ridge-" + pool,
                             learn::with_model(learn::built_in("graphs-ridge"), "ridge:" + pool)));
    if (row.name == "NCI1" || row.name == "NCI109") jobs.back().protocol.repeats = 3;
  }
  return jobs;
}

std::vector<Job> ablation_jobs(const GraphRow& row) {
  const auto job_of = [&](const char* column, const std::string& variant, Reported paper) {
    auto job = graph_job(row, column, variant, learn::variant(learn::built_in(row.name), variant));
    job.variant = variant;
    job.paper = paper;
    job.paper_max.reset();
    return job;
  };
  return {job_of("spectral alone", "features-only", row.spectral),
          job_of("extended alone", "extended-only", {row.extended, {}}),
          job_of("ordinary alone", "ordinary-only", {row.ordinary, {}}), main_jobs(row).front()};
}

Job orbit_job(const OrbitRow& row, std::string column, std::string_view folder, learn::Settings settings) {
  return {
      .row = std::string(row.name),
      .column = std::move(column),
      .folder = fmt::format("{}/{}", lower(row.name), folder),
      .per_class = row.per_class,
      .settings = std::move(settings),
      .protocol = {.type = learn::Protocol::Type::random_split, .repeats = row.per_class > 1000 ? 3U : 100U},
      .paper = row.perslay};
}

std::vector<Job> orbit_jobs(const OrbitRow& row) {
  const bool large = row.per_class > 1000;
  const auto strong = learn::built_in(large ? "orbits-strong-large" : "orbits-strong");
  std::vector<Job> jobs{orbit_job(row, "paper's network", "paper", learn::built_in(row.name)),
                        orbit_job(row, "stronger recipe", "strong", strong)};
  if (large) return jobs;  // a Gram matrix of 70 000 orbits has 39 GB
  jobs.push_back(orbit_job(row, "ridge orbits", "ridge", learn::built_in("orbits-ridge")));
  jobs.push_back(
      orbit_job(row, "ridge + stronger recipe", "ridge-strong", learn::built_in("orbits-ridge-strong")));
  for (auto& job : std::span(jobs).subspan(1)) {
    job.draws = 5;
    job.protocol.repeats = 10;
  }
  return jobs;
}

/// The kernels of the paper's first table, on a part of ORBIT5K: a kernel matrix grows with the square of the
/// items.
std::vector<Job> kernel_jobs(const OrbitRow& row) {
  const auto job_of = [&](const char* column, std::string_view name, const std::optional<Reported>& paper) {
    auto job = orbit_job(row, column, fmt::format("kernel-{}", name),
                         learn::with_model(learn::built_in("orbits-kernels"), fmt::format("svm:{}", name)));
    job.per_class = 100;
    job.protocol.repeats = 10;
    job.paper = paper;
    return job;
  };
  return {job_of("PSS-K", "pss", row.pss), job_of("PWG-K", "pwg", row.pwg), job_of("SW-K", "sw", row.sw),
          job_of("PF-K", "pf", row.pf)};
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
  job.paper = Reported{paper.test};
  job.paper_max.reset();
  job.paper_training = paper.train;
  job.paper_seconds = paper.seconds;
  return job;
}

/// The settings of `job` on a single ten-fold, without numbers of the paper beside them.
Job changed(Job job, std::string column, std::string_view folder) {
  job.column = std::move(column);
  job.folder = fmt::format("{}/{}", lower(job.row), folder);
  job.protocol.repeats = 1;
  job.paper.reset();
  job.paper_max.reset();
  return job;
}

/// The appendix's experiment on the time of the heat kernel signature: 40 epochs from t = 0.1, 1 and 10.
Job time_job(const Job& paper, double start, bool trained) {
  // log t moves ten times as fast as the weights. At their own pace, 80 steps of 0.01 at most, 40 epochs could
  // not lead from one start to another, and every start would look like an optimum.
  constexpr double pace = 10;
  auto job = changed(paper, fmt::format("t {} {:g}", trained ? "trained from" : "fixed at", start),
                     fmt::format("t-{:g}-{}", start, trained ? "trained" : "fixed"));
  const auto name = fmt::format("hks:{:g}", start);
  job.settings.data.filtrations = {name};
  job.settings.features.names = {"eigenvalues", "deciles:" + name};
  job.settings.network.train_filtration = job.settings.network.train_features = trained;
  job.settings.network.filtration_pace = trained ? pace : 1;
  job.settings.training.epochs = 40;
  return job;
}

/// The accuracy at other times, as in the appendix: Im(20,(),20), 100 epochs.
Job fixed_time_job(const Job& paper, double time) {
  const auto name = fmt::format("hks:{:.3g}", time);
  auto job = changed(paper, fmt::format("{}{:.3g}", fixed_time_prefix, time), fmt::format("t-{:.3g}", time));
  job.settings.data.filtrations = {name};
  job.settings.features.names = {"eigenvalues", "deciles:" + name};
  job.settings.network.channel = {"Im(20,(),20,sum)", {}, {}, {}};
  job.settings.training.epochs = 100;
  return job;
}

constexpr std::array starts{0.1, 1.0, 10.0};

/// The trainings that the paper's figures need: the accuracy for times from 0.01 to 100 on two datasets; on
/// MUTAG, weights on a 20x20 grid and trained times.
std::vector<Job> figure_jobs(const Job& mutag, const Job& collab) {
  std::vector<Job> jobs;
  for (const auto* paper : {&mutag, &collab})
    for (int half_decades = -4; half_decades <= 4; ++half_decades)
      jobs.push_back(fixed_time_job(*paper, std::pow(10, half_decades / 2.0)));
  jobs.push_back(changed(mutag, weights_column, "weights"));
  jobs.back().settings.network.channel = {"Im(20,(10,2),20,sum)", {}, {}, {}};
  for (const double start : starts) jobs.push_back(time_job(mutag, start, true));
  return jobs;
}

const GraphRow& graph_row(std::string_view name) {
  return *std::ranges::find(graph_rows(), name, &GraphRow::name);
}

Table make_table(const std::string& name) {
  Table table{name, {}, {}};
  const auto add = [&](std::vector<Job> jobs) { std::ranges::move(jobs, std::back_inserter(table.jobs)); };
  const auto paper = [](std::string_view row) { return main_jobs(graph_row(row)).front(); };
  if (name == "table-orbits") {
    table.title = "Classification of orbits (table 1 of the paper)";
    for (const auto& row : orbit_rows()) add(orbit_jobs(row));
  } else if (name == "table-kernels") {
    table.title = "Kernels on orbits (table 1 of the paper)";
    add(kernel_jobs(orbit_rows().front()));
  } else if (name == "table-graphs") {
    table.title = "Classification of graphs (table 2 of the paper)";
    for (const auto& row : graph_rows()) {
      add(main_jobs(row));
      add(ridge_jobs(row));
    }
  } else if (name == "table-ablation") {
    table.title = "What features and diagrams add (table 7 of the paper)";
    for (const auto& row : graph_rows()) add(ablation_jobs(row));
  } else if (name == "table-hyperparameters") {
    table.title = "Influence of hyper-parameters (table 6 of the paper)";
    for (const auto* row : {"MUTAG", "COLLAB"})
      for (const auto& column : hyperparameter_columns())
        table.jobs.push_back(hyperparameter_job(graph_row(row), column));
  } else if (name == "t-optimisation") {
    table.title = "Training the time of the heat kernel signature (the paper's appendix)";
    for (const double start : starts)
      for (const bool trained : {false, true}) table.jobs.push_back(time_job(paper("MUTAG"), start, trained));
  } else if (name == "figures") {
    table.title = "What the paper's figures show";
    add(figure_jobs(paper("MUTAG"), paper("COLLAB")));
  }
  for (const auto& row : graph_rows())
    if (lower(name) == lower(row.name) || lower(name) == lower(row.archive)) {
      table = {lower(row.name), std::string(row.name), main_jobs(row)};
      add(ridge_jobs(row));
    }
  for (const auto& row : orbit_rows())
    if (lower(row.name) == lower(name)) table = {lower(name), std::string(row.name), orbit_jobs(row)};
  if (!table.jobs.empty()) return table;
  auto known = plan_names();
  std::ranges::move(description_names(), std::back_inserter(known));
  throw base::user_error(
      fmt::format("There is nothing called '{}' to reproduce; there are {}.", name, fmt::join(known, ", ")));
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

double estimated_seconds(const Job& job, int threads) {
  if (is_kernel(job)) return kernel_seconds(job) / threads;
  return learner_seconds(job, threads) +
         (model_kind(job.settings).has_epochs ? network_seconds(job) / threads : 0);
}

}  // namespace perslay::experiment
