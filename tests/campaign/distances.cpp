#include "campaign/families.h"
#include "diagram/distance_cases.h"

#include <array>

#include <fmt/format.h>

namespace perslay::campaign {
namespace {

using test::Points;

struct Case {
  Points a, b;
  std::string metric;
};

Case draw(base::RandomStream& random) {
  static constexpr std::array metrics{"bottleneck",      "wasserstein:1",      "wasserstein:2",
                                      "wasserstein:1:2", "wasserstein:2:2",    "wasserstein:1.5",
                                      "wasserstein:7:2", "wasserstein:3.3:inf"};
  const auto& made_by = test::families()[random.below(test::families().size())];
  const auto a = random.below(6), b = random.below(6);
  return {made_by.make(a, random), made_by.make(b, random), metrics[random.below(metrics.size())]};
}

std::string fault(const Case& c) {
  const auto metric = diagram::parse_metric(c.metric);
  const double expected = test::by_all_matchings(c.a, c.b, metric);
  const double found = diagram::distance(c.a, c.b, metric).value;
  if (std::abs(found - expected) <= 1e-12 * expected) return {};
  return fmt::format("The distance is {} instead of {}.", found, expected);
}

std::vector<Case> smaller(const Case& c) {
  std::vector<Case> cases;
  for (auto& a : with_one_less(c.a)) cases.push_back({std::move(a), c.b, c.metric});
  for (auto& b : with_one_less(c.b)) cases.push_back({c.a, std::move(b), c.metric});
  return cases;
}

std::string text(const Case& c) {
  auto lines = fmt::format("metric {}\n", c.metric);
  for (const auto& [birth, death] : c.a) lines += fmt::format("a {} {}\n", birth, death);
  for (const auto& [birth, death] : c.b) lines += fmt::format("b {} {}\n", birth, death);
  return lines;
}

}  // namespace

Family distances() { return family<Case>("distances", "all matchings", 30, {draw, fault, smaller, text}); }

}  // namespace perslay::campaign
