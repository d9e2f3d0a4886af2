#include "network/cases.h"
#include "persistence/counting_allocator.h"

#include <gtest/gtest.h>

namespace perslay::network {
namespace {

/// Few maps of a large image: the images of all points would take 21x21 numbers each.
TEST(Allocation, ConvolutionsOfPointsKeepWithinTheEstimate) {
  constexpr std::size_t items = 20, points = 1500;
  Architecture architecture;
  architecture.channels = {test::with_convolution(test::plan("gaussian:21x21", "one", "max"), 1, 20, true)};
  Batch<float> input;
  auto& diagrams = input.diagrams.emplace_back();
  for (std::size_t i = 0; i < items; ++i) {
    base::RandomStream random(1, i);
    for (std::size_t j = 0; j < points; ++j) {
      const double birth = random.uniform(0, 0.7);
      for (const double x : {birth, birth + random.uniform(0, 0.3)})
        diagrams.points.push_back(static_cast<float>(x));
    }
    diagrams.offsets.push_back(static_cast<std::int64_t>(diagrams.points.size() / 2));
  }
  input.features.resize(items, 0);
  Network<float> network(architecture, 1);
  Workspace<float> work;
  const std::int64_t before = test::live_bytes();
  const auto peak = [&] { return static_cast<double>(test::peak_bytes() - before); };
  test::reset_peak();
  base::RandomStream random(1);
  const Pass pass{{}, &random};
  network.forward(input, pass, work);
  EXPECT_LT(peak(), bytes_of_pass(architecture, items, false));
  work.gradient = work.output();
  std::vector<float> gradient(network.trained().size());
  network.backward(input, pass, work, gradient);
  EXPECT_LT(peak(), bytes_of_pass(architecture, items, true));
  EXPECT_GT(4.0 * items * points * 21 * 21,
            bytes_of_pass(architecture, items, false));  // as all images at once
}

}  // namespace
}  // namespace perslay::network
