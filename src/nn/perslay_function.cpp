#include "parts.h"

#include <perslay/base/error.h>
#include <perslay/layer/perslay.h>
#include <perslay/nn/perslay_function.h>

namespace perslay::nn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// An undefined tensor and one without numbers give no span, whatever their type.
template <class T>
std::span<T> span_of(const torch::Tensor& tensor) {
  if (!tensor.defined() || tensor.numel() == 0) return {};
  return {tensor.data_ptr<std::remove_const_t<T>>(), static_cast<std::size_t>(tensor.numel())};
}

/// One application of a channel. It keeps what backward() needs besides tensors. The tensors, and the gradients by
/// them, are the points, the features, the weights and then the parameters. Features and weights that are not given
/// have no numbers.
struct Application : torch::CustomClassHolder {
  layer::Channel channel;
  torch::Tensor offsets;
  base::Context context;
  std::vector<std::int32_t> selection;

  template <class T>
  [[nodiscard]] layer::Batch<T> batch(const variable_list& inputs) const {
    return {span_of<const T>(inputs[0]), span_of<const std::int64_t>(offsets), span_of<const T>(inputs[1]),
            span_of<const T>(inputs[2])};
  }

  template <class T>
  [[nodiscard]] static std::vector<std::span<T>> parameters(const variable_list& tensors) {
    std::vector<std::span<T>> spans;
    for (std::size_t i = 3; i < tensors.size(); ++i) spans.push_back(span_of<T>(tensors[i]));
    return spans;
  }

  template <class T>
  void forward(const variable_list& inputs, const torch::Tensor& out) {
    layer::forward<T>(context, channel, batch<T>(inputs), parameters<const T>(inputs), span_of<T>(out),
                      &selection);
  }

  template <class T>
  void backward(const variable_list& inputs, const torch::Tensor& out_gradient,
                const variable_list& gradients) const {
    layer::backward<T>(context, channel, batch<T>(inputs), parameters<const T>(inputs), selection,
                       span_of<const T>(out_gradient), parameters<T>(gradients),
                       {span_of<T>(gradients[0]), span_of<T>(gradients[1]), span_of<T>(gradients[2])});
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
  static const torch::Tensor none = torch::empty({0});
  variable_list inputs{points, channel.phi.type == layer::PointTransform::Type::given ? given.features : none,
                       channel.weight.type == layer::Weight::Type::given ? given.weights : none};
  inputs.insert(inputs.end(), parameters.begin(), parameters.end());
  const auto applied = c10::make_intrusive<Application>();
  applied->channel = channel;
  applied->offsets = batch.offsets().contiguous();
  applied->context.threads = threads;
  return PersLayFunction::apply(applied, at::TensorList(inputs));
}

}  // namespace perslay::nn
