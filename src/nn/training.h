#pragma once

#include "batches.h"
#include "flat_parameters.h"

#include <cstdint>
#include <span>
#include <vector>

#include <perslay/learn/learner.h>
#include <perslay/learn/optimiser.h>
#include <perslay/learn/schedule.h>
#include <perslay/nn/classifier.h>

namespace perslay::nn {

/// One net while it is trained.
class NetTraining {
 public:
  NetTraining(const learn::Settings& settings, const Batches& batches, std::uint64_t seed, int threads);

  /// One pass over all items, in an order of its own; gives mean loss and accuracy.
  struct Outcome {
    double loss = 0;
    double accuracy = 0;
    std::vector<double> times{};  ///< Of trained heat kernel signatures, after it.
  };
  Outcome epoch(std::size_t epoch, const base::Context& context);

  /// The classifier as it is used from now on: with the average of its weights if there is one.
  [[nodiscard]] Classifier finish();

  /// What epoch() changes, for a checkpoint.
  [[nodiscard]] std::vector<io::NamedArray> arrays();
  void restore(std::span<const io::NamedArray> arrays, std::uint64_t steps);
  [[nodiscard]] std::uint64_t steps() const noexcept { return adam_.steps; }

 private:
  /// Returns the summed loss and the number of hits.
  Outcome step(std::span<const std::size_t> places, double rate, base::RandomStream& random);
  [[nodiscard]] std::vector<std::size_t> shuffled(base::RandomStream& random) const;
  /// Puts the average in place of the weights, if there is one.
  void take_average();
  /// Moves the average as the epochs that are not run would, in which the weights stay where they are.
  void average_over_rest();

  const learn::TrainingSettings& settings_;
  const Batches& batches_;
  std::uint64_t seed_;
  learn::Schedule schedule_;
  Classifier classifier_;
  FlatParameters parameters_;
  learn::Adam adam_;
  std::vector<float> average_;  // empty if none is kept
};

}  // namespace perslay::nn
