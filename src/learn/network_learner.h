#pragma once

#include <memory>

#include <perslay/learn/learner.h>

namespace perslay::learn {

/// Trains the network of settings.network as settings.training says; `model = "network"`.
///
/// All randomness (initial parameters, order of items, dropout) comes from (seed, net, epoch), so a
/// checkpoint holds no generator, and what was killed and taken up again ends with the same bytes. The
/// threads of the context serve the diagrams of a batch; folds side by side use them better.
[[nodiscard]] std::unique_ptr<Learner> make_network_learner(const Settings& settings);

}  // namespace perslay::learn
