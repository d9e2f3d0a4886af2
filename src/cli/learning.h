#pragma once

#include "data_options.h"
#include "options.h"

#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include <perslay/features/load_items.h>
#include <perslay/learn/learner.h>
#include <perslay/learn/settings.h>

namespace perslay::cli {

/// Adds DATA, --as and --no-cache, of `train`, `evaluate` and `predict`.
void add_learning_data_options(CLI::App& command, DataOptions& options);

/// Loads DATA of any kind, through the cache.
[[nodiscard]] features::Items load(const DataOptions& options, const features::LoadRequest& request,
                                   const Session& session);

/// What was read, for --json.
[[nodiscard]] nlohmann::ordered_json reading_json(const features::Items& items);

/// DATA, the files of values that the request names, and one more, which may be empty.
[[nodiscard]] std::vector<std::filesystem::path> files_read(const DataOptions& options,
                                                            const features::LoadRequest& request,
                                                            const std::string& other);

/// The options of learning.
struct SettingsOptions {
  std::string settings;
  std::string model;
  std::vector<std::string> overrides;
};

/// Adds --checkpoint-every SECONDS.
void add_checkpoint_option(CLI::App& command, double& seconds);

void add_settings_options(CLI::App& command, SettingsOptions& options);

/// The file of --settings; empty if it names built-in settings.
[[nodiscard]] std::string settings_file(const SettingsOptions& options);

/// What a command learns with.
struct Chosen {
  learn::Settings settings;
  const features::InputKind* default_of = nullptr;  ///< Whose default that is; null: --settings says it.
};

/// The settings of a file, built-in settings by name, or the default for what DATA holds; with the keys that
/// --set changes, and a variant of them. Also sets `data.as`, what DATA is read as.
[[nodiscard]] Chosen choose(const SettingsOptions& options, DataOptions& data,
                            std::string_view variant = "perslay");

/// Says what learning will take if that is a long time or much memory.
void note_cost(const learn::Cost& cost, const Session& session);

/// Says how many trainings choose a channel, if there is a choice, in a training part of so many items.
void note_choice(const learn::Settings& settings, std::size_t items, const Session& session);

/// Says which default is used where no settings are given, and which settings of a network have no effect:
/// epochs after the rate has vanished (see Schedule::effective_epochs), and keys that need another one.
void note_settings(const Chosen& chosen, const Session& session);

}  // namespace perslay::cli
