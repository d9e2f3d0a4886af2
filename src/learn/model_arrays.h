#pragma once

#include <cmath>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/io/safetensors.h>

/// Numbers of models that are no networks, to and from the arrays of model files.
namespace perslay::learn {

inline io::NamedArray array_of(std::string name, std::vector<double> values) {
  return {std::move(name), {static_cast<std::int64_t>(values.size())}, {}, std::move(values)};
}

inline io::NamedArray array_of(std::string name, std::vector<float> values) {
  return {std::move(name), {static_cast<std::int64_t>(values.size())}, std::move(values)};
}

template <class Numbers>
[[nodiscard]] std::vector<double> as_doubles(const Numbers& numbers) {
  std::vector<double> result;
  result.reserve(std::size(numbers));
  for (const auto number : numbers) result.push_back(static_cast<double>(number));
  return result;
}

/// Arrays of a model file by name. What is missing, of another type or not finite is the user's error.
class ModelArrays {
 public:
  explicit ModelArrays(std::span<const io::NamedArray> arrays) : arrays_(arrays) {}

  [[nodiscard]] const std::vector<double>& operator()(const std::string& name) const;
  [[nodiscard]] const std::vector<float>& floats(const std::string& name) const;

  /// Whole numbers from 0 to `largest`.
  template <class Integer>
  [[nodiscard]] std::vector<Integer> whole(const std::string& name, double largest = 1e15) const {
    std::vector<Integer> result;
    for (const double number : (*this)(name)) {
      if (!(number >= 0 && number <= largest && number == std::floor(number)))
        throw base::user_error(fmt::format("The array {} holds {}.", name, number));
      result.push_back(static_cast<Integer>(number));
    }
    return result;
  }

 private:
  [[nodiscard]] const io::NamedArray& find(const std::string& name) const;

  std::span<const io::NamedArray> arrays_;
};

/// Throws the user's error if arrays do not go together.
void require(bool condition);

}  // namespace perslay::learn
