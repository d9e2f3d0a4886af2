#pragma once

#include "settings_value.h"

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include <perslay/learn/settings.h>

namespace perslay::learn {

/// One key of the settings, bound to the variable that it sets. Readers, writers and docs/settings.md know
/// nothing else about it.
struct Key {
  std::string_view name;
  SettingsValue value;    ///< If its text is empty, there is nothing to write.
  std::string_view help;  ///< The cell of docs/settings.md.
  bool written = true;    ///< false: to_toml leaves it out, as texts of before the key did.
};

/// A table of the settings.
struct Section {
  std::string_view name;  ///< Empty for the top level.
  std::vector<Key> keys;
  std::vector<Section> sections{};
  bool written = true;
  /// Keys of earlier versions: read, but neither written nor listed.
  std::vector<std::pair<std::string_view, std::function<void(const Given&)>>> former{};
  /// Reads a key that is not listed; false if it means nothing.
  std::function<bool(std::string_view name, const Given&)> other{};
};

/// All keys, bound to these settings, whose values they have.
[[nodiscard]] Section keys_of(Settings& settings);

/// Sets what a table names, and refuses what is no key.
void read_keys(const Section& section, const Given& table);

}  // namespace perslay::learn
