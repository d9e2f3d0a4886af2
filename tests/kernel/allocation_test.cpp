#include "kernel/brute_force.h"
#include "persistence/counting_allocator.h"

#include <string>

#include <gtest/gtest.h>

#include <perslay/kernel/gram.h>

namespace perslay::test {
namespace {

using kernel::Kernel;

/// What a matrix really takes at its peak, working memory of the one thread included.
std::int64_t peak_of(const Kernel& kernel, const diagram::DiagramBatch& batch, const base::Context& context) {
  const std::int64_t before = live_bytes();
  reset_peak();
  (void)base_matrix(kernel, batch, context);
  return peak_bytes() - before;
}

TEST(Allocation, IsEstimated) {
  base::Context context;
  context.threads = 1;
  const auto batch = batch_of(random_diagrams(400, 41, true, 60));
  const std::vector<diagram::DiagramGroup> groups{{"f", diagram::Kind::ext1, batch, {}}};
  for (const std::string name : {"sw:2", "pss:0.01", "pwg:0.1:c=1", "pf:0.1", "pf:0.01", "pss:0.01~grid:1e-3",
                                 "pwg:0.1:c=1~grid:1e-6", "pf:0.1~grid:1e-3"}) {
    const std::vector<Kernel> kernels{kernel::parse_kernel(name)};
    const auto expected = static_cast<double>(estimate(kernels, groups, groups, context).bytes);
    const auto peak = static_cast<double>(peak_of(kernels[0], batch, context));
    EXPECT_NEAR(peak / expected, 1, 0.25) << name << ": " << peak << " instead of " << expected;
  }
}

}  // namespace
}  // namespace perslay::test
