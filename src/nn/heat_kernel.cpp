#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/error.h>
#include <perslay/nn/heat_kernel.h>

namespace perslay::nn {
namespace {

using filtration::HeatSpectrum;

class HeatKernelFunction : public torch::autograd::Function<HeatKernelFunction> {
 public:
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& times,
                               const GraphBatch* batch, int threads) {
    const auto own = times.contiguous();
    base::Context threads_only;
    threads_only.threads = threads;
    const auto [values, derivatives] = network::heat_signatures(
        {own.data_ptr<double>(), static_cast<std::size_t>(own.numel())}, *batch, threads_only);
    context->save_for_backward({torch::tensor(derivatives, torch::kFloat64).view({own.numel(), -1})});
    return torch::tensor(values, torch::kFloat64).view({own.numel(), -1});
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    if (torch::GradMode::is_enabled())
      throw base::user_error(
          "The heat kernel signature has no second derivatives in t; leave create_graph out.");
    return {(gradients[0] * context->get_saved_variables()[0]).sum(1), {}, {}};
  }
};

}  // namespace

torch::Tensor heat_kernel_signature(const torch::Tensor& times, const GraphBatch& batch, int threads) {
  if (times.dim() != 1 || times.scalar_type() != torch::kFloat64 || !times.is_cpu())
    throw base::user_error("The heat kernel signature needs a list of times in float64, on the CPU.");
  return HeatKernelFunction::apply(times, &batch, threads);
}

HeatKernelImpl::HeatKernelImpl(std::vector<double> start, double pace)
    : torch::nn::Module("HeatKernel"), start_(std::move(start)), pace_(pace) {
  for (const double time : start_)
    if (!(time > 0 && time <= HeatSpectrum::longest_time))
      throw base::user_error(
          fmt::format("A time that is trained starts above 0 and at most at {}, not at {}.",
                      HeatSpectrum::longest_time, time));
  shift_ = register_parameter("shift", torch::zeros({static_cast<std::int64_t>(start_.size())}));
}

torch::Tensor HeatKernelImpl::time_tensor() const {
  const auto start = torch::tensor(start_, torch::kFloat64);
  return (start * (pace_ * shift_.to(torch::kFloat64)).exp()).clamp_max(HeatSpectrum::longest_time);
}

torch::Tensor HeatKernelImpl::forward(const GraphBatch& batch) {
  return heat_kernel_signature(time_tensor(), batch, threads);
}

std::vector<double> HeatKernelImpl::times() const {
  const auto now = time_tensor().detach().contiguous();
  return {now.data_ptr<double>(), now.data_ptr<double>() + now.numel()};
}

void HeatKernelImpl::pretty_print(std::ostream& stream) const {
  stream << fmt::format("HeatKernel({})", fmt::join(times(), ", "));
}

}  // namespace perslay::nn
