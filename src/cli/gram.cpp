#include "commands.h"
#include "options.h"
#include "output.h"
#include "read_diagrams.h"

#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/parallel.h>
#include <perslay/base/stopwatch.h>
#include <perslay/io/matrix_file.h>
#include <perslay/io/overwriting.h>
#include <perslay/kernel/bandwidth.h>
#include <perslay/kernel/gram.h>

namespace perslay::cli {
namespace {

using kernel::Kernel;
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

struct Outcome {
  std::vector<Kernel> kernels;  ///< One for each group, with all parameters.
  std::optional<double> rate;
  kernel::Estimate estimate;
  kernel::Matrix matrix;
};

Outcome compute(const GramOptions& options, const Kernel& kernel, const TwoSets& sets,
                const Session& session) {
  const auto &rows = sets.a.groups, &columns = sets.b().groups;
  const auto items = kernel::median_items(sets.a.item_count());
  Outcome outcome;
  outcome.kernels = kernel::fit(kernel, rows, items);
  outcome.estimate = kernel::estimate(outcome.kernels, rows, columns, session.context());
  const auto& [seconds, bytes] = outcome.estimate;
  if (seconds >= long_run)
    session.note(fmt::format("This will take about {:.3g} seconds and {:.3g} MB.", seconds,
                             1e-6 * static_cast<double>(bytes)));
  outcome.matrix = kernel::base_matrix(outcome.kernels, rows, columns, session.context());
  if (options.base || !kernel.is_distance()) return outcome;
  // Either way over the same items of A, so that it is the same for A with itself and A with B.
  outcome.rate = sets.other ? kernel::median_rate(outcome.kernels, sets.a, items, session.context())
                            : kernel::median_rate(kernel, outcome.matrix, items);
  outcome.matrix = kernel::outer_map(std::move(outcome.matrix), *outcome.rate);
  return outcome;
}

void run(const GramOptions& options) {
  const base::Stopwatch watch;
  const Kernel kernel = kernel::parse_kernel(options.kernel);
  io::check_matrix_target(options.output);
  io::refuse_overwriting({options.rows, options.columns}, options.output);

  const Session session(options.common);
  const auto sets = read_diagrams(options.rows, options.columns, options.groups, session);
  const auto [kernels, rate, estimate, matrix] = compute(options, kernel, sets, session);
  write_pairs(options.output, sets.a, matrix.columns, matrix.values);

  const double seconds = watch.seconds();
  const int threads = base::worker_count(session.context());
  Table table({"filtration", "kind", "kernel"}, 3);
  auto groups = ordered_json::array();
  for (std::size_t g = 0; g < kernels.size(); ++g) {
    const auto& filtration = sets.a.groups[g].filtration;
    const std::string kind(diagram::kind_name(sets.a.groups[g].kind));
    table.add({filtration, kind, kernels[g].name()});
    groups.push_back({{"filtration", filtration}, {"kind", kind}, {"kernel", kernels[g].name()}});
  }
  if (options.common.json)
    return print(ordered_json{{"rows", matrix.rows},
                              {"columns", matrix.columns},
                              {"kernel", options.kernel},
                              {"base", options.base},
                              {"rate", rate ? ordered_json(*rate) : ordered_json(nullptr)},
                              {"groups", std::move(groups)},
                              {"seed", options.common.seed},
                              {"estimated_seconds", estimate.seconds},
                              {"estimated_bytes", estimate.bytes},
                              {"seconds", seconds},
                              {"threads", threads},
                              {"output", options.output}});
  const auto formula = rate ? fmt::format("The matrix is exp(-{} x), x the sum of the groups' distances.\n",
                                          base::shortest(*rate))
                            : "";
  print(fmt::format("{}\n{}Written to {}: {} x {} numbers.\nSeconds: {:.3f}, threads: {}.\n", table.text(),
                    formula, options.output, matrix.rows, matrix.columns, seconds, threads));
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
