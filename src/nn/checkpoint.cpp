#include "checkpoint.h"

#include <bit>
#include <sstream>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/random.h>

namespace perslay::nn {
namespace {

constexpr auto key = "perslay-checkpoint";

class Hash {
 public:
  void add(std::uint64_t word) noexcept { state_ = base::mix_bits(state_ ^ word) + 0x9E3779B97F4A7C15ULL; }
  void add(double number) noexcept { add(std::bit_cast<std::uint64_t>(number)); }
  void add(const std::string& text) noexcept {
    add(static_cast<std::uint64_t>(text.size()));
    for (const char c : text) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
  }
  [[nodiscard]] std::uint64_t value() const noexcept { return state_; }

 private:
  std::uint64_t state_ = 0;
};

void add_item(Hash& hash, const learn::Part& part, std::size_t row) {
  hash.add(static_cast<std::uint64_t>(part.items.labels[row]));
  for (const auto& group : part.items.groups)
    for (const auto& point : group.diagrams[row]) {
      hash.add(point.birth);
      hash.add(point.death);
    }
  for (const auto& block : part.items.blocks)
    for (auto i = block.offsets[row]; i < block.offsets[row + 1]; ++i)
      hash.add(block.values[static_cast<std::size_t>(i)]);
}

/// fingerprint, net, epochs, steps, then for each epoch of the history four fields; numbers that must come
/// back exactly as the integers that their bits are.
std::string describe(const TrainingState& state, std::uint64_t fingerprint) {
  std::string text = fmt::format("{} {} {} {}", fingerprint, state.net, state.epochs, state.steps);
  for (const auto& epoch : state.history)
    text += fmt::format(" {} {} {} {}", epoch.net, epoch.epoch, std::bit_cast<std::uint64_t>(epoch.loss),
                        std::bit_cast<std::uint64_t>(epoch.accuracy));
  return text;
}

std::optional<TrainingState> understand(const std::string& text, std::uint64_t fingerprint) {
  std::istringstream words(text);
  TrainingState state;
  std::uint64_t owner = 0;
  if (!(words >> owner >> state.net >> state.epochs >> state.steps) || owner != fingerprint) return {};
  learn::Epoch epoch;
  std::uint64_t loss = 0, accuracy = 0;
  while (words >> epoch.net >> epoch.epoch >> loss >> accuracy) {
    epoch.loss = std::bit_cast<double>(loss);
    epoch.accuracy = std::bit_cast<double>(accuracy);
    state.history.push_back(epoch);
  }
  return state;
}

}  // namespace

std::uint64_t fingerprint(const learn::Part& part, const learn::Settings& settings, std::uint64_t seed) {
  Hash hash;
  hash.add(seed);
  hash.add(learn::to_toml(settings));
  for (const auto row : part.rows) add_item(hash, part, row);
  return hash.value();
}

void write_checkpoint(const std::filesystem::path& file, const TrainingState& state,
                      std::uint64_t fingerprint) {
  io::write_safetensors(file, state.arrays, {{key, describe(state, fingerprint)}});
}

std::optional<TrainingState> read_checkpoint(const std::filesystem::path& file, std::uint64_t fingerprint) {
  if (file.empty() || !std::filesystem::exists(file)) return {};
  try {
    auto content = io::read_safetensors(file);
    const auto text = content.metadata.find(key);
    if (text == content.metadata.end()) return {};
    auto state = understand(text->second, fingerprint);
    if (state) state->arrays = std::move(content.arrays);
    return state;
  } catch (const base::Error&) {
    return {};  // not a checkpoint; training starts at its beginning
  }
}

}  // namespace perslay::nn
