#include "kernel/brute_force.h"
#include "sentence.h"

#include <functional>
#include <string>

#include <gtest/gtest.h>

#include <perslay/kernel/gram.h>

namespace perslay::test {
namespace {

using kernel::base_matrix;
using kernel::Kernel;
using kernel::parse_kernel;

const base::Context quiet = [] {
  base::Context context;
  context.threads = 1;
  return context;
}();

using Definition = std::function<double(const Points&, const Points&)>;

/// All entries against the definition, relative to the size of the diagrams' own values.
void expect_definition(const std::string& name, const std::vector<Points>& diagrams,
                       const Definition& definition, double tolerance = 1e-10) {
  const auto base = base_matrix(parse_kernel(name), batch_of(diagrams), quiet);
  ASSERT_EQ(base.rows, diagrams.size());
  ASSERT_EQ(base.columns, diagrams.size());
  for (std::size_t i = 0; i < diagrams.size(); ++i)
    for (std::size_t j = 0; j < diagrams.size(); ++j) {
      const double expected = definition(diagrams[i], diagrams[j]);
      EXPECT_NEAR(base(i, j), expected, tolerance * std::max(1.0, std::abs(expected)))
          << name << " of " << i << " and " << j;
    }
}

class Definitions : public testing::TestWithParam<bool> {
 protected:
  std::vector<Points> diagrams_ = random_diagrams(12, 1, GetParam());
};
INSTANTIATE_TEST_SUITE_P(Sides, Definitions, testing::Bool());

TEST_P(Definitions, ScaleSpace) {
  for (const double sigma : {0.0001, 0.01, 1.0})
    expect_definition("pss:" + base::shortest(sigma), diagrams_,
                      [&](const Points& f, const Points& g) { return scale_space(f, g, sigma); });
}

TEST_P(Definitions, WeightedLinear) {
  expect_definition("pwg-linear:0.1:c=3:p=2", diagrams_,
                    [](const Points& f, const Points& g) { return weighted_linear(f, g, 0.1, 3, 2); });
  expect_definition("pwg-linear:2:c=0.5:p=0", diagrams_,
                    [](const Points& f, const Points& g) { return weighted_linear(f, g, 2, 0.5, 0); });
}

TEST_P(Definitions, WeightedGaussian) {
  expect_definition("pwg:0.3:c=10:p=5", diagrams_,
                    [](const Points& f, const Points& g) { return squared_distance(f, g, 0.3, 10, 5); });
}

TEST_P(Definitions, SlicedWasserstein) {
  for (const std::size_t directions : {1U, 2U, 7U, 10U, 50U})
    expect_definition("sw:" + std::to_string(directions), diagrams_,
                      [&](const Points& f, const Points& g) { return sliced_wasserstein(f, g, directions); });
}

/// By cosines: near 1 the arc cosine of the definition has half of the digits only.
TEST_P(Definitions, Fisher) {
  for (const double sigma : {0.003, 0.1, 3.0}) {
    const auto base = base_matrix(parse_kernel("pf:" + base::shortest(sigma)), batch_of(diagrams_), quiet);
    for (std::size_t i = 0; i < diagrams_.size(); ++i)
      for (std::size_t j = 0; j < diagrams_.size(); ++j) {
        if (diagrams_[i].empty() && diagrams_[j].empty()) continue;
        const double cosine = fisher_cosine(diagrams_[i], diagrams_[j], sigma);
        EXPECT_NEAR(std::cos(base(i, j)), cosine, 1e-13);
        if (cosine < 0.999) {
          EXPECT_NEAR(base(i, j), std::acos(cosine), 1e-11);
        }
      }
  }
}

/// With more than one block of diagrams, vector and window.
TEST(Kernels, LargeOnes) {
  std::vector<Points> diagrams;
  for (std::size_t i = 0; i < 3; ++i) {
    base::RandomStream random(5, i);
    diagrams.push_back(random_points(500 + 301 * i, random));
  }
  expect_definition("sw:3", diagrams,
                    [](const Points& f, const Points& g) { return sliced_wasserstein(f, g, 3); });
  expect_definition("pss:0.00001", diagrams,
                    [](const Points& f, const Points& g) { return scale_space(f, g, 0.00001); });
  expect_definition("pwg-linear:0.01:c=1:p=1", diagrams,
                    [](const Points& f, const Points& g) { return weighted_linear(f, g, 0.01, 1, 1); });
  const auto fisher = base_matrix(parse_kernel("pf:0.01"), batch_of(diagrams), quiet);
  EXPECT_NEAR(std::cos(fisher(0, 2)), fisher_cosine(diagrams[0], diagrams[2], 0.01), 1e-13);
}

/// The difference of two Gaussians that are nearly the same keeps its digits.
TEST(Kernels, ScaleSpaceOfWideGaussians) {
  const std::vector<Points> diagrams{{{0.5, 0.5001}}, {{0.5, 0.5002}}};
  const auto base = base_matrix(parse_kernel("pss:1000"), batch_of(diagrams), quiet);
  const double product = 2 * 0.0001 * 0.0002 / 8000;  // |p - q'|^2 - |p - q|^2 = 2 (d - b)(d' - b')
  const double expected = -std::expm1(-product) * std::exp(-1e-8 / 8000) / (8 * std::numbers::pi * 1000);
  EXPECT_NEAR(base(0, 1) / expected, 1, 1e-11);
}

// ---- values by hand

TEST(Kernels, OnePointAgainstNone) {
  const std::vector<Points> diagrams{{{0, 2}}, {}};
  const auto of = [&](const std::string& name) {
    return base_matrix(parse_kernel(name), batch_of(diagrams), quiet)(0, 1);
  };
  // Downwards the point falls on -2, its projection on -1.
  EXPECT_NEAR(of("sw:1"), 1, 1e-15);
  // Along the axes 1 each; the mean over all directions is |p - p0| 2/pi.
  EXPECT_NEAR(of("sw:2"), 1, 1e-15);
  EXPECT_NEAR(of("sw:100000"), std::numbers::sqrt2 * 2 / std::numbers::pi, 1e-9);
  EXPECT_EQ(of("pss:1"), 0);
  EXPECT_NEAR(of("pwg:1:c=1:p=0"), std::pow(std::numbers::pi / 4, 2), 1e-13);
  // On {p, p0} the densities are (1, a)/(1 + a) and (a, 1)/(1 + a), a = exp(-2/(2 sigma^2)).
  const double a = std::exp(-1.0);
  EXPECT_NEAR(of("pf:1"), std::acos(2 * std::sqrt(a) / (1 + a)), 1e-14);
}

// ---- theorems

TEST(Kernels, DistancesOfEqualDiagramsVanish) {
  const auto diagrams = random_diagrams(8, 3, true);  // 4 equals 2
  for (const std::string name : {"sw", "pf:0.1", "pwg:0.1:c=1"}) {
    const auto base = base_matrix(parse_kernel(name), batch_of(diagrams), quiet);
    for (std::size_t i = 0; i < diagrams.size(); ++i) {
      EXPECT_EQ(base(i, i), 0) << name;
      for (std::size_t j = 0; j < i; ++j) {
        EXPECT_EQ(base(i, j), base(j, i)) << name;
        if (i != 4 || j != 2) {
          EXPECT_GT(base(i, j), 1e-6) << name;
        }
      }
    }
    EXPECT_LT(base(2, 4), 1e-13) << name;
  }
  EXPECT_EQ(base_matrix(parse_kernel("sw"), batch_of(diagrams), quiet)(2, 4), 0);
}

TEST(Kernels, TriangleInequalityOfSlicedWasserstein) {
  const auto diagrams = random_diagrams(20, 4);
  const auto base = base_matrix(parse_kernel("sw"), batch_of(diagrams), quiet);
  for (std::size_t i = 0; i < 20; ++i)
    for (std::size_t j = 0; j < 20; ++j)
      for (std::size_t k = 0; k < 20; ++k) EXPECT_LE(base(i, k), base(i, j) + base(j, k) + 1e-12);
}

/// A point on the diagonal changes nothing, for pwg with a positive power.
TEST(Kernels, PointsOnTheDiagonalDoNotCount) {
  auto diagrams = random_diagrams(6, 6);
  const auto values = [&](const std::string& name) {
    return base_matrix(parse_kernel(name), batch_of(diagrams), quiet);
  };
  for (const std::string name : {"sw", "pss:0.1", "pwg:0.1:c=1:p=1"}) {
    diagrams = random_diagrams(6, 6);
    const auto without = values(name);
    diagrams[0].push_back({0.25, 0.25});
    const auto with = values(name);
    for (std::size_t j = 0; j < 6; ++j) EXPECT_NEAR(with(0, j), without(0, j), 1e-12) << name;
  }
}

TEST(Kernels, MirroringAllDiagramsChangesNothing) {
  const auto diagrams = random_diagrams(9, 7, true);
  auto images = diagrams;
  for (auto& image : images)
    for (auto& p : image) p = mirrored(p);
  for (const std::string name : {"sw", "pss:0.1", "pwg:0.1:c=1", "pf:0.1"}) {
    const auto a = base_matrix(parse_kernel(name), batch_of(diagrams), quiet);
    const auto b = base_matrix(parse_kernel(name), batch_of(images), quiet);
    for (std::size_t i = 0; i < a.values.size(); ++i)
      EXPECT_NEAR(a.values[i], b.values[i], 1e-12 * std::max(1.0, std::abs(a.values[i]))) << name;
  }
}

// ---- hostile values

TEST(Kernels, HostileValuesGiveNumbers) {
  const double huge = 1e150, tiny = 5e-324;
  std::vector<Points> diagrams{
      {{0, huge}}, {{-huge, huge}}, {{huge, huge}},      {{tiny, 2 * tiny}},  {{-0.0, 0.0}},
      {},          {{0, 1}},        {{0, huge}, {0, 1}}, {{0, huge}, {0, 2}}, Points(3000, {0.25, 0.75})};
  for (const std::string name :
       {"sw", "pss:1", "pss:0.001", "pwg-linear:1:c=1", "pwg:1:c=1", "pf:1", "pf:1000"}) {
    const auto base = base_matrix(parse_kernel(name), batch_of(diagrams), quiet);
    for (std::size_t i = 0; i < diagrams.size(); ++i)
      for (std::size_t j = 0; j < diagrams.size(); ++j) {
        EXPECT_TRUE(std::isfinite(base(i, j))) << name << ' ' << i << ' ' << j;
        if (parse_kernel(name).is_distance()) {
          EXPECT_GE(base(i, j), 0);
        }
      }
  }
  // A common point far away hides nothing.
  const auto sliced = base_matrix(parse_kernel("sw:7"), batch_of(diagrams), quiet);
  EXPECT_NEAR(sliced(7, 8), sliced_wasserstein({{0, 1}}, {{0, 2}}, 7), 1e-10);
  EXPECT_GT(sliced(7, 8), 0.1);
}

TEST(Kernels, SlicedWassersteinOfVeryDifferentUnits) {
  const std::vector<Points> diagrams{{{0, 1e-9}, {1e-9, 3e-9}}, {{0, 1e9}, {2e8, 1e9}}, {{0, 1}}};
  expect_definition(
      "sw:10", diagrams, [](const Points& f, const Points& g) { return sliced_wasserstein(f, g, 10); },
      1e-14);
}

TEST(Kernels, CoordinatesMustBeFinite) {
  const auto sentence = [](double birth, double death, const std::string& name) {
    const std::vector<Points> diagrams{{{0, 1}}, {{birth, death}}};
    return sentence_of([&] { (void)base_matrix(parse_kernel(name), batch_of(diagrams), quiet); });
  };
  const double infinity = std::numeric_limits<double>::infinity();
  for (const std::string name : {"sw", "pss:1", "pwg:1:c=1", "pf:1"}) {
    EXPECT_EQ(sentence(0.5, infinity, name),
              "Item 1 has the point (0.5, inf), and kernels need finite coordinates of at most 1e+150; leave "
              "such points out or clip them first.");
    EXPECT_NE(sentence(-infinity, 0, name).find("(-inf, 0)"), std::string::npos);
    EXPECT_NE(sentence(0, 1e300, name).find("(0, 1e+300)"), std::string::npos);
  }
  EXPECT_NE(sentence(0, 1, "pf:1e-305").find("too far out for a kernel of width 1e-305"), std::string::npos);
  EXPECT_NE(sentence(0, 1, "pss").find("pss has parameters that are still to be fitted"), std::string::npos);
}

}  // namespace
}  // namespace perslay::test
