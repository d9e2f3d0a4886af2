#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <perslay/diagram/diagram.h>

namespace perslay::test {

/// Whether two diagrams are equal up to a relative error of 1e-9 in each coordinate, apart from points whose
/// persistence is below 1e-9 of their own death: these may be missing on either side.
inline testing::AssertionResult match(std::vector<diagram::Point> ours, std::vector<diagram::Point> theirs) {
  constexpr double tolerance = 1e-9;
  const auto near = [](double x, double y) {
    return std::abs(x - y) <= tolerance * std::max(std::abs(x), std::abs(y));
  };
  const auto negligible = [](const diagram::Point& p) { return p.death - p.birth <= tolerance * p.death; };
  const auto show = [](const char* what, const diagram::Point& p) {
    return testing::AssertionFailure() << what << " (" << p.birth << ", " << p.death << ")";
  };
  std::sort(ours.begin(), ours.end());
  std::sort(theirs.begin(), theirs.end());
  std::vector<bool> taken(theirs.size());
  for (const diagram::Point& p : ours) {
    const double lowest = p.birth * (1 - 2 * tolerance);
    auto candidate = std::lower_bound(theirs.begin(), theirs.end(), diagram::Point{lowest, 0});
    const auto free_and_near = [&](auto q) {
      return !taken[static_cast<std::size_t>(q - theirs.begin())] && near(q->birth, p.birth) &&
             near(q->death, p.death);
    };
    while (candidate != theirs.end() && candidate->birth <= p.birth * (1 + 2 * tolerance) &&
           !free_and_near(candidate))
      ++candidate;
    if (candidate != theirs.end() && free_and_near(candidate))
      taken[static_cast<std::size_t>(candidate - theirs.begin())] = true;
    else if (!negligible(p))
      return show("A point without counterpart:", p);
  }
  for (std::size_t i = 0; i < theirs.size(); ++i)
    if (!taken[i] && !negligible(theirs[i])) return show("A missing point:", theirs[i]);
  return testing::AssertionSuccess();
}

}  // namespace perslay::test
