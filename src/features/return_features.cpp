#include "return_features.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdint>

namespace perslay::features {
namespace {

constexpr std::size_t first_step = 2;
constexpr std::size_t dimension = ReturnFeatures::dimension;

/// x^s = sum_j c_j T_j(x): c_j = 2^(1-s) (s over (s-j)/2) where s - j is even, half of it for j = 0. All are
/// positive, so nothing cancels.
std::vector<double> power_in_polynomials(std::size_t s) {
  std::vector<double> coefficients(s + 1);
  double binomial = 1;
  for (std::size_t i = 0; 2 * i <= s; ++i) {
    coefficients[s - 2 * i] = std::ldexp(binomial, (2 * i == s ? 0 : 1) - static_cast<int>(s));
    binomial *= static_cast<double>(s - i) / static_cast<double>(i + 1);
  }
  return coefficients;
}

/// The coordinates of every class of vertices, one class after the other.
std::vector<double> coordinates(const data::Graph& graph, const filtration::ChebyshevDiagonals& diagonals) {
  const std::size_t classes = diagonals.class_count();
  std::vector<double> points(classes * dimension);
  for (std::size_t s = first_step; s <= ReturnFeatures::degree; ++s) {
    const auto coefficients = power_in_polynomials(s);
    for (std::size_t j = s % 2; j <= s; j += 2)
      for (std::size_t c = 0; c < classes; ++c)
        points[c * dimension + s - first_step] += coefficients[j] * diagonals.diagonal(j)[c];
  }
  const auto class_of = diagonals.class_of();
  for (std::size_t v = 0; v < class_of.size(); ++v)
    points[static_cast<std::size_t>(class_of[v] + 1) * dimension - 1] =
        std::log1p(graph.degree(static_cast<data::Vertex>(v)));
  return points;
}

}  // namespace

std::vector<double> ReturnFeatures::mean(const data::Graph& graph,
                                         const filtration::ChebyshevDiagonals& diagonals) const {
  std::vector<double> weights(diagonals.class_count());
  for (const std::int32_t of_vertex : diagonals.class_of())
    weights[static_cast<std::size_t>(of_vertex)] += 1.0 / graph.vertex_count();
  std::vector<double> numbers(fourier_.numbers());
  fourier_.sum(coordinates(graph, diagonals), weights, numbers);
  return numbers;
}

KeyedRow ReturnFeatures::by_key(const data::Graph& graph, const filtration::ChebyshevDiagonals& diagonals,
                                std::span<const std::uint64_t> keys) const {
  struct Place {
    std::uint64_t key;
    std::size_t of_class;
    auto operator<=>(const Place&) const = default;
  };
  std::vector<Place> places;
  for (std::size_t v = 0; v < keys.size(); ++v)
    places.push_back({keys[v], static_cast<std::size_t>(diagonals.class_of()[v])});
  std::ranges::sort(places);

  const auto points = coordinates(graph, diagonals);
  KeyedRow row;
  std::vector<double> chosen, weights, numbers(fourier_.numbers());
  for (std::size_t begin = 0, end = 0; begin < places.size(); begin = end) {
    chosen.clear();
    weights.clear();
    for (end = begin; end < places.size() && places[end].key == places[begin].key; ++end) {
      if (end == begin || places[end].of_class != places[end - 1].of_class) {
        const auto point = std::span(points).subspan(places[end].of_class * dimension, dimension);
        chosen.insert(chosen.end(), point.begin(), point.end());
        weights.push_back(0);
      }
      weights.back() += 1.0 / graph.vertex_count();
    }
    fourier_.sum(chosen, weights, numbers);
    row.keys.push_back(places[begin].key);
    for (const double number : numbers) row.values.push_back(static_cast<float>(number));
  }
  return row;
}

}  // namespace perslay::features
