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
  std::string name;  ///< Its path below the folder that was asked about; "" if it is that folder.
  learn::FinishedEvaluation finished;
  std::optional<diagram::DiagramSet> sample;
  std::optional<learn::ModelFile> start;
  std::optional<learn::ModelFile> end;
};

/// The folders of finished evaluations at or below `folder`, in the order of their names. Those that are not
/// finished are left out, unless there is no other: then it is the user's error, as it is if there is none.
[[nodiscard]] std::vector<std::filesystem::path> find_evaluations(const std::filesystem::path& folder);

[[nodiscard]] EvaluationFolder read_folder(const std::filesystem::path& root,
                                           const std::filesystem::path& folder);

}  // namespace perslay::report
