#pragma once

#include "io/temporary_folder.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

extern char** environ;

namespace perslay::test {

struct Result {
  int exit_code = -1;  ///< -1 if a signal ended it.
  std::string out;
  std::string err;
};

/// The program `perslay`, started with arguments; its output goes to files.
class Program {
 public:
  /// `standard_output` and `standard_error`, if given, are open files to take the place of those for stdout and stderr.
  explicit Program(const std::vector<std::string>& arguments, int standard_output = -1,
                   int standard_error = -1) {
    std::vector<std::string> words{PERSLAY_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (auto& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (standard_output >= 0)
      posix_spawn_file_actions_adddup2(&actions, standard_output, 1);
    else
      posix_spawn_file_actions_addopen(&actions, 1, (folder_ / "out").c_str(), O_WRONLY | O_CREAT, 0600);
    if (standard_error >= 0)
      posix_spawn_file_actions_adddup2(&actions, standard_error, 2);
    else
      posix_spawn_file_actions_addopen(&actions, 2, (folder_ / "err").c_str(), O_WRONLY | O_CREAT, 0600);

    // Tests may run in the background of a shell that ignores Ctrl-C; the program shall not inherit that.
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) sigaddset(&signals, signal);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);

    const int error =
        posix_spawn(&process_, PERSLAY_PROGRAM, &actions, &attributes, pointers.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) throw std::runtime_error("The program cannot be started.");
  }

  [[nodiscard]] pid_t id() const noexcept { return process_; }

  [[nodiscard]] bool has_ended() const {
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           info.si_pid == process_;
  }

  /// What it has written to stderr so far.
  [[nodiscard]] std::string errors() const { return read_bytes(folder_ / "err"); }

  void send(int signal) const { ::kill(process_, signal); }

  Result wait() {
    int status = 0;
    ::waitpid(process_, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_bytes(folder_ / "out"),
            read_bytes(folder_ / "err")};
  }

 private:
  TemporaryFolder folder_;
  pid_t process_ = 0;
};

inline Result run(const std::vector<std::string>& arguments) { return Program(arguments).wait(); }

/// A variable of the environment, for the programs that are started meanwhile; null: it is not set.
class Variable {
 public:
  Variable(std::string name, const char* value) : name_(std::move(name)) {
    if (const char* const before = std::getenv(name_.c_str())) before_ = before;
    set(value);
  }
  ~Variable() { set(before_ ? before_->c_str() : nullptr); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  void set(const char* value) const {
    if (value == nullptr)
      ::unsetenv(name_.c_str());
    else
      ::setenv(name_.c_str(), value, 1);
  }

  std::string name_;
  std::optional<std::string> before_;
};

/// Runs it, expects success, and returns the JSON object that must be all of stdout.
inline nlohmann::json run_json(std::vector<std::string> arguments) {
  arguments.emplace_back("--json");
  const auto result = run(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return nlohmann::json::parse(result.out);
}

/// Runs it and expects the user's error: exit code 2, nothing on stdout, and one line "perslay: sentence." on
/// stderr that says `part`; above it perhaps what was read.
inline void expect_mistake(const std::vector<std::string>& arguments, const std::string& part) {
  const auto [exit_code, out, err] = run(arguments);
  EXPECT_EQ(exit_code, 2) << err;
  EXPECT_EQ(out, "");
  EXPECT_TRUE(err.starts_with("perslay: ")) << err;
  EXPECT_TRUE(err.ends_with(".\n")) << err;
  const auto error = err.starts_with("perslay: Read ") ? err.substr(err.find('\n') + 1) : err;
  EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 1) << err;
  EXPECT_NE(error.find(part), std::string::npos) << err << "does not say: " << part;
}

/// A TU dataset made by hand: a triangle with a tail (class 5), a path of three with a self loop (class -2),
/// and two isolated vertices (class 5).
inline std::string write_small_dataset(const TemporaryFolder& folder) {
  const auto path = folder / "small";
  std::filesystem::create_directory(path);
  write_bytes(path / "small_A.txt",
              "1, 2\n2, 1\n2, 3\n3, 2\n1, 3\n3, 1\n3, 4\n4, 3\n5, 6\n6, 5\n6, 7\n7, 6\n5, 5\n");
  write_bytes(path / "small_graph_indicator.txt", "1\n1\n1\n1\n2\n2\n2\n3\n3\n");
  write_bytes(path / "small_graph_labels.txt", "5\n-2\n5\n");
  return path.string();
}

}  // namespace perslay::test
