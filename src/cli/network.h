#pragma once

#include <perslay/learn/learner.h>

namespace perslay::cli {

/// Makes the learner that settings.model names. Networks come from a shared module that is loaded on the
/// first call: libtorch takes most of a second to start, which commands without a network must not pay.
[[nodiscard]] learn::MakeLearner learners();

}  // namespace perslay::cli
