#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <perslay/io/safetensors.h>
#include <perslay/learn/learner.h>

namespace perslay::learn {

/// How far training has come: after `epochs` epochs of net `net`. Nets before it are finished.
struct TrainingState {
  std::size_t net = 0;
  std::size_t epochs = 0;
  std::uint64_t steps = 0;  ///< Of the optimiser.
  double seconds = 0;       ///< That training has taken.
  std::vector<io::NamedArray> arrays;
  std::vector<Epoch> history;
};

/// `owner` is the fingerprint of the training.
void write_checkpoint(const std::filesystem::path& file, TrainingState state, const std::string& owner);

/// The state in the file; nothing if there is no file, or one of another training. One that is damaged, or no
/// checkpoint, is the user's error. So is one without a checksum: the programs that wrote such are
/// older, and a state belongs to the version that wrote it.
[[nodiscard]] std::optional<TrainingState> read_checkpoint(const std::filesystem::path& file,
                                                           const std::string& owner);

/// Throws the user's error that nothing is taken up from the file, and what to do.
[[noreturn]] void refuse_checkpoint(
    const std::filesystem::path& file,
    std::string_view why = "This is not the state of a training, or it is damaged");

/// The state that a fit takes up from options.checkpoint; nothing if it keeps none, starts over or finds none. The
/// state of another owner is the user's error if the options keep it.
[[nodiscard]] std::optional<TrainingState> state_to_take_up(const FitOptions& options,
                                                            const std::string& owner);

/// What goes on after an interruption, in the words of the program.
[[nodiscard]] inline std::string same_command(bool fresh) {
  return fresh ? "the same command without --fresh" : "the same command";
}

}  // namespace perslay::learn
