#include "learning.h"

#include "output.h"

#include <algorithm>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/error.h>
#include <perslay/base/registry.h>
#include <perslay/features/cache.h>
#include <perslay/io/path_type.h>
#include <perslay/learn/built_in_settings.h>
#include <perslay/learn/channel_choice.h>
#include <perslay/learn/models.h>
#include <perslay/learn/schedule.h>

namespace perslay::cli {
namespace {

namespace fs = std::filesystem;

std::string model_option_help() {
  std::string text = "Another model.";
  for (const auto& kind : learn::models()) text += fmt::format(" {}: {}", kind.form(), kind.help);
  return text;
}

}  // namespace

void add_learning_data_options(CLI::App& command, DataOptions& options) {
  add_data_options(command, options);
  command.add_flag("--no-cache", options.no_cache,
                   "Neither read nor keep diagrams and features computed before");
}

features::Items load(const DataOptions& options, const features::LoadRequest& request,
                     const Session& session) {
  features::LoadOptions loading;
  loading.as = options.as;
  loading.reading = options.reading;
  loading.remark = [&session](const std::string& sentence) { session.note(sentence); };
  if (!options.no_cache) loading.cache = features::default_cache_folder();
  auto items = read_as(kind_of(options), options, session.context(), [&] {
    return features::load_items(options.data, request, session.context(), loading);
  });
  if (items.count() == 0) throw base::user_error(fmt::format("{}: There are no items in it.", options.data));
  return items;
}

nlohmann::ordered_json reading_json(const features::Items& items) {
  return reading_json(*items.kind, items.count(), items.classes.size(), items.reading);
}

std::vector<fs::path> files_read(const DataOptions& options, const features::LoadRequest& request,
                                 const std::string& other) {
  auto files = features::files_named(request);
  files.insert(files.end(), {options.data, other});
  return files;
}

void add_checkpoint_option(CLI::App& command, double& seconds) {
  const auto parse = [&seconds](const std::string& text) {
    seconds = base::parse_number(text, "--checkpoint-every needs a number of seconds");
    if (seconds < 0)
      throw base::user_error(fmt::format("--checkpoint-every needs seconds from 0 on, not {}.", text));
  };
  command
      .add_option_function<std::string>(
          "--checkpoint-every", parse, "Seconds between two writings of the state of training; 10 by default")
      ->type_name("SECONDS")
      ->take_last();
}

void add_settings_options(CLI::App& command, SettingsOptions& options) {
  command
      .add_option("--set", options.overrides, "Change one key of the settings, such as training.epochs=20")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command.add_option("--model", options.model, model_option_help())->type_name("M")->take_last();
  command
      .add_option("--settings", options.settings,
                  "Settings file (.toml), or the name of settings that perslay carries")
      ->type_name("S")
      ->take_last();
}

std::string settings_file(const SettingsOptions& options) {
  return learn::is_settings_file(options.settings) ? options.settings : "";
}

Chosen choose(const SettingsOptions& options, DataOptions& data, std::string_view variant) {
  io::require_path(data.data);
  Chosen chosen;
  auto& settings = chosen.settings;
  if (options.settings.empty()) {
    chosen.default_of = &kind_of(data);
    settings = learn::default_settings(*chosen.default_of);
  } else {
    settings = learn::settings_by_name(options.settings);
  }
  const auto named = std::ranges::find_if(options.overrides, learn::names_model);
  if (!options.model.empty() && named != options.overrides.end())
    throw base::user_error(
        fmt::format("--model {} and --set {} both name a model; say it once.", options.model, *named));
  if (!options.model.empty()) settings = learn::with_model(std::move(settings), options.model);
  for (const auto& assignment : options.overrides)
    settings = learn::with_override(std::move(settings), assignment);
  settings = learn::variant(std::move(settings), variant);
  const auto request = load_request(settings);
  data.as = &kind_of(data, {.filtrations = request.filtrations, .kinds = request.kinds});
  return chosen;
}

void note_cost(const learn::Cost& cost, const Session& session) {
  constexpr double long_seconds = 5, large_bytes = 1e9;
  if (cost.seconds < long_seconds && cost.bytes < large_bytes) return;
  const auto time = cost.seconds == 0 ? "" : duration(cost.seconds) + " and ";
  session.note(fmt::format("About {}{:.1f} GB of memory.", time, cost.bytes / 1e9));
}

void note_choice(const learn::Settings& settings, std::size_t items, const Session& session) {
  if (!chooses_channel(settings)) return;
  const auto count = settings.network.candidates.size();
  session.note(fmt::format(
      "network.channel is a list: {} trainings on parts of the training part choose one of {} channels.",
      count * choice_folds(settings.network, items), count));
}

void note_settings(const Chosen& chosen, const Session& session) {
  const auto& settings = chosen.settings;
  const auto& network = settings.network;
  const auto& training = settings.training;
  if (chosen.default_of != nullptr) {
    const bool is_network = model_kind(settings).is_network;
    std::string parts;
    for (const auto& part : {fmt::format("{}", fmt::join(settings.data.filtrations, " and ")),
                             is_network ? network.channel.paper : std::string()})
      if (!part.empty()) parts += part + ", ";
    parts += is_network ? fmt::format("{} epochs", training.epochs) : fmt::format("model {}", settings.model);
    session.note(
        fmt::format("No --settings: the default for {} is used ({}).", chosen.default_of->plural, parts));
  }
  if (!model_kind(settings).has_epochs) return;
  if (const auto run = learn::effective_epochs(training); run < training.epochs)
    session.note(fmt::format("The rate of {} has vanished after {} epochs; the other {} are not run.",
                             training.schedule, run, training.epochs - run));
  const auto idle = [&](bool set, std::string_view key, std::string_view reason) {
    if (set) session.note(fmt::format("{} has no effect: {}.", key, reason));
  };
  for (const auto& [set, key] : {std::pair(network.train_filtration, "network.train_filtration"),
                                 std::pair(network.times_by_epoch, "network.filtration_update"),
                                 std::pair(network.train_features, "network.train_features")})
    idle(set && !network.use_diagrams, key, "network.diagrams is false");
  idle(training.restart_from_average && training.average == 0, "training.restart_from_average",
       "training.average is 0");
  idle(network.batch_norm && network.hidden.empty(), "network.batch_norm", "network.hidden has no layers");
  idle(network.dropout > 0 && network.hidden.empty(), "network.dropout", "network.hidden has no layers");
  idle(settings.features.clip > 0 && !settings.features.standardise, "features.clip",
       "features.standardise is false");
}

}  // namespace perslay::cli
