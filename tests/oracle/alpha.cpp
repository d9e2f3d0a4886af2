#include "oracle/alpha.h"

#include <iostream>  // Persistent_cohomology.h uses std::cout without it
#include <limits>

#include <CGAL/Epeck_d.h>
#include <gudhi/Alpha_complex.h>
#include <gudhi/Persistent_cohomology.h>
#include <gudhi/Simplex_tree.h>

namespace oracle {
namespace {

using Kernel = CGAL::Epeck_d<CGAL::Dimension_tag<2>>;
using Complex = Gudhi::Simplex_tree<>;
using Cohomology =
    Gudhi::persistent_cohomology::Persistent_cohomology<Complex, Gudhi::persistent_cohomology::Field_Zp>;

}  // namespace

AlphaPoints alpha_persistence(const Points& cloud, AlphaArithmetic arithmetic) {
  std::vector<Kernel::Point_d> points;
  points.reserve(cloud.size());
  for (const auto& [x, y] : cloud) points.emplace_back(x, y);

  AlphaPoints result;
  Gudhi::alpha_complex::Alpha_complex<Kernel> alpha(points);
  Complex complex;
  if (!alpha.create_complex(complex, std::numeric_limits<double>::infinity(),
                            arithmetic == AlphaArithmetic::exact))
    return result;
  Cohomology cohomology(complex, true);
  cohomology.init_coefficients(2);
  cohomology.compute_persistent_cohomology();

  for (const auto& pair : cohomology.get_persistent_pairs()) {
    if (std::get<1>(pair) == complex.null_simplex()) continue;
    const double birth = complex.filtration(std::get<0>(pair));
    const double death = complex.filtration(std::get<1>(pair));
    if (birth == death) continue;
    (complex.dimension(std::get<0>(pair)) == 0 ? result.h0 : result.h1).emplace_back(birth, death);
  }
  return result;
}

}  // namespace oracle
