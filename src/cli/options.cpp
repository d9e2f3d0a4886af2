#include "options.h"

#include "interrupt.h"

#include <charconv>
#include <cstdio>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/processors.h>
#include <perslay/io/atomic_file.h>

namespace perslay::cli {
namespace {

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

CLI::Option* add_integer_option(CLI::App& command, const std::string& name, std::int64_t& value,
                                std::int64_t low, std::int64_t high, const std::string& help) {
  const auto parse = [name, &value, low, high](const std::string& text) {
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stop != end || value < low || value > high)
      throw base::user_error(
          fmt::format("{} needs an integer from {} to {}, not '{}'.", name, low, high, text));
  };
  return command.add_option_function<std::string>(name, parse, help)->type_name("N")->take_last();
}

void add_list_option(CLI::App& command, const std::string& name, std::vector<std::string>& lists,
                     const std::string& help, const std::string& noun) {
  command.add_option(name, lists, help)
      ->type_name(fmt::format("{0}[,{0}...]", noun))
      ->allow_extra_args(false);
}

CLI::Option* add_input_option(CLI::App& command, const std::string& name, std::string& value,
                              const std::string& help) {
  return command.add_option(name, value, help)->type_name("");
}

CLI::Option* add_output_option(CLI::App& command, std::string& value, const std::string& help,
                               const std::string& name) {
  const auto take = [&value](const std::string& file) {
    if (file == "-")
      throw base::user_error("-: Results do not go to the standard output; ./- is a file of this name.");
    value = file;
  };
  return command.add_option_function<std::string>(name, take, help)->type_name("FILE");
}

bool is_page_name(const std::filesystem::path& file) {
  const auto ending = file.extension();
  return ending == ".html" || ending == ".htm";
}

void check_page_target(const std::filesystem::path& page) {
  if (!is_page_name(page) || !is_page_name(io::place_of(page)))
    throw base::user_error(
        fmt::format("{}: A page is written to a file whose name ends in .html or .htm.", page.string()));
}

void add_common_options(CLI::App& command, CommonOptions& options) {
  add_integer_option(command, "--threads", options.threads, 0, base::most_threads,
                     "Threads to use; 0 (the default): PERSLAY_THREADS, OMP_NUM_THREADS or all processors")
      ->group(common_group);
  add_integer_option(command, "--seed", options.seed, 0, std::numeric_limits<std::int64_t>::max(),
                     "Seed of everything random; 0 by default")
      ->group(common_group);
  command.add_flag("--json", options.json, "Print one JSON object instead of text")->group(common_group);
  command.add_flag("--quiet", options.quiet, "No progress and no notes on stderr")->group(common_group);
}

std::string name_list(std::string_view title, std::span<const base::NameHelp> names, std::size_t width) {
  std::string text = fmt::format("\n{}:\n", title);
  for (const auto& [usage, meaning] : names) text += fmt::format("  {:<{}} {}\n", usage, width, meaning);
  return text;
}

std::vector<std::string> split_lists(const std::vector<std::string>& lists) {
  std::vector<std::string> parts;
  for (std::string_view rest : lists) {
    while (true) {
      const auto comma = rest.starts_with("file:") ? std::string_view::npos : rest.find(',');
      parts.emplace_back(trimmed(rest.substr(0, comma)));
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
  }
  return parts;
}

Session::Session(const CommonOptions& options) : quiet_(options.quiet) {
  context_.threads = options.threads > 0 ? static_cast<int>(options.threads) : base::default_threads();
  context_.seed = static_cast<std::uint64_t>(options.seed);
  context_.cancel = &watch_for_interrupts();
  if (!quiet_) context_.progress = [this](const base::Progress& progress) { display_.show(progress); };
}

void Session::note(const std::string& sentence) const {
  if (quiet_) return;
  clear_status_line();
  std::fputs(fmt::format("perslay: {}\n", sentence).c_str(), stderr);
}

}  // namespace perslay::cli
