#include "t_optimisation.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <perslay/experiment/reproduce.h>
#include <perslay/learn/models.h>
#include <perslay/learn/schedule.h>

namespace perslay::experiment {
namespace {

constexpr auto nothing = "—";

std::string percent(double fraction) { return fmt::format("{:.1f}", 100 * fraction); }

std::string percent(const learn::Summary& summary) {
  return summary.deviation ? fmt::format("{:.1f} ± {:.1f}", 100 * summary.mean, 100 * *summary.deviation)
                           : percent(summary.mean);
}

std::string text(const std::optional<Reported>& reported) {
  if (!reported) return nothing;
  return reported->deviation ? fmt::format("{:.1f} ± {:.1f}", reported->mean, *reported->deviation)
                             : fmt::format("{:.1f}", reported->mean);
}

std::string number(std::optional<double> value) { return value ? fmt::format("{:.1f}", *value) : nothing; }

/// Ours minus the paper's, in points.
std::string difference(const Outcome& outcome) {
  return outcome.job.paper ? fmt::format("{:+.1f}", 100 * outcome.accuracy.mean - outcome.job.paper->mean)
                           : nothing;
}

/// Results of others that the paper reports for the same dataset, by name.
std::vector<std::pair<std::string_view, Reported>> competitors(const Job& job) {
  std::vector<std::pair<std::string_view, Reported>> all;
  const auto add = [&](std::string_view name, const auto& value) {
    if (value) all.emplace_back(name, Reported(*value));
  };
  for (const auto& row : graph_rows())
    if (row.name == job.row) {
      const auto number = [](std::optional<double> mean) {
        return mean ? std::optional<Reported>({*mean, {}}) : std::nullopt;
      };
      add("SV", number(row.sv));
      add("RetGK", number(row.retgk));
      add("FGSD", number(row.fgsd));
      add("GCNN", number(row.gcnn));
      add("GIN", number(row.gin));
    }
  for (const auto& row : orbit_rows())
    if (row.name == job.row) {
      add("PSS-K", row.pss);
      add("PWG-K", row.pwg);
      add("SW-K", row.sw);
      add("PF-K", row.pf);
    }
  return all;
}

std::string others(const Job& job) {
  std::vector<std::string> words;
  for (const auto& [name, reported] : competitors(job))
    words.push_back(fmt::format("{} {:.1f}", name, reported.mean));
  return words.empty() ? nothing : fmt::format("{}", fmt::join(words, ", "));
}

std::string protocol(const Job& job) {
  std::string text = job.protocol.name();
  if (job.draws > 1) text += fmt::format(", {} draws", job.draws);
  if (model_kind(job.settings).section == "svm") text += fmt::format(", {} orbits", job.items);
  return text;
}

nlohmann::ordered_json to_json(const learn::Summary& summary) {
  nlohmann::ordered_json json{{"mean", summary.mean}, {"std", nullptr}, {"max", summary.max}};
  if (summary.deviation) json["std"] = *summary.deviation;
  return json;
}

nlohmann::ordered_json to_json(const Reported& reported) {
  nlohmann::ordered_json json{{"mean", reported.mean}, {"std", nullptr}};
  if (reported.deviation) json["std"] = *reported.deviation;
  return json;
}

/// The epochs that are run; null for models that have none.
nlohmann::ordered_json epochs(const learn::Settings& settings) {
  if (!model_kind(settings).has_epochs) return nullptr;
  return learn::effective_epochs(settings.training);
}

nlohmann::ordered_json to_json(const Outcome& outcome) {
  const auto& job = outcome.job;
  nlohmann::ordered_json json{{"dataset", job.row},
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
    json["paper"] = to_json(*job.paper);
    json["difference"] = 100 * outcome.accuracy.mean - job.paper->mean;
  }
  if (job.paper_max) json["paper_max"] = *job.paper_max;
  if (job.paper_training) json["paper_training"] = *job.paper_training;
  if (job.paper_seconds) json["paper_seconds"] = *job.paper_seconds;
  for (const auto& [mean, low, high] : outcome.times)
    json["times"].push_back({{"mean", mean}, {"low", low}, {"high", high}});
  for (const auto& [name, reported] : competitors(job))
    json["competitors"][std::string(name)] = reported.mean;
  return json;
}

}  // namespace

std::vector<std::vector<std::string>> cells(const Table& table, const std::vector<Outcome>& outcomes) {
  const bool compared = table.name != "table-hyperparameters" && table.name != "table-ablation" &&
                        table.name != "t-optimisation";
  const bool timed = table.name == "table-hyperparameters";
  std::vector<std::vector<std::string>> rows;
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
  std::string text = fmt::format("### {}\n\n", table.title);
  const auto rows = cells(table, outcomes);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    text += fmt::format("| {} |\n", fmt::join(rows[i], " | "));
    if (i == 0) text += fmt::format("|{}\n", fmt::join(std::vector<std::string>(rows[0].size(), "---|"), ""));
  }
  return text + curves_markdown(outcomes);
}

std::string to_json(const Table& table, const std::vector<Outcome>& outcomes) {
  nlohmann::ordered_json json{
      {"table", table.name}, {"title", table.title}, {"rows", nlohmann::ordered_json::array()}};
  for (const auto& outcome : outcomes) json["rows"].push_back(to_json(outcome));
  return json.dump(2) + '\n';
}

}  // namespace perslay::experiment
