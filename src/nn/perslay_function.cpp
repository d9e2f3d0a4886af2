#include "inputs.h"

#include <cstdint>
#include <span>

#include <perslay/base/error.h>
#include <perslay/layer/perslay.h>
#include <perslay/nn/perslay_function.h>

namespace perslay::nn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

template <class T>
std::span<T> span_of(const torch::Tensor& tensor) {
  if (!tensor.defined()) return {};
  return {tensor.data_ptr<std::remove_const_t<T>>(), static_cast<std::size_t>(tensor.numel())};
}

template <class T>
std::vector<std::span<T>> spans_of(std::span<const torch::Tensor> tensors) {
  std::vector<std::span<T>> spans;
  for (const auto& tensor : tensors) spans.push_back(span_of<T>(tensor));
  return spans;
}

/// One application of a channel: what backward() needs to know besides tensors.
struct Application : torch::CustomClassHolder {
  layer::Channel channel;
  torch::Tensor offsets;
  base::Context context;
  std::vector<std::int32_t> selection;

  [[nodiscard]] std::size_t has_features() const {
    return channel.phi.type == layer::PointTransform::Type::given ? 1 : 0;
  }
  [[nodiscard]] std::size_t has_weights() const {
    return channel.weight.type == layer::Weight::Type::given ? 1 : 0;
  }

  /// The tensors in the order in which autograd sees them.
  [[nodiscard]] variable_list inputs(const torch::Tensor& points, const Given& given,
                                     const std::vector<torch::Tensor>& parameters) const {
    variable_list list{points};
    if (has_features() > 0) list.push_back(given.features);
    if (has_weights() > 0) list.push_back(given.weights);
    list.insert(list.end(), parameters.begin(), parameters.end());
    return list;
  }

  /// Such tensors, told apart again.
  struct View {
    torch::Tensor points, features, weights;
    std::span<const torch::Tensor> parameters;
  };
  [[nodiscard]] View view(std::span<const torch::Tensor> inputs) const {
    const std::size_t f = has_features(), w = has_weights();
    return {inputs[0], f > 0 ? inputs[1] : torch::Tensor{}, w > 0 ? inputs[1 + f] : torch::Tensor{},
            inputs.subspan(1 + f + w)};
  }

  template <class T>
  [[nodiscard]] layer::Batch<T> batch(const View& inputs) const {
    return {span_of<const T>(inputs.points), span_of<const std::int64_t>(offsets),
            span_of<const T>(inputs.features), span_of<const T>(inputs.weights)};
  }

  template <class T>
  void forward(std::span<const torch::Tensor> inputs, const torch::Tensor& out) {
    const View in = view(inputs);
    const auto parameters = spans_of<const T>(in.parameters);
    layer::forward<T>(context, channel, batch<T>(in), parameters, span_of<T>(out), &selection);
  }

  template <class T>
  void backward(std::span<const torch::Tensor> inputs, const torch::Tensor& out_gradient,
                std::span<const torch::Tensor> gradients) const {
    const View in = view(inputs), wanted = view(gradients);
    const auto parameters = spans_of<const T>(in.parameters);
    const auto parameter_gradients = spans_of<T>(wanted.parameters);
    layer::backward<T>(context, channel, batch<T>(in), parameters, selection, span_of<const T>(out_gradient),
                       parameter_gradients,
                       {span_of<T>(wanted.points), span_of<T>(wanted.features), span_of<T>(wanted.weights)});
  }
};

using Applied = c10::intrusive_ptr<Application>;

variable_list contiguous(at::TensorList tensors) {
  variable_list list;
  for (const auto& tensor : tensors) list.push_back(tensor.contiguous());
  return list;
}

class PersLayFunction : public torch::autograd::Function<PersLayFunction> {
 public:
  static torch::Tensor forward(AutogradContext* ctx, const Applied& applied, at::TensorList inputs) {
    auto out =
        torch::empty({applied->offsets.size(0) - 1, static_cast<std::int64_t>(applied->channel.size())},
                     inputs[0].options());
    const auto packed = contiguous(inputs);
    if (out.scalar_type() == torch::kFloat32)
      applied->forward<float>(packed, out);
    else
      applied->forward<double>(packed, out);
    ctx->saved_data["application"] = c10::IValue::make_capsule(applied);
    ctx->save_for_backward(inputs.vec());
    return out;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& out_gradients) {
    if (torch::GradMode::is_enabled())
      throw base::user_error(
          "The fused PersLay has no second derivatives; take path=plain, or leave create_graph out.");
    const auto applied =
        c10::static_intrusive_pointer_cast<Application>(ctx->saved_data["application"].toCapsule());
    const auto packed = contiguous(ctx->get_saved_variables());
    variable_list gradients;
    for (std::size_t i = 0; i < packed.size(); ++i)
      gradients.push_back(ctx->needs_input_grad(i) ? torch::empty_like(packed[i]) : torch::Tensor{});
    const auto out_gradient = out_gradients[0].contiguous();
    if (out_gradient.scalar_type() == torch::kFloat32)
      applied->backward<float>(packed, out_gradient, gradients);
    else
      applied->backward<double>(packed, out_gradient, gradients);
    gradients.insert(gradients.begin(), torch::Tensor{});  // of the application itself
    return gradients;
  }
};

}  // namespace

torch::Tensor fused_forward(const layer::Channel& channel, const RaggedBatch& batch,
                            const std::vector<torch::Tensor>& parameters, const Given& given, int threads) {
  check_inputs(channel, batch, parameters, given);
  const auto& points = batch.points();
  if (!points.is_cpu() ||
      (points.scalar_type() != torch::kFloat32 && points.scalar_type() != torch::kFloat64))
    throw base::user_error(
        "The fused PersLay runs on the CPU in float32 or float64; elsewhere take path=plain.");
  const auto applied = c10::make_intrusive<Application>();
  applied->channel = channel;
  applied->offsets = batch.offsets().contiguous();
  applied->context.threads = threads;
  return PersLayFunction::apply(applied, at::TensorList(applied->inputs(points, given, parameters)));
}

}  // namespace perslay::nn
