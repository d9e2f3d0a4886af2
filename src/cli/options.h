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

void add_common_options(CLI::App& command, CommonOptions& options);

/// An option whose value is an integer within [low, high]; anything else is the user's error, with these
/// numbers.
CLI::Option* add_integer_option(CLI::App& command, const std::string& name, std::int64_t& value,
                                std::int64_t low, std::int64_t high, const std::string& help);

/// A file that is read, and one that is written (-o, --output if no other name is given). Its name must not
/// be empty, as an unset shell variable is. '-' is no name of one to write: results do not go to stdout.
CLI::Option* add_input_option(CLI::App& command, const std::string& name, std::string& value,
                              const std::string& help);
CLI::Option* add_output_option(CLI::App& command, std::string& value, const std::string& help,
                               const std::string& name = "-o,--output");

/// Throws if the name is not that of a page, so that none takes the place of data by mistake.
void check_page_target(const std::filesystem::path& page);

/// For a help text: a title and a line for each name, what they mean in one column.
[[nodiscard]] std::string name_list(std::string_view title, std::span<const base::NameHelp> names,
                                    std::size_t width);

/// The parts of comma-separated lists; a part that starts with "file:" takes the rest of its argument, commas
/// included.
[[nodiscard]] std::vector<std::string> split_lists(const std::vector<std::string>& lists);

/// What a command runs with: the context that its options stand for, and a place for remarks.
class Session {
 public:
  explicit Session(const CommonOptions& options);

  [[nodiscard]] const base::Context& context() const noexcept { return context_; }

  /// A sentence on stderr that is no error; nothing if the user wants it quiet.
  void note(const std::string& sentence) const;

 private:
  bool quiet_;
  ProgressDisplay display_;
  base::Context context_;
};

}  // namespace perslay::cli
