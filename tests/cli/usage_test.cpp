#include "cli/program.h"

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>

#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

namespace perslay::test {
namespace {

TEST(Usage, VersionAndHelp) {
  const auto version = run({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_EQ(version.out, "perslay " PERSLAY_VERSION "\n");
  EXPECT_EQ(run({"-V"}).out, version.out);
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

TEST(Usage, LimitsAreNamed) {
  const TemporaryFolder folder;
  const auto dataset = write_small_dataset(folder);
  expect_mistake({"train", dataset, "--set", "training.schedule=halving:99999999999999"},
                 "of at most 1000000000, not");
  expect_mistake({"train", dataset, "--set", "features.names=[\"spectrum:1000000000\"]"},
                 "of at most 1000000, not");
  expect_mistake({"vectorize", "d.h5", "--as", "image:5x5:sigma=1e-200", "-o", "x.npy"},
                 "image needs a number of at least 1e-150 for sigma, not '1e-200'.");
  expect_mistake({"vectorize", "d.h5", "--as", "landscape:5x10000000000", "-o", "x.npy"},
                 "of at most 1000000 in all, not '5x10000000000'.");
}

/// As from a shell variable that is not set: none is taken as if it were not given.
TEST(Usage, EmptyValuesAreMistakes) {
  const TemporaryFolder folder;
  const auto dataset = write_small_dataset(folder);
  const auto output = (folder / "x.npy").string();
  const auto expect_refused = [](const std::vector<std::string>& arguments, const std::string& name) {
    expect_mistake(arguments,
                   name + " needs a value, not ''; see 'perslay " + arguments.front() + " --help'.");
  };
  expect_refused({"info", ""}, "DATA");
  expect_refused({"diagrams", dataset, "-o", ""}, "--output");
  expect_refused({"diagrams", dataset, "--essential", ""}, "--essential");
  expect_refused({"shapes", "-o", ""}, "--output");
  for (const std::string option : {"--weight", "--op", "--init", "--range", "--kinds", "--filtration"})
    expect_refused({"vectorize", "d.h5", "--phi", "gaussian:5x5", option, "", "-o", output}, option);
  expect_refused({"vectorize", "d.h5", "--as", "", "--phi", "gaussian:5x5", "-o", output}, "--as");
  expect_refused({"evaluate", dataset, "--variant", "", "-o", output}, "--variant");
}

TEST(Usage, LongNamesAreMistakes) {
  const TemporaryFolder folder;
  const auto dataset = write_small_dataset(folder);
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

/// A disk of its own, with so much room.
class SmallDisk {
 public:
  SmallDisk(std::filesystem::path folder, std::size_t bytes) : folder_(std::move(folder)) {
    std::filesystem::create_directory(folder_);
    const auto options = "size=" + std::to_string(bytes);
    mounted_ = ::mount("tmpfs", folder_.c_str(), "tmpfs", 0, options.c_str()) == 0;
  }
  ~SmallDisk() {
    if (mounted_) ::umount(folder_.c_str());
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  [[nodiscard]] bool mounted() const noexcept { return mounted_; }

 private:
  std::filesystem::path folder_;
  bool mounted_ = false;
};

/// Unlike a limit on the size of a file, a full disk takes what comes later into places that it has already; HDF5 keeps
/// values back and writes them last.
TEST(Usage, AFileThatFitsInPartIsNoResult) {
  const TemporaryFolder folder;
  const auto data = (folder / "shapes").string(), whole = (folder / "whole.h5").string();
  ASSERT_EQ(run({"shapes", "--per-class", "20", "-o", data}).exit_code, 0);
  ASSERT_EQ(run({"diagrams", data, "--cycles", "--quiet", "-o", whole}).exit_code, 0);
  const auto bytes = read_bytes(whole);
  for (std::size_t room = 8192; room < bytes.size(); room += 8192) {
    const SmallDisk disk(folder / "disk", room);
    if (!disk.mounted()) GTEST_SKIP() << "Only the superuser may mount a small disk.";
    const auto result = run({"diagrams", data, "--cycles", "--quiet", "-o", (folder / "disk/d.h5").string()});
    EXPECT_EQ(result.exit_code, 1) << room;
    EXPECT_NE(result.err.find("d.h5 cannot be written"), std::string::npos) << room << ' ' << result.err;
    EXPECT_TRUE(std::filesystem::is_empty(folder / "disk")) << room;
  }
}

TEST(Usage, ALinkThatLeadsNowhereMakesWhatItLeadsTo) {
  const TemporaryFolder folder;
  const auto dataset = write_small_dataset(folder);
  const auto expect_made = [&](std::vector<std::string> words, const std::string& name) {
    const auto made = folder / ("made-" + name);
    std::filesystem::create_symlink(made, folder / name);
    words.push_back((folder / name).string());
    EXPECT_EQ(run(words).exit_code, 0) << name;
    EXPECT_TRUE(std::filesystem::is_symlink(folder / name)) << name;
    EXPECT_TRUE(std::filesystem::exists(made) && !std::filesystem::is_symlink(made)) << name;
  };
  expect_made({"diagrams", dataset, "-o"}, "link.h5");
  expect_made({"shapes", "--per-class", "2", "-o"}, "shapes");
  expect_made({"train", dataset, "--model", "svm:sw", "--no-cache", "-o"}, "model");
  std::filesystem::create_symlink("no/such", folder / "none.h5");
  expect_mistake({"diagrams", dataset, "-o", (folder / "none.h5").string()}, "no does not exist");
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
