#pragma once

#include <string>
#include <vector>

#include <perslay/learn/evaluation.h>
#include <perslay/report/chart.h>

namespace perslay::report {

/// Loss and accuracy on the training part over the epochs of the first net, and times of filtrations that
/// were trained: mean over trainings and the range of all. Empty if there is no history of at least two
/// epochs.
[[nodiscard]] std::vector<Chart> training_curves(const learn::FinishedEvaluation& finished);

}  // namespace perslay::report
