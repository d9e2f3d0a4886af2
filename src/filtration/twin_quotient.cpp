#include "twin_quotient.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/random.h>

namespace perslay::filtration {

namespace {

using data::Graph;
using data::Vertex;

std::size_t index(Vertex v) { return static_cast<std::size_t>(v); }

/// a < b. Compares N(a) without b to N(b) without a, and asks that a and b are adjacent.
bool same_closed_neighbourhood(const Graph& graph, Vertex a, Vertex b) {
  const auto of_a = graph.neighbours(a), of_b = graph.neighbours(b);
  if (of_a.size() != of_b.size()) return false;
  const auto b_in_a = std::ranges::lower_bound(of_a, b), a_in_b = std::ranges::lower_bound(of_b, a);
  if (b_in_a == of_a.end() || *b_in_a != b || a_in_b == of_b.end() || *a_in_b != a) return false;
  // N(a) is [below a][between][b][above]; N(b) is [below a][a][between][above].
  const auto below = a_in_b - of_b.begin(), until_b = b_in_a - of_a.begin();
  return below <= until_b && std::equal(of_a.begin(), of_a.begin() + below, of_b.begin()) &&
         std::equal(of_a.begin() + below, b_in_a, a_in_b + 1) &&
         std::equal(b_in_a + 1, of_a.end(), of_b.begin() + until_b + 1);
}

}  // namespace

void TwinQuotient::build(const Graph& graph) {
  const std::size_t n = index(graph.vertex_count());
  leader_.resize(n);
  std::iota(leader_.begin(), leader_.end(), 0);
  sort_.assign(n, Twins::none);
  if (!graph.weighted()) find_twins(graph);
  number_classes(graph);
  offsets_.assign(1, 0);
  columns_.clear();
  values_.clear();
  harmonic_.clear();
  if (graph.weighted())
    assemble_weighted(graph);
  else
    assemble(graph);
}

void TwinQuotient::find_twins(const Graph& graph) {
  const Vertex n = graph.vertex_count();
  while (id_hashes_.size() < index(n)) id_hashes_.push_back(base::mix_bits(id_hashes_.size() + 1));
  neighbourhood_hashes_.resize(index(n));
  for (Vertex v = 0; v < n; ++v) {
    std::uint64_t hash = 0;
    for (const Vertex w : graph.neighbours(v)) hash += id_hashes_[index(w)];
    neighbourhood_hashes_[index(v)] = hash;
    if (graph.degree(v) == 0)
      sort_[index(v)] = Twins::false_twins;  // isolated vertices stay out of the search
  }
  merge(Twins::false_twins, neighbourhood_hashes_,
        [&](Vertex a, Vertex b) { return std::ranges::equal(graph.neighbours(a), graph.neighbours(b)); });
  for (Vertex v = 0; v < n; ++v) neighbourhood_hashes_[index(v)] += id_hashes_[index(v)];
  merge(Twins::true_twins, neighbourhood_hashes_,
        [&](Vertex a, Vertex b) { return same_closed_neighbourhood(graph, a, b); });
}

// A hash table with linear probing holds the first vertex of every neighbourhood; hashes only propose, `same`
// decides.
template <class Same>
void TwinQuotient::merge(Twins sort, std::span<const std::uint64_t> hashes, Same same) {
  const std::size_t places = std::bit_ceil(2 * hashes.size() + 1), mask = places - 1;
  table_.assign(places, -1);
  for (std::size_t v = 0; v < hashes.size(); ++v) {
    if (sort_[v] != Twins::none) continue;
    const auto vertex = static_cast<Vertex>(v);
    std::size_t place = hashes[v] & mask;
    for (; table_[place] >= 0; place = (place + 1) & mask) {
      const Vertex first = table_[place];
      if (hashes[index(first)] != hashes[v] || !same(first, vertex)) continue;
      leader_[v] = first;
      sort_[v] = sort_[index(first)] = sort;
      break;
    }
    if (table_[place] < 0) table_[place] = vertex;
  }
}

void TwinQuotient::number_classes(const Graph& graph) {
  const Vertex n = graph.vertex_count();
  class_of_.resize(index(n));
  representatives_.clear();
  sizes_.clear();
  twin_eigenvalues_.clear();
  isolated_ = 0;
  for (Vertex v = 0; v < n; ++v) {
    const Vertex leader = leader_[index(v)];
    if (graph.degree(v) == 0) {
      ++isolated_;
      class_of_[index(v)] = -1;
    } else if (leader == v) {
      class_of_[index(v)] = static_cast<std::int32_t>(representatives_.size());
      representatives_.push_back(v);
      sizes_.push_back(1);
      twin_eigenvalues_.push_back(sort_[index(v)] == Twins::true_twins ? -1.0 / graph.degree(v) : 0.0);
    } else {
      class_of_[index(v)] = class_of_[index(leader)];
      ++sizes_[index(class_of_[index(v)])];
    }
  }
  std::ranges::replace(class_of_, -1, static_cast<std::int32_t>(representatives_.size()));
}

// B_cd = sqrt(s_c s_d / (d_c d_d)), the products being exact, and (s_c - 1) / d_c on the diagonal for true
// twins.
void TwinQuotient::assemble(const Graph& graph) {
  for (std::size_t c = 0; c < class_count(); ++c) {
    const Vertex v = representatives_[c];
    const double size = sizes_[c], degree = graph.degree(v);
    harmonic_.push_back(std::sqrt(size * degree));
    if (sort_[index(v)] == Twins::true_twins) {
      columns_.push_back(static_cast<std::int32_t>(c));
      values_.push_back((size - 1) / degree);
    }
    for (const Vertex w : graph.neighbours(v)) {
      const std::int32_t d = class_of_[index(w)];
      if (representatives_[index(d)] != w || index(d) == c) continue;
      columns_.push_back(d);
      values_.push_back(std::sqrt(size * sizes_[index(d)] / (degree * graph.degree(w))));
    }
    offsets_.push_back(static_cast<std::int64_t>(columns_.size()));
  }
}

// B_ab = w / sqrt(d_a d_b), as a product that neither overflows nor underflows and is the same from both
// ends.
void TwinQuotient::assemble_weighted(const Graph& graph) {
  weighted_degrees_.resize(index(graph.vertex_count()));
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    const auto weights = graph.weights(v);
    const double degree = std::accumulate(weights.begin(), weights.end(), 0.0);
    if (!std::isfinite(degree))
      throw base::user_error(fmt::format(
          "The weights of the {} edges at vertex {} add up to more than a double holds.", weights.size(), v));
    weighted_degrees_[index(v)] = degree;
  }
  for (const Vertex v : representatives_) {
    const auto neighbours = graph.neighbours(v);
    const auto weights = graph.weights(v);
    harmonic_.push_back(std::sqrt(weighted_degrees_[index(v)]));
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      const Vertex w = neighbours[i];
      columns_.push_back(class_of_[index(w)]);
      values_.push_back(std::sqrt(weights[i] / weighted_degrees_[index(v)]) *
                        std::sqrt(weights[i] / weighted_degrees_[index(w)]));
    }
    offsets_.push_back(static_cast<std::int64_t>(columns_.size()));
  }
}

}  // namespace perslay::filtration
