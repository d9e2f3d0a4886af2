#include "evaluation_folder.h"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/io/diagram_file.h>
#include <perslay/report/html.h>

namespace perslay::report {

namespace fs = std::filesystem;

namespace {

/// Names that are not UTF-8 are spelled differently in different files.
bool is_same_name(const std::string& a, const std::string& b) {
  return a == b || readable(a) != a || readable(b) != b || a.find("\uFFFD") != std::string::npos ||
         b.find("\uFFFD") != std::string::npos;
}

void require_same_classes(const fs::path& file, const std::vector<std::string>& classes,
                          const std::vector<std::string>& of_evaluation) {
  if (!std::ranges::equal(classes, of_evaluation, is_same_name))
    throw base::user_error(
        fmt::format("{}: The classes are not those of the evaluation ({} instead of {}, or other names).",
                    file.string(), classes.size(), of_evaluation.size()));
}

}  // namespace

FoundFolders find_evaluations(const fs::path& folder) {
  FoundFolders found;
  auto& finished = found.finished;
  auto& unfinished = found.unfinished;
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
  std::ranges::sort(unfinished);
  return found;
}

EvaluationFolder read_folder(const fs::path& root, const fs::path& folder) {
  EvaluationFolder result;
  result.name = folder.lexically_relative(root).string();
  result.finished = learn::read_evaluation(folder);
  const auto& classes = result.finished.classes;
  if (const auto file = folder / "sample.h5"; fs::exists(file)) {
    auto sample = io::read_diagrams(file);
    if (!sample.groups.empty()) {
      require_same_classes(file, sample.classes, classes);
      if (sample.item_count() > result.finished.items)
        throw base::user_error(fmt::format("{}: There are diagrams of {} items, but the evaluation is of {}.",
                                           file.string(), sample.item_count(), result.finished.items));
      result.sample = std::move(sample);
    }
  }
  const auto read = [&](const char* name, std::optional<learn::ModelFile>& model) {
    const auto file = folder / "models" / name;
    if (!fs::exists(file)) return;
    model = learn::read_model(file);
    require_same_classes(file, model->classes, classes);
  };
  read("start.safetensors", result.start);
  read("end.safetensors", result.end);
  return result;
}

}  // namespace perslay::report
