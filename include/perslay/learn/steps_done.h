#pragma once

#include <cstddef>

#include <perslay/learn/learner.h>
#include <perslay/learn/settings.h>

namespace perslay::learn {

/// How many of the steps that Learner::steps counts for so many items are done once this epoch or candidate is
/// reported, also in a training that was taken up at a checkpoint.
[[nodiscard]] std::size_t steps_done(const Settings& settings, std::size_t items, const Epoch& epoch);

}  // namespace perslay::learn
