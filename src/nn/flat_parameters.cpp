#include "flat_parameters.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/error.h>

namespace perslay::nn {
namespace {

std::span<float> span_of(const torch::Tensor& tensor) {
  return {tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel())};
}

io::NamedArray to_array(const std::string& name, const torch::Tensor& tensor) {
  if (tensor.scalar_type() == torch::kFloat64) {
    const auto values = tensor.detach().contiguous();
    const auto* begin = values.data_ptr<double>();
    return {name, tensor.sizes().vec(), {}, {begin, begin + values.numel()}};
  }
  const auto values = tensor.detach().to(torch::kFloat32).contiguous();
  const auto numbers = span_of(values);
  return {name, tensor.sizes().vec(), {numbers.begin(), numbers.end()}};
}

void set_array(torch::Tensor& tensor, const std::string& name, std::span<const io::NamedArray> arrays) {
  const auto array = std::ranges::find(arrays, name, &io::NamedArray::name);
  if (array == arrays.end())
    throw base::user_error(fmt::format("The array {} that the network needs is missing.", name));
  if (tensor.sizes() != torch::IntArrayRef(array->shape))
    throw base::user_error(fmt::format("The array {} has the shape [{}], but the network needs [{}].", name,
                                       fmt::join(array->shape, ", "), fmt::join(tensor.sizes(), ", ")));
  const bool in_doubles = tensor.scalar_type() == torch::kFloat64;
  if (in_doubles ? !array->values.empty() : !array->doubles.empty())
    throw base::user_error(fmt::format("The array {} is of {}, but the network needs {}.", name,
                                       in_doubles ? "float32" : "float64",
                                       in_doubles ? "float64" : "float32"));
  const torch::NoGradGuard constant;
  tensor.copy_(in_doubles ? torch::tensor(array->doubles, torch::kFloat64).view(tensor.sizes())
                          : torch::tensor(array->values, torch::kFloat32).view(tensor.sizes()));
}

}  // namespace

FlatParameters::FlatParameters(torch::nn::Module& module) {
  const auto parameters = module.parameters();
  std::int64_t count = 0;
  for (const auto& parameter : parameters) count += parameter.numel();
  values_ = torch::empty({count});
  gradients_ = torch::zeros({count});
  std::int64_t begin = 0;
  for (auto parameter : parameters) {
    const auto place = [&](const torch::Tensor& flat) {
      return flat.narrow(0, begin, parameter.numel()).view(parameter.sizes());
    };
    const auto values = place(values_);
    values.copy_(parameter.detach());
    parameter.set_data(values);
    parameter.mutable_grad() = place(gradients_);
    begin += parameter.numel();
  }
}

std::span<float> FlatParameters::values() const { return span_of(values_); }
std::span<float> FlatParameters::gradients() const { return span_of(gradients_); }

std::vector<io::NamedArray> arrays_of(const torch::nn::Module& module, const std::string& prefix) {
  std::vector<io::NamedArray> arrays;
  for (const auto& item : module.named_parameters())
    arrays.push_back(to_array(prefix + item.key(), item.value()));
  for (const auto& item : module.named_buffers())
    arrays.push_back(to_array(prefix + item.key(), item.value()));
  return arrays;
}

void set_arrays(torch::nn::Module& module, const std::string& prefix,
                std::span<const io::NamedArray> arrays) {
  for (auto& item : module.named_parameters()) set_array(item.value(), prefix + item.key(), arrays);
  for (auto& item : module.named_buffers()) set_array(item.value(), prefix + item.key(), arrays);
}

}  // namespace perslay::nn
