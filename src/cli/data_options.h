#pragma once

#include <filesystem>
#include <span>
#include <string>

#include <CLI/CLI.hpp>

#include <perslay/features/input_kind.h>

namespace perslay::cli {

/// DATA, and how it is read.
struct DataOptions {
  std::string data;
  const features::InputKind* as = nullptr;  ///< --as; null: what DATA holds is told from its name.
  features::ReadOptions reading{};
  bool no_cache = false;
};

/// DATA, --as and --unpack-limit.
void add_data_options(CLI::App& command, DataOptions& options);

/// --one-based, for commands that read items without labels, such as edge lists.
void add_one_based_option(CLI::App& command, DataOptions& options);

/// What each kind of DATA is read from, for the help of commands.
[[nodiscard]] std::string data_help();

/// What DATA holds; see features::input_kind_of.
[[nodiscard]] const features::InputKind& kind_of(const DataOptions& options,
                                                 std::span<const std::string> filtrations = {},
                                                 bool computed = false);

/// "MUTAG" for datasets/MUTAG.zip.
[[nodiscard]] std::string dataset_name(const std::filesystem::path& data);

}  // namespace perslay::cli
