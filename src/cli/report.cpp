#include "commands.h"
#include "options.h"
#include "output.h"

#include <filesystem>
#include <memory>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include <perslay/io/atomic_file.h>
#include <perslay/io/everything_below.h>
#include <perslay/io/overwriting.h>
#include <perslay/report/evaluation_page.h>

namespace perslay::cli {
namespace {

namespace fs = std::filesystem;

struct ReportCommand {
  CommonOptions common;
  std::string source;
  std::string output;
  std::int64_t items = static_cast<std::int64_t>(learn::sampled_items);
};

constexpr auto footer =
    R"(DIR is a folder that perslay evaluate or perslay reproduce wrote; a model of perslay train will do too. The page is
one file that needs no network: accuracies, training curves, confusion matrix, diagrams of some items, weights before
and after training, run times and settings.

Examples:
  perslay evaluate MUTAG.zip --settings mutag -o mutag-results
  perslay report mutag-results -o mutag.html
  perslay report mutag.safetensors -o model.html)";

/// Pages may lie among the results, and be made again.
std::vector<fs::path> files_read(const fs::path& source) {
  std::error_code ignored;
  if (!fs::is_directory(source, ignored)) return {source};
  std::vector<fs::path> files;
  for (const auto& [path, type] : io::everything_below(source))
    if (type == io::PathType::file && !is_page_name(path)) files.push_back(path);
  return files;
}

void run(const ReportCommand& options) {
  const Session session(options.common);
  check_page_target(options.output);
  io::refuse_overwriting(files_read(options.source), options.output);
  const auto page = report::report_page(options.source, static_cast<std::size_t>(options.items));
  for (const auto& note : page.notes) session.note(note);
  const auto html = page.html();
  io::write_file(options.output, html);
  if (options.common.json)
    return print(nlohmann::ordered_json{{"title", page.title},
                                        {"sections", page.sections.size()},
                                        {"bytes", html.size()},
                                        {"output", options.output}});
  print(fmt::format("{}\nWritten to {} ({:.1f} MB); open it in a browser.\n", page.title, options.output,
                    static_cast<double>(html.size()) / 1e6));
}

}  // namespace

void add_report(CLI::App& program, Action& chosen) {
  const auto options = std::make_shared<ReportCommand>();
  auto& command = *program.add_subcommand("report", "Turn results into a page to look at");
  command.add_option("DIR", options->source, "Folder of results, or a model")->required()->type_name("");
  add_integer_option(command, "--items", options->items, 0, 100000,
                     "Show the diagrams of so many items at most; 200 by default");
  add_output_option(command, options->output, "Page to write (.html)")->required();
  add_common_options(command, options->common);
  command.footer(footer);
  command.callback([&chosen, options] { chosen = [options] { run(*options); }; });
}

}  // namespace perslay::cli
