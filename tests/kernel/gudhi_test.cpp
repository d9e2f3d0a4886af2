#include "kernel/brute_force.h"
#include "oracle/kernels.h"

#include <gtest/gtest.h>

#include <perslay/kernel/gram.h>

namespace perslay::test {
namespace {

std::vector<oracle::Points> pairs_of(const std::vector<Points>& diagrams) {
  std::vector<oracle::Points> pairs;
  for (const auto& points : diagrams) {
    pairs.emplace_back();
    for (const auto& p : points) pairs.back().emplace_back(p.birth, p.death);
  }
  return pairs;
}

TEST(Gudhi, SlicedWassersteinAtTheSameDirections) {
  const auto diagrams = random_diagrams(80, 30, false, 60);
  const auto pairs = pairs_of(diagrams);
  for (const int directions : {1, 3, 10, 33}) {
    const auto ours = outer_map(base_matrix(kernel::parse_kernel("sw:" + std::to_string(directions)),
                                            batch_of(diagrams), base::Context()),
                                1 / (2 * 1.5 * 1.5));
    const oracle::SlicedWasserstein gudhi(pairs, 1.5, directions);
    for (std::size_t i = 0; i < 80; ++i)
      for (std::size_t j = 0; j < 80; ++j) EXPECT_NEAR(ours(i, j), gudhi.kernel(i, j), 1e-13);
  }
}

void expect_same(const std::string& name, const std::vector<Points>& diagrams, const oracle::HeatMaps& gudhi,
                 double factor) {
  const auto ours = base_matrix(kernel::parse_kernel(name), batch_of(diagrams), base::Context());
  for (std::size_t i = 0; i < diagrams.size(); ++i)
    for (std::size_t j = 0; j < diagrams.size(); ++j)
      EXPECT_NEAR(ours(i, j), factor * gudhi.product(i, j), 1e-12 * std::sqrt(ours(i, i) * ours(j, j)))
          << name;
}

TEST(Gudhi, WeightedGaussian) {
  for (const bool both_sides : {false, true}) {
    const auto diagrams = random_diagrams(30, 31, both_sides);
    const auto weight = [](const std::pair<double, double>& p) {
      return std::atan(3 * std::pow(std::abs(p.second - p.first), 2));
    };
    expect_same("pwg-linear:0.1:c=3:p=2", diagrams, {pairs_of(diagrams), 0.1, weight}, 1);
  }
}

TEST(Gudhi, ScaleSpace) {
  const auto diagrams = random_diagrams(30, 32);
  auto mirrored = pairs_of(diagrams);
  for (auto& points : mirrored) points = oracle::with_mirror_images(std::move(points));
  const double sigma = 0.01;
  expect_same("pss:0.01", diagrams, {mirrored, 2 * std::sqrt(sigma), oracle::sign_of_side},
              1 / (16 * std::numbers::pi * sigma));
}

}  // namespace
}  // namespace perslay::test
