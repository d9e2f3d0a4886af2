#pragma once

#include <ostream>
#include <vector>

#include <torch/torch.h>

#include <perslay/network/graph_batch.h>

namespace perslay::nn {

using network::GraphBatch;

/// The heat kernel signature at several times of all vertices of a batch, [T, V], in float64: `times` [T] in
/// float64, each above 0 and at most filtration::HeatSpectrum::longest_time. Gradients go back to the times,
/// by d hks / dt = - sum_k lambda_k exp(-t lambda_k) psi_k^2; second derivatives are refused.
///
/// Values are snapped as everywhere (see HeatKernelOptions), so that the pairing of persistence does not
/// depend on rounding. The same bytes for any number of `threads` (0: one per processor).
[[nodiscard]] torch::Tensor heat_kernel_signature(const torch::Tensor& times, const GraphBatch& batch,
                                                  int threads = 1);

/// The heat kernel signature with times that are trained: t = start exp(pace shift), with one parameter
/// `shift` for each, which is 0 at first. Times thus stay above 0, and an optimiser whose steps have the size
/// of the rate (Adam) moves log t by pace times the rate. Times are cut off at
/// filtration::HeatSpectrum::longest_time.
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
