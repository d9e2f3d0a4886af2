#include "command_table.h"

#include "options.h"

#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <utility>

#include <nlohmann/json.hpp>

#include <perslay/base/registry.h>
#include <perslay/diagram/distance.h>
#include <perslay/diagram/kind.h>
#include <perslay/diagram/transforms.h>
#include <perslay/experiment/descriptions.h>
#include <perslay/experiment/plan.h>
#include <perslay/features/input_kind.h>
#include <perslay/kernel/kernel.h>
#include <perslay/layer/operation.h>
#include <perslay/layer/point_transform.h>
#include <perslay/layer/vectorization.h>
#include <perslay/layer/weight.h>
#include <perslay/learn/built_in_settings.h>
#include <perslay/learn/models.h>
#include <perslay/learn/settings.h>

namespace perslay::cli {
namespace {

using Words = std::vector<std::string>;

Words beginnings(std::span<const base::NameHelp> names) {
  Words words;
  for (const auto& name : names) {
    auto word = fixed_beginning(name.usage);
    if (!word.empty() && std::ranges::find(words, word) == words.end()) words.push_back(std::move(word));
  }
  return words;
}

Words filtrations() {
  Words words;
  for (const auto* const kind : features::input_kinds())
    if (!kind->is_stored())
      std::ranges::move(beginnings(kind->filtrations->help()), std::back_inserter(words));
  return words;
}

Words kinds() {
  Words words;
  for (const auto& kind : diagram::kind_names()) words.emplace_back(kind.name);
  return words;
}

Words settings() {
  Words words;
  for (const auto& built_in : learn::built_in_settings()) words.emplace_back(built_in.name);
  return words;
}

Words models() {
  auto words = beginnings(learn::model_help());
  for (const auto& kernel : beginnings(kernel::kernel_help())) words.push_back("svm:" + kernel);
  return words;
}

/// "training.epochs=" and so on.
Words assignments() {
  Words words;
  const auto keys = nlohmann::ordered_json::parse(learn::to_json({}));
  for (const auto& [section, value] : keys.items())
    if (value.is_object())
      for (const auto& key : value.items()) words.push_back(section + '.' + key.key() + '=');
  return words;
}

Words tables() {
  auto words = experiment::description_names();
  std::ranges::move(experiment::plan_names(), std::back_inserter(words));
  return words;
}

/// The values that an option or argument of this name takes in every command that has it.
struct Choices {
  std::string_view name;
  std::function<Words()> words;
};

const auto& all_choices() {
  static const std::array table{
      Choices{"--as", [] { return beginnings(layer::vectorization_help()); }},  // where DATA is no argument
      Choices{"--essential",
              [] {
                return Words{"drop", "clip", "clip:"};
              }},
      Choices{"--filtration", filtrations},
      Choices{"--init",
              [] {
                return Words{"ours", "authors"};
              }},
      Choices{"--kernel", [] { return beginnings(kernel::kernel_help()); }},
      Choices{"--kinds", kinds},
      Choices{"--metric", [] { return beginnings(diagram::metrics().help()); }},
      Choices{"--model", models},
      Choices{"--op", [] { return beginnings(layer::operation_help()); }},
      Choices{"--phi", [] { return beginnings(layer::point_transform_help()); }},
      Choices{"--set", assignments},
      Choices{"--settings", settings},
      Choices{"--transform", [] { return beginnings(diagram::transforms().help()); }},
      Choices{"--variant", [] { return Words(learn::variants().begin(), learn::variants().end()); }},
      Choices{"--weight", [] { return beginnings(layer::weight_help()); }},
      Choices{"NAME", tables},
      Choices{"SHELL",
              [] {
                return Words{"bash", "zsh", "fish"};
              }},
  };
  return table;
}

/// "a|b" as its parts.
Words alternatives(std::string_view text) {
  Words words;
  for (std::size_t begin = 0, end = 0; end != std::string_view::npos; begin = end + 1) {
    end = text.find('|', begin);
    words.emplace_back(text.substr(begin, end == std::string_view::npos ? end : end - begin));
  }
  return words;
}

OptionEntry entry_of(const CLI::Option& option) {
  OptionEntry entry;
  for (const auto& name : option.get_snames()) entry.names.push_back('-' + name);
  for (const auto& name : option.get_lnames()) entry.names.push_back("--" + name);
  const bool is_argument = entry.names.empty();
  entry.value = is_argument ? option.get_name() : option.get_type_name();
  if (option.get_items_expected_max() == 0) entry.value.clear();
  entry.help = option.get_description();
  entry.required = option.get_required();
  entry.is_common =
      option.get_group() == common_group || std::ranges::find(entry.names, "--help") != entry.names.end();
  entry.is_list = entry.value.find(',') != std::string::npos && entry.value.find("...") != std::string::npos;
  if (entry.value.find('|') != std::string::npos) {
    entry.choices = alternatives(entry.value);
    return entry;
  }
  for (const auto& [name, words] : all_choices())
    if (is_argument ? entry.value == name : std::ranges::find(entry.names, name) != entry.names.end())
      entry.choices = words();
  return entry;
}

}  // namespace

bool OptionEntry::takes_path() const {
  if (names.empty()) return choices.empty();
  return value == "FILE" || value == "DIR";
}

std::string fixed_beginning(std::string_view usage) {
  const auto is_placeholder = [](char c) { return (c >= 'A' && c <= 'Z') || c == '['; };
  return {usage.begin(), std::ranges::find_if(usage, is_placeholder)};
}

CommandEntry command_entry(const CLI::App& command) {
  CommandEntry entry{command.get_name(), command.get_description(), command.get_footer(), {}, {}};
  for (const auto* const option : command.get_options())
    (option->nonpositional() ? entry.options : entry.arguments).push_back(entry_of(*option));
  return entry;
}

std::vector<CommandEntry> command_table(const CLI::App& program) {
  std::vector<CommandEntry> commands;
  for (const auto* const command : program.get_subcommands({})) commands.push_back(command_entry(*command));
  return commands;
}

}  // namespace perslay::cli
