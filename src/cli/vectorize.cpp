#include "commands.h"
#include "options.h"
#include "output.h"
#include "read_diagrams.h"

#include <cmath>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/parallel.h>
#include <perslay/base/stopwatch.h>
#include <perslay/features/vectorize.h>
#include <perslay/io/matrix_file.h>
#include <perslay/io/overwriting.h>

namespace perslay::cli {
namespace {

using nlohmann::ordered_json;

struct VectorizeOptions {
  CommonOptions common;
  std::string data;
  std::string named;
  std::string phi;
  std::string weight;
  std::string op;
  std::string initialisation;
  std::string range;
  GroupChoice groups;
  std::string output;
};

std::string help_footer() {
  std::string text = "F is a diagram file, as 'perslay diagrams' writes them (.h5, .hdf5 or .csv).\n";
  text += name_list("Vectorizations (--as)", layer::vectorization_help(), 30);
  text += name_list("Point transformations (--phi)", layer::point_transform_help(), 30);
  text += name_list("Weights (--weight)", layer::weight_help(), 30);
  text += name_list("Operations (--op)", layer::operation_help(), 30);
  return text + R"(
Points are taken as (min, max) of birth and death. Samples are spread over the births and deaths of each
filtration and kind, or over the range given. With --phi parameters are those from which training starts;
there the range is scaled to 0 .. 1.

Examples:
  perslay vectorize mutag.h5 --as landscape:5x60 -o mutag.npy
  perslay vectorize mutag.h5 --as image:20x20:power=1 --kinds ext1 -o loops.csv
  perslay vectorize orbits.h5 --as betti:100 --range 0:0.01 --json -o betti.npy
  perslay vectorize mutag.h5 --phi gaussian:20x20 --weight power:1 --op sum -o X.npy)";
}

// ---- the request

features::Vectorizer chosen_vectorizer(const VectorizeOptions& options) {
  if (options.named.empty() == options.phi.empty())
    throw base::user_error(
        "A vectorization is chosen by --as, such as --as landscape:5x60, or by --phi with --weight and "
        "--op.");
  if (options.phi.empty()) {
    for (const auto& [flag, value] :
         {std::pair("--weight", &options.weight), {"--op", &options.op}, {"--init", &options.initialisation}})
      if (!value->empty())
        throw base::user_error(fmt::format("{} goes with --phi; {} has its own.", flag, options.named));
    return layer::parse_vectorization(options.named);
  }
  features::UntrainedChannel untrained;
  untrained.channel.phi = layer::parse_point_transform(options.phi);
  if (!options.weight.empty()) untrained.channel.weight = layer::parse_weight(options.weight);
  if (!options.op.empty()) untrained.channel.op = layer::parse_operation(options.op);
  if (!options.initialisation.empty())
    untrained.initialisation = layer::parse_initialisation(options.initialisation);
  return untrained;
}

std::optional<layer::Range> chosen_range(const std::string& text) {
  if (text.empty()) return std::nullopt;
  constexpr auto wanted = "--range needs two numbers, the lower first, such as --range 0:1";
  const auto [low, high, both] = base::split_name(text);
  if (!both) throw base::user_error(fmt::format("{}, not '{}'.", wanted, text));
  const layer::Range range{base::parse_number(low, wanted), base::parse_number(high, wanted)};
  if (range.low >= range.high) throw base::user_error(fmt::format("{}, not '{}'.", wanted, text));
  const double length = range.high - range.low;
  if (!std::isfinite(length) || !std::isfinite(1 / length))
    throw base::user_error(fmt::format("--range {} is too long or too short to compute with.", text));
  return range;
}

ordered_json method_json(const features::Vectorizer& vectorizer) {
  if (const auto* const named = std::get_if<layer::Vectorization>(&vectorizer))
    return {{"as", named->name()}};
  const auto& [channel, initialisation] = std::get<features::UntrainedChannel>(vectorizer);
  return {{"phi", channel.phi.name()},
          {"weight", channel.weight.name()},
          {"op", channel.op.name()},
          {"init", initialisation == layer::Initialisation::ours ? "ours" : "authors"}};
}

// ---- the work

void run(const VectorizeOptions& options) {
  const base::Stopwatch watch;
  const auto vectorizer = chosen_vectorizer(options);
  const auto range = chosen_range(options.range);
  io::check_matrix_target(options.output);
  io::refuse_overwriting({options.data}, options.output);

  const Session session(options.common);
  const auto set = read_diagrams(options.data, options.groups, session);
  const auto matrix = features::vectorize(set, vectorizer, range, session.context());
  write_rows(options.output, set,
             features::column_names(set, vectorizer, matrix.frames, session.context().seed), matrix.values);

  const double seconds = watch.seconds();
  const int threads = base::worker_count(session.context());
  Table table({"filtration", "kind", "columns", "from", "to", "persistence up to"}, 2);
  auto groups = ordered_json::array();
  for (std::size_t g = 0; g < set.groups.size(); ++g) {
    const auto& filtration = set.groups[g].filtration;
    const std::string kind(diagram::kind_name(set.groups[g].kind));
    const auto& [values, births, persistences] = matrix.frames[g];
    const std::size_t columns = matrix.columns / set.groups.size();
    table.add({filtration, kind, fmt::format("{}", columns), fmt::format("{:.4g}", values.low),
               fmt::format("{:.4g}", values.high), fmt::format("{:.4g}", persistences.high)});
    groups.push_back({{"filtration", filtration},
                      {"kind", kind},
                      {"columns", columns},
                      {"values", {values.low, values.high}},
                      {"births", {births.low, births.high}},
                      {"persistences", {persistences.low, persistences.high}}});
  }
  if (options.common.json)
    return print(ordered_json{{"items", matrix.rows},
                              {"columns", matrix.columns},
                              {"method", method_json(vectorizer)},
                              {"seed", options.common.seed},
                              {"groups", std::move(groups)},
                              {"seconds", seconds},
                              {"threads", threads},
                              {"output", options.output}});
  print(fmt::format("{}\nWritten to {}: {} items, {} columns.\nSeconds: {:.3f}, threads: {}.\n", table.text(),
                    options.output, matrix.rows, matrix.columns, seconds, threads));
}

}  // namespace

void add_vectorize(CLI::App& program, Action& chosen) {
  const auto options = std::make_shared<VectorizeOptions>();
  auto& command = *program.add_subcommand("vectorize", "Turn persistence diagrams into a matrix of numbers");
  add_input_option(command, "F", options->data, "Diagram file (.h5, .hdf5 or .csv)")->required();
  command.add_option("--as", options->named, "A named vectorization (see below)")->type_name("NAME");
  command.add_option("--phi", options->phi, "Point transformation of a PersLay layer (see below)")
      ->type_name("NAME");
  command.add_option("--weight", options->weight, "Its weight function; one by default")->type_name("NAME");
  command.add_option("--op", options->op, "Its operation; sum by default")->type_name("NAME");
  command.add_option("--init", options->initialisation, "Its parameters: ours (the default) or authors")
      ->type_name("NAME");
  command
      .add_option("--range", options->range, "Where births and deaths lie; fitted to the diagrams by default")
      ->type_name("A:B");
  add_group_options(command, options->groups);
  add_output_option(command, options->output, "Matrix to write (.npy or .csv)")->required();
  add_common_options(command, options->common);
  command.footer(help_footer());
  command.callback([&chosen, options] { chosen = [options] { run(*options); }; });
}

}  // namespace perslay::cli
