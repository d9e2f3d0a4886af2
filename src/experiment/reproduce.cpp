#include <algorithm>
#include <cmath>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <perslay/base/error.h>
#include <perslay/experiment/reproduce.h>
#include <perslay/features/sample.h>
#include <perslay/filtration/filtration.h>
#include <perslay/io/atomic_file.h>
#include <perslay/io/path_type.h>
#include <perslay/learn/models.h>

namespace perslay::experiment {
namespace {

namespace fs = std::filesystem;

report::Spread spread_of(const std::vector<double>& times) {
  double sum = 0;
  for (const double time : times) sum += std::log(time);
  const auto [low, high] = std::ranges::minmax(times);
  return {std::exp(sum / static_cast<double>(times.size())), low, high};
}

/// The evaluations of all draws as if they were one; `folds` come repeat by repeat.
Outcome outcome_of(const Job& job, const std::vector<learn::FoldResult>& folds) {
  const auto summary = [&](double learn::FoldResult::*accuracy) {
    const std::size_t parts = job.protocol.parts();
    std::vector<std::vector<double>> runs(folds.size() / parts);
    for (std::size_t i = 0; i < folds.size(); ++i) runs[i / parts].push_back(folds[i].*accuracy);
    return learn::summarize(runs);
  };
  double seconds = 0;
  for (const auto& fold : folds) seconds += fold.seconds.training;
  using learn::FoldResult;
  return {job,
          summary(&FoldResult::accuracy),
          summary(&FoldResult::training_accuracy),
          summary(&FoldResult::majority_accuracy),
          summary(&FoldResult::size_accuracy),
          seconds / static_cast<double>(folds.size()),
          trained_times(job.settings, folds)};
}

/// The folder of an evaluation, made if it is not there. No part of it below the one of all results is a link.
fs::path folder_of(const Job& job, std::size_t draw, const ReproduceOptions& options) {
  auto name = fs::path(job.folder);
  if (job.per_class > 0) name /= fmt::format("draw{}", draw);
  auto folder = options.folder;
  make_folder(folder);
  for (const auto& part : name) {
    folder /= part;
    io::require_no_link(folder);
    make_folder(folder);
  }
  return folder;
}

Outcome run(const Job& job, const learn::MakeLearner& make_learner, const ReproduceOptions& options,
            const base::Context& context) {
  const auto request = learn::load_request(job.settings);
  const auto archive = job.archive.empty() ? fs::path() : find_dataset(options.data, job.archive);
  const data::OrbitSet orbits{job.per_class};
  const learn::EvaluationTask task{
      .dataset = job.row, .settings = job.settings, .variant = job.variant, .protocol = job.protocol};
  std::vector<learn::FoldResult> folds;
  for (std::size_t draw = 0; draw < job.draws; ++draw) {
    auto own = context;
    own.seed += draw;
    const auto items = archive.empty() ? features::make_items(orbits, request, own)
                                       : features::load_items(archive, request, own, options.loading);
    learn::EvaluationOptions where;
    where.folder = folder_of(job, draw, options);
    where.fresh = options.fresh && options.cleared->insert(where.folder).second;
    where.sample = [&] {
      constexpr auto most = learn::sampled_items;
      return archive.empty() ? features::sample_diagrams(orbits, request, most, own)
                             : features::sample_diagrams(archive, request, most, own, options.loading);
    };
    auto evaluation = learn::evaluate(items, task, make_learner, where, context);
    std::ranges::move(evaluation.folds, std::back_inserter(folds));
  }
  return outcome_of(job, folds);
}

}  // namespace

std::vector<report::Spread> trained_times(const learn::Settings& settings,
                                          std::span<const learn::FoldResult> folds) {
  std::vector<std::vector<double>> by_epoch;
  for (const auto& fold : folds)
    for (const auto& epoch : fold.history) {
      if (epoch.times.empty()) continue;
      if (by_epoch.size() <= epoch.epoch) by_epoch.resize(epoch.epoch + 1);
      by_epoch[epoch.epoch].push_back(epoch.times.front());
    }
  if (by_epoch.empty()) return {};
  std::vector<report::Spread> curve{
      spread_of({filtration::parse_filtration(settings.data.filtrations.front()).heat_kernel.value().time})};
  for (const auto& times : by_epoch) curve.push_back(spread_of(times));
  return curve;
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw base::user_error(
        fmt::format("{}: The folder cannot be made: {}.", folder.string(), error.message()));
}

std::optional<fs::path> dataset_in(const fs::path& folder, const std::string& name) {
  for (const auto* ending : {"", ".zip", ".tar.xz", ".tar.gz", ".tar.bz2", ".tar.zst", ".tgz"}) {
    auto path = folder / (name + ending);
    if (io::is_there(path)) return path;
  }
  return std::nullopt;
}

fs::path find_dataset(const fs::path& folder, const std::string& name) {
  if (auto path = dataset_in(folder, name)) return *std::move(path);
  throw base::user_error(fmt::format(
      "{} holds neither a folder {} nor an archive {}.zip or {}.tar.xz; say with --data where the "
      "datasets are.",
      folder.empty() ? "The current folder" : folder.string(), name, name, name));
}

void require_own_files(const std::string& table, const fs::path& folder) {
  std::error_code ignored;
  auto place = fs::absolute(folder, ignored);
  while (!fs::exists(place, ignored) && place.has_relative_path()) place = place.parent_path();
  if (!fs::is_directory(place, ignored))
    throw base::user_error(
        fmt::format("{}: This is not a folder, and results are written to one.", place.string()));

  const auto json_file = folder / (table + ".json"), text_file = folder / (table + ".md");
  io::require_no_link(json_file);
  io::require_no_link(text_file);
  if (fs::is_regular_file(json_file, ignored)) {
    const auto json = nlohmann::json::parse(std::ifstream(json_file), nullptr, false);
    if (json.is_object() && json.value("table", nlohmann::json()) == table && json.contains("rows")) return;
  }
  for (const auto& file : {json_file, text_file})
    if (fs::exists(file, ignored))
      throw base::user_error(fmt::format(
          "{}: This is in the way: it does not belong to results that were written here before; choose "
          "another folder.",
          file.string()));
}

std::vector<Outcome> reproduce(const Table& table, const learn::MakeLearner& make_learner,
                               const ReproduceOptions& options, const base::Context& context) {
  for (const auto& job : table.jobs)
    if (!job.archive.empty()) static_cast<void>(find_dataset(options.data, job.archive));
  require_own_files(table.name, options.folder);
  std::vector<Outcome> outcomes;
  for (const auto& job : table.jobs) {
    if (options.begin) options.begin(job);
    outcomes.push_back(run(job, make_learner, options, context));
    if (options.finished) options.finished(outcomes.back());
    io::write_file(options.folder / (table.name + ".json"), to_json(table, outcomes));
    io::write_file(options.folder / (table.name + ".md"), to_markdown(table, outcomes));
  }
  return outcomes;
}

}  // namespace perslay::experiment
