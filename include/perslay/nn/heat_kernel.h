#pragma once

#include <ostream>
#include <vector>

#include <torch/torch.h>

#include <perslay/network/graph_batch.h>

namespace perslay::nn {

using network::GraphBatch;

/// The heat kernel signature of all vertices of a batch at several times, [T, V], in float64. `times` [T] is float64.
/// Each time is above 0 and at most filtration::HeatSpectrum::longest_time. Gradients go back to the times, by
/// d hks / dt = - sum_k lambda_k exp(-t lambda_k) psi_k^2. Second derivatives are refused.
///
/// Values are snapped as everywhere (see HeatKernelOptions), so that the pairing of persistence does not depend on
/// rounding. Any number of `threads` gives the same bytes. 0 stands for one thread per processor.
[[nodiscard]] torch::Tensor heat_kernel_signature(const torch::Tensor& times, const GraphBatch& batch,
                                                  int threads = 1);

/// The heat kernel signature with times that are trained. A time is t = start exp(pace shift). Each has a parameter
/// `shift`, which is 0 at first. Times thus stay above 0. The steps of an optimiser like Adam have the size of the
/// rate, so it moves log t by pace times the rate. Times are cut off at filtration::HeatSpectrum::longest_time.
class HeatKernelImpl : public torch::nn::Module {
 public:
  explicit HeatKernelImpl(std::vector<double> start, double pace = 1);

  /// [T, V], float64.
  torch::Tensor forward(const GraphBatch& batch);

  /// The times as they are now.
  [[nodiscard]] std::vector<double> times() const;

  void pretty_print(std::ostream& stream) const override;

  /// May be changed at any time.
  int threads = 1;

 private:
  [[nodiscard]] torch::Tensor time_tensor() const;

  std::vector<double> start_;
  double pace_;
  torch::Tensor shift_;  // float32, [T]
};
TORCH_MODULE(HeatKernel);

}  // namespace perslay::nn
