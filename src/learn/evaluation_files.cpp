#include "evaluation_files.h"

#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/io/atomic_file.h>
#include <perslay/learn/fingerprint.h>

namespace perslay::learn {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr int format_version = 1;

/// Bytes that are not UTF-8 (in class names, say) are replaced.
std::string json_text(const ordered_json& json) {
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

std::optional<ordered_json> read_json(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return std::nullopt;
  auto json = ordered_json::parse(stream, nullptr, false);
  if (json.is_discarded()) return std::nullopt;
  return json;
}

ordered_json protocol_json(const Protocol& protocol) {
  ordered_json json = protocol.type == Protocol::Type::k_fold
                          ? ordered_json{{"type", "k-fold"}, {"folds", protocol.folds}}
                          : ordered_json{{"type", "random-split"}, {"test_fraction", protocol.test_fraction}};
  json["repeats"] = protocol.repeats;
  json["stratified"] = protocol.stratified;
  return json;
}

// ---- folds

ordered_json fold_json(const FoldResult& result) {
  auto history = ordered_json::array();
  for (const auto& epoch : result.history)
    history.push_back(
        {{"net", epoch.net}, {"epoch", epoch.epoch}, {"loss", epoch.loss}, {"accuracy", epoch.accuracy}});
  return {{"repeat", result.repeat + 1},
          {"fold", result.fold + 1},
          {"training_items", result.training_items},
          {"test_items", result.test_items},
          {"accuracy", result.accuracy},
          {"training_accuracy", result.training_accuracy},
          {"majority_accuracy", result.majority_accuracy},
          {"size_accuracy", result.size_accuracy},
          {"confusion", result.confusion},
          {"history", std::move(history)},
          {"seconds",
           {{"preparation", result.seconds.preparation},
            {"training", result.seconds.training},
            {"prediction", result.seconds.prediction}}}};
}

FoldResult fold_of(const ordered_json& json) {
  FoldResult result;
  result.repeat = json.at("repeat").get<std::size_t>() - 1;
  result.fold = json.at("fold").get<std::size_t>() - 1;
  json.at("training_items").get_to(result.training_items);
  json.at("test_items").get_to(result.test_items);
  json.at("accuracy").get_to(result.accuracy);
  json.at("training_accuracy").get_to(result.training_accuracy);
  json.at("majority_accuracy").get_to(result.majority_accuracy);
  json.at("size_accuracy").get_to(result.size_accuracy);
  json.at("confusion").get_to(result.confusion);
  for (const auto& epoch : json.at("history"))
    result.history.push_back({epoch.at("net").get<std::size_t>(), epoch.at("epoch").get<std::size_t>(),
                              epoch.at("loss").get<double>(), epoch.at("accuracy").get<double>()});
  const auto& seconds = json.at("seconds");
  result.seconds = {seconds.at("preparation").get<double>(), seconds.at("training").get<double>(),
                    seconds.at("prediction").get<double>()};
  return result;
}

// ---- identity

std::string shown(const ordered_json& value) {
  std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  return text.size() > 80 ? text.substr(0, 80) + "..." : text;
}

/// The first line in which two texts differ, as "'epochs = 100', now 'epochs = 20'".
std::string differing_line(const std::string& before, const std::string& now) {
  std::istringstream old_lines(before);
  std::istringstream new_lines(now);
  std::string old_line;
  std::string new_line;
  do {
    if (!std::getline(old_lines, old_line)) old_line.clear();
    if (!std::getline(new_lines, new_line)) new_line.clear();
  } while (old_line == new_line && (old_lines || new_lines));
  return fmt::format("'{}', now '{}'", old_line, new_line);
}

/// "another seed (1, now 2)", or nothing if there is no difference.
std::string difference(const ordered_json& before, const ordered_json& now) {
  constexpr std::pair<const char*, const char*> names[] = {{"format", "format of files"},
                                                           {"version", "version of perslay"},
                                                           {"dataset", "dataset"},
                                                           {"protocol", "protocol"},
                                                           {"seed", "seed"},
                                                           {"variant", "variant"},
                                                           {"settings", "setting"},
                                                           {"data", "content of the data"}};
  for (const auto& [key, name] : names) {
    const auto old_value = before.is_object() ? before.value(key, ordered_json()) : ordered_json();
    if (old_value == now.at(key)) continue;
    if (std::string_view(key) == "settings" && old_value.is_string())
      return fmt::format("another {} ({})", name, differing_line(old_value, now.at(key)));
    return fmt::format("another {} ({}, now {})", name, shown(old_value), shown(now.at(key)));
  }
  return "";
}

// ---- the folder

/// evaluation.json goes last: as long as it is there the folder is known to be ours.
constexpr const char* own_names[] = {"results.json", "settings.toml", "folds", "checkpoints",
                                     "evaluation.json"};

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directory(folder, error);
  if (!fs::is_directory(folder))
    throw base::user_error(fmt::format("{}: The folder cannot be made{}.", folder.string(),
                                       error ? ": " + error.message() : ""));
}

/// What files that were being written when a machine died have left.
void remove_leftovers(const fs::path& folder) {
  std::vector<fs::path> leftovers;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().filename().string().starts_with('.') &&
        entry.path().filename().string().find(".partial-") != std::string::npos)
      leftovers.push_back(entry.path());
  for (const auto& path : leftovers) fs::remove(path);
}

void refuse_foreign_folder(const fs::path& folder) {
  if (!fs::exists(folder / "evaluation.json") && !fs::is_empty(folder))
    throw base::user_error(fmt::format(
        "{}: The folder is not empty and holds no evaluation; results are written to a folder of their own.",
        folder.string()));
}

void clear(const fs::path& folder) {
  for (const auto* const name : own_names) fs::remove_all(folder / name);
}

}  // namespace

EvaluationFolder::EvaluationFolder(const EvaluationOptions& options, const ordered_json& identity,
                                   const Settings& settings)
    : folder_(options.folder) {
  make_folder(folder_);
  remove_leftovers(folder_);
  refuse_foreign_folder(folder_);
  if (options.fresh) clear(folder_);
  if (fs::exists(folder_ / "evaluation.json")) {
    const auto different =
        difference(read_json(folder_ / "evaluation.json").value_or(ordered_json()), identity);
    if (!different.empty())
      throw base::user_error(fmt::format(
          "{}: The folder holds an evaluation with {}; choose another folder, or let --fresh start over.",
          folder_.string(), different));
  }
  io::write_file(folder_ / "evaluation.json", json_text(identity));
  io::write_file(folder_ / "settings.toml", to_toml(settings));
  for (const auto* const name : {"folds", "checkpoints"}) {
    fs::create_directory(folder_ / name);
    remove_leftovers(folder_ / name);
  }
}

fs::path EvaluationFolder::fold_file(std::size_t repeat, std::size_t fold) const {
  return folder_ / "folds" / fmt::format("r{}-f{}.json", repeat + 1, fold + 1);
}

fs::path EvaluationFolder::checkpoint(std::size_t repeat, std::size_t fold) const {
  return folder_ / "checkpoints" / fmt::format("r{}-f{}.safetensors", repeat + 1, fold + 1);
}

std::optional<FoldResult> EvaluationFolder::finished(std::size_t repeat, std::size_t fold,
                                                     std::size_t classes) const {
  const auto json = read_json(fold_file(repeat, fold));
  if (!json) return std::nullopt;
  try {
    auto result = fold_of(*json);
    if (result.repeat == repeat && result.fold == fold && result.confusion.size() == classes * classes)
      return result;
  } catch (const ordered_json::exception&) {
    // A file that somebody changed: the fold is computed again.
  }
  return std::nullopt;
}

void EvaluationFolder::finish(const FoldResult& result) const {
  io::write_file(fold_file(result.repeat, result.fold), json_text(fold_json(result)));
  std::error_code ignored;
  fs::remove(checkpoint(result.repeat, result.fold), ignored);
}

void EvaluationFolder::write_results(const ordered_json& results) const {
  io::write_file(folder_ / "results.json", json_text(results));
  std::error_code ignored;
  fs::remove_all(folder_ / "checkpoints", ignored);
}

ordered_json evaluation_identity(const EvaluationTask& task, const features::Items& items,
                                 const base::Context& context) {
  return {{"format", format_version}, {"version", PERSLAY_VERSION},
          {"dataset", task.dataset},  {"settings", to_toml(task.settings)},
          {"variant", task.variant},  {"protocol", protocol_json(task.protocol)},
          {"seed", context.seed},     {"data", fingerprint(items, context)}};
}

ordered_json results_json(const EvaluationTask& task, const features::Items& items, std::uint64_t seed,
                          const Evaluation& evaluation) {
  const auto summary = [](const Summary& s) {
    return ordered_json{
        {"mean", s.mean}, {"std", s.deviation ? ordered_json(*s.deviation) : ordered_json()}, {"max", s.max}};
  };
  const std::size_t classes = items.classes.size();
  auto runs = ordered_json::array();
  auto folds = ordered_json::array();
  for (const auto& fold : evaluation.folds) {
    if (fold.fold == 0) runs.push_back(ordered_json::array());
    runs.back().push_back(fold.accuracy);
    auto json = fold_json(fold);
    json.erase("history");
    json["loss"] = fold.history.empty() ? ordered_json() : ordered_json(fold.history.back().loss);
    folds.push_back(std::move(json));
  }
  auto confusion = ordered_json::array();
  for (std::size_t c = 0; c < classes; ++c) {
    const auto row = evaluation.confusion.begin() + static_cast<std::ptrdiff_t>(c * classes);
    confusion.push_back(std::vector(row, row + static_cast<std::ptrdiff_t>(classes)));
  }
  return {
      {"dataset", task.dataset},
      {"items", items.count()},
      {"classes", items.classes},
      {"settings", task.settings.name},
      {"settings_toml", to_toml(task.settings)},
      {"variant", task.variant},
      {"protocol", protocol_json(task.protocol)},
      {"seed", seed},
      {"version", PERSLAY_VERSION},
      {"accuracy", summary(evaluation.accuracy)},
      {"training_accuracy", summary(evaluation.training_accuracy)},
      {"baselines",
       {{"majority", summary(evaluation.majority_accuracy)}, {"size", summary(evaluation.size_accuracy)}}},
      {"runs", std::move(runs)},
      {"confusion", std::move(confusion)},
      {"folds", std::move(folds)},
      {"seconds", evaluation.seconds}};
}

}  // namespace perslay::learn
