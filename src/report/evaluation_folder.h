#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <perslay/diagram/diagram_set.h>
#include <perslay/learn/evaluation.h>
#include <perslay/learn/model_file.h>

namespace perslay::report {

/// Everything in the folder of a finished evaluation.
struct EvaluationFolder {
  std::string name;  ///< Its path below the folder of the request; "." for that folder itself.
  learn::FinishedEvaluation finished;
  std::optional<diagram::DiagramSet> sample;
  std::optional<learn::ModelFile> start;
  std::optional<learn::ModelFile> end;
};

struct FoundFolders {
  std::vector<std::filesystem::path> finished;
  std::vector<std::filesystem::path> unfinished;
};

/// The folders of evaluations at or below `folder`, in the order of their names. Throws the user's error if none
/// is finished.
[[nodiscard]] FoundFolders find_evaluations(const std::filesystem::path& folder);

/// Reads the folder of an evaluation. Diagrams and models of other classes are the user's error.
[[nodiscard]] EvaluationFolder read_folder(const std::filesystem::path& root,
                                           const std::filesystem::path& folder);

}  // namespace perslay::report
