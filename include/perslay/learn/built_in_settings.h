#pragma once

#include <span>
#include <string>
#include <string_view>

#include <perslay/features/input_kind.h>
#include <perslay/learn/settings.h>

namespace perslay::learn {

/// A file of the folder `experiments`, as the library carries it.
struct BuiltInSettings {
  std::string_view name;  ///< "mutag" for experiments/mutag.toml.
  std::string_view toml;
};

/// All of them, by name.
[[nodiscard]] std::span<const BuiltInSettings> built_in_settings();

[[nodiscard]] bool is_built_in(std::string_view name);

/// Upper and lower case are the same. An unknown name is the user's error, with the known ones.
[[nodiscard]] Settings built_in(std::string_view name);

/// What is used if nothing else is asked for: the paper's network, with settings that suit most datasets of
/// this kind.
[[nodiscard]] Settings default_settings(const features::InputKind& kind);

/// Whether settings_by_name reads a file: `source` ends in .toml, contains '/', or exists and is no built-in
/// name. A built-in name means the built-in settings even if a file or a folder of results is called so, too.
[[nodiscard]] bool is_settings_file(const std::string& source);

/// The settings of a file, or else the built-in settings of that name. A name that is neither is the user's
/// error, with the known ones.
[[nodiscard]] Settings settings_by_name(const std::string& source);

}  // namespace perslay::learn
