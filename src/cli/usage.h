#pragma once

#include <CLI/CLI.hpp>

namespace perslay::cli {

/// Throws the user's error if the command line holds a command or an option that does not exist.
void refuse_unknown_arguments(const CLI::App& program);

/// Turns the parser's complaint into the user's error.
[[noreturn]] void refuse(const CLI::App& program, const CLI::ParseError& complaint);

}  // namespace perslay::cli
