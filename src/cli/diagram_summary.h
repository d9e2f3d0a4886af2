#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <perslay/diagram/diagram_set.h>

namespace perslay::cli {

/// What can be said about many points in a line.
struct PointSummary {
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  std::size_t items = 0;
  std::size_t points = 0;
  std::size_t infinite = 0;  ///< Points with an infinite coordinate; the numbers below are of the others.
  double persistence = 0;    ///< The sum of |death - birth|.
  double lowest_birth = infinity, highest_birth = -infinity;
  double lowest_death = infinity, highest_death = -infinity;

  void add(std::span<const diagram::Point> diagram);
  [[nodiscard]] std::size_t finite() const noexcept { return points - infinite; }
  [[nodiscard]] double points_per_item() const;
  [[nodiscard]] double mean_persistence() const;
};

[[nodiscard]] PointSummary summarize(const diagram::DiagramGroup& group);

/// One per class; empty if the items have no labels.
[[nodiscard]] std::vector<PointSummary> summarize_classes(const diagram::DiagramGroup& group,
                                                          const diagram::DiagramSet& set);

/// Births and deaths of each group.
[[nodiscard]] std::string range_table(const diagram::DiagramSet& set);

/// Points and persistence of each group, class by class where there are not too many classes to read.
[[nodiscard]] std::string class_table(const diagram::DiagramSet& set);

/// The numbers of both tables for programs.
[[nodiscard]] nlohmann::ordered_json groups_json(const diagram::DiagramSet& set);

}  // namespace perslay::cli
