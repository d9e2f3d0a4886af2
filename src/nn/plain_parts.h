#pragma once

#include "segments.h"

#include <span>

#include <torch/torch.h>

#include <perslay/layer/channel.h>

namespace perslay::nn {

using Tensors = std::span<const torch::Tensor>;

/// phi of points [N, 2]: [N, phi.size()].
[[nodiscard]] torch::Tensor plain_phi(const layer::PointTransform& phi, const torch::Tensor& points,
                                      const Segments& segments, Tensors parameters);

/// w of points [N, 2]: [N].
[[nodiscard]] torch::Tensor plain_weight(const layer::Weight& weight, const torch::Tensor& points,
                                         Tensors parameters);

/// x lambda - pool(x) gamma + bias of features [N, q]: [N, layer.size].
[[nodiscard]] torch::Tensor plain_equivariant(const layer::Equivariant& layer, const torch::Tensor& features,
                                              const Segments& segments, Tensors parameters);

}  // namespace perslay::nn
