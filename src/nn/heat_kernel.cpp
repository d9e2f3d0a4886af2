#include <algorithm>
#include <cstddef>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/error.h>
#include <perslay/base/parallel.h>
#include <perslay/filtration/heat_kernel_signature.h>
#include <perslay/nn/heat_kernel.h>

namespace perslay::nn {
namespace {

using filtration::HeatSpectrum;

/// Signatures and their derivatives, [T, V] each.
struct Signatures {
  torch::Tensor values, derivatives;
};

Signatures compute(std::span<const double> times, const GraphBatch& batch, int threads) {
  const auto offsets = batch.vertex_offsets();
  const auto vertices = static_cast<std::size_t>(offsets.back());
  const auto shape = {static_cast<std::int64_t>(times.size()), offsets.back()};
  Signatures result{torch::empty(shape, torch::kFloat64), torch::empty(shape, torch::kFloat64)};
  const std::span values(result.values.data_ptr<double>(), times.size() * vertices);
  const std::span derivatives(result.derivatives.data_ptr<double>(), times.size() * vertices);
  struct Buffer {
    HeatSpectrum::Buffer spectrum;
    filtration::HeatKernelSignature signature;
  };
  base::Context context;
  context.threads = threads;
  base::parallel_for(
      context, "heat kernel signatures", batch.size(), [] { return Buffer(); },
      [&](std::size_t g, Buffer& buffer) {
        const auto n = static_cast<std::size_t>(batch.graphs[g].vertex_count());
        const auto* spectrum = batch.spectra.empty() ? nullptr : batch.spectra[g].get();
        for (std::size_t i = 0; i < times.size(); ++i) {
          const auto begin = i * vertices + static_cast<std::size_t>(offsets[g]);
          const auto own = values.subspan(begin, n), slopes = derivatives.subspan(begin, n);
          if (spectrum != nullptr)
            spectrum->compute(times[i], own, slopes, buffer.spectrum);
          else
            buffer.signature.compute(batch.graphs[g], times.subspan(i, 1), own, slopes);
        }
      });
  return result;
}

class HeatKernelFunction : public torch::autograd::Function<HeatKernelFunction> {
 public:
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& times,
                               const GraphBatch* batch, int threads) {
    const auto own = times.contiguous();
    auto result = compute({own.data_ptr<double>(), static_cast<std::size_t>(own.numel())}, *batch, threads);
    context->save_for_backward({result.derivatives});
    return result.values;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    if (gradients[0].requires_grad())
      throw base::user_error("The heat kernel signature has no second derivatives in t.");
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
