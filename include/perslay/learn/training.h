#pragma once

#include <vector>

#include <perslay/base/context.h>
#include <perslay/features/items.h>
#include <perslay/learn/learner.h>
#include <perslay/learn/model_file.h>

namespace perslay::learn {

struct Trained {
  ModelFile model;
  std::vector<Epoch> history;
  double accuracy = 0;  ///< On the items it was trained on.
};

/// Learns from all items. Items without labels, or of one class, are the user's error.
[[nodiscard]] Trained train(const features::Items& items, const Settings& settings,
                            const MakeLearner& make_learner, const FitOptions& options,
                            const base::Context& context = {});

}  // namespace perslay::learn
