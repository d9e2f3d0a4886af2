#include "oracle/extended.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iostream>  // Persistent_cohomology.h uses std::cout without it
#include <numeric>

#include <gudhi/Persistent_cohomology.h>
#include <gudhi/Simplex_tree.h>

namespace oracle {
namespace {

using Complex = Gudhi::Simplex_tree<Gudhi::Simplex_tree_options_full_featured>;
using Cohomology =
    Gudhi::persistent_cohomology::Persistent_cohomology<Complex, Gudhi::persistent_cohomology::Field_Zp>;
using Gudhi::Extended_simplex_type;

Complex make_complex(int vertices, std::span<const std::pair<int, int>> edges,
                     std::span<const double> values) {
  Complex complex;
  std::vector<int> ids(static_cast<std::size_t>(vertices));
  std::iota(ids.begin(), ids.end(), 0);
  complex.insert_batch_vertices(ids);
  for (const auto vertex : complex.skeleton_simplex_range(0))
    complex.assign_filtration(
        vertex, values[static_cast<std::size_t>(*complex.simplex_vertex_range(vertex).begin())]);
  for (const auto& [a, b] : edges) complex.insert_simplex(std::array{a, b});
  return complex;
}

}  // namespace

ExtendedPoints extended_persistence(int vertices, std::span<const std::pair<int, int>> edges,
                                    std::span<const double> values) {
  ExtendedPoints result;
  // GUDHI would divide by the range of the values and compare what comes out.
  const auto constant =
      std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
  if (constant) return result;

  Complex complex = make_complex(vertices, edges, values);
  const auto scaling = complex.extend_filtration();
  Cohomology cohomology(complex);
  cohomology.init_coefficients(2);
  cohomology.compute_persistent_cohomology();

  for (const auto& pair : cohomology.get_persistent_pairs()) {
    if (std::get<1>(pair) == complex.null_simplex()) continue;  // the cone's own component
    const auto [birth, birth_type] =
        complex.decode_extended_filtration(complex.filtration(std::get<0>(pair)), scaling);
    const auto [death, death_type] =
        complex.decode_extended_filtration(complex.filtration(std::get<1>(pair)), scaling);
    if (birth == death) continue;
    const bool ascending_birth = birth_type == Extended_simplex_type::UP;
    const bool ascending_death = death_type == Extended_simplex_type::UP;
    Points& kind = ascending_death                             ? result.ord0
                   : !ascending_birth                          ? result.rel1
                   : complex.dimension(std::get<0>(pair)) == 0 ? result.ext0
                                                               : result.ext1;
    kind.emplace_back(birth, death);
  }
  return result;
}

}  // namespace oracle
