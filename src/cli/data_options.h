#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <perslay/base/context.h>
#include <perslay/base/error.h>
#include <perslay/features/input_kind.h>

namespace perslay::cli {

/// DATA, and how it is read.
struct DataOptions {
  std::string data;
  const features::InputKind* as = nullptr;  ///< --as; null: a look at DATA tells.
  features::ReadOptions reading{};
  bool no_cache = false;
};

/// DATA, --as, --unpack-limit and --columns.
void add_data_options(CLI::App& command, DataOptions& options);

/// --one-based, for commands that read items without labels, such as edge lists.
void add_one_based_option(CLI::App& command, DataOptions& options);

/// What each kind of DATA is read from, for the help of commands.
[[nodiscard]] std::string data_help();

/// What DATA holds; see features::input_kind_of. Refuses --one-based and --columns where they mean nothing.
[[nodiscard]] const features::InputKind& kind_of(const DataOptions& options, features::Asked asked = {});

/// Throws if this kind of data does not take the option.
void require_option(std::string_view option, const std::string& data, const features::InputKind& kind);

/// What was read, for --json.
[[nodiscard]] nlohmann::ordered_json reading_json(const features::InputKind& kind, std::size_t items,
                                                  std::size_t classes, const features::Reading& reading);

/// The sentence with which reading DATA as a kind was refused, and which --as reads it. Unchanged if none does, or if
/// the kind does, so that it is about something else.
[[nodiscard]] std::string naming_other_kinds(const std::string& sentence, const features::InputKind& kind,
                                             const DataOptions& options, const base::Context& context);

/// Runs `read`, which reads DATA as a kind. If that is refused because DATA is not of the kind, the sentence also says
/// which --as reads it.
template <class Read>
auto read_as(const features::InputKind& kind, const DataOptions& options, const base::Context& context,
             const Read& read) {
  try {
    return read();
  } catch (const base::Error& error) {
    if (error.fault() != base::Fault::user) throw;
    throw base::user_error(naming_other_kinds(error.what(), kind, options, context));
  }
}

/// "MUTAG" for datasets/MUTAG.zip.
[[nodiscard]] std::string dataset_name(const std::filesystem::path& data);

}  // namespace perslay::cli
