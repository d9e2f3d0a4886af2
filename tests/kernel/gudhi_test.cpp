#include "kernel/brute_force.h"
#include "oracle/sliced_wasserstein.h"

#include <gtest/gtest.h>

#include <perslay/kernel/gram.h>

namespace perslay::test {
namespace {

TEST(Gudhi, SlicedWassersteinAtTheSameDirections) {
  const auto diagrams = random_diagrams(80, 30, false, 60);
  std::vector<oracle::Points> pairs;
  for (const auto& points : diagrams) {
    pairs.emplace_back();
    for (const auto& p : points) pairs.back().emplace_back(p.birth, p.death);
  }
  for (const int directions : {1, 3, 10, 33}) {
    const auto ours = outer_map(base_matrix(kernel::parse_kernel("sw:" + std::to_string(directions)),
                                            batch_of(diagrams), base::Context()),
                                1 / (2 * 1.5 * 1.5));
    const oracle::SlicedWasserstein gudhi(pairs, 1.5, directions);
    for (std::size_t i = 0; i < 80; ++i)
      for (std::size_t j = 0; j < 80; ++j) EXPECT_NEAR(ours(i, j), gudhi.kernel(i, j), 1e-13);
  }
}

}  // namespace
}  // namespace perslay::test
