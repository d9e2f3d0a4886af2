#include "inputs.h"
#include "plain_parts.h"

#include <perslay/nn/plain.h>

namespace perslay::nn {
namespace {

/// Hands parameters out, part by part.
class Cursor {
 public:
  explicit Cursor(Tensors parameters) : rest_(parameters) {}

  Tensors take(std::size_t count) {
    const Tensors taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    return taken;
  }

 private:
  Tensors rest_;
};

}  // namespace

torch::Tensor plain_equivariant(const layer::Equivariant& layer, const torch::Tensor& features,
                                const Segments& segments, Tensors parameters) {
  const auto own = features.matmul(parameters.front()) + parameters.back();
  if (layer.pool == layer::Pool::none) return own;
  return own - segments.spread(segments.reduce(features, layer.pool).matmul(parameters[1]));
}

torch::Tensor plain_forward(const layer::Channel& channel, const RaggedBatch& batch,
                            const std::vector<torch::Tensor>& parameters, const Given& given) {
  check_inputs(channel, batch, parameters, given);
  const auto& points = batch.points();
  const Segments segments(batch.offsets(), points.device());
  Cursor cursor(parameters);

  auto features =
      channel.phi.type == layer::PointTransform::Type::given
          ? given.features
          : plain_phi(channel.phi, points, segments, cursor.take(channel.phi.parameters().size()));
  for (const auto& layer : channel.equivariant)
    features =
        plain_equivariant(layer, features, segments, cursor.take(layer.pool == layer::Pool::none ? 2 : 3));
  const auto weights =
      channel.weight.type == layer::Weight::Type::given
          ? given.weights
          : plain_weight(channel.weight, points, cursor.take(channel.weight.parameters().size()));
  return segments.reduce(weights.unsqueeze(1) * features, channel.op);
}

}  // namespace perslay::nn
