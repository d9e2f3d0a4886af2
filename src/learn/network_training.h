#pragma once

#include "network_data.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <perslay/learn/learner.h>
#include <perslay/learn/optimiser.h>
#include <perslay/learn/schedule.h>
#include <perslay/network/loss.h>
#include <perslay/network/network.h>

namespace perslay::learn {

/// All arrays of a network, for a file, under `prefix` and their names.
[[nodiscard]] std::vector<io::NamedArray> arrays_of(const network::Network<float>& network,
                                                    const std::string& prefix);

/// The other way round: each array of the network takes the numbers of the one called `prefix` and its name.
/// One that is missing, of another shape or of another type is the user's error.
void set_arrays(network::Network<float>& network, const std::string& prefix,
                std::span<const io::NamedArray> arrays);

/// One net while it is trained.
class NetworkTraining {
 public:
  /// What is given outlives it.
  NetworkTraining(const Settings& settings, const NetworkData& data, std::uint64_t seed, int threads);

  /// One pass over all items, in an order of its own; gives mean loss and accuracy.
  struct Outcome {
    double loss = 0;
    double accuracy = 0;
    std::vector<double> times{};  ///< Of trained heat kernel signatures, after it.
  };
  Outcome epoch(std::size_t epoch, const base::Context& context);

  /// The network as it is used from now on: with the average of its weights if there is one.
  [[nodiscard]] network::Network<float> finish();

  /// What epoch() changes, for a checkpoint.
  [[nodiscard]] std::vector<io::NamedArray> arrays();
  void restore(std::span<const io::NamedArray> arrays, std::uint64_t steps);
  [[nodiscard]] std::uint64_t steps() const noexcept { return adam_.steps; }

 private:
  network::LossValue step(std::span<const std::size_t> places, double rate, base::RandomStream& random);
  void move_times(double rate);
  /// Puts the average in place of the weights, if there is one.
  void take_average();
  /// Moves the average as the epochs that are not run would, in which the weights stay where they are.
  void average_over_rest();
  void fit_scales();

  const TrainingSettings& settings_;
  const NetworkData& data_;
  std::uint64_t seed_;
  base::Context inside_;  // of a step
  Schedule schedule_;
  network::Network<float> network_;
  network::CrossEntropy<float> loss_;
  // Times that move once an epoch have an optimiser of their own. They are the first of the trained numbers.
  std::size_t slow_ = 0;
  Adam adam_, slow_adam_;
  std::vector<float> slow_gradient_;  // the mean over the items of the epoch so far
  std::vector<float> gradient_;
  std::vector<float> average_;  // empty if none is kept
  network::Batch<float> batch_;
  network::Workspace<float> work_;
};

}  // namespace perslay::learn
