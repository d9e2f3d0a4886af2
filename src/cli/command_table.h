#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

namespace perslay::cli {

/// An option or an argument, as help shows it.
struct OptionEntry {
  std::vector<std::string> names;  ///< "-o" and "--output"; none for an argument.
  std::string value;               ///< "FILE"; empty: it is a flag.
  std::string help;
  bool required = false;
  bool is_common = false;            ///< Every command that computes has it.
  bool is_list = false;              ///< Values may be joined by commas.
  std::vector<std::string> choices;  ///< Values, or how they begin: "degree", "hks:".

  /// Whether values are files or folders.
  [[nodiscard]] bool takes_path() const;
};

struct CommandEntry {
  std::string name;
  std::string help;
  std::string footer;  ///< What help says below the options.
  std::vector<OptionEntry> arguments;
  std::vector<OptionEntry> options;
};

/// What a command, or the program itself, takes.
[[nodiscard]] CommandEntry command_entry(const CLI::App& command);

/// The commands of the program with all that they take: what completion scripts and the manual page are made from.
[[nodiscard]] std::vector<CommandEntry> command_table(const CLI::App& program);

/// How values of a usage begin: "hks:" of "hks:T", "sw" of "sw[:DIRECTIONS]"; empty if nothing is fixed.
[[nodiscard]] std::string fixed_beginning(std::string_view usage);

}  // namespace perslay::cli
