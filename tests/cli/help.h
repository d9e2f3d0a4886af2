#pragma once

#include "cli/program.h"

#include <cstdio>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace perslay::test {

/// The commands that help lists.
inline std::vector<std::string> commands_of_help() {
  const auto help = run({"--help"}).out;
  std::istringstream lines(help.substr(help.find("Subcommands:\n")));
  std::vector<std::string> commands;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line) && line.starts_with("  "))
    commands.push_back(line.substr(2, line.find(' ', 2) - 2));
  EXPECT_GE(commands.size(), 14U);
  return commands;
}

/// The options that the help of a command lists, long names and short.
inline std::set<std::string> options_of_help(const std::string& command) {
  const auto help = run({command, "--help"}).out;
  std::istringstream lines(help);
  const std::regex entry("  (-[-a-zA-Z,]+)( .*)?");
  std::set<std::string> options;
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (!std::regex_match(line, match, entry)) continue;
    std::istringstream names(match[1]);
    for (std::string name; std::getline(names, name, ',');) options.insert(name);
  }
  EXPECT_TRUE(options.contains("--help")) << command;
  return options;
}

/// What a command of the shell prints, errors included, and whether it succeeds.
inline std::pair<bool, std::string> shell(const std::string& command) {
  FILE* const pipe = ::popen(("{ " + command + "; } 2>&1").c_str(), "r");
  std::string text;
  char buffer[4096];
  for (std::size_t count; (count = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;)
    text.append(buffer, count);
  return {::pclose(pipe) == 0, text};
}

inline bool has_tool(const std::string& name) { return shell("command -v " + name).first; }

}  // namespace perslay::test
