#include "cli/progress.h"

#include "cli/learning.h"
#include "cli/output.h"
#include "cli/program.h"
#include "waiting.h"

#include <chrono>
#include <csignal>
#include <cstdio>

#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace perslay::test {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view wipe = "\r\033[K";

/// A terminal of 60 columns, of which `program_end` is for a program.
class Terminal {
 public:
  Terminal() : our_end_(::posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)) {
    ::grantpt(our_end_);
    ::unlockpt(our_end_);
    program_end_ = ::open(::ptsname(our_end_), O_RDWR | O_NOCTTY | O_CLOEXEC);
    const winsize size{24, 60, 0, 0};
    ::ioctl(program_end_, TIOCSWINSZ, &size);
  }
  ~Terminal() {
    ::close(program_end_);
    ::close(our_end_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  [[nodiscard]] int program_end() const noexcept { return program_end_; }

  /// All that was written to it so far.
  const std::string& text() {
    char buffer[4096];
    for (ssize_t count; (count = ::read(our_end_, buffer, sizeof buffer)) > 0;)
      text_.append(buffer, static_cast<std::size_t>(count));
    return text_;
  }

 private:
  int our_end_, program_end_ = -1;
  std::string text_;
};

class ProgressTest : public LearningTest {
 protected:
  /// There are too many epochs to end.
  [[nodiscard]] std::vector<std::string> endless_training() const {
    return {"train",      data_,
            "--settings", "mutag",
            "--set",      "training.schedule=constant",
            "--set",      "training.epochs=1000000",
            "--set",      "training.nets=2",
            "--no-cache", "-o",
            path("m")};
  }
};

TEST_F(ProgressTest, OnATerminalItIsALineThatIsRedrawnAndWipedAtTheEnd) {
  const Variable type("TERM", "xterm");
  Terminal terminal;
  Program program(endless_training(), -1, terminal.program_end());
  wait_until(
      [&] { return terminal.text().find("net 1 of 2, epoch ") != std::string::npos || program.has_ended(); });
  program.send(SIGINT);
  wait_until([&] { return terminal.text().find("Interrupted") != std::string::npos || program.has_ended(); });
  EXPECT_EQ(program.wait().exit_code, 130);
  const std::string_view text = terminal.text();
  std::size_t at = text.find(wipe);
  ASSERT_NE(at, std::string::npos) << text;
  while (text.find(wipe, at + wipe.size()) != std::string::npos) {
    at += wipe.size();
    const auto end = text.find(wipe, at);
    EXPECT_LT(end - at, 60U) << text.substr(at, end - at);
    EXPECT_EQ(text.substr(at, end - at).find('\n'), std::string::npos) << text.substr(at, end - at);
    at = end;
  }
  EXPECT_TRUE(text.substr(at).starts_with(std::string(wipe) + "perslay: Interrupted; ")) << text;
}

TEST_F(ProgressTest, ElsewhereTheLinesAreOrdinaryOnes) {
  Program program(endless_training());
  wait_until([&] {
    return program.errors().find("perslay: net 1 of 2, epoch ") != std::string::npos || program.has_ended();
  });
  program.send(SIGINT);
  const auto result = program.wait();
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_EQ(result.err.find_first_of("\r\033"), std::string::npos) << result.err;
  EXPECT_TRUE(result.err.find("perslay: Interrupted; ") != std::string::npos) << result.err;
}

TEST_F(ProgressTest, ATerminalThatCannotRedrawGetsOrdinaryLines) {
  const Variable type("TERM", "dumb");
  Terminal terminal;
  Program program(endless_training(), -1, terminal.program_end());
  wait_until([&] {
    return terminal.text().find("perslay: net 1 of 2, epoch ") != std::string::npos || program.has_ended();
  });
  program.send(SIGINT);
  wait_until([&] { return terminal.text().find("Interrupted") != std::string::npos || program.has_ended(); });
  EXPECT_EQ(program.wait().exit_code, 130);
  EXPECT_EQ(terminal.text().find('\033'), std::string::npos) << terminal.text();
}

TEST(Progress, ResultsComeAfterTheLineIsWiped) {
  Terminal terminal;
  std::fflush(stdout);  // the child has a copy of what is not written yet
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(terminal.program_end(), 1);
    ::dup2(terminal.program_end(), 2);
    ::setenv("TERM", "xterm", 1);
    cli::StatusLine::show("epoch 3 of 5");
    cli::print(std::string("items 30\n"));
    cli::print(std::string("classes 3\n"));
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(terminal.text(),
            std::string(wipe) + "epoch 3 of 5" + std::string(wipe) + "items 30\r\nclasses 3\r\n");
}

/// What an earlier run had done says nothing of the time that is left.
TEST(Progress, TimeLeftIsToldByWhatWasDoneMeanwhile) {
  const cli::Pace::Clock::time_point begin{};
  const cli::Pace anew(0, begin), resumed(900, begin);
  EXPECT_EQ(anew.left(0, 1000, begin + 10s), "");
  EXPECT_EQ(anew.left(200, 1000, begin + 10s), ", 40 s left");
  EXPECT_EQ(anew.left(1000, 1000, begin + 10s), ", 0 s left");
  EXPECT_EQ(resumed.left(900, 1000, begin + 10s), "");
  EXPECT_EQ(resumed.left(905, 1000, begin + 10s), ", 3 min left");
}

TEST(Progress, LinesInAFileBecomeRarer) {
  if (cli::StatusLine::on_terminal()) GTEST_SKIP() << "The line is redrawn on this terminal.";
  const cli::StatusLine::Clock::time_point begin{};
  cli::StatusLine line(begin);
  std::vector<int> shown;
  for (int second = 0; second < 4000; ++second)
    if (line.is_due(begin + std::chrono::seconds(second))) shown.push_back(second);
  ASSERT_GE(shown.size(), 3U);
  EXPECT_EQ(shown[0], 1);
  EXPECT_EQ(shown[1], 6);
  EXPECT_EQ(shown.back() - shown[shown.size() - 2], 60);
  EXPECT_LT(shown.size(), 100U);
}

}  // namespace
}  // namespace perslay::test
