#include "data_options.h"

#include "options.h"

#include <charconv>
#include <cstdint>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/error.h>

namespace perslay::cli {

namespace fs = std::filesystem;

namespace {

/// 4G are four gibibytes.
std::uint64_t parse_size(std::string_view option, const std::string& text) {
  constexpr std::string_view units = "KMGTP";
  std::uint64_t number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  const std::size_t place = unit.empty() ? 0 : units.find(unit) + 1;
  const std::size_t shift = 10 * place;
  if (error != std::errc{} || unit.size() > 1 || (!unit.empty() && place == 0) || number >> (63 - shift) > 0)
    throw base::user_error(
        fmt::format("{} needs a number of bytes, such as 500M or 4G, not '{}'.", option, text));
  return number << shift;
}

}  // namespace

void add_data_options(CLI::App& command, DataOptions& options) {
  std::vector<std::string_view> names;
  for (const auto* const kind : features::input_kinds()) names.push_back(kind->name);
  command.add_option("DATA", options.data, "Graph dataset, point clouds or diagram file")
      ->required()
      ->type_name("");
  command
      .add_option_function<std::string>(
          "--as", [&options](const std::string& name) { options.as = &features::input_kind(name); },
          "What DATA is read as, where a look at it does not tell")
      ->type_name(fmt::format("{}", fmt::join(names, "|")))
      ->take_last();
  command
      .add_option_function<std::string>(
          "--unpack-limit",
          [&options](const std::string& size) {
            options.reading.unpack_limit = parse_size("--unpack-limit", size);
          },
          "Archives: unpack at most so much, such as 4G; by default 256M, or 200 times the archive")
      ->type_name("SIZE")
      ->take_last();
  command
      .add_option_function<std::string>(
          "--columns", [&options](const std::string& list) { options.reading.columns = split_lists({list}); },
          "Edge lists: the columns of source, target and weight, by name or by number from 1")
      ->type_name("SOURCE,TARGET[,WEIGHT]")
      ->take_last();
}

nlohmann::ordered_json reading_json(const features::InputKind& kind, std::size_t items, std::size_t classes,
                                    const features::Reading& reading) {
  using nlohmann::ordered_json;
  return {{"kind", kind.name},
          {"items", items},
          {"classes", classes},
          {"labels_from", reading.labels_from.empty() ? ordered_json() : ordered_json(reading.labels_from)},
          {"self_loops_dropped", reading.self_loops_dropped},
          {"duplicate_edges_merged", reading.duplicate_edges_merged},
          {"cached", reading.cached}};
}

void add_one_based_option(CLI::App& command, DataOptions& options) {
  command.add_flag("--one-based", options.reading.one_based, "Edge lists: vertices are numbered from 1");
}

std::string data_help() {
  std::string text = "DATA holds one of these; --as says which where a look at it does not tell:\n";
  for (const auto* const kind : features::input_kinds()) {
    std::string help(kind->help);
    if (const auto end = help.find('\n'); end != std::string::npos) help.replace(end, 1, "\n            ");
    text += fmt::format("  {:<10}{}\n", kind->name, help);
  }
  return text;
}

const features::InputKind& kind_of(const DataOptions& options, features::Asked asked) {
  const std::pair<std::string_view, bool> given[] = {{"one-based", options.reading.one_based},
                                                     {"columns", !options.reading.columns.empty()}};
  std::vector<std::string_view> about(asked.options.begin(), asked.options.end());
  for (const auto& [option, is_given] : given)
    if (is_given) about.push_back(option);
  asked.options = about;
  const auto& kind = options.as != nullptr ? *options.as : features::input_kind_of(options.data, asked);
  for (const auto& [option, is_given] : given)
    if (is_given) require_option(option, options.data, kind);
  return kind;
}

void require_option(std::string_view option, const std::string& data, const features::InputKind& kind) {
  if (kind.is_stored())
    throw base::user_error(fmt::format(
        "--{} is about computing diagrams, but those of {} are taken as they are.", option, data));
  for (const auto* const other : features::input_kinds())
    if (!kind.takes(option) && other->takes(option))
      throw base::user_error(
          fmt::format("--{} is about {}, but {} is read as {}.", option, other->plural, data, kind.plural));
}

std::string naming_other_kinds(const std::string& sentence, const features::InputKind& kind,
                               const DataOptions& options, const base::Context& context) {
  constexpr std::uintmax_t most = 100'000'000;  // bytes that are worth reading again
  std::error_code unknown;
  const auto bytes = fs::is_regular_file(options.data, unknown) ? fs::file_size(options.data, unknown) : 0;
  if (bytes == 0 || bytes > most || unknown) return sentence;
  auto silent = context;
  silent.progress = nullptr;
  const auto reads = [&](const features::InputKind& other) {
    try {
      return other.read(options.data, options.reading, silent) != nullptr;
    } catch (const base::Error& error) {
      if (error.fault() != base::Fault::user) throw;
      return false;
    }
  };
  if (reads(kind)) return sentence;
  std::vector<std::string> others;
  for (const auto* const other : features::input_kinds())
    if (other != &kind && reads(*other))
      others.push_back(fmt::format("--as {} reads it as {}", other->name, other->plural));
  if (others.empty()) return sentence;
  return fmt::format("{}; {}.", sentence.substr(0, sentence.find_last_not_of('.') + 1),
                     fmt::join(others, ", "));
}

std::string dataset_name(const fs::path& data) {
  std::error_code ignored;
  const auto path = fs::absolute(data, ignored).lexically_normal();
  auto name = (path.has_filename() ? path : path.parent_path()).filename().string();
  for (const std::string_view ending :
       {".zip", ".gz",  ".xz",    ".bz2", ".zst",     ".tgz", ".tar",  ".h5",    ".hdf5", ".csv",
        ".npy", ".txt", ".edges", ".tsv", ".graphml", ".gml", ".json", ".jsonl", ".mtx",  ".npz"})
    if (name.size() > ending.size() && name.ends_with(ending)) name.resize(name.size() - ending.size());
  return name;
}

}  // namespace perslay::cli
