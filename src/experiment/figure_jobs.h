#pragma once

#include <vector>

#include <perslay/experiment/plan.h>

namespace perslay::experiment {

/// What the paper's figures need trainings for: the accuracy for times t from 0.01 to 100 on each of these
/// datasets, weights on a 20x20 grid on the first, and there t trained from three starts. The jobs are those
/// of the datasets with the paper's settings.
[[nodiscard]] std::vector<Job> figure_jobs(const std::vector<Job>& datasets);

/// The time of a job of the first kind; 0 for others.
[[nodiscard]] double fixed_time(const Job& job);

inline constexpr auto weights_column = "weights 20x20";

}  // namespace perslay::experiment
