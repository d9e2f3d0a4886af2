#include "point_transform_table.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/random.h>
#include <perslay/layer/initialise.h>

namespace perslay::layer {
namespace {

using Array = std::vector<double>;

constexpr double first_width = 0.25;  // of the Gaussians of `gmix`

/// The arrays of a channel, one after the other. Each draws from a random stream of its own.
struct FirstValues {
  Start start;
  std::vector<Array> arrays{};

  void add(Array array) {
    arrays.push_back(std::move(array));
    ++start.stream;
  }

  void add_phi(const PointTransform& phi) {
    if (phi.type == PointTransform::Type::mixture) {
      add(Array(phi.parts.size(), 0));
      for (const auto& part : phi.parts) add_phi(part);
    } else {
      for (const auto& array : entry_of(phi.type).arrays) add(array.first_values(phi, start));
    }
  }

  void add_equivariant(const Equivariant& layer, std::size_t input) {
    const double bound = start.authors ? 1 : 1 / std::sqrt(static_cast<double>(input));
    for (std::size_t i = 0; i < (layer.pool == Pool::none ? 1U : 2U); ++i)
      add(start.uniform(input * layer.size, start.authors ? 0 : -bound, bound));
    add(start.authors ? start.uniform(layer.size, 0, 1) : Array(layer.size, 0));
  }

  void add_weight(const Weight& weight) {
    for (const auto& shape : weight.parameters()) {
      const std::size_t count = shape.size();
      if (shape.name == "centres")
        add(start.uniform(count, 0, 1));
      else if (shape.name == "sharpness")
        add(Array(count, sharpness_of(first_width)));
      else
        add(Array(count, shape.name == "amplitudes" ? 1 / static_cast<double>(count) : 1));
    }
  }
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
  FirstValues values{{initialisation == Initialisation::authors, seed}};
  values.add_phi(channel.phi);
  std::size_t input = channel.phi.size();
  for (const auto& layer : channel.equivariant)
    values.add_equivariant(layer, std::exchange(input, layer.size));
  values.add_weight(channel.weight);
  return std::move(values.arrays);
}

}  // namespace perslay::layer
