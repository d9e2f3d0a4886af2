#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <vector>

#include <torch/torch.h>

#include <perslay/layer/equivariant.h>

namespace perslay::nn {

/// A permutation-equivariant layer (Zaheer et al. 2017) on its own. It follows any module that computes features of
/// points, or another such layer. x becomes x lambda - pool(x) gamma + bias. The pool is taken over the points of
/// each diagram. Built-in phi take these layers as part of a channel, which is faster.
class PermutationEquivariantImpl : public torch::nn::Module {
 public:
  PermutationEquivariantImpl(std::size_t input, layer::Equivariant layer, std::uint64_t seed = 0);

  /// `features` [N, input] become [N, layer.size]. `offsets` [B + 1] are those of a RaggedBatch.
  torch::Tensor forward(const torch::Tensor& features, const torch::Tensor& offsets);

  void pretty_print(std::ostream& stream) const override;

 private:
  std::size_t input_;
  layer::Equivariant layer_;
  std::vector<torch::Tensor> arrays_;
};
TORCH_MODULE(PermutationEquivariant);

}  // namespace perslay::nn
