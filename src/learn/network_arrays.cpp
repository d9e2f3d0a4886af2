#include "network_arrays.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/error.h>

namespace perslay::learn {
namespace {

constexpr auto scales_name = "filtrations.scales";

/// The array of that name, if its shape and type are right.
const io::NamedArray& find(std::span<const io::NamedArray> arrays, const std::string& name,
                           const std::vector<std::int64_t>& shape, bool in_doubles) {
  const auto array = std::ranges::find(arrays, name, &io::NamedArray::name);
  if (array == arrays.end())
    throw base::user_error(fmt::format("The array {} that the network needs is missing.", name));
  if (array->shape != shape)
    throw base::user_error(fmt::format("The array {} has the shape [{}], but the network needs [{}].", name,
                                       fmt::join(array->shape, ", "), fmt::join(shape, ", ")));
  if (in_doubles ? !array->values.empty() : !array->doubles.empty())
    throw base::user_error(fmt::format("The array {} is of {}, but the network needs {}.", name,
                                       in_doubles ? "float32" : "float64",
                                       in_doubles ? "float64" : "float32"));
  return *array;
}

std::vector<std::int64_t> shape_of(std::span<const diagram::UnitScale> scales) {
  return {static_cast<std::int64_t>(scales.size()), 2};
}

}  // namespace

std::vector<io::NamedArray> arrays_of(const network::Network<float>& network, const std::string& prefix) {
  std::vector<io::NamedArray> arrays;
  const auto add = [&](const network::Layout& layout, std::span<const float> numbers) {
    for (const auto& [array, slot] : layout.entries()) {
      const auto own = slot.of(numbers);
      arrays.push_back({prefix + array.name, array.shape, {own.begin(), own.end()}});
    }
  };
  add(network.trained_layout(), network.trained());
  if (const auto* times = network.times()) {
    auto& scales = arrays.emplace_back(io::NamedArray{prefix + scales_name, shape_of(times->scales()), {}});
    for (const auto& [low, high] : times->scales()) scales.doubles.insert(scales.doubles.end(), {low, high});
  }
  add(network.fitted_layout(), network.fitted());
  return arrays;
}

void set_arrays(network::Network<float>& network, const std::string& prefix,
                std::span<const io::NamedArray> arrays) {
  const auto take = [&](const network::Layout& layout, std::span<float> numbers) {
    for (const auto& [array, slot] : layout.entries())
      std::ranges::copy(find(arrays, prefix + array.name, array.shape, false).values,
                        slot.of(numbers).begin());
  };
  take(network.trained_layout(), network.trained());
  if (auto* times = network.times()) {
    const auto& numbers = find(arrays, prefix + scales_name, shape_of(times->scales()), true).doubles;
    for (std::size_t g = 0; g < times->scales().size(); ++g)
      times->scales()[g] = {numbers[2 * g], numbers[2 * g + 1]};
  }
  take(network.fitted_layout(), network.fitted());
}

}  // namespace perslay::learn
