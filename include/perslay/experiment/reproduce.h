#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <perslay/base/context.h>
#include <perslay/experiment/plan.h>
#include <perslay/features/load_items.h>
#include <perslay/learn/evaluation.h>
#include <perslay/report/chart.h>

namespace perslay::experiment {

/// The result of a job, over all its draws.
struct Outcome {
  Job job;
  learn::Summary accuracy;
  learn::Summary training_accuracy;
  learn::Summary majority;
  learn::Summary size;
  double seconds_per_run = 0;           ///< Mean wall-clock time of training one fold or run.
  std::vector<report::Spread> times{};  ///< See trained_times().
};

/// The time of a trained filtration, at the start and after each epoch, over all trainings: geometric means and
/// extremes. Empty if no time was trained.
[[nodiscard]] std::vector<report::Spread> trained_times(const learn::Settings& settings,
                                                        std::span<const learn::FoldResult> folds);

struct ReproduceOptions {
  std::filesystem::path data;    ///< The folder of the graph datasets' archives.
  std::filesystem::path folder;  ///< The folder for everything that is written.
  bool fresh = false;            ///< Throw away what earlier runs left; a folder that tables share, once.
  features::LoadOptions loading{};
  std::shared_ptr<std::set<std::filesystem::path>> cleared =
      std::make_shared<std::set<std::filesystem::path>>();  ///< Folders that `fresh` has cleared.
  std::function<void(const Job&)> begin{};                  ///< Called before each job.
  std::function<void(const Outcome&)> finished{};           ///< Called after each job.
};

/// Runs the jobs of a table one after the other, each by learn::evaluate with its files in folder/job.folder, so
/// that an interrupted job goes on where it was. Writes folder/TABLE.json and .md after every job.
std::vector<Outcome> reproduce(const Table& table, const learn::MakeLearner& make_learner,
                               const ReproduceOptions& options, const base::Context& context = {});

/// Throws the user's error if `folder` is a file, or holds files TABLE.json and .md that were not written here.
void require_own_files(const std::string& table, const std::filesystem::path& folder);

/// A folder that cannot be made is the user's error.
void make_folder(const std::filesystem::path& folder);

/// The files of a graph dataset: folder/NAME, or an archive of that name.
[[nodiscard]] std::optional<std::filesystem::path> dataset_in(const std::filesystem::path& folder,
                                                              const std::string& name);

/// The files of a graph dataset, as dataset_in() finds them; none is the user's error.
[[nodiscard]] std::filesystem::path find_dataset(const std::filesystem::path& folder,
                                                 const std::string& name);

/// Our numbers beside the paper's: for people as Markdown, for programs as one JSON object.
[[nodiscard]] std::string to_markdown(const Table& table, const std::vector<Outcome>& outcomes);
[[nodiscard]] std::string to_json(const Table& table, const std::vector<Outcome>& outcomes);

/// A table in Markdown; the first row is its header.
[[nodiscard]] std::string markdown(const std::vector<std::vector<std::string>>& rows);

/// The cells of the table that to_markdown() prints, the header first.
[[nodiscard]] std::vector<std::vector<std::string>> cells(const Table& table,
                                                          const std::vector<Outcome>& outcomes);

}  // namespace perslay::experiment
