#include "settings_texts.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/error.h>
#include <perslay/experiment/built_in_settings.h>

namespace perslay::experiment {
namespace {

const BuiltInSettings* find(std::string_view name) {
  const auto same = [&](const BuiltInSettings& settings) {
    return std::ranges::equal(name, settings.name, {}, [](unsigned char c) { return std::tolower(c); });
  };
  const auto found = std::ranges::find_if(settings_texts(), same);
  return found == settings_texts().end() ? nullptr : &*found;
}

}  // namespace

std::span<const BuiltInSettings> built_in_settings() { return settings_texts(); }

bool is_built_in(std::string_view name) { return find(name) != nullptr; }

learn::Settings built_in(std::string_view name) {
  if (const auto* const settings = find(name))
    return learn::parse_settings(settings->toml, fmt::format("{}.toml", settings->name));
  std::vector<std::string_view> names;
  for (const auto& settings : settings_texts()) names.push_back(settings.name);
  throw base::user_error(
      fmt::format("There are no settings called '{}'; there are {}.", name, fmt::join(names, ", ")));
}

}  // namespace perslay::experiment
