#include "campaign/families.h"
#include "campaign/layer_case.h"

#include <mutex>

#include <perslay/nn/plain.h>

namespace perslay::campaign {
namespace {

using torch::Tensor;

/// The derivatives of plain tensor operations: by each parameter, then by the points.
std::vector<Tensor> derivatives(const LayerCase& c) {
  std::vector<Tensor> inputs;
  const auto shapes = c.channel.parameters();
  for (std::size_t a = 0; a < shapes.size(); ++a)
    inputs.push_back(
        torch::tensor(c.parameters[a], torch::kFloat64).reshape(shapes[a].shape).requires_grad_());
  std::vector<double> points;
  std::vector<std::int64_t> offsets{0};
  for (const auto& bars : c.diagrams) {
    for (const auto& [birth, death] : bars) points.insert(points.end(), {birth, death});
    offsets.push_back(static_cast<std::int64_t>(points.size() / 2));
  }
  inputs.push_back(torch::tensor(points, torch::kFloat64).reshape({-1, 2}).requires_grad_());
  const nn::RaggedBatch batch(inputs.back(), torch::tensor(offsets));
  const auto out = nn::plain_forward(c.channel, batch, {inputs.begin(), inputs.end() - 1});
  const auto loss = (out.flatten() * torch::tensor(upstream_of(c), torch::kFloat64)).sum();
  std::vector<Tensor> gradients(inputs.size());
  if (loss.requires_grad()) gradients = torch::autograd::grad({loss}, inputs, {}, false, false, true);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (!gradients[i].defined()) gradients[i] = torch::zeros_like(inputs[i]);
  return gradients;
}

std::string fault(const LayerCase& c) {
  static std::once_flag once;
  std::call_once(once, [] { torch::set_num_threads(1); });
  const auto found = test::LayerRun<double>(c.channel, c.diagrams, c.parameters).backward(upstream_of(c));
  const auto expected = derivatives(c);
  const auto shapes = c.channel.parameters();
  for (std::size_t a = 0; a < found.size(); ++a) {
    const auto* const numbers = expected[a].contiguous().data_ptr<double>();
    for (std::size_t i = 0; i < found[a].size(); ++i)
      if (!(std::abs(found[a][i] - numbers[i]) <= 1e-10 * scale_of(numbers[i])))
        return fmt::format("The derivative by {}[{}] is {} instead of {}.",
                           a < shapes.size() ? shapes[a].name : "points", i, found[a][i], numbers[i]);
  }
  return {};
}

}  // namespace

Family layer_autograd() {
  return family<LayerCase>("layer-autograd", "libtorch's autograd of plain tensor operations", 5,
                           {draw_layer, fault, smaller_layers, layer_text});
}

}  // namespace perslay::campaign
