#include "oracle/alpha.h"
#include "persistence/clouds.h"
#include "persistence/diagram_matching.h"

#include <string>

#include <perslay/persistence/alpha_persistence.h>

namespace perslay::persistence {
namespace {

using test::Cloud;

std::vector<diagram::Point> points_of(const oracle::Points& pairs) {
  std::vector<diagram::Point> points;
  for (const auto& [birth, death] : pairs) points.push_back({birth, death});
  return points;
}

void expect_equals_gudhi(AlphaPersistence& persistence, const Cloud& cloud, std::size_t& compared) {
  oracle::Points pairs;
  for (const auto& [x, y] : cloud) pairs.emplace_back(x, y);
  const oracle::AlphaPoints expected = oracle::alpha_persistence(pairs, oracle::AlphaArithmetic::exact);
  const AlphaDiagrams& diagrams = persistence.compute(cloud);
  ASSERT_TRUE(test::match(diagrams.h0.points, points_of(expected.h0)));
  ASSERT_TRUE(test::match(diagrams.h1.points, points_of(expected.h1)));
  compared += expected.h0.size() + expected.h1.size();
}

struct Family {
  std::string name;
  Cloud (*draw)(std::size_t size, base::RandomStream& random);
  std::uint64_t small_clouds;  // of 3 ... 60 points
  std::uint64_t large_clouds;  // of 1000 points
};

class AlphaPersistenceOn : public testing::TestWithParam<Family> {};

TEST_P(AlphaPersistenceOn, EqualsGudhi) {
  AlphaPersistence persistence;
  std::size_t compared = 0;
  const auto& [name, draw, small, large] = GetParam();
  for (std::uint64_t item = 0; item < small + large; ++item) {
    base::RandomStream random(81, item);
    const std::size_t size = item < small ? 3 + random.below(58) : 1000;
    ASSERT_NO_FATAL_FAILURE(expect_equals_gudhi(persistence, draw(size, random), compared))
        << "cloud " << item;
  }
  EXPECT_GT(compared, 10 * small);
}

template <int Class>
Cloud draw_orbit(std::size_t size, base::RandomStream& random) {
  return test::orbit(test::orbit_parameters[Class], size, random);
}
Cloud draw_lattice(std::size_t size, base::RandomStream& random) {
  constexpr double steps[] = {1, 0.1, 1e-9, 1.0 / 3};
  const auto columns = 2 + random.below(7);
  return test::lattice(static_cast<int>(columns), static_cast<int>(2 + size / columns),
                       steps[random.below(4)]);
}
Cloud draw_clusters(std::size_t size, base::RandomStream& random) {
  return test::clusters(size, 1e-9, random);
}

INSTANTIATE_TEST_SUITE_P(
    Families, AlphaPersistenceOn,
    testing::Values(Family{"orbits_2_5", draw_orbit<0>, 400, 4}, Family{"orbits_3_5", draw_orbit<1>, 400, 4},
                    Family{"orbits_4_0", draw_orbit<2>, 400, 4}, Family{"orbits_4_1", draw_orbit<3>, 400, 4},
                    Family{"orbits_4_3", draw_orbit<4>, 400, 4}, Family{"uniform", test::uniform, 600, 4},
                    Family{"lattices", draw_lattice, 400, 2}, Family{"circles", test::circle, 400, 1},
                    Family{"exact_circles", test::exact_circle, 400, 0},
                    Family{"small_integers", test::small_integers, 400, 0},
                    Family{"clusters", draw_clusters, 600, 2},
                    Family{"thin_orbits", test::thin_orbit, 600, 2}),
    [](const auto& family) { return family.param.name; });

}  // namespace
}  // namespace perslay::persistence
