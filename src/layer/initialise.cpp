#include "point_transform_table.h"
#include "weight_table.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/random.h>
#include <perslay/layer/initialise.h>

namespace perslay::layer {
namespace {

/// Makes the arrays of a channel one after the other. Each draws from a random stream of its own.
class Initialiser {
 public:
  Initialiser(Initialisation initialisation, std::uint64_t seed)
      : start_{initialisation == Initialisation::authors, seed} {}

  std::vector<std::vector<double>> operator()(const Channel& channel) {
    point_transform(channel.phi);
    std::size_t input = channel.phi.size();
    for (const auto& layer : channel.equivariant) {
      equivariant(layer, input);
      input = layer.size;
    }
    for (const auto& array : entry_of(channel.weight.type).arrays)
      add(array.first_values(channel.weight, start_));
    return std::move(arrays_);
  }

 private:
  void add(std::vector<double> array) {
    arrays_.push_back(std::move(array));
    ++start_.stream;
  }

  void point_transform(const PointTransform& phi) {
    if (phi.type == PointTransform::Type::mixture) {
      add(std::vector<double>(phi.parts.size(), 0));
      for (const auto& part : phi.parts) point_transform(part);
    } else {
      for (const auto& array : entry_of(phi.type).arrays) add(array.first_values(phi, start_));
    }
  }

  void equivariant(const Equivariant& layer, std::size_t input) {
    const std::size_t matrices = layer.pool == Pool::none ? 1 : 2;
    const double bound = start_.authors ? 1 : 1 / std::sqrt(static_cast<double>(input));
    for (std::size_t i = 0; i < matrices; ++i)
      add(start_.uniform(input * layer.size, start_.authors ? 0 : -bound, bound));
    add(start_.authors ? start_.uniform(layer.size, 0, 1) : std::vector<double>(layer.size, 0));
  }

  Start start_;
  std::vector<std::vector<double>> arrays_;
};

}  // namespace

std::vector<double> Start::uniform(std::size_t count, double low, double high) const {
  base::RandomStream random(seed, stream);
  std::vector<double> numbers(count);
  for (double& number : numbers) number = random.uniform(low, high);
  return numbers;
}

Initialisation parse_initialisation(std::string_view name) {
  if (name == "ours") return Initialisation::ours;
  if (name == "authors") return Initialisation::authors;
  throw base::user_error(
      fmt::format("There is no initialisation called '{}'; the known ones are ours, authors.", name));
}

std::vector<std::vector<double>> initial_parameters(const Channel& channel, Initialisation initialisation,
                                                    std::uint64_t seed) {
  return Initialiser(initialisation, seed)(channel);
}

}  // namespace perslay::layer
