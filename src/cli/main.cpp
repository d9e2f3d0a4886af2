#include "commands.h"
#include "interrupt.h"
#include "output.h"
#include "usage.h"

#include <algorithm>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <hdf5.h>

#include <perslay/base/error.h>
#include <perslay/base/version.h>

namespace perslay::cli {
namespace {

constexpr int exit_done = 0;
constexpr int exit_ours = 1;
constexpr int exit_users = 2;

constexpr auto examples = R"(Examples:
  perslay shapes --per-class 100 -o shapes
  perslay info shapes
  perslay diagrams shapes --filtration hks:10 -o shapes.h5
  perslay orbits --per-class 100 --prom 500 --show -o orbits.h5
  perslay vectorize shapes.h5 --as landscape:5x60 -o shapes.npy
  perslay distance shapes.h5 --metric wasserstein:2 --kind ext1 -o distances.npy
  perslay gram shapes.h5 --kernel sw -o gram.npy
  perslay train shapes -o shapes.safetensors
  perslay predict shapes.safetensors shapes -o predictions.csv
  perslay evaluate shapes --settings mutag --folds 10 -o results

'perslay COMMAND --help' explains a command.
Exit codes: 0 done, 1 our fault, 2 a mistake in the request or its files, 130 interrupted.)";

int run(int argc, char** argv) {
  CLI::App program(
      "Topological learning on graphs and point clouds: persistence diagrams of datasets, and what they "
      "teach.",
      "perslay");
  program.set_version_flag("--version", fmt::format("perslay {}", base::version()), "Print the version");
  program.set_help_flag("--help,-h", "Print this help");
  program.footer(examples);
  program.allow_extras();
  program.require_subcommand(0, 1);
  Action action;
  add_info(program, action);
  add_diagrams(program, action);
  add_orbits(program, action);
  add_shapes(program, action);
  add_vectorize(program, action);
  add_distance(program, action);
  add_gram(program, action);
  add_train(program, action);
  add_predict(program, action);
  add_evaluate(program, action);
  add_report(program, action);
  add_reproduce(program, action);
  for (auto* command : program.get_subcommands({}))
    command->allow_extras()->set_help_flag("--help,-h", "Print this help");

  try {
    std::vector<std::string> arguments(argv + 1, argv + argc);
    if (!arguments.empty() && arguments.front() == "help") {  // 'perslay help train'
      arguments.erase(arguments.begin());
      arguments.emplace_back("--help");
    }
    std::ranges::reverse(arguments);  // as the parser wants them
    program.parse(std::move(arguments));
    refuse_unknown_arguments(program);
  } catch (const CLI::CallForVersion& version) {
    print(std::string(version.what()) + '\n');
    return exit_done;
  } catch (const CLI::CallForHelp&) {
    print(program.help());
    return exit_done;
  } catch (const CLI::ParseError& complaint) {
    refuse(program, complaint);
  }
  if (!action) {
    print(program.help());
    return exit_done;
  }
  action();
  stop_watching_for_interrupts();
  return exit_done;
}

int exit_code(base::Fault fault) {
  switch (fault) {
    case base::Fault::user:
      return exit_users;
    case base::Fault::cancelled:
      return exit_interrupted;
    case base::Fault::internal:
      break;
  }
  return exit_ours;
}

int complain(const std::string& sentence, int code) {
  std::fputs(fmt::format("perslay: {}\n", sentence).c_str(), stderr);
  return code;
}

}  // namespace
}  // namespace perslay::cli

int main(int argc, char** argv) {
  using namespace perslay;
  std::signal(SIGPIPE, SIG_IGN);        // writing reports that a reader has gone away
  std::signal(SIGXFSZ, SIG_IGN);        // and that a file grows too large
  std::setlocale(LC_CTYPE, "C.UTF-8");  // libarchive translates the names in archives
  H5dont_atexit();  // after a damaged file HDF5 would print complaints about itself at exit
  try {
    return cli::run(argc, argv);
  } catch (const base::Error& error) {
    return cli::complain(error.what(), cli::exit_code(error.fault()));
  } catch (const std::bad_alloc&) {
    return cli::complain("There is not enough memory for this.", cli::exit_ours);
  } catch (const std::exception& error) {
    return cli::complain(fmt::format("An unexpected error: {}.", error.what()), cli::exit_ours);
  }
}
