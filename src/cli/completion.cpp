#include "command_table.h"
#include "commands.h"
#include "output.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/error.h>

namespace perslay::cli {
namespace {

constexpr auto footer =
    R"(Prints a script that completes commands, options, names of filtrations, metrics, settings and so on, and
files. It is made from the same tables as help.

Examples:
  perslay completion bash > ~/.local/share/bash-completion/completions/perslay
  perslay completion zsh > "${fpath[1]}/_perslay"
  perslay completion fish > ~/.config/fish/completions/perslay.fish)";

/// Puts a backslash before each of some characters.
std::string escaped(std::string_view text, std::string_view special) {
  std::string result;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

/// The options of the program itself.
std::vector<std::string> own_options(const CLI::App& program) {
  std::vector<std::string> names;
  for (const auto& option : command_entry(program).options)
    names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

std::vector<std::string> names_of(const std::vector<CommandEntry>& commands) {
  std::vector<std::string> names;
  names.reserve(commands.size());
  for (const auto& command : commands) names.push_back(command.name);
  return names;
}

// ---- bash

/// What is behind an option, as a case of the script.
std::string bash_case(const OptionEntry& option) {
  std::string action = ":";
  if (!option.choices.empty())
    action = fmt::format("_perslay_words '{}'{}", fmt::join(option.choices, " "), option.is_list ? " ," : "");
  else if (option.takes_path())
    action = "_perslay_files";
  return fmt::format("        {}) {}; return ;;\n", fmt::join(option.names, "|"), action);
}

std::string bash_command(const CommandEntry& command) {
  std::vector<std::string> names;
  std::string cases;
  for (const auto& option : command.options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
    if (!option.value.empty()) cases += bash_case(option);
  }
  std::string words;
  for (const auto& argument : command.arguments)
    if (!argument.choices.empty()) words = fmt::format("{}", fmt::join(argument.choices, " "));
  return fmt::format(R"(    {})
      case $previous in
{}      esac
      case $word in
        -*) _perslay_words '{}' ;;
        *) {} ;;
      esac ;;
)",
                     command.name, cases, fmt::join(names, " "),
                     words.empty() ? "_perslay_files" : fmt::format("_perslay_words '{}'", words));
}

/// The words are taken from the line itself, because bash parts them at ':' and '='. What stands before the last of
/// these is left out of the replies.
constexpr auto bash_functions = R"(# Completion of perslay in bash, made by 'perslay completion bash'.

# Replies with those of the words in $1 that begin as $word does; with $2, after the last of these separators.
_perslay_words() {
  local start='' end=$word reply
  [[ -n ${2-} && $end == *"$2"* ]] && start=${end%"$2"*}$2 && end=${end##*"$2"}
  for reply in $(compgen -W "$1" -- "$end"); do
    [[ $reply == *[:=] ]] && compopt -o nospace
    reply=$start$reply
    [[ $word == *[:=]* ]] && reply=${reply#"${word%"${word##*[:=]}"}"}
    COMPREPLY+=("$reply")
  done
}

_perslay_files() { compopt -o default; }

_perslay() {
  local line=${COMP_LINE:0:COMP_POINT} words=() word='' previous='' command='' given
  read -ra words <<< "$line"
  if [[ $line != *[[:space:]] ]]; then
    word=${words[${#words[@]}-1]}
    unset "words[${#words[@]}-1]"
  fi
  previous=${words[${#words[@]}-1]}
  if [[ $word == --*=* ]]; then
    previous=${word%%=*}
    word=${word#*=}
  fi
  for given in "${words[@]:1}"; do
    [[ $given == -* ]] && continue
    command=$given
    [[ $given == help ]] || break
  done
  COMPREPLY=()
  case $command in
)";

std::string bash_script(const CLI::App& program, const std::vector<CommandEntry>& commands) {
  std::string text = bash_functions;
  for (const auto& command : commands) text += bash_command(command);
  return text + fmt::format(R"(    *) _perslay_words '{} help {}' ;;
  esac
}}

complete -F _perslay perslay
)",
                            fmt::join(names_of(commands), " "), fmt::join(own_options(program), " "));
}

// ---- zsh

/// ":FILE:_files" or ":NAME:(a b)", what _arguments wants to know of a value.
std::string zsh_value(const OptionEntry& option) {
  std::string action = " ";
  if (!option.choices.empty()) {
    std::vector<std::string> words;
    for (const auto& word : option.choices) words.push_back(escaped(word, ":\\"));
    const auto all = fmt::format("{}", fmt::join(words, " "));
    action = option.is_list ? "_sequence compadd - " + all : '(' + all + ')';
  } else if (option.takes_path()) {
    action = "_files";
  }
  return fmt::format(":{}:{}", escaped(option.value, ":\\"), action);
}

/// Text within '...'.
std::string zsh_quoted(std::string_view text) {
  std::string result;
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result;
}

std::string zsh_command(const CommandEntry& command) {
  std::string text = fmt::format("        {})\n          _arguments", command.name);
  for (const auto& option : command.options)
    for (const auto& name : option.names)
      text += fmt::format(" \\\n            '*{}[{}]{}'", name, zsh_quoted(escaped(option.help, "[]:\\")),
                          option.value.empty() ? "" : zsh_quoted(zsh_value(option)));
  for (const auto& argument : command.arguments)
    text += fmt::format(" \\\n            '*{}'", zsh_quoted(zsh_value(argument)));
  return text + " ;;\n";
}

std::string zsh_script(const CLI::App& program, const std::vector<CommandEntry>& commands) {
  std::string text = R"(#compdef perslay
# Completion of perslay in zsh, made by 'perslay completion zsh'.

_perslay() {
  local state
  _arguments -C)";
  for (const auto& name : own_options(program)) text += fmt::format(" '{}'", name);
  text += R"( ':command:->command' '*::argument:->argument'
  case $state in
    command)
      local -a commands=(
)";
  for (const auto& command : commands)
    text += fmt::format("        '{}:{}'\n", command.name, zsh_quoted(escaped(command.help, ":\\")));
  text += R"(        'help:Explain a command'
      )
      _describe command commands ;;
    argument)
      case $words[1] in
)";
  for (const auto& command : commands) text += zsh_command(command);
  return text + fmt::format(R"(        help) _arguments ':command:({})' ;;
      esac ;;
  esac
}}

if [[ $funcstack[1] == _perslay ]]; then _perslay "$@"; else compdef _perslay perslay; fi
)",
                            fmt::join(names_of(commands), " "));
}

// ---- fish

std::string fish_quoted(std::string_view text) { return '\'' + escaped(text, "'\\") + '\''; }

std::string fish_option(const CommandEntry& command, const OptionEntry& option) {
  std::string text = fmt::format("complete -c perslay -n '__fish_seen_subcommand_from {}'", command.name);
  for (const auto& name : option.names)
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!option.choices.empty()) {
    const auto words = fmt::format("{}", fmt::join(option.choices, " "));
    text +=
        option.is_list ? fmt::format(" -x -a '(__fish_append , {})'", words) : " -x -a " + fish_quoted(words);
  } else if (!option.value.empty()) {
    text += option.takes_path() ? " -r -F" : " -x";
  }
  return text + " -d " + fish_quoted(option.help) + '\n';
}

std::string fish_script(const CLI::App& program, const std::vector<CommandEntry>& commands) {
  std::string text = "# Completion of perslay in fish, made by 'perslay completion fish'.\n\n";
  const auto add_own = [&](std::string_view what) {
    text += fmt::format("complete -c perslay -n __fish_use_subcommand {}\n", what);
  };
  for (const auto& name : own_options(program))
    add_own(name.starts_with("--") ? "-l " + name.substr(2) : "-s " + name.substr(1));
  for (const auto& command : commands)
    add_own(fmt::format("-f -a {} -d {}", command.name, fish_quoted(command.help)));
  add_own("-f -a help -d 'Explain a command'");
  for (const auto& command : commands) {
    text += '\n';
    for (const auto& option : command.options) text += fish_option(command, option);
    for (const auto& argument : command.arguments)
      if (!argument.choices.empty()) text += fish_option(command, argument);
  }
  return text + fmt::format("\ncomplete -c perslay -n '__fish_seen_subcommand_from help' -f -a '{}'\n",
                            fmt::join(names_of(commands), " "));
}

// ---- the command

using Writer = std::string (*)(const CLI::App& program, const std::vector<CommandEntry>& commands);

struct Shell {
  std::string_view name;
  Writer script;
};

constexpr std::array<Shell, 3> shells{{{"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}}};

void run(const CLI::App& program, const std::string& name) {
  const auto shell = std::ranges::find(shells, name, &Shell::name);
  if (shell == shells.end())
    throw base::user_error(fmt::format("There are scripts for bash, zsh and fish, not for '{}'.", name));
  print(shell->script(program, command_table(program)));
}

}  // namespace

void add_completion(CLI::App& program, Action& chosen) {
  const auto shell = std::make_shared<std::string>();
  auto& command = *program.add_subcommand("completion", "Print a script for completion in a shell");
  command.add_option("SHELL", *shell, "bash, zsh or fish")->required()->type_name("");
  command.footer(footer);
  command.callback([&program, &chosen, shell] { chosen = [&program, shell] { run(program, *shell); }; });
}

}  // namespace perslay::cli
