#include "commands.h"
#include "diagram_input.h"
#include "options.h"
#include "output.h"
#include "overwriting.h"

#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/parallel.h>
#include <perslay/base/stopwatch.h>
#include <perslay/io/matrix_file.h>
#include <perslay/kernel/bandwidth.h>
#include <perslay/kernel/gram.h>

namespace perslay::cli {
namespace {

using diagram::DiagramSet;
using kernel::Kernel;
using kernel::Matrix;
using nlohmann::ordered_json;

/// Medians are taken over so many items of the first file, evenly spaced.
constexpr std::size_t sample_size = 256;

/// From so many seconds on, what a computation takes is said before it begins.
constexpr double long_run = 2;

struct GramOptions {
  CommonOptions common;
  std::string rows;
  std::string columns;
  std::string kernel;
  GroupChoice groups;
  bool base = false;
  std::string output;
};

std::string help_footer() {
  std::string text = "A and B are diagram files, as 'perslay diagrams' writes them (.h5, .hdf5 or .csv).\n";
  const auto add = [&text](std::string_view title, std::span<const base::NameHelp> entries) {
    text += fmt::format("\n{}:\n", title);
    for (const auto& entry : entries) text += fmt::format("  {:<34} {}\n", entry.usage, entry.text);
  };
  add("Kernels (--kernel)", kernel::kernel_help());
  add("Approximations, at the end of a kernel's name", kernel::approximation_help());
  return text + R"(
Parameters that a name leaves out are chosen by the papers' median rules on A. The kernels of several
filtrations and kinds are combined: multiplied for sw, pf and pwg, added for pss and pwg-linear.

Examples:
  perslay gram mutag.h5 --kernel sw -o K.npy
  perslay gram train.h5 test.h5 --kernel pf:0.01 -o K.npy
  perslay gram orbits.h5 --kernel sw:20 --kinds h1 --base -o distances.npy
  perslay gram orbits.h5 --kernel pss:0.001~grid:1e-6 --threads 1 --json -o K.npy)";
}

// ---- the computation

struct Outcome {
  DiagramSet rows;
  std::optional<DiagramSet> columns;
  std::vector<Kernel> kernels;  ///< One for each group, with all parameters.
  std::optional<double> rate;
  std::optional<kernel::Estimate> estimate;
  Matrix matrix;
  double seconds = 0;

  [[nodiscard]] std::span<const diagram::DiagramGroup> column_groups() const {
    return columns ? columns->groups : rows.groups;
  }
};

void announce(const Session& session, const kernel::Estimate& estimate) {
  if (estimate.seconds < long_run) return;
  session.note(fmt::format("This will take about {:.3g} seconds and {:.3g} MB.", estimate.seconds,
                           1e-6 * static_cast<double>(estimate.bytes)));
}

/// The rate by the median of the base between some items of the first file; the same for its own matrix and
/// for those with any other file.
double rate_on_rows(const Outcome& outcome, const Kernel& kernel, const base::Context& context) {
  const auto items = kernel::spread_items(outcome.rows.item_count(), sample_size);
  if (const auto given = kernel.rate()) return *given;
  if (!outcome.columns) return kernel::median_rate(kernel, outcome.matrix, items);
  std::vector<diagram::DiagramGroup> some;
  for (const auto& group : outcome.rows.groups) {
    std::vector<diagram::Diagram> diagrams;
    for (const std::size_t item : items) {
      const auto points = group.diagrams[item];
      diagrams.push_back({{points.begin(), points.end()}, {}});
    }
    some.push_back({group.filtration, group.kind, diagram::DiagramBatch(diagrams), {}});
  }
  const auto base = kernel::base_matrix(outcome.kernels, some, context);
  return kernel::median_rate(kernel, base, kernel::spread_items(items.size(), items.size()));
}

void compute(const GramOptions& options, const Kernel& kernel, const Session& session, Outcome& outcome) {
  const auto items = kernel::spread_items(outcome.rows.item_count(), sample_size);
  outcome.kernels = kernel::fit(kernel, outcome.rows.groups, items);
  outcome.estimate =
      kernel::estimate(outcome.kernels, outcome.rows.groups, outcome.column_groups(), session.context());
  announce(session, *outcome.estimate);
  outcome.matrix =
      kernel::base_matrix(outcome.kernels, outcome.rows.groups, outcome.column_groups(), session.context());
  if (options.base || !kernel.is_distance()) return;
  outcome.rate = rate_on_rows(outcome, kernel, session.context());
  outcome.matrix = kernel::outer_map(std::move(outcome.matrix), *outcome.rate);
}

// ---- what it found

void report_json(const GramOptions& options, const Outcome& outcome, int threads) {
  auto groups = ordered_json::array();
  for (std::size_t g = 0; g < outcome.rows.groups.size(); ++g)
    groups.push_back({{"filtration", outcome.rows.groups[g].filtration},
                      {"kind", diagram::kind_name(outcome.rows.groups[g].kind)},
                      {"kernel", outcome.kernels[g].name()}});
  print(ordered_json{{"rows", outcome.matrix.rows},
                     {"columns", outcome.matrix.columns},
                     {"kernel", options.kernel},
                     {"base", options.base},
                     {"rate", outcome.rate ? ordered_json(*outcome.rate) : ordered_json(nullptr)},
                     {"groups", std::move(groups)},
                     {"seed", options.common.seed},
                     {"estimated_seconds", outcome.estimate->seconds},
                     {"estimated_bytes", outcome.estimate->bytes},
                     {"seconds", outcome.seconds},
                     {"threads", threads},
                     {"output", options.output}});
}

void report_text(const GramOptions& options, const Outcome& outcome, int threads) {
  Table table({"filtration", "kind", "kernel"}, 3);
  for (std::size_t g = 0; g < outcome.rows.groups.size(); ++g)
    table.add({outcome.rows.groups[g].filtration,
               std::string(diagram::kind_name(outcome.rows.groups[g].kind)), outcome.kernels[g].name()});
  std::string text = table.text() + '\n';
  if (outcome.rate)
    text += fmt::format("The matrix is exp(-{} x), x the sum of the groups' distances.\n",
                        base::shortest(*outcome.rate));
  print(text + fmt::format("Written to {}: {} x {} numbers.\nSeconds: {:.3f}, threads: {}.\n", options.output,
                           outcome.matrix.rows, outcome.matrix.columns, outcome.seconds, threads));
}

void run(const GramOptions& options) {
  const base::Stopwatch watch;
  const Kernel kernel = kernel::parse_kernel(options.kernel);
  io::check_matrix_target(options.output);
  refuse_overwriting({options.rows, options.columns}, options.output);

  const Session session(options.common);
  Outcome outcome;
  if (options.columns.empty())
    outcome.rows = read_diagrams(options.rows, options.groups);
  else
    std::tie(outcome.rows, outcome.columns) = read_diagrams(options.rows, options.columns, options.groups);
  compute(options, kernel, session, outcome);
  const auto names = numbers_of_items(outcome.matrix.columns);
  io::write_matrix(options.output, {.rows = outcome.matrix.rows,
                                    .columns = names,
                                    .values = outcome.matrix.values,
                                    .labels = outcome.rows.labels,
                                    .classes = outcome.rows.classes});
  outcome.seconds = watch.seconds();

  const int threads = base::worker_count(session.context());
  if (options.common.json)
    report_json(options, outcome, threads);
  else
    report_text(options, outcome, threads);
}

}  // namespace

void add_gram(CLI::App& program, Action& chosen) {
  const auto options = std::make_shared<GramOptions>();
  auto& command = *program.add_subcommand("gram", "Compute kernel matrices of persistence diagrams");
  add_input_option(command, "A", options->rows, "Diagram file (.h5, .hdf5 or .csv)")->required();
  add_input_option(command, "B", options->columns, "A second one, for the columns; A itself by default");
  command.add_option("--kernel", options->kernel, "The kernel (see below)")->required()->type_name("NAME");
  command.add_flag("--base", options->base,
                   "Write what is inside the exponential (distances) instead of the kernel");
  add_group_options(command, options->groups);
  add_output_option(command, options->output, "Matrix to write (.npy or .csv)")->required();
  add_common_options(command, options->common);
  command.footer(help_footer());
  command.callback([&chosen, options] { chosen = [options] { run(*options); }; });
}

}  // namespace perslay::cli
