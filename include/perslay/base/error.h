#pragma once

#include <stdexcept>
#include <string>

namespace perslay::base {

/// Whose fault an error is. The program turns it into its exit code, the bindings into an exception type.
enum class Fault {
  user,       ///< Bad input or a bad request; the message is a sentence for the person who made it.
  internal,   ///< A defect of ours, or the machine's (disk full, out of memory).
  cancelled,  ///< The caller asked to stop.
};

/// The one error type of the library. The message is a sentence that says what is wrong, where (file and line
/// for input) and the numbers involved. Control characters, which may come from a file that the sentence quotes, are
/// escaped as \x1b: a sentence is one line, and does nothing to a terminal.
class Error : public std::runtime_error {
 public:
  Error(Fault fault, const std::string& sentence);

  [[nodiscard]] Fault fault() const noexcept { return fault_; }

 private:
  Fault fault_;
};

[[nodiscard]] inline Error user_error(const std::string& sentence) { return {Fault::user, sentence}; }
[[nodiscard]] inline Error internal_error(const std::string& sentence) { return {Fault::internal, sentence}; }

}  // namespace perslay::base
