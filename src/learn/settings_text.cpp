#include "settings_keys.h"

#include <sstream>

#include <fmt/format.h>

namespace perslay::learn {
namespace {

/// `all`: also what is left out because texts of before have no such key.
void write(std::string& text, const Section& section, const std::string& prefix, bool all) {
  for (const auto& key : section.keys)
    if (const auto value = key.value.text(); !value.empty() && (key.written || all))
      text += fmt::format("{} = {}\n", key.name, value);
  for (const auto& inner : section.sections) {
    if (!inner.written && !all) continue;
    text += fmt::format("\n[{}{}]\n", prefix, inner.name);
    write(text, inner, fmt::format("{}{}.", prefix, inner.name), all);
  }
}

std::string written(Settings settings, bool all) {
  std::string text;
  write(text, keys_of(settings), "", all);
  return text;
}

}  // namespace

std::string to_toml(const Settings& settings) { return written(settings, false); }

std::string to_json(const Settings& settings) {
  const auto table = toml::parse(written(settings, true));
  std::ostringstream json;
  json << toml::json_formatter{table};
  return json.str();
}

}  // namespace perslay::learn
