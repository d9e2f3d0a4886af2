#include "diagram_summary.h"

#include "output.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace perslay::cli {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t most_classes_shown = 20;

double ratio(double sum, std::size_t count) { return count == 0 ? 0 : sum / static_cast<double>(count); }

std::string range(const PointSummary& summary, double low, double high) {
  return summary.finite() == 0 ? "-" : fmt::format("{:.6g} .. {:.6g}", low, high);
}

ordered_json range_json(const PointSummary& summary, double low, double high) {
  return summary.finite() == 0 ? ordered_json(nullptr) : ordered_json::array({low, high});
}

void add_row(Table& table, const GroupSummary& group, const std::string& name, const PointSummary& summary) {
  table.add({group.filtration, std::string(diagram::kind_name(group.kind)), name,
             fmt::format("{}", summary.items), fmt::format("{:.2f}", summary.points_per_item()),
             summary.finite() == 0 ? "-" : fmt::format("{:.4g}", summary.mean_persistence())});
}

}  // namespace

void PointSummary::add(std::span<const diagram::Point> diagram) {
  ++items;
  points += diagram.size();
  for (const auto [birth, death] : diagram) {
    if (std::isinf(birth) || std::isinf(death)) {
      ++infinite;
      continue;
    }
    lowest_birth = std::min(lowest_birth, birth);
    highest_birth = std::max(highest_birth, birth);
    lowest_death = std::min(lowest_death, death);
    highest_death = std::max(highest_death, death);
    persistence += std::abs(death - birth);
  }
}

double PointSummary::points_per_item() const { return ratio(static_cast<double>(points), items); }

double PointSummary::mean_persistence() const { return ratio(persistence, finite()); }

void SetSummary::add(const diagram::DiagramSet& piece) {
  if (groups_.empty()) {
    classes_ = piece.classes;
    for (const auto& group : piece.groups)
      groups_.push_back({group.filtration,
                         group.kind,
                         {},
                         std::vector<PointSummary>(piece.labels.empty() ? 0 : classes_.size())});
  }
  items_ += piece.item_count();
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const auto& diagrams = piece.groups[g].diagrams;
    for (std::size_t item = 0; item < diagrams.size(); ++item) {
      groups_[g].all.add(diagrams[item]);
      if (!piece.labels.empty())
        groups_[g].classes[static_cast<std::size_t>(piece.labels[item])].add(diagrams[item]);
    }
  }
}

std::string SetSummary::range_table() const {
  Table table({"filtration", "kind", "points", "per item", "births", "deaths"}, 2);
  for (const auto& group : groups_) {
    const auto& summary = group.all;
    table.add({group.filtration, std::string(diagram::kind_name(group.kind)),
               fmt::format("{}", summary.points), fmt::format("{:.2f}", summary.points_per_item()),
               range(summary, summary.lowest_birth, summary.highest_birth),
               range(summary, summary.lowest_death, summary.highest_death)});
  }
  return table.text();
}

std::string SetSummary::class_table() const {
  Table table({"filtration", "kind", "class", "items", "points per item", "mean persistence"}, 3);
  for (const auto& group : groups_) {
    const auto& classes = group.classes;
    if (classes.size() > 1 && classes.size() <= most_classes_shown)
      for (std::size_t c = 0; c < classes.size(); ++c) add_row(table, group, classes_[c], classes[c]);
    else
      add_row(table, group, "all", group.all);
  }
  return table.text();
}

ordered_json SetSummary::json() const {
  ordered_json groups = ordered_json::array();
  for (const auto& group : groups_) {
    const auto& summary = group.all;
    ordered_json entry{{"filtration", group.filtration},
                       {"kind", diagram::kind_name(group.kind)},
                       {"points", summary.points},
                       {"infinite", summary.infinite},
                       {"points_per_item", summary.points_per_item()},
                       {"mean_persistence", summary.mean_persistence()},
                       {"births", range_json(summary, summary.lowest_birth, summary.highest_birth)},
                       {"deaths", range_json(summary, summary.lowest_death, summary.highest_death)}};
    if (!group.classes.empty()) entry["by_class"] = ordered_json::array();
    for (std::size_t c = 0; c < group.classes.size(); ++c)
      entry["by_class"].push_back({{"class", classes_[c]},
                                   {"items", group.classes[c].items},
                                   {"points_per_item", group.classes[c].points_per_item()},
                                   {"mean_persistence", group.classes[c].mean_persistence()}});
    groups.push_back(std::move(entry));
  }
  return groups;
}

}  // namespace perslay::cli
