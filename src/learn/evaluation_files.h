#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include <perslay/learn/evaluation.h>

namespace perslay::learn {

/// Keeps other evaluations out of a folder as long as it lives, and no longer than its program does.
class FolderLock {
 public:
  /// A folder that another one holds is the user's error. File systems without locks are trusted.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

/// The folder of an evaluation and the files in it.
class EvaluationFolder {
 public:
  /// Makes the folder, or continues what is there if it is the evaluation that `identity` describes; see
  /// evaluation_identity. No other evaluation gets into the folder meanwhile.
  EvaluationFolder(const EvaluationOptions& options, const nlohmann::ordered_json& identity,
                   const Settings& settings);

  /// The result of the fold, if an earlier call finished it. A file with other things in it, or a damaged one, is the
  /// user's error.
  [[nodiscard]] std::optional<FoldResult> finished(std::size_t repeat, std::size_t fold,
                                                   std::size_t classes) const;

  /// Keeps the result and lets the fold's checkpoint go.
  void finish(const FoldResult& result) const;

  [[nodiscard]] std::filesystem::path checkpoint(std::size_t repeat, std::size_t fold) const;

  void write_results(const nlohmann::ordered_json& results) const;

  /// How long the call took that wrote the results, if there are any.
  [[nodiscard]] std::optional<double> seconds_of_results() const;

  /// The file with diagrams of some items.
  [[nodiscard]] std::filesystem::path sample() const { return folder_ / "sample.h5"; }

  /// The file with the model of the first fold, before or after its training. Makes the folder of models.
  [[nodiscard]] std::filesystem::path model(bool trained) const;

 private:
  [[nodiscard]] std::filesystem::path fold_file(std::size_t repeat, std::size_t fold) const;

  std::filesystem::path folder_;
  FolderLock lock_;
};

/// Everything that decides what an evaluation will find: two with the same identity find the same.
[[nodiscard]] nlohmann::ordered_json evaluation_identity(const EvaluationTask& task,
                                                         const features::Items& items,
                                                         const base::Context& context);

/// Fills in everything that follows from the folds.
void summarize_folds(Evaluation& evaluation, std::size_t repeats, std::size_t classes);

/// The content of results.json.
[[nodiscard]] nlohmann::ordered_json results_json(const EvaluationTask& task, const features::Items& items,
                                                  std::uint64_t seed, const Evaluation& evaluation);

}  // namespace perslay::learn
