#include "usage.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/registry.h>

namespace perslay::cli {
namespace {

std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
  return base::suggestion(word, std::vector<std::string_view>(known.begin(), known.end()));
}

/// A word of other programs, and ours for it.
constexpr std::array<std::array<std::string_view, 2>, 9> elsewhere{{
    {"--epochs", "--set training.epochs=N"},
    {"--learning-rate", "--set training.rate=X"},
    {"--lr", "--set training.rate=X"},
    {"--batch-size", "--set training.batch=N"},
    {"--weight-decay", "--set training.weight_decay=X"},
    {"--filtration", "--set data.filtrations='[\"hks:10\"]'"},
    {"--test-size", "--test-fraction F"},
    {"--resume", "the same command again, which goes on where it was"},
    {"--config", "--settings S"},
}};

/// " (did you mean '--output'?)", or nothing.
std::string option_hint(const std::string& word, const std::vector<std::string>& known) {
  const auto is_learning = std::ranges::find(known, "--set") != known.end();
  const auto* const other = std::ranges::find(elsewhere, word, [](const auto& names) { return names[0]; });
  if (is_learning && other != elsewhere.end()) return fmt::format(" (that is {})", (*other)[1]);
  return suggestion(word, known);
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const auto* option : command.get_options())
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<std::string> command_names(const CLI::App& program) {
  std::vector<std::string> names;
  for (const auto* command : program.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

const CLI::App& innermost(const CLI::App& program) {
  const auto chosen = program.get_subcommands();
  return chosen.empty() ? program : *chosen.back();
}

std::string full_name(const CLI::App& program, const CLI::App& command) {
  return &command == &program ? program.get_name() : program.get_name() + ' ' + command.get_name();
}

void refuse_unknown(const CLI::App& program, const CLI::App& command) {
  const auto extras = command.remaining();
  if (extras.empty()) return;
  const auto is_option = [](const std::string& word) { return word.size() > 1 && word.front() == '-'; };
  const auto option = std::ranges::find_if(extras, is_option);
  const std::string name = full_name(program, command);
  if (option != extras.end()) {
    const std::string word = option->substr(0, option->find('='));
    throw base::user_error(fmt::format("'{}' has no option '{}'{}; '{} --help' lists them.", name, word,
                                       option_hint(word, option_names(command)), name));
  }
  if (&command == &program)
    throw base::user_error(fmt::format("There is no command '{}'{}; '{} --help' lists them.", extras.front(),
                                       suggestion(extras.front(), command_names(program)), name));
  throw base::user_error(
      fmt::format("'{}' does not know what to do with '{}'; see '{} --help'.", name, extras.front(), name));
}

}  // namespace

void refuse_unknown_arguments(const CLI::App& program) {
  refuse_unknown(program, program);
  for (const auto* command : program.get_subcommands()) refuse_unknown(program, *command);
}

void refuse(const CLI::App& program, const CLI::ParseError& complaint) {
  refuse_unknown_arguments(program);
  const std::string name = full_name(program, innermost(program));
  const std::string what = complaint.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&complaint) != nullptr)
    throw base::user_error(
        fmt::format("{} needs one value; see '{} --help'.", what.substr(0, what.find(':')), name));
  throw base::user_error(fmt::format("{}; see '{} --help'.", what, name));
}

}  // namespace perslay::cli
