#include "evenly.h"
#include "half_circle.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/random.h>
#include <perslay/layer/initialise.h>

namespace perslay::layer {
namespace {

using Array = std::vector<double>;

constexpr double smallest_width = 0.05;
constexpr double authors_sharpness = 3;
constexpr double authors_margin = 0.001;
constexpr double first_steepness = 50;
constexpr double first_exponent = 2;
constexpr double weight_width = 0.25;

double sharpness_of(double sigma) { return 1 / (std::numbers::sqrt2 * sigma); }

double spacing(std::size_t count) { return count == 1 ? 1 : 1 / static_cast<double>(count - 1); }

/// The width of Gaussians, one spacing of their centres.
double width_of(const PointTransform& phi) {
  if (phi.sigma > 0) return phi.sigma;
  const double gap = phi.family == Family::gaussian_grid ? std::max(spacing(phi.count), spacing(phi.rows))
                                                         : 1 / std::sqrt(static_cast<double>(phi.size()));
  return std::max(smallest_width, gap);
}

/// Makes the arrays of a channel one after the other. Each draws from a random stream of its own.
class Initialiser {
 public:
  Initialiser(Initialisation initialisation, std::uint64_t seed)
      : authors_(initialisation == Initialisation::authors), seed_(seed) {}

  std::vector<Array> operator()(const Channel& channel) {
    point_transform(channel.phi);
    std::size_t input = channel.phi.size();
    for (const auto& layer : channel.equivariant) {
      equivariant(layer, input);
      input = layer.size;
    }
    weight(channel.weight);
    return std::move(arrays_);
  }

 private:
  void add(Array array) { arrays_.push_back(std::move(array)); }
  void constant(std::size_t count, double value) { add(Array(count, value)); }
  void uniform(std::size_t count, double low, double high) {
    base::RandomStream random(seed_, arrays_.size());
    Array array(count);
    for (double& number : array) number = random.uniform(low, high);
    add(std::move(array));
  }
  void samples(std::size_t count) { add(evenly(count, 0, 1)); }
  void grid_axis(std::size_t count) {
    const double margin = authors_ ? authors_margin : 0;
    add(evenly(count, -margin, 1 + margin));
  }

  void sharpness(const PointTransform& phi, std::size_t count) {
    const bool theirs = authors_ && phi.sigma == 0;
    constant(count, theirs ? authors_sharpness : sharpness_of(width_of(phi)));
  }

  void point_transform(const PointTransform& phi) {
    const std::size_t n = phi.count;
    switch (phi.family) {
      case Family::given:
        return;
      case Family::triangle:
      case Family::betti:
      case Family::entropy:
        return samples(n);
      case Family::flat:
      case Family::flat_entropy:
        samples(n);
        return constant(1, first_steepness);
      case Family::gaussian:
      case Family::hofer:
        uniform(2 * n, 0, 1);
        return sharpness(phi, phi.shared_width ? 1 : n);
      case Family::gaussian_grid:
        grid_axis(n);
        grid_axis(phi.rows);
        return sharpness(phi, 1);
      case Family::exponential:
        uniform(2 * n, 0, 1);
        return sharpness(phi, 2 * n);
      case Family::rational:
        uniform(2 * n, 0, 1);
        constant(2 * n, 1 / width_of(phi));
        return constant(n, first_exponent);
      case Family::rational_hat:
        uniform(2 * n, 0, 1);
        return constant(n, 2 * width_of(phi));
      case Family::line:
        return lines(n);
      case Family::mixture:
        constant(phi.parts.size(), 0);
        for (const auto& part : phi.parts) point_transform(part);
    }
  }

  void lines(std::size_t count) {
    if (authors_) {
      uniform(2 * count, 0, 1);
      uniform(count, 0, 1);
    } else {
      add(half_circle(count));
      constant(count, 0);
    }
  }

  void equivariant(const Equivariant& layer, std::size_t input) {
    const std::size_t matrices = layer.pool == Pool::none ? 1 : 2;
    const double bound = authors_ ? 1 : 1 / std::sqrt(static_cast<double>(input));
    for (std::size_t i = 0; i < matrices; ++i) uniform(input * layer.size, authors_ ? 0 : -bound, bound);
    if (authors_)
      uniform(layer.size, 0, 1);
    else
      constant(layer.size, 0);
  }

  void weight(const Weight& weight) {
    switch (weight.family) {
      case WeightFamily::given:
      case WeightFamily::one:
        return;
      case WeightFamily::grid:
        return constant(weight.births * weight.deaths, 1);
      case WeightFamily::power:
        return constant(1, 1);
      case WeightFamily::gmix:
        uniform(2 * weight.births, 0, 1);
        constant(2 * weight.births, sharpness_of(weight_width));
        constant(weight.births, 1 / static_cast<double>(weight.births));
    }
  }

  bool authors_;
  std::uint64_t seed_;
  std::vector<Array> arrays_;
};

}  // namespace

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
