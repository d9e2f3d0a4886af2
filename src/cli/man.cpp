#include "command_table.h"
#include "commands.h"
#include "output.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/version.h>

namespace perslay::cli {
namespace {

constexpr auto footer = R"(Prints the manual page in roff, made from the same tables as help.

Examples:
  perslay man | man -l -
  perslay man > ~/.local/share/man/man1/perslay.1)";

// ---- roff

/// Text that means itself.
std::string plain(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else if (c == '\'')
      result += "\\(aq";
    else if (c == '~')
      result += "\\(ti";
    else if (c == '^')
      result += "\\(ha";
    else
      result += c;
  }
  return result.starts_with('.') ? "\\&" + result : result;
}

std::string bold(std::string_view text) { return "\\fB" + plain(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + plain(text) + "\\fR"; }

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::size_t indent_of(std::string_view line) { return std::min(line.find_first_not_of(' '), line.size()); }

bool is_example(std::string_view line) { return line.starts_with("  perslay "); }

/// A name and what it means, "  hks:T   Heat kernel ...". After a long name there is one space, or a new line.
std::string item(std::string_view line, bool goes_on) {
  line.remove_prefix(indent_of(line));
  auto end = line.find("  ");
  if (end == std::string_view::npos && !goes_on) end = line.find(' ');
  if (end == std::string_view::npos) return ".TP\n" + bold(line) + '\n';
  const auto meaning = line.substr(end);
  return ".TP\n" + bold(line.substr(0, end)) + '\n' + plain(meaning.substr(indent_of(meaning))) + '\n';
}

/// What help says below the options: paragraphs, titles, lists of names, examples.
std::string body(std::string_view text) {
  std::string result;
  bool begins = true;  // a paragraph
  const auto lines = lines_of(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto line = lines[i];
    const auto indent = indent_of(line);
    const auto next = i + 1 < lines.size() ? indent_of(lines[i + 1]) : 0;
    if (line.empty()) {
      begins = true;
    } else if (indent == 0) {
      if (begins || (i > 0 && indent_of(lines[i - 1]) > 0)) result += ".PP\n";
      begins = false;
      result += line.ends_with(':') && next > 0 ? bold(line) + '\n' : plain(line) + '\n';
    } else if (is_example(line)) {
      result += fmt::format("{}{}\n{}", i > 0 && is_example(lines[i - 1]) ? "" : ".IP\n.nf\n",
                            plain(line.substr(indent)),
                            i + 1 < lines.size() && is_example(lines[i + 1]) ? "" : ".fi\n");
    } else {
      result += indent == 2 ? item(line, next > 2) : plain(line.substr(indent)) + '\n';
    }
  }
  return result;
}

// ---- commands

std::string names_and_value(const OptionEntry& option) {
  std::vector<std::string> names;
  for (const auto& name : option.names) names.push_back(bold(name));
  return fmt::format("{}{}", fmt::join(names, ", "), option.value.empty() ? "" : ' ' + italic(option.value));
}

std::string entry(const OptionEntry& option) {
  const auto title = option.names.empty() ? italic(option.value) : names_and_value(option);
  return fmt::format(".TP\n{}\n{}.\n", title, plain(option.help));
}

std::string section(const CommandEntry& command) {
  std::string usage = bold("perslay " + command.name) + " [" + italic("OPTIONS") + ']';
  std::string entries;
  for (const auto& argument : command.arguments) {
    usage += argument.required ? ' ' + italic(argument.value) : " [" + italic(argument.value) + ']';
    entries += entry(argument);
  }
  for (const auto& option : command.options)
    if (!option.is_common) entries += entry(option);
  return ".SS " + plain(command.name) + '\n' + usage + "\n.PP\n" + plain(command.help) + ".\n" + entries +
         body(command.footer);
}

constexpr auto environment =
    R"(  PERSLAY_THREADS  The number of threads, from 1 to 256, where --threads does not say it.
  OMP_NUM_THREADS  The same if PERSLAY_THREADS is not set. Without either, all processors that the process may use:
                   its affinity and the quota of its control groups (containers) count.
  XDG_CACHE_HOME   Its folder perslay keeps diagrams and features computed before; ~/.cache by default.
)";

constexpr auto exit_status = R"(  0    Done.
  1    A fault of the program or of the machine.
  2    A mistake in the request or in its files.
  130  Interrupted.
)";

std::string manual(const CLI::App& program) {
  const auto commands = command_table(program);
  auto text = fmt::format(
      ".TH PERSLAY 1 \"\" \"perslay {}\" \"User Commands\"\n.SH NAME\nperslay \\- {}\n.SH SYNOPSIS\n"
      "{} {} [{}] [{}]\n.SH DESCRIPTION\n{}\n.SH COMMANDS\n",
      base::version(), "topological learning on graphs and point clouds", bold("perslay"), italic("COMMAND"),
      italic("OPTIONS"), italic("ARGUMENTS"), plain(program.get_description()));
  for (const auto& command : commands) text += section(command);
  text += ".SH OPTIONS\nOf the program and of every command that computes:\n";
  for (const auto& option : command_entry(program).options) text += entry(option);
  for (const auto& option : commands.front().options)
    if (option.is_common && std::ranges::find(option.names, "--help") == option.names.end())
      text += entry(option);
  return text + ".SH ENVIRONMENT\n" + body(environment) + ".SH EXIT STATUS\n" + body(exit_status) +
         ".SH EXAMPLES\n" + body(program.get_footer().substr(program.get_footer().find('\n') + 1));
}

}  // namespace

void add_man(CLI::App& program, Action& chosen) {
  auto& command = *program.add_subcommand("man", "Print the manual page");
  command.footer(footer);
  command.callback([&program, &chosen] { chosen = [&program] { print(manual(program)); }; });
}

}  // namespace perslay::cli
