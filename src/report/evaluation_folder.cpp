#include "evaluation_folder.h"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/io/diagram_file.h>

namespace perslay::report {

namespace fs = std::filesystem;

std::vector<fs::path> find_evaluations(const fs::path& folder) {
  std::vector<fs::path> finished;
  std::vector<fs::path> unfinished;
  const auto look_at = [&](const fs::path& path) {
    std::error_code ignored;
    if (fs::exists(path / "evaluation.json", ignored))
      (fs::exists(path / "results.json", ignored) ? finished : unfinished).push_back(path);
  };
  look_at(folder);
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    if (entry->is_directory()) look_at(entry->path());
  if (error)
    throw base::user_error(
        fmt::format("{}: The folder cannot be read: {}.", folder.string(), error.message()));
  if (finished.empty())
    throw base::user_error(
        unfinished.empty()
            ? fmt::format(
                  "{}: There is no evaluation here; perslay evaluate and perslay reproduce write some.",
                  folder.string())
            : fmt::format("{}: The evaluation is not finished; its command, given again, goes on with it.",
                          unfinished.front().string()));
  std::ranges::sort(finished);
  return finished;
}

EvaluationFolder read_folder(const fs::path& root, const fs::path& folder) {
  EvaluationFolder result;
  const auto below = folder.lexically_relative(root).string();
  result.name = below == "." ? "" : below;
  result.finished = learn::read_evaluation(folder);
  if (fs::exists(folder / "sample.h5")) {
    auto sample = io::read_diagrams(folder / "sample.h5");
    if (!sample.groups.empty()) result.sample = std::move(sample);
  }
  const auto models = folder / "models";
  if (fs::exists(models / "start.safetensors"))
    result.start = learn::read_model(models / "start.safetensors");
  if (fs::exists(models / "end.safetensors")) result.end = learn::read_model(models / "end.safetensors");
  return result;
}

}  // namespace perslay::report
