#pragma once

#include <memory>

#include <perslay/learn/learner.h>

namespace perslay::learn {

/// Two learners side by side, whose probabilities are averaged. `settings.model = "ridge:POOL+mlp"`.
[[nodiscard]] std::unique_ptr<Learner> make_combined_learner(std::unique_ptr<Learner> ridge,
                                                             std::unique_ptr<Learner> network);

}  // namespace perslay::learn
