#include "cli/learning.h"
#include "cli/program.h"
#include "waiting.h"

#include <csignal>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace perslay::test {
namespace {

/// Interrupts the program, which must end with 130.
void expect_interrupted(Program& program, int signal) {
  program.send(signal);
  const auto result = program.wait();
  EXPECT_EQ(result.exit_code, 130) << result.err;
  EXPECT_EQ(result.out, "");
}

/// A path of 200000 vertices: its closeness takes minutes, and there is a line about it after a second.
std::string write_long_path(const TemporaryFolder& folder) {
  std::string edges;
  for (int v = 1; v < 200000; ++v) edges += std::to_string(v - 1) + ' ' + std::to_string(v) + '\n';
  write_bytes(folder / "path.txt", edges);
  return (folder / "path.txt").string();
}

TEST(Interrupt, StopsALongComputation) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const TemporaryFolder folder;
    Program program(
        {"diagrams", write_long_path(folder), "--filtration", "closeness", "-o", (folder / "d.h5").string()});
    wait_until(
        [&] { return program.errors().find("closeness") != std::string::npos || program.has_ended(); });
    expect_interrupted(program, signal);
    EXPECT_EQ(folder.entries(), 1);
  }
}

TEST(Interrupt, LeavesNoHalfWrittenFolder) {
  const TemporaryFolder folder;
  Program program({"shapes", "--per-class", "100000", "-o", (folder / "shapes").string()});
  wait_until([&] { return folder.entries() > 0; });  // the folder is being written, beside its place
  EXPECT_FALSE(std::filesystem::exists(folder / "shapes"));
  expect_interrupted(program, SIGINT);
  EXPECT_EQ(folder.entries(), 0);
}

TEST(Interrupt, EndsEvenWhatDoesNotLook) {
  // Nothing is written to the pipe, and reading from it cannot be asked to stop.
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe.txt").c_str(), 0600), 0);
  Program program({"info", (folder / "pipe.txt").string(), "--as", "graphs"});
  const int pipe = ::open((folder / "pipe.txt").c_str(), O_WRONLY | O_CLOEXEC);  // waits for the reader
  program.send(SIGINT);
  const auto result = program.wait();
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_EQ(result.err, "perslay: Interrupted.\n");
  ::close(pipe);
}

class InterruptTest : public LearningTest {};

/// A pipe stands where training writes its first checkpoint aside. Nobody empties it, so that writing has not
/// come to its end half a second after the interrupt.
TEST_F(InterruptTest, LeavesNoHalfWrittenCheckpoint) {
  Program program({"train", data_, "--settings", "mutag", "--set", "network.hidden=[1000]", "--set",
                   "training.epochs=1000000", "--set", "training.schedule=constant", "--no-cache",
                   "--checkpoint-every", "0", "-o", path("m")});
  // Numbers 0 to 2 were those of the model, the checkpoint and the choice of a channel, by which the program finds out
  // early whether they can be written.
  const auto partial = path(".m.checkpoint.partial-" + std::to_string(program.id()) + "-3");
  EXPECT_EQ(::mkfifo(partial.c_str(), 0600), 0);
  const int pipe = ::open(partial.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  EXPECT_GE(pipe, 0);
  pollfd written{pipe, POLLIN, 0};
  EXPECT_EQ(::poll(&written, 1, 60'000), 1);  // it writes
  // Training has ten seconds to write its state, unless it is interrupted again after the first half second.
  wait_until([&] {
    program.send(SIGTERM);
    return program.has_ended();
  });
  const auto result = program.wait();
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_TRUE(result.err.ends_with("perslay: Interrupted.\n")) << result.err;
  ::close(pipe);
  EXPECT_EQ(folder_.entries(), 1);  // the data
}

/// How many epochs of all folds are shown as done, at first.
int epochs_shown(const std::string& errors) {
  const auto place = errors.find("folds: ");
  return place == std::string::npos ? 0 : std::stoi(errors.substr(place + 7));
}

/// There are too many epochs to end.
TEST_F(InterruptTest, AnEvaluationGoesOnWhereItWas) {
  int done = 0;
  for (const int signal : {SIGINT, SIGTERM}) {
    Program program({"evaluate", data_, "--settings", "mutag", "--set", "training.epochs=1000000", "--set",
                     "training.schedule=constant", "--folds", "3", "--threads", "1", "--no-cache",
                     "--checkpoint-every", "100000", "-o", path("r")});
    wait_until([&] { return epochs_shown(program.errors()) > 0 || program.has_ended(); });
    program.send(signal);
    const auto result = program.wait();
    EXPECT_EQ(result.exit_code, 130) << result.err;
    EXPECT_TRUE(result.err.ends_with(
        "perslay: Interrupted; 0 of 3 folds are finished, and the same command goes on from there.\n"))
        << result.err;
    EXPECT_GT(epochs_shown(result.err), done) << result.err;
    done = training_progress(path("r/checkpoints/r1-f1.safetensors")).second;
    EXPECT_GE(done, epochs_shown(result.err));
  }
}

}  // namespace
}  // namespace perslay::test
