#include "commands.h"
#include "interrupt.h"
#include "output.h"

#include <algorithm>
#include <array>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <hdf5.h>

#include <perslay/base/error.h>
#include <perslay/base/registry.h>
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

// ---- what the command line should not hold

std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
  return base::suggestion(word, std::vector<std::string_view>(known.begin(), known.end()));
}

/// A word of other programs, and ours for it.
constexpr std::array<std::array<std::string_view, 2>, 9> elsewhere{{
    {"--epochs", "--set training.epochs=N"},
    {"--learning-rate", "--set training.rate=X"},
    {"--lr", "--set training.rate=X"},
    {"--batch-size", "--set training.batch=N"},
    {"--weight-decay", "--set training.weight_decay=X"},
    {"--filtration", "--set data.filtrations='[\"hks:10\"]'"},
    {"--test-size", "--test-fraction F"},
    {"--resume", "the same command again, which goes on where it was"},
    {"--config", "--settings S"},
}};

/// " (did you mean '--output'?)", or nothing.
std::string option_hint(const std::string& word, const std::vector<std::string>& known) {
  const auto is_learning = std::ranges::find(known, "--set") != known.end();
  const auto* const other = std::ranges::find(elsewhere, word, [](const auto& names) { return names[0]; });
  if (is_learning && other != elsewhere.end()) return fmt::format(" (that is {})", (*other)[1]);
  return suggestion(word, known);
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const auto* option : command.get_options())
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<std::string> command_names(const CLI::App& program) {
  std::vector<std::string> names;
  for (const auto* command : program.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

std::string full_name(const CLI::App& program, const CLI::App& command) {
  return &command == &program ? program.get_name() : program.get_name() + ' ' + command.get_name();
}

void refuse_unknown(const CLI::App& program, const CLI::App& command) {
  const auto extras = command.remaining();
  if (extras.empty()) return;
  const auto is_option = [](const std::string& word) { return word.size() > 1 && word.front() == '-'; };
  const auto option = std::ranges::find_if(extras, is_option);
  const std::string name = full_name(program, command);
  if (option != extras.end()) {
    const std::string word = option->substr(0, option->find('='));
    throw base::user_error(fmt::format("'{}' has no option '{}'{}; '{} --help' lists them.", name, word,
                                       option_hint(word, option_names(command)), name));
  }
  if (&command == &program)
    throw base::user_error(fmt::format("There is no command '{}'{}; '{} --help' lists them.", extras.front(),
                                       suggestion(extras.front(), command_names(program)), name));
  throw base::user_error(
      fmt::format("'{}' does not know what to do with '{}'; see '{} --help'.", name, extras.front(), name));
}

/// Throws the user's error if the command line holds a command or an option that does not exist.
void refuse_unknown_arguments(const CLI::App& program) {
  refuse_unknown(program, program);
  for (const auto* command : program.get_subcommands()) refuse_unknown(program, *command);
}

/// Throws the user's error if something is given an empty value, as from an unset shell variable. Most would be taken
/// as if they were not given at all.
void refuse_empty_values(const CLI::App& program) {
  for (const auto* command : program.get_subcommands())
    for (const auto* option : command->get_options())
      for (const auto& value : option->results())
        if (value.empty())
          throw base::user_error(fmt::format("{} needs a value, not ''; see '{} --help'.", option->get_name(),
                                             full_name(program, *command)));
}

/// Turns the parser's complaint into the user's error.
[[noreturn]] void refuse(const CLI::App& program, const CLI::ParseError& complaint) {
  refuse_unknown_arguments(program);
  const auto chosen = program.get_subcommands();
  const std::string name = full_name(program, chosen.empty() ? program : *chosen.back());
  const std::string what = complaint.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&complaint) != nullptr)
    throw base::user_error(
        fmt::format("{} needs one value; see '{} --help'.", what.substr(0, what.find(':')), name));
  throw base::user_error(fmt::format("{}; see '{} --help'.", what, name));
}

// ---- the program

int run(int argc, char** argv) {
  CLI::App program(
      "Topological learning on graphs and point clouds: persistence diagrams of datasets, and what they "
      "teach.",
      "perslay");
  program.set_version_flag("--version,-V", fmt::format("perslay {}", base::version()), "Print the version");
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
  add_completion(program, action);
  add_man(program, action);
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
    refuse_empty_values(program);
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
    cli::stop_watching_for_interrupts();  // the sentence is said once
    return cli::complain(error.what(), cli::exit_code(error.fault()));
  } catch (const std::bad_alloc&) {
    return cli::complain("There is not enough memory for this.", cli::exit_ours);
  } catch (const std::exception& error) {
    return cli::complain(fmt::format("An unexpected error: {}.", error.what()), cli::exit_ours);
  }
}
