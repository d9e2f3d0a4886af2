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

TEST(Usage, NothingIsWrittenToAFileCalledStdout) {
  const TemporaryFolder folder;
  const auto dataset = write_small_dataset(folder);
  for (const auto& command : std::vector<std::vector<std::string>>{{"train", dataset},
                                                                   {"evaluate", dataset},
                                                                   {"diagrams", dataset},
                                                                   {"predict", "model", dataset},
                                                                   {"shapes"}}) {
    auto words = command;
    words.insert(words.end(), {"-o", "-"});
    expect_mistake(words, "-: Results do not go to the standard output; ./- is a file of this name.");
  }
}

/// Runs the program with room for files of 20 kB.
Result run_without_room(const std::vector<std::string>& arguments) {
  rlimit before{};
  EXPECT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{20000, before.rlim_max};
  EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  auto result = run(arguments);
  EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  return result;
}

TEST(Usage, AFileThatGrowsTooLargeIsSaidAndRemoved) {
  const TemporaryFolder folder;
  const auto result = run_without_room({"shapes", "--per-class", "500", "-o", (folder / "shapes").string()});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_NE(result.err.find("File too large"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find((folder / "shapes/shapes_A.txt").string()), std::string::npos) << result.err;
  EXPECT_EQ(folder.entries(), 0);
}

TEST(Usage, AFullDiskIsSaidOfTheUsersFile) {
  const TemporaryFolder folder;
  const auto data = (folder / "shapes").string(), diagrams = (folder / "d.h5").string();
  ASSERT_EQ(run({"shapes", "--per-class", "50", "-o", data}).exit_code, 0);
  ASSERT_EQ(run({"diagrams", data, "--kinds", "ord0", "-o", diagrams}).exit_code, 0);
  const auto expect = [&](std::vector<std::string> words, const std::string& name) {
    words.push_back((folder / name).string());
    const auto [exit_code, out, err] = run_without_room(words);
    EXPECT_EQ(exit_code, 1) << err;
    EXPECT_NE(err.find((folder / name).string() + " cannot be written"), std::string::npos) << err;
    EXPECT_EQ(err.find("partial"), std::string::npos) << err;
  };
  expect({"train", data, "--model", "svm:sw", "--no-cache", "--quiet", "-o"}, "m.safetensors");
  for (const std::string ending : {".h5", ".csv"})
    expect({"diagrams", data, "--quiet", "-o"}, "all" + ending);
  for (const std::string ending : {".npy", ".csv"})
    expect({"vectorize", diagrams, "--as", "betti:100", "--quiet", "-o"}, "v" + ending);
  expect({"orbits", "--per-class", "5", "--quiet", "-o"}, "o.h5");
  EXPECT_EQ(folder.entries(), 2);
}

TEST(Usage, ALinkThatLeadsNowhereIsNotReplaced) {
  const TemporaryFolder folder;
  const auto dataset = write_small_dataset(folder);
  for (const std::string name : {"link.h5", "link"})
    std::filesystem::create_symlink(folder / "nowhere", folder / name);
  const auto said = "This is a link that leads nowhere, and it is not replaced.";
  expect_mistake({"diagrams", dataset, "-o", (folder / "link.h5").string()}, said);
  expect_mistake({"shapes", "-o", (folder / "link").string()}, said);
  expect_mistake({"train", dataset, "--model", "svm:sw", "-o", (folder / "link").string()}, said);
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_FALSE(std::filesystem::exists(folder / "nowhere"));
}

TEST(Usage, AReaderThatGoesAwayIsNoError) {
  const TemporaryFolder folder;
  const auto dataset = write_small_dataset(folder);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  const auto result = Program({"info", dataset, "--quiet"}, ends[1]).wait();
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
