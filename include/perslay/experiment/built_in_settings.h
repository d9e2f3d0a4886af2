#pragma once

#include <span>
#include <string>
#include <string_view>

#include <perslay/learn/settings.h>

namespace perslay::experiment {

/// A file of the folder `experiments`, as the program carries it.
struct BuiltInSettings {
  std::string_view name;  ///< "mutag" for experiments/mutag.toml.
  std::string_view toml;
};

/// All of them, by name.
[[nodiscard]] std::span<const BuiltInSettings> built_in_settings();

[[nodiscard]] bool is_built_in(std::string_view name);

/// Upper and lower case are the same. An unknown name is the user's error, with the known ones.
[[nodiscard]] learn::Settings built_in(std::string_view name);

}  // namespace perslay::experiment
