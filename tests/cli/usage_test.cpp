#include "cli/program.h"

#include <algorithm>
#include <csignal>

#include <sys/resource.h>
#include <unistd.h>

namespace perslay::test {
namespace {

TEST(Usage, VersionAndHelp) {
  const auto version = run({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_EQ(version.out, "perslay " PERSLAY_VERSION "\n");
  const auto help = run({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_EQ(help.err, "");
  for (const std::string part :
       {"perslay info shapes", "perslay diagrams shapes", "perslay shapes --per-class"})
    EXPECT_NE(help.out.find(part), std::string::npos) << part;
  EXPECT_EQ(run({}).out, help.out);
  EXPECT_EQ(run({"help"}).out, help.out);
  EXPECT_EQ(run({"help", "train"}).out, run({"train", "--help"}).out);
  EXPECT_EQ(run({}).exit_code, 0);
}

TEST(Usage, EveryCommandExplainsItself) {
  for (const std::string command : {"info", "diagrams", "orbits", "shapes", "vectorize"}) {
    const auto help = run({command, "--help"});
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_NE(help.out.find("Examples:\n  perslay " + command), std::string::npos);
    for (const std::string option : {"--threads", "--seed", "--json", "--quiet"})
      EXPECT_NE(help.out.find(option), std::string::npos) << command << " " << option;
  }
  const auto help = run({"diagrams", "--help"}).out;
  for (const std::string name : {"hks:T", "degree", "closeness", "file:PATH", "alpha", "prom:K"})
    EXPECT_NE(help.find(name), std::string::npos) << name;
}

TEST(Usage, UnknownWordsAreMistakes) {
  expect_mistake({"inof"}, "There is no command 'inof' (did you mean 'info'?); 'perslay --help' lists them.");
  expect_mistake({"xylophone"}, "There is no command 'xylophone'; 'perslay --help' lists them.");
  expect_mistake({"info", "--jsn", "x"}, "'perslay info' has no option '--jsn' (did you mean '--json'?)");
  expect_mistake({"info", "--jsn"}, "'perslay info' has no option '--jsn'");
  expect_mistake({"diagrams", "x", "--filtraton=hks:1"},
                 "no option '--filtraton' (did you mean '--filtration'?)");
  expect_mistake({"diagrams", "x", "--out", "y"}, "no option '--out' (did you mean '--output'?)");
  expect_mistake({"evaluate", "x", "--force"}, "'perslay evaluate' has no option '--force'; ");
  expect_mistake({"train", "x", "--epochs", "3"}, "no option '--epochs' (that is --set training.epochs=N); ");
  expect_mistake({"info", "x", "--epochs", "3"}, "'perslay info' has no option '--epochs'; ");
  expect_mistake({"--theads", "2"}, "'perslay' has no option '--theads'");
  expect_mistake({"info", "a", "b"}, "does not know what to do with 'b'");
  expect_mistake({"info", "a", "diagrams", "b"}, "does not know what to do with 'diagrams'");
  expect_mistake({"info", ""}, "");
}

TEST(Usage, NonsenseValuesAreMistakes) {
  expect_mistake({"info"}, "DATA is required");
  expect_mistake({"shapes"}, "--output is required");
  expect_mistake({"shapes", "-o"}, "--output needs one value");
  for (const std::string threads : {"-1", "257", "two", "", "1.5", "99999999999999999999"})
    expect_mistake({"info", "x", "--threads", threads},
                   "--threads needs an integer from 0 to 256, not '" + threads + "'.");
  expect_mistake({"info", "x", "--seed", "-1"}, "--seed needs an integer from 0 to");
  expect_mistake({"shapes", "--per-class", "0", "-o", "x"}, "--per-class needs an integer from 1 to");
}

TEST(Usage, AnEmptyOutputNameIsAMistake) {
  const TemporaryFolder folder;
  const auto dataset = write_small_dataset(folder);
  expect_mistake({"diagrams", dataset, "-o", ""}, "The name of the file to write is empty.");
  expect_mistake({"shapes", "-o", ""}, "The name of the file to write is empty.");
  expect_mistake({"diagrams", dataset, "-o", (folder / (std::string(300, 'n') + ".h5")).string()},
                 "at most 255 bytes");
}

TEST(Usage, AFileThatGrowsTooLargeIsSaidAndRemoved) {
  const TemporaryFolder folder;
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{20000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto result = run({"shapes", "--per-class", "500", "-o", (folder / "shapes").string()});
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_NE(result.err.find("File too large"), std::string::npos) << result.err;
  EXPECT_EQ(folder.entries(), 0);
}

TEST(Usage, AReaderThatGoesAwayIsNoError) {
  const TemporaryFolder folder;
  const auto dataset = write_small_dataset(folder);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  const auto result = Program({"info", dataset}, ends[1]).wait();
  ::close(ends[1]);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
}

TEST(Usage, AFullDiskUnderStdoutIsOurFault) {
  const TemporaryFolder folder;
  const int full = ::open("/dev/full", O_WRONLY);
  const auto result = Program({"info", write_small_dataset(folder)}, full).wait();
  ::close(full);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("The standard output cannot be written: No space left"), std::string::npos)
      << result.err;
}

}  // namespace
}  // namespace perslay::test
