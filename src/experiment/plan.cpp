#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/error.h>
#include <perslay/experiment/built_in_settings.h>
#include <perslay/experiment/plan.h>

namespace perslay::experiment {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

constexpr auto paper_column = "paper's network";
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

void make_quick(Job& job) {
  job.settings.training.epochs = std::max<std::size_t>(job.settings.training.epochs / 5, 5);
  job.protocol.repeats = 1;
  job.draws = 1;
  job.per_class = std::min<std::size_t>(job.per_class, 200);
  if (job.per_class > 0) job.items = 5 * job.per_class;
}

void adjust(Job& job, const Request& request) {
  if (request.quick) make_quick(job);
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

std::vector<Job> main_jobs(const GraphRow& row) {
  auto paper = graph_job(row, paper_column, "paper", built_in(row.name));
  paper.paper = row.perslay;
  paper.paper_max = row.perslay_max;
  auto strong = graph_job(row, strong_column, "strong", built_in("graphs-strong"));
  strong.paper = row.perslay;
  strong.paper_max = row.perslay_max;
  return {paper, strong};
}

Job ablation_job(const GraphRow& row, const std::string& column, const std::string& variant, Reported paper) {
  auto job = graph_job(row, column, variant, learn::variant(built_in(row.name), variant));
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
  paper.settings = built_in(row.name);
  paper.protocol.type = learn::Protocol::Type::random_split;
  paper.protocol.repeats = row.per_class > 1000 ? 3 : 100;
  paper.items = 5 * row.per_class;
  paper.paper = row.perslay;
  auto strong = paper;
  strong.column = strong_column;
  strong.folder = fmt::format("{}/strong", lower(row.name));
  strong.settings = built_in(row.per_class > 1000 ? "orbits-strong-large" : "orbits-strong");
  if (row.per_class <= 1000) {
    strong.draws = 5;
    strong.protocol.repeats = 10;
  }
  return {paper, strong};
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
  auto settings = built_in(row.name);
  settings.network.channel = changed_channel(row, column);
  // The paper's own choice stands in several columns; it is trained once.
  const std::string folder =
      settings == built_in(row.name) ? "paper" : fmt::format("{}-{}", group, column.name);
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
  if (name == "table-graphs") {
    Table table{name, "Classification of graphs (table 2 of the paper)", {}};
    for (const auto& row : graph_rows()) append(table.jobs, main_jobs(row));
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
  for (const auto& row : graph_rows())
    if (lower(row.name) == lower(name)) return {lower(name), std::string(row.name), main_jobs(row)};
  for (const auto& row : orbit_rows())
    if (lower(row.name) == lower(name)) return {lower(name), std::string(row.name), orbit_jobs(row)};
  throw base::user_error(fmt::format("There is nothing called '{}' to reproduce; there are {}.", name,
                                     fmt::join(plan_names(), ", ")));
}

}  // namespace

std::vector<std::string> plan_names() {
  std::vector<std::string> names{"table-orbits", "table-graphs", "table-ablation", "table-hyperparameters"};
  for (const auto& row : orbit_rows()) names.emplace_back(row.name);
  for (const auto& row : graph_rows()) names.emplace_back(row.name);
  return names;
}

Table plan(const std::string& name, const Request& request) {
  auto table = make_table(name);
  if (!request.columns.empty())
    std::erase_if(table.jobs, [&](const Job& job) {
      return std::ranges::none_of(request.columns,
                                  [&](const std::string& column) { return job.column == column; });
    });
  if (table.jobs.empty())
    throw base::user_error(
        fmt::format("{} has no column called {}.", name, fmt::join(request.columns, " or ")));
  for (auto& job : table.jobs) adjust(job, request);
  return table;
}

double estimated_seconds(const Job& job, int threads) {
  const auto& cost = cost_of(job.row);
  const double per_item = job.column == strong_column ? cost.strong : cost.paper;
  const double trained = job.protocol.type == learn::Protocol::Type::k_fold
                             ? static_cast<double>(job.protocol.folds - 1)
                             : 1 - job.protocol.test_fraction;
  const double passes =
      trained * static_cast<double>(job.protocol.repeats * job.draws * job.settings.training.epochs *
                                    job.settings.training.nets);
  return 1e-6 * per_item * static_cast<double>(job.items) * passes / threads;
}

}  // namespace perslay::experiment
