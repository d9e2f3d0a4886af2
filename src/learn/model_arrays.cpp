#include "model_arrays.h"

#include <algorithm>

namespace perslay::learn {
namespace {

template <class Numbers>
const Numbers& finite(const std::string& name, const Numbers& numbers) {
  if (!std::ranges::all_of(numbers, [](auto number) { return std::isfinite(number); }))
    throw base::user_error(fmt::format("The array {} holds numbers that are not finite.", name));
  return numbers;
}

}  // namespace

const io::NamedArray& ModelArrays::find(const std::string& name) const {
  const auto found = std::ranges::find(arrays_, name, &io::NamedArray::name);
  if (found == arrays_.end())
    throw base::user_error(fmt::format("The array {} that the model needs is missing.", name));
  return *found;
}

const std::vector<double>& ModelArrays::operator()(const std::string& name) const {
  const auto& array = find(name);
  if (!array.values.empty()) throw base::user_error(fmt::format("The array {} is not of float64.", name));
  return finite(name, array.doubles);
}

const std::vector<float>& ModelArrays::floats(const std::string& name) const {
  const auto& array = find(name);
  if (!array.doubles.empty()) throw base::user_error(fmt::format("The array {} is not of float32.", name));
  return finite(name, array.values);
}

void require(bool condition) {
  if (!condition) throw base::user_error("The arrays of the model contradict each other.");
}

}  // namespace perslay::learn
