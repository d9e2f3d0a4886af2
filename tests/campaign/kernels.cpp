#include "campaign/families.h"
#include "kernel/brute_force.h"

#include <fmt/format.h>

#include <perslay/kernel/gram.h>

namespace perslay::campaign {
namespace {

using test::Points;

struct Case {
  Points f, g;
  kernel::Kernel kernel;
};

Case draw(base::RandomStream& random) {
  const bool both_sides = random.below(2) == 0;
  auto f = test::random_points(random.below(8), random, both_sides);
  auto g = random.below(8) == 0 ? f : test::random_points(random.below(8), random, both_sides);
  const double sigma = std::pow(10, random.uniform(-2, 0.5)), c = std::pow(10, random.uniform(-1, 1));
  const auto power = random.below(4);
  std::string name;
  switch (random.below(5)) {
    case 0:
      name = fmt::format("sw:{}", 1 + random.below(12));
      break;
    case 1:
      name = fmt::format("pss:{}", base::shortest(sigma));
      break;
    case 2:
      name = fmt::format("pwg-linear:{}:c={}:p={}", base::shortest(sigma), base::shortest(c), power);
      break;
    case 3:
      name = fmt::format("pwg:{}:c={}:p={}", base::shortest(sigma), base::shortest(c), power);
      break;
    default:
      name = fmt::format("pf:{}", base::shortest(sigma));
  }
  return {std::move(f), std::move(g), kernel::parse_kernel(name)};
}

double definition(const Case& c) {
  const auto& [f, g, k] = c;
  switch (k.type) {
    case kernel::Kernel::Type::scale_space:
      return test::scale_space(f, g, k.sigma);
    case kernel::Kernel::Type::sliced_wasserstein:
      return test::sliced_wasserstein(f, g, k.directions);
    case kernel::Kernel::Type::fisher:
      return f.empty() && g.empty() ? 1 : test::fisher_cosine(f, g, k.sigma);
    default:
      return k.is_distance() ? test::squared_distance(f, g, k.sigma, k.scale, k.power)
                             : test::weighted_linear(f, g, k.sigma, k.scale, k.power);
  }
}

/// Fisher's distance is compared by its cosine: near 1 the arc cosine of the definition has half of the digits only.
std::string fault(const Case& c) {
  base::Context context;
  context.threads = 1;
  const std::vector<Points> diagrams{c.f, c.g};
  const double base = kernel::base_matrix(c.kernel, test::batch_of(diagrams), context)(0, 1);
  const double found = c.kernel.type == kernel::Kernel::Type::fisher ? std::cos(base) : base;
  const double expected = definition(c);
  if (std::abs(found - expected) <= 1e-10 * std::max(1.0, std::abs(expected))) return {};
  return fmt::format("The kernel is {} instead of {}.", found, expected);
}

std::vector<Case> smaller(const Case& c) {
  std::vector<Case> cases;
  for (auto& f : with_one_less(c.f)) cases.push_back({std::move(f), c.g, c.kernel});
  for (auto& g : with_one_less(c.g)) cases.push_back({c.f, std::move(g), c.kernel});
  return cases;
}

std::string text(const Case& c) {
  auto lines = fmt::format("kernel {}\n", c.kernel.name());
  for (const auto& [birth, death] : c.f) lines += fmt::format("f {} {}\n", birth, death);
  for (const auto& [birth, death] : c.g) lines += fmt::format("g {} {}\n", birth, death);
  return lines;
}

}  // namespace

Family kernels() {
  return family<Case>("kernels", "the kernels' sums, term by term", 20, {draw, fault, smaller, text});
}

}  // namespace perslay::campaign
