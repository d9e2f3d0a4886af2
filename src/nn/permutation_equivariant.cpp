#include "parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/error.h>
#include <perslay/layer/initialise.h>
#include <perslay/nn/permutation_equivariant.h>

namespace perslay::nn {

PermutationEquivariantImpl::PermutationEquivariantImpl(std::size_t input, layer::Equivariant layer,
                                                       std::uint64_t seed)
    : torch::nn::Module("PermutationEquivariant"), input_(input), layer_(layer) {
  layer::Channel channel;
  channel.phi.type = layer::PointTransform::Type::given;
  channel.phi.count = input;
  channel.equivariant = {layer};
  const auto values = layer::initial_parameters(channel, layer::Initialisation::ours, seed);
  const auto shapes = layer_.parameters(input_);
  for (std::size_t i = 0; i < shapes.size(); ++i)
    arrays_.push_back(register_parameter(shapes[i].name, to_tensor(shapes[i], values[i])));
}

torch::Tensor PermutationEquivariantImpl::forward(const torch::Tensor& features,
                                                  const torch::Tensor& offsets) {
  if (features.dim() != 2 || features.size(1) != static_cast<std::int64_t>(input_))
    throw base::user_error(fmt::format("The equivariant layer needs features of the shape [N, {}], not [{}].",
                                       input_, fmt::join(features.sizes(), ", ")));
  return plain_equivariant(layer_, features, Segments(offsets, features.device()), arrays_);
}

void PermutationEquivariantImpl::pretty_print(std::ostream& stream) const {
  stream << fmt::format("PermutationEquivariant({} -> {}, pool={})", input_, layer_.size,
                        layer::pool_name(layer_.pool));
}

}  // namespace perslay::nn
