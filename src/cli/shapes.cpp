#include "commands.h"
#include "options.h"
#include "output.h"

#include <filesystem>
#include <memory>
#include <system_error>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/stopwatch.h>
#include <perslay/data/generators.h>
#include <perslay/io/atomic_file.h>
#include <perslay/io/graph_dataset.h>

namespace perslay::cli {
namespace {

struct ShapesOptions {
  CommonOptions common;
  std::int64_t per_class = 100;
  std::string output;
};

constexpr auto examples = R"(Writes a labelled dataset of three families of graphs that differ in shape: trees
with hubs, rings with chords, dense communities (20 to 60 vertices each).

Examples:
  perslay shapes -o shapes
  perslay shapes --per-class 1000 --seed 7 -o /tmp/many_shapes)";

void run(const ShapesOptions& options) {
  const base::Stopwatch watch;
  std::error_code ignored;
  if (std::filesystem::exists(options.output, ignored))
    throw base::user_error(fmt::format("{}: This exists already, and it is not replaced.", options.output));
  const io::AtomicFile would_be_written(options.output);
  const Session session(options.common);
  const auto dataset = data::shapes_dataset(static_cast<std::size_t>(options.per_class), session.context());
  io::write_tu_dataset(options.output, dataset);
  if (options.common.json)
    print(nlohmann::ordered_json{{"graphs", dataset.size()},
                                 {"classes", dataset.classes.size()},
                                 {"seed", options.common.seed},
                                 {"output", options.output},
                                 {"seconds", watch.seconds()}});
  else
    print(fmt::format("{} graphs in {} classes written to {}.\n", dataset.size(), dataset.classes.size(),
                      options.output));
}

}  // namespace

void add_shapes(CLI::App& program, Action& chosen) {
  const auto options = std::make_shared<ShapesOptions>();
  auto& command = *program.add_subcommand("shapes", "Make a dataset of graphs that differ in shape");
  add_integer_option(command, "--per-class", options->per_class, 1, 10'000'000,
                     "Graphs per class; 100 by default");
  add_output_option(command, options->output, "The folder to write, which must not exist")
      ->type_name("DIR")
      ->required();
  add_common_options(command, options->common);
  command.footer(examples);
  command.callback([&chosen, options] { chosen = [options] { run(*options); }; });
}

}  // namespace perslay::cli
