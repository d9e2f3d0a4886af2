#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <perslay/base/context.h>
#include <perslay/features/load_items.h>
#include <perslay/learn/learner.h>
#include <perslay/learn/model_file.h>

namespace perslay::learn {

struct Predictions {
  std::vector<std::string> classes;
  std::vector<float> probabilities;  ///< [item][class]
  std::vector<int> labels;           ///< The most probable class of each item.
  /// If the items have labels. One whose class the model does not know counts as wrong.
  std::optional<double> accuracy;
};

/// What has to be known about items that the model is to label.
[[nodiscard]] features::LoadRequest load_request(const ModelFile& model);

/// Labels items, which need not be of the dataset that the model was trained on. Items without the diagrams
/// that it reads, and arrays that do not fit its settings, are the user's error.
[[nodiscard]] Predictions predict(const ModelFile& model, features::Items items,
                                  const MakeLearner& make_learner, const base::Context& context = {});

/// Writes `item,label,p:CLASS,...` (.csv), or the probabilities alone (.npy).
void write_predictions(const std::filesystem::path& path, const Predictions& predictions);

}  // namespace perslay::learn
