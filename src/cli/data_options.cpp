#include "data_options.h"

#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace perslay::cli {

namespace fs = std::filesystem;

void add_data_options(CLI::App& command, DataOptions& options) {
  std::vector<std::string_view> names;
  for (const auto* const kind : features::input_kinds()) names.push_back(kind->name);
  command.add_option("DATA", options.data, "Graph dataset, point clouds or diagram file")
      ->required()
      ->type_name("");
  command
      .add_option_function<std::string>(
          "--as", [&options](const std::string& name) { options.as = &features::input_kind(name); },
          "What DATA is read as, where its name does not tell")
      ->type_name(fmt::format("{}", fmt::join(names, "|")))
      ->take_last();
}

void add_one_based_option(CLI::App& command, DataOptions& options) {
  command.add_flag("--one-based", options.reading.one_based, "Edge lists: vertices are numbered from 1");
}

std::string data_help() {
  std::string text = "DATA holds one of these; --as says which where its name does not tell:\n";
  for (const auto* const kind : features::input_kinds()) {
    std::string help(kind->help);
    if (const auto end = help.find('\n'); end != std::string::npos) help.replace(end, 1, "\n            ");
    text += fmt::format("  {:<10}{}\n", kind->name, help);
  }
  return text;
}

const features::InputKind& kind_of(const DataOptions& options, std::span<const std::string> filtrations,
                                   bool computed) {
  return options.as != nullptr ? *options.as : features::input_kind_of(options.data, filtrations, computed);
}

std::string dataset_name(const fs::path& data) {
  std::error_code ignored;
  const auto path = fs::absolute(data, ignored).lexically_normal();
  auto name = (path.has_filename() ? path : path.parent_path()).filename().string();
  for (const std::string_view ending : {".zip", ".gz", ".xz", ".bz2", ".zst", ".tgz", ".tar", ".h5", ".hdf5",
                                        ".csv", ".npy", ".txt", ".edges"})
    if (name.size() > ending.size() && name.ends_with(ending)) name.resize(name.size() - ending.size());
  return name;
}

}  // namespace perslay::cli
