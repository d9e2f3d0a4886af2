#include "nn/finite_differences.h"
#include "persistence/clouds.h"
#include "sentence.h"

#include <gtest/gtest.h>

#include <perslay/nn/alpha_persistence.h>

namespace perslay::nn {
namespace {

using persistence::AlphaOptions;
using test::Cloud;
using torch::Tensor;

struct Clouds {
  Tensor points, offsets;

  explicit Clouds(const std::vector<Cloud>& clouds) {
    std::vector<double> numbers;
    std::vector<std::int64_t> ends{0};
    for (const auto& cloud : clouds) {
      for (const auto& [x, y] : cloud) numbers.insert(numbers.end(), {x, y});
      ends.push_back(static_cast<std::int64_t>(numbers.size() / 2));
    }
    points = torch::tensor(numbers, torch::kFloat64).view({-1, 2});
    offsets = torch::tensor(ends, torch::kInt64);
  }
};

std::vector<Cloud> general_clouds(base::RandomStream& random) {
  std::vector<Cloud> clouds{{}, {{0.1, 0.7}}, {{0.1, 0.7}, {0.5, 0.2}}, {{0, 0}, {1, 0.1}, {0.4, 0.9}}};
  for (const std::size_t size : {5U, 12U, 40U}) clouds.push_back(test::uniform(size, random));
  clouds.push_back(test::orbit(4.1, 30, random));
  return clouds;
}

TEST(AlphaPersistenceStep, PointsAreThoseOfTheDiagrams) {
  base::RandomStream random(1);
  auto all = general_clouds(random);
  all.push_back(test::lattice(4, 5));
  all.push_back(test::circle(12, random));
  all.push_back({{0, 0}, {1, 0}, {0, 0}, {1, 0}});  // twice the same points
  const Clouds clouds(all);
  for (const bool radii : {false, true})
    for (const std::optional<double> essential : {std::optional<double>(), std::optional(7.5)}) {
      const AlphaOptions options{radii, essential};
      const auto result = alpha_persistence(clouds.points, clouds.offsets, options);
      for (const auto* batch : {&result.h0, &result.h1})
        for (std::size_t i = 0; i < all.size(); ++i) {
          const auto expected = persistence::alpha_persistence(all[i], options);
          auto points = (batch == &result.h0 ? expected.h0 : expected.h1).points;
          std::ranges::sort(points);
          const auto begin = batch->offsets()[static_cast<std::int64_t>(i)].item<std::int64_t>();
          ASSERT_EQ(batch->offsets()[static_cast<std::int64_t>(i) + 1].item<std::int64_t>() - begin,
                    static_cast<std::int64_t>(points.size()));
          for (std::size_t j = 0; j < points.size(); ++j) {
            const auto row = batch->points()[begin + static_cast<std::int64_t>(j)];
            EXPECT_NEAR(row[0].item<double>(), points[j].birth, 1e-13);
            EXPECT_NEAR(row[1].item<double>(), points[j].death, 1e-13);
          }
        }
    }
}

TEST(AlphaPersistenceStep, GradientsAreThoseOfFiniteDifferences) {
  base::RandomStream random(2);
  for (const bool radii : {false, true})
    for (int draw = 0; draw < 5; ++draw) {
      const Clouds clouds(general_clouds(random));
      const auto function = [&](const Tensor& x) {
        const auto result = alpha_persistence(x, clouds.offsets, {radii, 2.0});
        return test::smooth_sum(result.h0) + 2 * test::smooth_sum(result.h1);
      };
      EXPECT_LT(test::gradient_error(function, clouds.points, 1e-7), 1e-6) << radii << ' ' << draw;
    }
}

// Moving, turning and scaling a cloud does to radii what it must, whatever the triangulation.
TEST(AlphaPersistenceStep, ScalingACloudScalesItsRadii) {
  base::RandomStream random(3);
  for (const auto& cloud : {test::lattice(4, 4), test::circle(9, random), test::uniform(50, random)}) {
    const Clouds clouds({cloud});
    const auto factor = torch::ones({}, torch::kFloat64).requires_grad_();
    const auto result = alpha_persistence(clouds.points * factor + 3, clouds.offsets, {true, {}});
    const auto sum = result.h0.points().sum() + result.h1.points().sum();
    sum.backward();
    EXPECT_NEAR(factor.grad().item<double>(), sum.item<double>(), 1e-9 * sum.item<double>());
  }
}

TEST(AlphaPersistenceStep, ThreadsAndPrecisionsAgree) {
  base::RandomStream random(4);
  const Clouds clouds(general_clouds(random));
  const auto one = alpha_persistence(clouds.points, clouds.offsets, {}, 1);
  const auto three = alpha_persistence(clouds.points, clouds.offsets, {}, 3);
  EXPECT_TRUE(torch::equal(one.h1.points(), three.h1.points()));
  const auto single = alpha_persistence(clouds.points.to(torch::kFloat32), clouds.offsets);
  EXPECT_EQ(single.h1.points().scalar_type(), torch::kFloat32);
  EXPECT_TRUE(torch::allclose(single.h0.points().to(torch::kFloat64), one.h0.points(), 1e-4, 1e-6));
}

}  // namespace
}  // namespace perslay::nn
