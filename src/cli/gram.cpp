#include "commands.h"
#include "options.h"
#include "output.h"
#include "overwriting.h"
#include "read_diagrams.h"

#include <memory>
#include <optional>
#include <span>
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

using kernel::Kernel;
using kernel::Matrix;
using nlohmann::ordered_json;

/// Computations of more seconds are announced before they begin.
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
  text += name_list("Kernels (--kernel)", kernel::kernel_help(), 34);
  return text + R"(  NAME~grid:TOLERANCE                The same, with Gaussians on a grid (all but sw)

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
  TwoSets sets;
  std::vector<Kernel> kernels;  ///< One for each group, with all parameters.
  std::optional<double> rate;
  kernel::Estimate estimate;
  Matrix matrix;
  double seconds = 0;
};

void announce(const Session& session, const kernel::Estimate& estimate) {
  if (estimate.seconds < long_run) return;
  session.note(fmt::format("This will take about {:.3g} seconds and {:.3g} MB.", estimate.seconds,
                           1e-6 * static_cast<double>(estimate.bytes)));
}

void compute(const GramOptions& options, const Kernel& kernel, const Session& session, Outcome& outcome) {
  const auto &rows = outcome.sets.a.groups, &columns = outcome.sets.b().groups;
  const auto items = kernel::median_items(outcome.sets.a.item_count());
  outcome.kernels = kernel::fit(kernel, rows, items);
  outcome.estimate = kernel::estimate(outcome.kernels, rows, columns, session.context());
  announce(session, outcome.estimate);
  outcome.matrix = kernel::base_matrix(outcome.kernels, rows, columns, session.context());
  if (options.base || !kernel.is_distance()) return;
  // Either way over the same items of A, so that it is the same for A with itself and A with B.
  outcome.rate = outcome.sets.other
                     ? kernel::median_rate(outcome.kernels, outcome.sets.a, items, session.context())
                     : kernel::median_rate(kernel, outcome.matrix, items);
  outcome.matrix = kernel::outer_map(std::move(outcome.matrix), *outcome.rate);
}

// ---- what it found

void report_json(const GramOptions& options, const Outcome& outcome, int threads) {
  auto groups = ordered_json::array();
  for (std::size_t g = 0; g < outcome.sets.a.groups.size(); ++g)
    groups.push_back({{"filtration", outcome.sets.a.groups[g].filtration},
                      {"kind", diagram::kind_name(outcome.sets.a.groups[g].kind)},
                      {"kernel", outcome.kernels[g].name()}});
  print(ordered_json{{"rows", outcome.matrix.rows},
                     {"columns", outcome.matrix.columns},
                     {"kernel", options.kernel},
                     {"base", options.base},
                     {"rate", outcome.rate ? ordered_json(*outcome.rate) : ordered_json(nullptr)},
                     {"groups", std::move(groups)},
                     {"seed", options.common.seed},
                     {"estimated_seconds", outcome.estimate.seconds},
                     {"estimated_bytes", outcome.estimate.bytes},
                     {"seconds", outcome.seconds},
                     {"threads", threads},
                     {"output", options.output}});
}

void report_text(const GramOptions& options, const Outcome& outcome, int threads) {
  Table table({"filtration", "kind", "kernel"}, 3);
  for (std::size_t g = 0; g < outcome.sets.a.groups.size(); ++g)
    table.add({outcome.sets.a.groups[g].filtration,
               std::string(diagram::kind_name(outcome.sets.a.groups[g].kind)), outcome.kernels[g].name()});
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
  outcome.sets = read_diagrams(options.rows, options.columns, options.groups);
  compute(options, kernel, session, outcome);
  write_pairs(options.output, outcome.sets.a, outcome.matrix.columns, outcome.matrix.values);
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
