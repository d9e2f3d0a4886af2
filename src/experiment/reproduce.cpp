#include "t_optimisation.h"

#include <fstream>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <perslay/base/error.h>
#include <perslay/experiment/reproduce.h>
#include <perslay/features/sample.h>
#include <perslay/io/atomic_file.h>
#include <perslay/learn/models.h>

namespace perslay::experiment {
namespace {

namespace fs = std::filesystem;

/// Each draw of orbits has its own seed.
base::Context seeded(const base::Context& context, std::size_t draw) {
  auto own = context;
  own.seed = context.seed + draw;
  return own;
}

features::Items load(const Job& job, std::size_t draw, const ReproduceOptions& options,
                     const base::Context& context) {
  const auto request = learn::load_request(job.settings);
  if (!job.archive.empty())
    return features::load_items(find_dataset(options.data, job.archive), request, context, options.loading);
  return features::make_items(data::OrbitSet{job.per_class}, request, seeded(context, draw));
}

diagram::DiagramSet sample(const Job& job, std::size_t draw, const ReproduceOptions& options,
                           const base::Context& context) {
  const auto request = learn::load_request(job.settings);
  if (!job.archive.empty())
    return features::sample_diagrams(find_dataset(options.data, job.archive), request, learn::sampled_items,
                                     context, options.loading);
  return features::sample_diagrams(data::OrbitSet{job.per_class}, request, learn::sampled_items,
                                   seeded(context, draw));
}

/// The evaluations of all draws as if they were one.
class Collected {
 public:
  void add(const learn::Evaluation& evaluation) {
    std::size_t last = evaluation.folds.size();
    for (const auto& fold : evaluation.folds) {
      if (fold.repeat != last) {
        last = fold.repeat;
        for (auto* runs : {&test_, &training_, &majority_, &size_}) runs->emplace_back();
      }
      test_.back().push_back(fold.accuracy);
      training_.back().push_back(fold.training_accuracy);
      majority_.back().push_back(fold.majority_accuracy);
      size_.back().push_back(fold.size_accuracy);
      seconds_ += fold.seconds.training;
      times_.add(fold);
      ++folds_;
    }
  }

  [[nodiscard]] Outcome outcome(const Job& job) const {
    return {job,
            learn::summarize(test_),
            learn::summarize(training_),
            learn::summarize(majority_),
            learn::summarize(size_),
            seconds_ / static_cast<double>(folds_),
            times_.spread(job.settings)};
  }

 private:
  using Runs = std::vector<std::vector<double>>;
  Runs test_, training_, majority_, size_;
  TimeCurve times_;
  double seconds_ = 0;
  std::size_t folds_ = 0;
};

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw base::user_error(
        fmt::format("{}: The folder cannot be made: {}.", folder.string(), error.message()));
}

Outcome run(const Job& job, const learn::MakeLearner& make_learner, const ReproduceOptions& options,
            const base::Context& context) {
  Collected collected;
  for (std::size_t draw = 0; draw < job.draws; ++draw) {
    const auto items = load(job, draw, options, context);
    learn::EvaluationTask task;
    task.dataset = job.row;
    task.settings = job.settings;
    task.variant = job.variant;
    task.protocol = job.protocol;
    learn::EvaluationOptions where;
    where.folder = options.folder / job.folder;
    if (job.per_class > 0) where.folder /= fmt::format("draw{}", draw);
    where.fresh = options.fresh && options.cleared->insert(where.folder).second;
    where.sample = [&] { return sample(job, draw, options, context); };
    make_folder(where.folder);
    collected.add(learn::evaluate(items, task, make_learner, where, context));
  }
  return collected.outcome(job);
}

}  // namespace

std::optional<fs::path> dataset_in(const fs::path& folder, const std::string& name) {
  for (const auto* ending : {"", ".zip", ".tar.xz", ".tar.gz", ".tar.bz2", ".tar.zst", ".tgz"}) {
    auto path = folder / (name + ending);
    if (fs::exists(path)) return path;
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

void require_own_files(const Table& table, const fs::path& folder) {
  std::error_code ignored;
  auto place = fs::absolute(folder, ignored);
  while (!fs::exists(place, ignored) && place.has_relative_path()) place = place.parent_path();
  if (!fs::is_directory(place, ignored))
    throw base::user_error(
        fmt::format("{}: This is not a folder, and results are written to one.", place.string()));

  const auto json_file = folder / (table.name + ".json"), text_file = folder / (table.name + ".md");
  if (fs::is_regular_file(json_file, ignored)) {
    const auto json = nlohmann::json::parse(std::ifstream(json_file), nullptr, false);
    if (json.is_object() && json.value("table", nlohmann::json()) == table.name && json.contains("rows"))
      return;
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
  require_own_files(table, options.folder);
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
