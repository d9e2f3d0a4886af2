#include "settings_keys.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <toml++/toml.h>

#include <perslay/base/error.h>
#include <perslay/base/registry.h>
#include <perslay/features/input_kind.h>
#include <perslay/features/item_features.h>
#include <perslay/learn/models.h>
#include <perslay/learn/settings.h>

namespace perslay::learn {
namespace {

/// Which ordinary diagrams of graphs a variant learns from.
struct OrdinaryVariant {
  std::string_view name;
  std::vector<diagram::Kind> kinds;
  bool clipped = false;  ///< Classes that never die are clipped, unless the settings say how.
};

/// The first is that of the table of results.
std::span<const OrdinaryVariant> ordinary_variants() {
  using enum diagram::Kind;
  static const std::array<OrdinaryVariant, 7> all{
      {{.name = "ordinary-only", .kinds = {sub0}},
       {.name = "ordinary-clipped", .kinds = {sub0}, .clipped = true},
       {.name = "ordinary-superlevel", .kinds = {sup0}},
       {.name = "ordinary-both", .kinds = {sub0, sup0}},
       {.name = "ordinary-both-clipped", .kinds = {sub0, sup0}, .clipped = true},
       {.name = "ordinary-loops", .kinds = {sub0, sub1}, .clipped = true},
       {.name = "ordinary-all", .kinds = {sub0, sup0, sub1}, .clipped = true}}};
  return all;
}

/// Each kind belongs to the input that the filtrations are of.
void check_kinds(const DataSettings& data) {
  const auto* const input = features::kind_of_filtrations(data.filtrations);
  for (const auto kind : data.kinds) {
    if (std::ranges::count(data.kinds, kind) > 1)
      throw base::user_error(fmt::format("The kind {} is given twice.", diagram::kind_name(kind)));
    if (input != nullptr && !input->has(kind))
      throw base::user_error(fmt::format("The filtration {} has no diagrams of the kind {}.",
                                         data.filtrations.front(), diagram::kind_name(kind)));
  }
}

/// Changes what the table names.
void apply(const Origin& origin, const toml::table& table, Settings& settings) {
  read_keys(keys_of(settings), {table, "", origin});
  const auto data = table["data"];
  if (const auto* const node = data["kinds"] ? data["kinds"].node() : data["filtrations"].node())
    origin.at(node->source(), [&] { check_kinds(settings.data); });
}

toml::table parse(const Origin& origin, std::string_view text) {
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    std::string reason(error.description());
    while (reason.ends_with('.')) reason.pop_back();
    origin.fail(error.source(), fmt::format("This is not TOML: {}.", reason));
  }
}

/// Models that are no network, alone or beside another, choose their own features.
void refuse_features(const Origin& origin, const toml::table& table, const Settings& settings) {
  if (model_kind(settings).takes_features || settings.features.names.empty()) return;
  origin.fail(
      table.get("features")->source(),
      fmt::format("The model {} takes no features by name; features.names must be empty.", settings.model));
}

/// A key as TOML.
std::string key_text(std::string_view name) {
  const bool bare = !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  return bare ? std::string(name) : quoted_toml(name);
}

/// `all`: also what is left out because texts of before have no such key.
void write(std::string& text, const Section& section, const std::string& prefix, bool all) {
  for (const auto& key : section.keys)
    if (const auto value = key.value.text(); !value.empty() && (key.written || all))
      text += fmt::format("{} = {}\n", key_text(key.name), value);
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

Settings read_settings(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::error_code ignored;
  if (!stream || std::filesystem::is_directory(file, ignored))
    throw base::user_error(fmt::format("{}: The settings file cannot be read.", file.string()));
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  return parse_settings(text, file.string());
}

Settings parse_settings(std::string_view toml, const std::string& source) {
  const Origin origin{source};
  Settings settings;
  const auto table = parse(origin, toml);
  apply(origin, table, settings);
  if (model_kind(settings).takes_features) return settings;
  refuse_features(origin, table, settings);
  return with_model(settings, settings.model);
}

Settings with_override(Settings settings, const std::string& assignment) {
  const Origin origin{fmt::format("'{}'", assignment), false};
  const auto equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == assignment.size())
    throw base::user_error(fmt::format(
        "A setting is changed by key=value, such as training.epochs=20, not by '{}'.", assignment));
  const auto table = [&] {
    try {
      return toml::parse(assignment);
    } catch (const toml::parse_error&) {  // a text needs no quotation marks
      const auto quoted = quoted_toml(assignment.substr(equals + 1));
      return parse(origin, fmt::format("{}={}", assignment.substr(0, equals), quoted));
    }
  }();
  const auto before = settings.model;
  apply(origin, table, settings);
  if (settings.model == before) {
    if (model_kind(settings).takes_features) return settings;
    refuse_features(origin, table, settings);
  }
  const auto model = std::exchange(settings.model, before);
  const auto data = settings.data;
  settings = with_model(std::move(settings), model);
  if (const auto* const given = table.get("data"); given != nullptr && settings.data != data)
    origin.fail(
        given->source(),
        fmt::format("The model {} reads what its pool names; data are not to be changed.", settings.model));
  return settings;
}

std::string to_toml(const Settings& settings) { return written(settings, false); }

std::string to_json(const Settings& settings) {
  const auto table = toml::parse(written(settings, true));
  std::ostringstream json;
  json << toml::json_formatter{table};
  return json.str();
}

bool names_model(const std::string& assignment) {
  auto key = assignment.substr(0, assignment.find('='));
  std::erase_if(key, [](char c) { return c == ' ' || c == '\t'; });
  return key == "model";
}

Settings variant(Settings settings, std::string_view name) {
  if (std::ranges::find(variants(), name) == variants().end())
    throw base::user_error(fmt::format("There is no variant called '{}'{}; there are {}.", name,
                                       base::suggestion(name, variants()), listed(variants())));
  if (name == "perslay") return settings;
  if (model_kind(settings).own_data != nullptr)
    throw base::user_error(
        fmt::format("The model {} has no variants; another pool says what it reads, such as "
                    "ridge:diagrams-only or ridge:no-topology.",
                    settings.model));
  if (name == "features-only") {
    std::erase_if(settings.features.names,
                  [](const auto& feature) { return !features::parse_item_feature(feature).of_graphs(); });
    if (settings.features.names.empty())
      throw base::user_error(
          "The variant features-only has nothing to learn from: the settings name no features of graphs.");
    settings.network.use_diagrams = false;
    return settings;
  }
  if (!settings.network.use_diagrams)
    throw base::user_error(
        fmt::format("The variant {} has nothing to learn from: the settings use no diagrams.", name));
  settings.features.names.clear();
  settings.network.train_features = false;
  const auto ordinary = std::ranges::find(ordinary_variants(), name, &OrdinaryVariant::name);
  if (ordinary == ordinary_variants().end()) return settings;
  if (const auto* const input = features::kind_of_filtrations(settings.data.filtrations);
      input != nullptr && !input->has(ordinary->kinds.front()))
    throw base::user_error(
        fmt::format("The variant {} is about graphs; diagrams of {} are ordinary.", name, input->plural));
  settings.data.kinds = ordinary->kinds;
  if (ordinary->clipped && settings.data.essential == DataSettings{}.essential)
    settings.data.essential = "clip";
  return settings;
}

std::span<const std::string_view> variants() {
  static const auto names = [] {
    std::vector<std::string_view> all{"perslay", "features-only", "extended-only"};
    all.reserve(all.size() + ordinary_variants().size());
    for (const auto& ordinary : ordinary_variants()) all.push_back(ordinary.name);
    return all;
  }();
  return names;
}

}  // namespace perslay::learn
