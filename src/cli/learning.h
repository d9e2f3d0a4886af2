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

/// DATA, --as and --no-cache, of `train`, `evaluate` and `predict`.
void add_learning_data_options(CLI::App& command, DataOptions& options);

/// DATA of any kind, and where it is kept for the next time.
[[nodiscard]] features::Items load(const DataOptions& options, const features::LoadRequest& request,
                                   const Session& session);

/// DATA, the files of values that the request names, and one more, which may be missing.
[[nodiscard]] std::vector<std::filesystem::path> files_read(const DataOptions& options,
                                                            const features::LoadRequest& request,
                                                            const std::string& other);

/// How learning is set up on the command line.
struct SettingsOptions {
  std::string settings;
  std::string model;
  std::vector<std::string> overrides;
};

/// --checkpoint-every SECONDS.
void add_checkpoint_option(CLI::App& command, double& seconds);

/// The user's error if what is given for the argument or option is empty.
void require_name(std::string_view argument, std::string_view given);

void add_settings_options(CLI::App& command, SettingsOptions& options);

/// The file of --settings; empty if it names settings that the program carries.
[[nodiscard]] std::string settings_file(const SettingsOptions& options);

/// The settings of a file, or those that the program carries under a name, or the default for what DATA
/// holds; with the keys changed that the user wants changed.
[[nodiscard]] learn::Settings chosen_settings(const SettingsOptions& options, const DataOptions& data);

/// Says what learning will take if that is long or much.
void note_cost(const learn::Cost& cost, const Session& session);

/// Says which default is used where no settings are given.
void note_default(const learn::Settings& settings, const features::InputKind& kind, const Session& session);

/// Says which settings of a network have no effect: epochs after the rate has vanished (see
/// Schedule::effective_epochs), and keys that need another one.
void note_without_effect(const learn::Settings& settings, const Session& session);

}  // namespace perslay::cli
