#include "evaluation_files.h"

#include "names.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <perslay/base/error.h>
#include <perslay/base/version.h>
#include <perslay/io/atomic_file.h>
#include <perslay/io/checksum.h>
#include <perslay/io/path_type.h>
#include <perslay/learn/fingerprint.h>

namespace perslay::learn {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

/// 2: fingerprints of data are XXH3. 3: checksums.
constexpr int format_version = 3;

/// How a file with a checksum begins; the digits follow.
constexpr std::string_view checksum_mark = "{\n  \"checksum\": \"";

/// With a checksum. Bytes that are not UTF-8 (in class names, say) are replaced.
std::string json_text(const ordered_json& content) {
  ordered_json json{{"checksum", io::open_checksum}};
  json.update(content);
  auto text = json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
  io::put_checksum(text, checksum_mark.size());
  return text;
}

struct JsonFile {
  ordered_json json;
  bool checked = false;  ///< It had a checksum, and it was right.
};

/// A pipe or a device may never end.
void require_finite(const fs::path& path) {
  if (io::path_type(path) == io::PathType::other)
    throw base::user_error(fmt::format("{}: This is not a regular file.", path.string()));
}

/// Nothing if there is no such file, or no JSON in it. A wrong checksum is the user's error.
std::optional<JsonFile> read_json(const fs::path& path) {
  require_finite(path);
  std::ifstream stream(path, std::ios::binary);
  if (!stream || io::path_type(path) == io::PathType::folder) return std::nullopt;
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const bool checked = io::has_checksum(path, text, 0, checksum_mark);
  auto json = ordered_json::parse(text, nullptr, false);
  if (json.is_discarded()) return std::nullopt;
  return JsonFile{std::move(json), checked};
}

/// Likewise; nothing if it is damaged, either.
std::optional<JsonFile> read_sound_json(const fs::path& path) {
  require_finite(path);
  try {
    return read_json(path);
  } catch (const base::Error&) {
    return std::nullopt;
  }
}

/// What follows the name of a file that cannot be used.
constexpr auto foreign = "This is not what perslay evaluate writes, or it is damaged";

ordered_json protocol_json(const Protocol& protocol) {
  ordered_json json = protocol.type == Protocol::Type::k_fold
                          ? ordered_json{{"type", "k-fold"}, {"folds", protocol.folds}}
                          : ordered_json{{"type", "random-split"}, {"test_fraction", protocol.test_fraction}};
  json["repeats"] = protocol.repeats;
  json["stratified"] = protocol.stratified;
  return json;
}

/// A whole number, not negative; anything else is not JSON of ours.
std::size_t count_of(const ordered_json& json) { return json.get_ref<const std::uint64_t&>(); }

/// Without repeats if its type is unknown.
Protocol protocol_of(const ordered_json& json) {
  Protocol protocol;
  if (json.at("type") == "random-split") {
    protocol.type = Protocol::Type::random_split;
    json.at("test_fraction").get_to(protocol.test_fraction);
  } else if (json.at("type") == "k-fold") {
    protocol.folds = count_of(json.at("folds"));
  } else {
    protocol.repeats = 0;
    return protocol;
  }
  protocol.repeats = count_of(json.at("repeats"));
  json.at("stratified").get_to(protocol.stratified);
  return protocol;
}

// ---- folds

constexpr std::pair<const char*, double FoldResult::*> accuracies[] = {
    {"accuracy", &FoldResult::accuracy},
    {"training_accuracy", &FoldResult::training_accuracy},
    {"majority_accuracy", &FoldResult::majority_accuracy},
    {"size_accuracy", &FoldResult::size_accuracy}};

constexpr std::pair<const char*, double FoldSeconds::*> durations[] = {
    {"preparation", &FoldSeconds::preparation},
    {"training", &FoldSeconds::training},
    {"prediction", &FoldSeconds::prediction}};

ordered_json fold_json(const FoldResult& result) {
  ordered_json json{{"repeat", result.repeat + 1},
                    {"fold", result.fold + 1},
                    {"training_items", result.training_items},
                    {"test_items", result.test_items}};
  for (const auto& [name, accuracy] : accuracies) json[name] = result.*accuracy;
  json["confusion"] = result.confusion;
  auto& history = json["history"] = ordered_json::array();
  for (const auto& epoch : result.history) {
    history.push_back(
        {{"net", epoch.net}, {"epoch", epoch.epoch}, {"loss", epoch.loss}, {"accuracy", epoch.accuracy}});
    if (!epoch.times.empty()) history.back()["times"] = epoch.times;
  }
  if (!result.channel.empty()) {
    json["channel"] = result.channel;
    json["choice_accuracies"] = result.choice_accuracies;
  }
  for (const auto& [name, duration] : durations) json["seconds"][name] = result.seconds.*duration;
  return json;
}

std::string fold_name(std::size_t repeat, std::size_t fold) {
  return fmt::format("r{}-f{}.json", repeat + 1, fold + 1);
}

FoldResult fold_of(const ordered_json& json) {
  FoldResult result;
  result.repeat = count_of(json.at("repeat")) - 1;
  result.fold = count_of(json.at("fold")) - 1;
  result.training_items = count_of(json.at("training_items"));
  result.test_items = count_of(json.at("test_items"));
  for (const auto& [name, accuracy] : accuracies) json.at(name).get_to(result.*accuracy);
  for (const auto& count : json.at("confusion")) result.confusion.push_back(count_of(count));
  for (const auto& epoch : json.at("history"))
    result.history.push_back({count_of(epoch.at("net")), count_of(epoch.at("epoch")),
                              epoch.at("loss").get<double>(), epoch.at("accuracy").get<double>(),
                              epoch.value("times", std::vector<double>())});
  result.channel = json.value("channel", "");
  result.choice_accuracies = json.value("choice_accuracies", std::vector<double>());
  for (const auto& [name, duration] : durations) json.at("seconds").at(name).get_to(result.seconds.*duration);
  return result;
}

bool is_fraction(double x) { return x >= 0 && x <= 1; }

constexpr std::size_t most_epochs = 1'000'000;

bool is_duration(double seconds) { return seconds >= 0 && seconds < 1e12; }

/// Losses are those of single precision.
bool is_possible(const Epoch& epoch) {
  return epoch.net < most_epochs && epoch.epoch < most_epochs && std::abs(epoch.loss) <= 1e39 &&
         is_fraction(epoch.accuracy) &&
         std::ranges::all_of(epoch.times, [](double t) { return t > 0 && std::isfinite(t); });
}

/// Whether what reads the fold can rely on its numbers.
bool is_possible(const FoldResult& result, std::size_t classes) {
  return result.confusion.size() == classes * classes &&
         std::ranges::all_of(accuracies, [&](const auto& a) { return is_fraction(result.*a.second); }) &&
         std::ranges::all_of(durations,
                             [&](const auto& d) { return is_duration(result.seconds.*d.second); }) &&
         std::ranges::all_of(result.choice_accuracies, is_fraction) &&
         std::ranges::all_of(result.history, [](const Epoch& epoch) { return is_possible(epoch); });
}

/// The result of a fold; nothing if the file holds another one, or what no evaluation writes.
std::optional<FoldResult> fold_in(const ordered_json& json, std::size_t repeat, std::size_t fold,
                                  std::size_t classes) {
  try {
    auto result = fold_of(json);
    if (result.repeat == repeat && result.fold == fold && is_possible(result, classes)) return result;
  } catch (const ordered_json::exception&) {
    // A file that somebody made.
  }
  return std::nullopt;
}

// ---- identity

std::string shown(const ordered_json& value) {
  std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  return text.size() > 80 ? text.substr(0, 80) + "..." : text;
}

/// The protocol in words, if it is one.
std::string shown_protocol(const ordered_json& json) {
  try {
    const auto protocol = protocol_of(json);
    return protocol_json(protocol) == json ? fmt::format("'{}'", protocol.name()) : shown(json);
  } catch (const ordered_json::exception&) {
    return shown(json);
  }
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
    const auto old_value = before.value(key, ordered_json());
    if (old_value == now.at(key)) continue;
    if (std::string_view(key) == "settings" && old_value.is_string())
      return fmt::format("another {} ({})", name, differing_line(old_value, now.at(key)));
    const auto& in_words = std::string_view(key) == "protocol" ? shown_protocol : shown;
    return fmt::format("another {} ({}, now {})", name, in_words(old_value), in_words(now.at(key)));
  }
  return "";
}

// ---- the folder

/// evaluation.json goes last: as long as it is there the folder is known to be ours.
constexpr const char* own_names[] = {"results.json", "settings.toml", "sample.h5",      "models",
                                     "folds",        "checkpoints",   "evaluation.json"};

/// Returns its name.
fs::path make_folder(const fs::path& folder) {
  std::error_code error;
  std::error_code ignored;
  fs::create_directory(folder, error);
  if (!fs::is_directory(folder, ignored))
    throw base::user_error(fmt::format("{}: The folder cannot be made{}.", folder.string(),
                                       error ? ": " + error.message() : ""));
  return folder;
}

std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    paths.push_back(entry->path());
  if (error)
    throw base::user_error(
        fmt::format("{}: The folder cannot be read: {}.", folder.string(), error.message()));
  return paths;
}

void discard(const fs::path& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (error) throw base::user_error(fmt::format("{} cannot be removed: {}.", path.string(), error.message()));
}

/// With every run of digits as one '#': "r#-f#.json" for "r3-f17.json".
std::string pattern_of(std::string_view name) {
  std::string pattern;
  for (const char c : name) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (!digit || !pattern.ends_with('#')) pattern += digit ? '#' : c;
  }
  return pattern;
}

/// Whether io::AtomicFile was writing a file of ours there when the machine died.
bool is_leftover(const fs::path& path) {
  const auto pattern = pattern_of(path.filename().string());
  return std::ranges::any_of(
      std::initializer_list<const char*>{"evaluation.json", "settings.toml", "results.json", "r#-f#.json",
                                         "r#-f#.safetensors", "sample.h#", "start.safetensors",
                                         "end.safetensors"},
      [&](const char* name) { return pattern == fmt::format(".{}.partial-#-#", name); });
}

void remove_leftovers(const fs::path& folder) {
  for (const auto& path : entries(folder))
    if (is_leftover(path)) discard(path);
}

bool has_our_name(const fs::path& path) {
  return is_leftover(path) ||
         std::ranges::any_of(own_names, [&](const char* name) { return path.filename() == name; });
}

/// A file evaluation.json may be anybody's. One that cannot be read may have been ours: then everything
/// beside it must have a name of ours.
bool is_ours(const fs::path& folder, const std::vector<fs::path>& paths) {
  if (std::ranges::find(paths, folder / "evaluation.json") == paths.end())
    return std::ranges::all_of(paths, is_leftover);
  const auto file = read_sound_json(folder / "evaluation.json");
  if (!file) return std::ranges::all_of(paths, has_our_name);
  const auto& json = file->json;
  return std::ranges::all_of(std::initializer_list<const char*>{"format", "settings", "protocol", "data"},
                             [&](const char* key) { return json.is_object() && json.contains(key); });
}

void clear(const fs::path& folder) {
  for (const auto* const name : own_names) discard(folder / name);
}

void refuse_links(const fs::path& folder) {
  for (const auto* const name : own_names) {
    const auto path = folder / name;
    io::require_no_link(path);
    if (io::path_type(path) == io::PathType::folder)
      std::ranges::for_each(entries(path), io::require_no_link);
  }
}

}  // namespace

void require_folder_for_results(const fs::path& folder) {
  std::error_code ignored;
  if (fs::exists(folder, ignored) && !fs::is_directory(folder, ignored))
    throw base::user_error(
        fmt::format("{}: This is not a folder, and results are written to one.", folder.string()));
  const auto parent =
      fs::absolute(folder.has_filename() ? folder : folder.parent_path(), ignored).parent_path();
  if (!fs::is_directory(parent, ignored))
    throw base::user_error(
        fmt::format("{}: The folder cannot be made: {} is not a folder.", folder.string(), parent.string()));
  if (fs::is_directory(folder, ignored) && !is_ours(folder, entries(folder)))
    throw base::user_error(fmt::format(
        "{}: The folder is not empty and holds no evaluation; results are written to a folder of their own.",
        folder.string()));
}

// The folder itself is locked: a file for it would be one more thing that is left behind.
FolderLock::FolderLock(const std::filesystem::path& folder)
    : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ < 0 || ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  ::close(descriptor_);
  throw base::user_error(
      fmt::format("{}: Another evaluation is writing to this folder; wait for its end, or choose another.",
                  folder.string()));
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

EvaluationFolder::EvaluationFolder(const EvaluationOptions& options, const ordered_json& identity,
                                   const Settings& settings)
    : folder_(options.folder), lock_(make_folder(folder_)) {
  require_folder_for_results(folder_);
  remove_leftovers(folder_);
  if (options.fresh) clear(folder_);
  refuse_links(folder_);
  if (io::is_there(folder_ / "evaluation.json")) {
    const auto before = read_sound_json(folder_ / "evaluation.json");
    const bool known = before && before->json.at("format").is_number_unsigned();
    const auto different = known ? difference(before->json, identity) : "";
    if (!known || (different.empty() && !before->checked))
      throw base::user_error(fmt::format("{}: {}; choose another folder, or let --fresh start over.",
                                         (folder_ / "evaluation.json").string(), foreign));
    if (!different.empty())
      throw base::user_error(fmt::format(
          "{}: The folder holds an evaluation with {}; choose another folder, or let --fresh start over.",
          folder_.string(), different));
  }
  static_cast<void>(seconds_of_results());  // results that are damaged are not replaced
  io::write_file(folder_ / "evaluation.json", json_text(identity));
  io::write_file(folder_ / "settings.toml", to_toml(settings));
  for (const auto* const name : {"folds", "checkpoints"}) remove_leftovers(make_folder(folder_ / name));
  if (io::is_there(folder_ / "models")) remove_leftovers(folder_ / "models");
}

fs::path EvaluationFolder::fold_file(std::size_t repeat, std::size_t fold) const {
  return folder_ / "folds" / fold_name(repeat, fold);
}

fs::path EvaluationFolder::checkpoint(std::size_t repeat, std::size_t fold) const {
  return folder_ / "checkpoints" / fmt::format("r{}-f{}.safetensors", repeat + 1, fold + 1);
}

fs::path EvaluationFolder::model(bool trained) const {
  return make_folder(folder_ / "models") / (trained ? "end.safetensors" : "start.safetensors");
}

std::optional<FoldResult> EvaluationFolder::finished(std::size_t repeat, std::size_t fold,
                                                     std::size_t classes) const {
  std::error_code ignored;
  const auto file = fold_file(repeat, fold);
  if (fs::is_directory(file, ignored))
    throw base::user_error(
        fmt::format("{}: This is a folder, but the fold's result belongs here.", file.string()));
  if (!fs::exists(file, ignored)) return std::nullopt;
  const auto read = read_sound_json(file);
  auto result = read && read->checked ? fold_in(read->json, repeat, fold, classes) : std::nullopt;
  if (!result)
    throw base::user_error(
        fmt::format("{}: {}; remove it, and its fold is computed again.", file.string(), foreign));
  return result;
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

std::optional<double> EvaluationFolder::seconds_of_results() const {
  const auto file = folder_ / "results.json";
  if (!io::is_there(file)) return std::nullopt;
  const auto results = read_sound_json(file);
  const auto seconds = results && results->checked && results->json.is_object()
                           ? results->json.value("seconds", ordered_json())
                           : ordered_json();
  if (!seconds.is_number() || !is_duration(seconds.get<double>()))
    throw base::user_error(
        fmt::format("{}: {}; remove it, and it is written again.", file.string(), foreign));
  return seconds.get<double>();
}

ordered_json evaluation_identity(const EvaluationTask& task, const features::Items& items,
                                 const base::Context& context) {
  return {{"format", format_version},
          {"version", base::version()},
          {"dataset", valid_utf8(task.dataset)},
          {"settings", to_toml(task.settings)},
          {"variant", task.variant},
          {"protocol", protocol_json(task.protocol)},
          {"seed", context.seed},
          {"data", fingerprint(items, context)}};
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
      {"version", base::version()},
      {"accuracy", summary(evaluation.accuracy)},
      {"training_accuracy", summary(evaluation.training_accuracy)},
      {"baselines",
       {{"majority", summary(evaluation.majority_accuracy)}, {"size", summary(evaluation.size_accuracy)}}},
      {"runs", std::move(runs)},
      {"confusion", std::move(confusion)},
      {"folds", std::move(folds)},
      {"seconds", evaluation.seconds}};
}

void summarize_folds(Evaluation& evaluation, std::size_t repeats, std::size_t classes) {
  const auto summary = [&](double FoldResult::*field) {
    std::vector<std::vector<double>> runs(repeats);
    for (const auto& fold : evaluation.folds) runs[fold.repeat].push_back(fold.*field);
    return summarize(runs);
  };
  evaluation.accuracy = summary(&FoldResult::accuracy);
  evaluation.training_accuracy = summary(&FoldResult::training_accuracy);
  evaluation.majority_accuracy = summary(&FoldResult::majority_accuracy);
  evaluation.size_accuracy = summary(&FoldResult::size_accuracy);
  evaluation.confusion.assign(classes * classes, 0);
  for (const auto& fold : evaluation.folds)
    std::ranges::transform(evaluation.confusion, fold.confusion, evaluation.confusion.begin(), std::plus<>{});
}

// ---- a folder that is finished

namespace {

FinishedEvaluation finished_of(const ordered_json& json, const std::string& file) {
  FinishedEvaluation finished;
  json.at("dataset").get_to(finished.dataset);
  finished.items = count_of(json.at("items"));
  json.at("classes").get_to(finished.classes);
  finished.settings = parse_settings(json.at("settings_toml").get<std::string>(), file + ", settings_toml");
  json.at("variant").get_to(finished.variant);
  finished.protocol = protocol_of(json.at("protocol"));
  finished.seed = count_of(json.at("seed"));
  json.at("version").get_to(finished.version);
  return finished;
}

}  // namespace

FinishedEvaluation read_evaluation(const fs::path& folder) {
  const auto file = folder / "results.json";
  const auto damaged = [](const fs::path& path) {
    return base::user_error(fmt::format("{}: {}.", path.string(), foreign));
  };
  std::error_code ignored;
  if (!fs::exists(file, ignored))
    throw base::user_error(
        fs::exists(folder / "evaluation.json", ignored)
            ? fmt::format("{}: The evaluation is not finished; its command, given again, goes on with it.",
                          folder.string())
            : fmt::format("{}: There is no evaluation here (no results.json).", folder.string()));
  const auto results = read_json(file);
  if (!results) throw damaged(file);
  FinishedEvaluation finished;
  try {
    finished = finished_of(results->json, file.string());
  } catch (const ordered_json::exception&) {
    throw damaged(file);
  }
  finished.checked = results->checked;
  const std::size_t parts = finished.protocol.parts(), repeats = finished.protocol.repeats;
  constexpr std::size_t most_folds = std::size_t{1} << 32;
  if (parts == 0 || repeats == 0 || parts > most_folds / repeats) throw damaged(file);
  for (std::size_t number = 0; number < repeats * parts; ++number) {
    const std::size_t repeat = number / parts, place = number % parts;
    const auto path = folder / "folds" / fold_name(repeat, place);
    const auto read = read_json(path);
    auto fold = read ? fold_in(read->json, repeat, place, finished.classes.size()) : std::nullopt;
    if (!fold) throw damaged(path);
    finished.checked = finished.checked && read->checked;
    if (fold->training_items + fold->test_items != finished.items)
      throw base::user_error(
          fmt::format("{}: The fold has {} items, but according to results.json there are {}.", path.string(),
                      fold->training_items + fold->test_items, finished.items));
    finished.evaluation.folds.push_back(*std::move(fold));
  }
  summarize_folds(finished.evaluation, repeats, finished.classes.size());
  return finished;
}

}  // namespace perslay::learn
