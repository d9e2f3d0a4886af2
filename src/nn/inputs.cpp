#include "inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/error.h>

namespace perslay::nn {
namespace {

void check_input(const torch::Tensor& tensor, std::vector<std::int64_t> shape, const torch::Tensor& points,
                 std::string_view name) {
  if (!tensor.defined()) throw base::user_error(fmt::format("The channel needs {}, which is missing.", name));
  if (tensor.sizes() != torch::IntArrayRef(shape))
    throw base::user_error(fmt::format("The channel needs {} of the shape [{}], not [{}].", name,
                                       fmt::join(shape, ", "), fmt::join(tensor.sizes(), ", ")));
  if (tensor.scalar_type() != points.scalar_type() || tensor.device() != points.device())
    throw base::user_error(fmt::format("The points are {} on {}, but {} is {} on {}.",
                                       torch::toString(points.scalar_type()), points.device().str(), name,
                                       torch::toString(tensor.scalar_type()), tensor.device().str()));
}

}  // namespace

void check_inputs(const layer::Channel& channel, const RaggedBatch& batch,
                  const std::vector<torch::Tensor>& parameters, const Given& given) {
  const auto& points = batch.points();
  const auto shapes = channel.parameters();
  if (parameters.size() != shapes.size())
    throw base::user_error(
        fmt::format("The channel has {} parameters, but {} came.", shapes.size(), parameters.size()));
  for (std::size_t i = 0; i < shapes.size(); ++i)
    check_input(parameters[i], shapes[i].shape, points, shapes[i].name);
  if (channel.phi.type == layer::PointTransform::Type::given)
    check_input(given.features, {points.size(0), static_cast<std::int64_t>(channel.phi.size())}, points,
                "features");
  if (channel.weight.type == layer::Weight::Type::given)
    check_input(given.weights, {points.size(0)}, points, "weights");
}

}  // namespace perslay::nn
