#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <perslay/diagram/diagram_set.h>

namespace perslay::cli {

/// A summary of many points.
struct PointSummary {
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  std::size_t items = 0;
  std::size_t points = 0;
  std::size_t infinite = 0;  ///< Points with an infinite coordinate; the numbers below are of the others.
  double persistence = 0;    ///< The sum of |death - birth|.
  std::pair<double, double> births{infinity, -infinity},
      deaths{infinity, -infinity};  ///< The lowest, the highest.

  void add(std::span<const diagram::Point> diagram);
  [[nodiscard]] std::size_t finite() const noexcept { return points - infinite; }
  [[nodiscard]] double points_per_item() const;
  [[nodiscard]] double mean_persistence() const;
};

/// The points of one filtration and kind, all of them and class by class.
struct GroupSummary {
  std::string filtration;
  diagram::Kind kind = diagram::Kind::ord0;
  PointSummary all;
  std::vector<PointSummary> classes;  ///< Empty if the items have no labels.
};

/// The summary of a set of diagrams; the set may come in pieces.
class SetSummary {
 public:
  SetSummary() = default;
  explicit SetSummary(const diagram::DiagramSet& set) { add(set); }

  /// Adds the items of `piece`, which has the groups and classes of the pieces before it.
  void add(const diagram::DiagramSet& piece);

  [[nodiscard]] std::size_t items() const noexcept { return items_; }

  /// Births and deaths of each group.
  [[nodiscard]] std::string range_table() const;
  /// Points and persistence of each group, class by class where there are not too many classes to read.
  [[nodiscard]] std::string class_table() const;
  /// The numbers of both tables, as JSON.
  [[nodiscard]] nlohmann::ordered_json json() const;

 private:
  std::size_t items_ = 0;
  std::vector<std::string> classes_;
  std::vector<GroupSummary> groups_;
};

}  // namespace perslay::cli
