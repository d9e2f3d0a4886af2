#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <perslay/experiment/reproduce.h>
#include <perslay/learn/models.h>
#include <perslay/learn/schedule.h>

namespace perslay::experiment {
namespace {

using nlohmann::ordered_json;
using Rows = std::vector<std::vector<std::string>>;

constexpr auto nothing = "—";

std::string number(std::optional<double> value) { return value ? fmt::format("{:.1f}", *value) : nothing; }

std::string percent(double fraction) { return number(100 * fraction); }

std::string percent(const learn::Summary& summary) {
  return percent(summary.mean) + (summary.deviation ? " ± " + percent(*summary.deviation) : "");
}

std::string text(const std::optional<Reported>& reported) {
  if (!reported) return nothing;
  return number(reported->mean) + (reported->deviation ? " ± " + number(reported->deviation) : "");
}

/// Ours minus the paper's, in points.
std::string difference(const Outcome& outcome) {
  return outcome.job.paper ? fmt::format("{:+.1f}", 100 * outcome.accuracy.mean - outcome.job.paper->mean)
                           : nothing;
}

/// Accuracies of others that the paper reports for the same dataset, by name.
std::vector<std::pair<std::string_view, double>> competitors(const Job& job) {
  std::vector<std::pair<std::string_view, double>> all;
  for (const auto& row : graph_rows())
    if (row.name == job.row)
      for (const auto& [name, mean] : {std::pair("SV", row.sv),
                                       {"RetGK", row.retgk},
                                       {"FGSD", row.fgsd},
                                       {"GCNN", row.gcnn},
                                       {"GIN", row.gin}})
        if (mean) all.emplace_back(name, *mean);
  for (const auto& [name, hofer] : {std::pair("REDDIT5K", 54.5), {"REDDIT12K", 44.5}})  // in the paper's text
    if (name == job.row) all.emplace_back("Hofer et al.", hofer);
  for (const auto& row : orbit_rows())
    if (row.name == job.row)
      for (const auto& [name, reported] :
           {std::pair("PSS-K", row.pss), {"PWG-K", row.pwg}, {"SW-K", row.sw}, {"PF-K", row.pf}})
        if (reported) all.emplace_back(name, reported->mean);
  return all;
}

std::string others(const Job& job) {
  std::vector<std::string> words;
  for (const auto& [name, mean] : competitors(job)) words.push_back(fmt::format("{} {:.1f}", name, mean));
  return words.empty() ? nothing : fmt::format("{}", fmt::join(words, ", "));
}

std::string protocol(const Job& job) {
  std::string text = job.protocol.name();
  if (job.draws > 1) text += fmt::format(", {} draws", job.draws);
  if (model_kind(job.settings).section == "svm") text += fmt::format(", {} orbits", job.items);
  return text;
}

ordered_json with_deviation(double mean, std::optional<double> deviation) {
  return {{"mean", mean}, {"std", deviation ? ordered_json(*deviation) : ordered_json()}};
}

ordered_json to_json(const learn::Summary& summary) {
  auto json = with_deviation(summary.mean, summary.deviation);
  json["max"] = summary.max;
  return json;
}

/// The epochs that are run; null for models that have none.
ordered_json epochs(const learn::Settings& settings) {
  if (!model_kind(settings).has_epochs) return nullptr;
  return learn::effective_epochs(settings.training);
}

ordered_json to_json(const Outcome& outcome) {
  const auto& job = outcome.job;
  ordered_json json{{"dataset", job.row},
                    {"column", job.column},
                    {"settings", job.settings.name},
                    {"variant", job.variant},
                    {"protocol", protocol(job)},
                    {"epochs", epochs(job.settings)},
                    {"folder", job.folder},
                    {"accuracy", to_json(outcome.accuracy)},
                    {"training_accuracy", to_json(outcome.training_accuracy)},
                    {"majority", outcome.majority.mean},
                    {"size", outcome.size.mean},
                    {"seconds", {{"per_run", outcome.seconds_per_run}}}};
  if (job.paper) {
    json["paper"] = with_deviation(job.paper->mean, job.paper->deviation);
    json["difference"] = 100 * outcome.accuracy.mean - job.paper->mean;
  }
  if (job.paper_max) json["paper_max"] = *job.paper_max;
  if (job.paper_training) json["paper_training"] = *job.paper_training;
  if (job.paper_seconds) json["paper_seconds"] = *job.paper_seconds;
  for (const auto& [mean, low, high] : outcome.times)
    json["times"].push_back({{"mean", mean}, {"low", low}, {"high", high}});
  for (const auto& [name, mean] : competitors(job)) json["competitors"][std::string(name)] = mean;
  return json;
}

/// The trained times of the outcomes that have some; empty if none has.
std::string curves_markdown(const std::vector<Outcome>& outcomes) {
  constexpr std::size_t between = 5;  // epochs
  Rows rows{{"epoch"}};
  for (const auto& outcome : outcomes) {
    if (outcome.times.empty()) continue;
    rows.front().push_back(outcome.job.column);
    for (std::size_t i = 0; between * i < outcome.times.size(); ++i) {
      if (rows.size() <= i + 1) rows.push_back({fmt::format("{}", between * i)});
      const auto& [mean, low, high] = outcome.times[between * i];
      rows[i + 1].push_back(fmt::format("{:.3g} ({:.3g} … {:.3g})", mean, low, high));
    }
  }
  if (rows.front().size() == 1) return "";
  return "\nThe time t of the heat kernel signature after so many epochs: geometric mean over trainings "
         "(lowest "
         "… highest).\n\n" +
         markdown(rows);
}

}  // namespace

std::string markdown(const Rows& rows) {
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    text += fmt::format("| {} |\n", fmt::join(rows[i], " | "));
    if (i == 0) text += fmt::format("|{}\n", fmt::join(std::vector<std::string>(rows[0].size(), "---|"), ""));
  }
  return text;
}

Rows cells(const Table& table, const std::vector<Outcome>& outcomes) {
  const bool compared = table.name != "table-hyperparameters" && table.name != "table-ablation" &&
                        table.name != "t-optimisation";
  const bool timed = table.name == "table-hyperparameters";
  Rows rows;
  auto& header = rows.emplace_back(
      std::vector<std::string>{"dataset", "method", "protocol", "test", "paper", "difference", "train"});
  if (timed) header.insert(header.end(), {"paper's train", "s/run", "paper's s/run"});
  if (compared) header.insert(header.end(), {"best", "paper's best"});
  header.insert(header.end(), {"majority", "size alone"});
  if (compared) header.emplace_back("others, as the paper reports them");
  for (const auto& outcome : outcomes) {
    const auto& job = outcome.job;
    auto& row = rows.emplace_back(std::vector<std::string>{
        job.row, job.column, protocol(job), percent(outcome.accuracy), text(job.paper), difference(outcome),
        percent(outcome.training_accuracy.mean)});
    if (timed)
      row.insert(row.end(),
                 {number(job.paper_training), number(outcome.seconds_per_run), number(job.paper_seconds)});
    if (compared) row.insert(row.end(), {percent(outcome.accuracy.max), number(job.paper_max)});
    row.insert(row.end(), {percent(outcome.majority.mean), percent(outcome.size.mean)});
    if (compared) row.push_back(others(job));
  }
  return rows;
}

std::string to_markdown(const Table& table, const std::vector<Outcome>& outcomes) {
  return fmt::format("### {}\n\n{}{}", table.title, markdown(cells(table, outcomes)),
                     curves_markdown(outcomes));
}

std::string to_json(const Table& table, const std::vector<Outcome>& outcomes) {
  ordered_json json{{"table", table.name}, {"title", table.title}, {"rows", ordered_json::array()}};
  for (const auto& outcome : outcomes) json["rows"].push_back(to_json(outcome));
  return json.dump(2) + '\n';
}

}  // namespace perslay::experiment
