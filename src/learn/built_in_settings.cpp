#include "names.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/features/inputs.h>
#include <perslay/learn/built_in_settings.h>

namespace perslay::learn {
namespace {

const BuiltInSettings* find(std::string_view name) {
  const auto same = [&](const BuiltInSettings& settings) {
    return std::ranges::equal(name, settings.name, {}, [](unsigned char c) { return std::tolower(c); });
  };
  const auto found = std::ranges::find_if(built_in_settings(), same);
  return found == built_in_settings().end() ? nullptr : &*found;
}

Settings parsed(const BuiltInSettings& settings) {
  return parse_settings(settings.toml, fmt::format("{}.toml", settings.name));
}

/// "collab, cox2 and dhfr".
std::string known_names() {
  std::vector<std::string_view> names;
  for (const auto& settings : built_in_settings()) names.push_back(settings.name);
  return listed(names);
}

}  // namespace

bool is_built_in(std::string_view name) { return find(name) != nullptr; }

Settings built_in(std::string_view name) {
  if (const auto* const settings = find(name)) return parsed(*settings);
  throw base::user_error(
      fmt::format("There are no settings called '{}'; there are {}.", name, known_names()));
}

Settings default_settings(const features::InputKind& kind) {
  const auto* const own = find(fmt::format("default-{}", kind.name));
  auto settings =
      own != nullptr ? parsed(*own) : built_in(fmt::format("default-{}", features::diagram_kind().name));
  settings.name = "default";
  if (settings.data.filtrations.empty() && !kind.default_filtration.empty())
    settings.data.filtrations.emplace_back(kind.default_filtration);
  return settings;
}

bool is_settings_file(const std::string& source) {
  std::error_code ignored;
  return source.ends_with(".toml") || source.find('/') != std::string::npos ||
         (!is_built_in(source) && std::filesystem::exists(source, ignored));
}

Settings settings_by_name(const std::string& source) {
  if (is_settings_file(source)) return read_settings(source);
  if (const auto* const settings = find(source)) return parsed(*settings);
  throw base::user_error(
      fmt::format("There are no settings called '{}', and no such file; there are {}, and a settings file "
                  "would do, too.",
                  source, known_names()));
}

}  // namespace perslay::learn
