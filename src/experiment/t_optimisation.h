#pragma once

#include <string>
#include <vector>

#include <perslay/experiment/plan.h>
#include <perslay/experiment/reproduce.h>
#include <perslay/learn/evaluation.h>

namespace perslay::experiment {

/// The appendix's experiment on the time of the heat kernel signature: 40 epochs from t = 0.1, 1 and 10, with
/// t fixed and with t trained. `base` is the dataset's job with the paper's settings.
[[nodiscard]] std::vector<Job> t_optimisation_jobs(const Job& base);

/// Collects the trained time of each epoch over many trainings.
class TimeCurve {
 public:
  void add(const learn::FoldResult& fold);

  /// The start, then every epoch; empty if no time was trained.
  [[nodiscard]] std::vector<TimeSpread> spread(const learn::Settings& settings) const;

 private:
  std::vector<std::vector<double>> times_;  // per epoch: of each training
};

/// The curves of the outcomes that have one, as a table in Markdown; empty if none has.
[[nodiscard]] std::string curves_markdown(const std::vector<Outcome>& outcomes);

}  // namespace perslay::experiment
