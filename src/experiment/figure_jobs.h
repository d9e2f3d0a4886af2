#pragma once

#include <vector>

#include <perslay/experiment/plan.h>

namespace perslay::experiment {

/// The trainings that the paper's figures need: the accuracy for times t from 0.01 to 100 on each of these
/// datasets; on the first, weights on a 20x20 grid, and t trained from three starts. `datasets` are
/// the datasets' jobs with the paper's settings.
[[nodiscard]] std::vector<Job> figure_jobs(const std::vector<Job>& datasets);

/// The time of a job with a fixed time; 0 for others.
[[nodiscard]] double fixed_time(const Job& job);

inline constexpr auto weights_column = "weights 20x20";

}  // namespace perslay::experiment
