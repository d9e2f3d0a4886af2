#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "io/temporary_folder.h"

#include <memory>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <perslay/data/graph_dataset.h>
#include <perslay/io/graph_dataset.h>

namespace perslay::cli {

struct CyclesOptions {
  CommonOptions common;
  std::string data;
};

void run(const CyclesOptions& options) {
  const Session session(options.common);
  const auto dataset = io::read_graph_dataset(options.data, session.context());
  const double cycles = data::summarize(dataset, session.context()).average_beta1;
  if (options.common.json) return print(nlohmann::ordered_json{{"cycles", cycles}});
  print(fmt::format("{:.2f} cycles per graph.\n", cycles));
}

void add_cycles(CLI::App& program, Action& chosen) {
  const auto options = std::make_shared<CyclesOptions>();
  auto& command = *program.add_subcommand("cycles", "Count the independent cycles of graphs");
  add_input_option(command, "DATA", options->data, "A TU folder, an archive or an edge list")->required();
  add_common_options(command, options->common);
  command.callback([&chosen, options] { chosen = [options] { run(*options); }; });
}

}  // namespace perslay::cli

namespace perslay::test {
namespace {

TEST(HowToAdd, ACommand) {
  const TemporaryFolder folder;
  const auto file = folder / "triangle.txt";
  write_bytes(file, "0 1\n1 2\n2 0\n");
  CLI::App program;
  cli::Action action;
  cli::add_cycles(program, action);
  program.parse("cycles " + file.string());
  testing::internal::CaptureStdout();
  action();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "1.00 cycles per graph.\n");
}

}  // namespace
}  // namespace perslay::test
