#include "checkpoint.h"

#include <algorithm>
#include <bit>
#include <sstream>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/io/checksum.h>
#include <perslay/io/path_type.h>

namespace perslay::learn {
namespace {

constexpr auto key = "perslay-checkpoint";

constexpr auto times_name = "history.times";

/// The times of all epochs, [epoch][time]: empty if there are none.
io::NamedArray times_of(const std::vector<Epoch>& history) {
  const auto width = history.empty() ? 0 : history.front().times.size();
  io::NamedArray array{
      times_name, {static_cast<std::int64_t>(history.size()), static_cast<std::int64_t>(width)}, {}};
  for (const auto& epoch : history)
    array.doubles.insert(array.doubles.end(), epoch.times.begin(), epoch.times.end());
  return array;
}

/// Takes them out of the arrays again.
void restore_times(TrainingState& state) {
  const auto array = std::ranges::find(state.arrays, times_name, &io::NamedArray::name);
  if (array == state.arrays.end()) return;
  const auto epochs = state.history.size(), numbers = array->doubles.size();
  if (epochs == 0 || numbers % epochs != 0) throw base::user_error("The checkpoint contradicts itself.");
  const auto width = numbers / epochs;
  for (std::size_t i = 0; i < state.history.size(); ++i)
    state.history[i].times.assign(array->doubles.begin() + static_cast<std::ptrdiff_t>(i * width),
                                  array->doubles.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
  state.arrays.erase(array);
}

/// Owner, net, epochs, steps, seconds, then for each epoch of the history four fields; numbers that must come
/// back exactly as the integers that their bits are.
std::string describe(const TrainingState& state, const std::string& owner) {
  std::string text =
      fmt::format("{} {} {} {} {}", owner, state.net, state.epochs, state.steps, state.seconds);
  for (const auto& epoch : state.history)
    text += fmt::format(" {} {} {} {}", epoch.net, epoch.epoch, std::bit_cast<std::uint64_t>(epoch.loss),
                        std::bit_cast<std::uint64_t>(epoch.accuracy));
  return text;
}

std::optional<TrainingState> understand(const std::string& text, const std::string& owner) {
  std::istringstream words(text);
  TrainingState state;
  std::string name;
  if (!(words >> name >> state.net >> state.epochs >> state.steps >> state.seconds) || name != owner)
    return {};
  Epoch epoch;
  std::uint64_t loss = 0, accuracy = 0;
  while (words >> epoch.net >> epoch.epoch >> loss >> accuracy) {
    epoch.loss = std::bit_cast<double>(loss);
    epoch.accuracy = std::bit_cast<double>(accuracy);
    state.history.push_back(epoch);
  }
  return state;
}

}  // namespace

void write_checkpoint(const std::filesystem::path& file, TrainingState state, const std::string& owner) {
  if (auto times = times_of(state.history); !times.doubles.empty()) state.arrays.push_back(std::move(times));
  io::write_safetensors(file, state.arrays, {{key, describe(state, owner)}});
}

std::optional<TrainingState> read_checkpoint(const std::filesystem::path& file, const std::string& owner) {
  if (file.empty() || !io::is_there(file)) return {};
  bool checked = true;
  try {
    auto content = io::read_safetensors(file);
    const auto text = content.metadata.find(key);
    if (text == content.metadata.end()) return {};
    checked = content.checked;
    if (!checked) throw base::user_error(io::no_checksum_remark(file));
    auto state = understand(text->second, owner);
    if (!state) return {};
    state->arrays = std::move(content.arrays);
    restore_times(*state);
    return state;
  } catch (const base::Error& error) {
    if (error.fault() != base::Fault::user) throw;
    if (checked) refuse_checkpoint(file);
    refuse_checkpoint(file, "This state of a training has no checksum, as those of earlier versions");
  }
}

void refuse_checkpoint(const std::filesystem::path& file, std::string_view why) {
  throw base::user_error(fmt::format("{}: {}; remove it, or start over with --fresh (in Python fresh=True).",
                                     file.string(), why));
}

std::optional<TrainingState> state_to_take_up(const FitOptions& options, const std::string& owner) {
  if (options.fresh) return {};
  auto state = read_checkpoint(options.checkpoint, owner);
  if (!state && options.keep_other_checkpoint && io::is_there(options.checkpoint))
    throw base::user_error(fmt::format(
        "{}: The file is not the state of this training: it belongs to other settings, data, seed or "
        "version, or it is damaged; finish that training, or start over with --fresh (in Python "
        "fresh=True).",
        options.checkpoint.string()));
  return state;
}

}  // namespace perslay::learn
