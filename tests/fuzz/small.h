#pragma once

#include "io/temporary_folder.h"
#include "learn/toy.h"
#include "learn/toy_learner.h"

#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include <perslay/io/checksum.h>
#include <perslay/learn/evaluation.h>
#include <perslay/learn/models.h>
#include <perslay/learn/training.h>

/// What small trainings and evaluations leave: seeds, which targets then take up.
namespace perslay::test {

inline learn::Settings small_settings(const std::string& model) {
  auto settings = toy_settings();
  settings.network.channel.paper = "Im(3,(),2,sum)";
  settings.training.epochs = 1;
  return learn::with_model(settings, model);
}

/// Two nets, each with an average, of two epochs.
inline learn::Settings two_nets() {
  auto settings = small_settings("network");
  settings.training.epochs = 2;
  settings.training.nets = 2;
  settings.training.average = 0.5;
  return settings;
}

/// One epoch, after a choice between two channels.
inline learn::Settings two_channels() {
  auto settings = small_settings("network");
  settings.network.candidates.assign(2, settings.network.channel);
  settings.network.candidates.back().paper = "Im(2,(),1,max)";
  settings.network.choice_folds = 2;
  return settings;
}

/// A training that takes up the state in a file.
inline learn::Trained small_training(const features::Items& items, const learn::Settings& settings,
                                     const std::filesystem::path& checkpoint,
                                     learn::FitOptions options = {}) {
  base::Context context;
  context.threads = 1;
  options.checkpoint = checkpoint;
  options.keep_other_checkpoint = true;
  return learn::train(items, settings, learn::all_learners(), options, context);
}

/// The state that it leaves when it is interrupted after so many epochs.
inline std::string left_by_training(const features::Items& items, const learn::Settings& settings,
                                    std::size_t epochs, const std::string& ending = "") {
  const TemporaryFolder folder;
  learn::FitOptions options;
  options.checkpoint_seconds = 0;
  options.report = [&epochs](const learn::Epoch&) {
    if (epochs-- == 0) throw base::Error(base::Fault::cancelled, "It was interrupted.");
  };
  try {
    (void)small_training(items, settings, folder / "state", options);
  } catch (const base::Error&) {
    return read_bytes(folder / ("state" + ending));
  }
  throw std::logic_error("It was to be interrupted.");
}

/// An evaluation of two folds.
inline learn::Evaluation small_evaluation(const std::filesystem::path& folder) {
  static const auto items = toy_items(12);
  learn::EvaluationTask task;
  task.dataset = "toy";
  task.settings = toy_settings();
  task.settings.training.epochs = 1;
  task.protocol.folds = 2;
  task.protocol.repeats = 1;
  base::Context context;
  context.threads = 1;
  return learn::evaluate(items, task, toy_learners(), {.folder = folder, .checkpoint_seconds = 1e9}, context);
}

/// The bytes with the right checksum, if they begin with the place of one, as JSON and safetensors files do. Otherwise
/// every change would be refused before anything is read.
inline std::string with_checksum(std::string_view bytes) {
  constexpr std::string_view key = "\"checksum\":";
  std::string file(bytes);
  const auto at = file.substr(0, 64).find(key);
  if (at == std::string::npos) return file;
  const auto quote = file.find('"', at + key.size());
  if (quote < 64 && quote + 1 + io::open_checksum.size() <= file.size()) io::put_checksum(file, quote + 1);
  return file;
}

}  // namespace perslay::test
