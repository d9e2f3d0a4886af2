#include "filtration/graphs.h"
#include "filtration/laplacian_oracle.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <perslay/base/error.h>
#include <perslay/filtration/heat_kernel_signature.h>

namespace perslay::filtration {
namespace {

using namespace testing;

TEST(LaplacianEigenvalues, AgreeWithTheDefinitionInExtendedPrecision) {
  for (const auto& [name, graph] : small_graphs()) {
    const auto spectrum = laplacian_eigenvalues(graph);
    const LaplacianOracle oracle(graph);
    ASSERT_EQ(spectrum.size(), static_cast<std::size_t>(graph.vertex_count()));
    for (std::size_t k = 0; k < spectrum.size(); ++k)
      EXPECT_NEAR(spectrum[k], oracle.eigenvalue(k), 1e-13) << name;
  }
}

TEST(LaplacianEigenvalues, AreAscendingWithinBoundsAndZeroOncePerComponent) {
  for (const auto& [name, graph] : small_graphs()) {
    const auto spectrum = laplacian_eigenvalues(graph);
    EXPECT_TRUE(std::ranges::is_sorted(spectrum)) << name;
    for (const double lambda : spectrum) EXPECT_TRUE(lambda >= 0 && lambda <= 2) << name << ": " << lambda;
    EXPECT_EQ(std::ranges::count(spectrum, 0.0), data::component_count(graph)) << name;
  }
}

TEST(LaplacianEigenvalues, FollowClosedForms) {
  const auto complete = laplacian_eigenvalues(data::complete_graph(8));
  for (std::size_t k = 1; k < 8; ++k) EXPECT_NEAR(complete[k], 8.0 / 7, 1e-14);

  const auto star = laplacian_eigenvalues(star_graph(6));
  for (std::size_t k = 1; k < 6; ++k) EXPECT_EQ(star[k], 1.0);
  EXPECT_NEAR(star[6], 2, 1e-14);

  std::vector<double> cycle;
  for (int k = 0; k < 31; ++k) cycle.push_back(1 - std::cos(2 * std::numbers::pi * k / 31));
  std::ranges::sort(cycle);
  const auto computed = laplacian_eigenvalues(data::cycle_graph(31));
  for (std::size_t k = 0; k < 31; ++k) EXPECT_NEAR(computed[k], cycle[k], 1e-14);
}

TEST(LaplacianEigenvalues, RefuseMatricesThatDoNotFit) {
  try {
    (void)laplacian_eigenvalues(data::path_graph(50'000));
    ADD_FAILURE() << "not refused";
  } catch (const base::Error& error) {
    EXPECT_STREQ(
        error.what(),
        "The spectrum of a graph with 50000 vertices and 49999 edges needs a dense matrix of 2e+04 MB, "
        "and the limit is 8000 MB.");
  }
  EXPECT_EQ(laplacian_eigenvalues(star_graph(100'000)).size(), 100'001U);  // twins cost nothing
}

}  // namespace
}  // namespace perslay::filtration
