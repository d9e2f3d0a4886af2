#pragma once

#include <span>
#include <vector>

#include <torch/torch.h>

#include <perslay/io/safetensors.h>

namespace perslay::nn {

/// All parameters of a module, and all their gradients, in one array each: the module's tensors become views
/// of them. An optimiser then makes one pass instead of several small operations per tensor.
class FlatParameters {
 public:
  explicit FlatParameters(torch::nn::Module& module);

  [[nodiscard]] std::span<float> values() const;
  [[nodiscard]] std::span<float> gradients() const;
  void zero_gradients() { gradients_.zero_(); }

 private:
  torch::Tensor values_;
  torch::Tensor gradients_;
};

/// Parameters and buffers of a module under their names.
[[nodiscard]] std::vector<io::NamedArray> arrays_of(const torch::nn::Module& module,
                                                    const std::string& prefix);

/// The other way round: each parameter and buffer of `module` takes the values of the array called `prefix`
/// and its name. One that is missing or of another shape is the user's error.
void set_arrays(torch::nn::Module& module, const std::string& prefix, std::span<const io::NamedArray> arrays);

}  // namespace perslay::nn
