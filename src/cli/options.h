#pragma once

#include "progress.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include <perslay/base/context.h>
#include <perslay/base/registry.h>

namespace perslay::cli {

/// What every command understands.
struct CommonOptions {
  std::int64_t threads = 0;
  std::int64_t seed = 0;
  bool json = false;
  bool quiet = false;
};

inline constexpr auto common_group = "Common options";

void add_common_options(CLI::App& command, CommonOptions& options);

/// Adds an option whose value is an integer within [low, high]. Anything else is the user's error, which names the
/// bounds.
CLI::Option* add_integer_option(CLI::App& command, const std::string& name, std::int64_t& value,
                                std::int64_t low, std::int64_t high, const std::string& help);

/// Adds an option that takes comma-separated names, and may be repeated (see split_lists).
void add_list_option(CLI::App& command, const std::string& name, std::vector<std::string>& lists,
                     const std::string& help, const std::string& noun = "NAME");

/// Adds a file to read.
CLI::Option* add_input_option(CLI::App& command, const std::string& name, std::string& value,
                              const std::string& help);
/// Adds a file to write, by default -o, --output. Its name must not be '-': results do not go to stdout.
CLI::Option* add_output_option(CLI::App& command, std::string& value, const std::string& help,
                               const std::string& name = "-o,--output");

/// Whether a file is called as pages are.
[[nodiscard]] bool is_page_name(const std::filesystem::path& file);

/// Throws if the name, or what it links to, is not that of a page, so that a page never replaces data by mistake.
void check_page_target(const std::filesystem::path& page);

/// For a help text: a title and a line for each name, what they mean in one column.
[[nodiscard]] std::string name_list(std::string_view title, std::span<const base::NameHelp> names,
                                    std::size_t width);

/// The parts of comma-separated lists; a part that starts with "file:" takes the rest of its argument, commas
/// included.
[[nodiscard]] std::vector<std::string> split_lists(const std::vector<std::string>& lists);

/// The context of a command, made from its options, and its notes to the user.
class Session {
 public:
  explicit Session(const CommonOptions& options);

  [[nodiscard]] const base::Context& context() const noexcept { return context_; }

  /// Prints a sentence on stderr that is no error; with --quiet, nothing.
  void note(const std::string& sentence) const;

 private:
  bool quiet_;
  ProgressDisplay display_;
  base::Context context_;
};

}  // namespace perslay::cli
