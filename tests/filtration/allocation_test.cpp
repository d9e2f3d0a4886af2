#include "filtration/graphs.h"
#include "persistence/counting_allocator.h"

#include <gtest/gtest.h>

#include <perslay/filtration/heat_kernel_signature.h>

namespace perslay::filtration {
namespace {

TEST(Allocation, DoesNotHappenOnceTheLargestGraphHasBeenSeen) {
  const auto graphs = testing::small_graphs();
  const std::vector<double> times{0.1, 10};
  for (const auto method : {HeatKernelMethod::automatic, HeatKernelMethod::chebyshev}) {
    HeatKernelSignature signature(HeatKernelOptions{.method = method});
    std::vector<double> values(1000), derivatives(1000);
    const auto pass = [&] {
      const std::int64_t before = test::allocation_count();
      for (const auto& [name, graph] : graphs) {
        const std::size_t places = times.size() * static_cast<std::size_t>(graph.vertex_count());
        signature.compute(graph, times, std::span(values).first(places),
                          std::span(derivatives).first(places));
      }
      return test::allocation_count() - before;
    };
    EXPECT_GT(pass(), 0);
    EXPECT_EQ(pass(), 0);
  }
}

}  // namespace
}  // namespace perslay::filtration
