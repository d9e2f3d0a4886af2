#include "settings_texts.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/error.h>
#include <perslay/experiment/built_in_settings.h>

namespace perslay::experiment {

std::span<const BuiltInSettings> built_in_settings() { return settings_texts(); }

learn::Settings built_in(std::string_view name) {
  const auto same = [&](std::string_view known) {
    return std::ranges::equal(name, known, {}, [](unsigned char c) { return std::tolower(c); });
  };
  std::vector<std::string_view> names;
  for (const auto& settings : settings_texts()) {
    if (same(settings.name))
      return learn::parse_settings(settings.toml, fmt::format("{}.toml", settings.name));
    names.push_back(settings.name);
  }
  throw base::user_error(
      fmt::format("There are no settings called '{}'; there are {}.", name, fmt::join(names, ", ")));
}

}  // namespace perslay::experiment
