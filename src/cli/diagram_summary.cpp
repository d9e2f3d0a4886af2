#include "diagram_summary.h"

#include "output.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace perslay::cli {
namespace {

using diagram::DiagramGroup;
using diagram::DiagramSet;
using nlohmann::ordered_json;

constexpr std::size_t most_classes_shown = 20;

double ratio(double sum, std::size_t count) { return count == 0 ? 0 : sum / static_cast<double>(count); }

std::string range(const PointSummary& summary, double low, double high) {
  return summary.finite() == 0 ? "-" : fmt::format("{:.6g} .. {:.6g}", low, high);
}

ordered_json range_json(const PointSummary& summary, double low, double high) {
  return summary.finite() == 0 ? ordered_json(nullptr) : ordered_json::array({low, high});
}

void add_row(Table& table, const DiagramGroup& group, const std::string& name, const PointSummary& summary) {
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

PointSummary summarize(const DiagramGroup& group) {
  PointSummary summary;
  for (std::size_t item = 0; item < group.diagrams.size(); ++item) summary.add(group.diagrams[item]);
  return summary;
}

std::vector<PointSummary> summarize_classes(const DiagramGroup& group, const DiagramSet& set) {
  std::vector<PointSummary> classes(set.labels.empty() ? 0 : set.classes.size());
  for (std::size_t item = 0; item < set.labels.size(); ++item)
    classes[static_cast<std::size_t>(set.labels[item])].add(group.diagrams[item]);
  return classes;
}

std::string range_table(const DiagramSet& set) {
  Table table({"filtration", "kind", "points", "per item", "births", "deaths"}, 2);
  for (const auto& group : set.groups) {
    const auto summary = summarize(group);
    table.add({group.filtration, std::string(diagram::kind_name(group.kind)),
               fmt::format("{}", summary.points), fmt::format("{:.2f}", summary.points_per_item()),
               range(summary, summary.lowest_birth, summary.highest_birth),
               range(summary, summary.lowest_death, summary.highest_death)});
  }
  return table.text();
}

std::string class_table(const DiagramSet& set) {
  Table table({"filtration", "kind", "class", "items", "points per item", "mean persistence"}, 3);
  for (const auto& group : set.groups) {
    const auto classes = summarize_classes(group, set);
    if (classes.size() > 1 && classes.size() <= most_classes_shown)
      for (std::size_t c = 0; c < classes.size(); ++c) add_row(table, group, set.classes[c], classes[c]);
    else
      add_row(table, group, "all", summarize(group));
  }
  return table.text();
}

ordered_json groups_json(const DiagramSet& set) {
  ordered_json groups = ordered_json::array();
  for (const auto& group : set.groups) {
    const auto summary = summarize(group);
    ordered_json entry{{"filtration", group.filtration},
                       {"kind", diagram::kind_name(group.kind)},
                       {"points", summary.points},
                       {"infinite", summary.infinite},
                       {"points_per_item", summary.points_per_item()},
                       {"mean_persistence", summary.mean_persistence()},
                       {"births", range_json(summary, summary.lowest_birth, summary.highest_birth)},
                       {"deaths", range_json(summary, summary.lowest_death, summary.highest_death)}};
    const auto classes = summarize_classes(group, set);
    if (!classes.empty()) entry["by_class"] = ordered_json::array();
    for (std::size_t c = 0; c < classes.size(); ++c)
      entry["by_class"].push_back({{"class", set.classes[c]},
                                   {"items", classes[c].items},
                                   {"points_per_item", classes[c].points_per_item()},
                                   {"mean_persistence", classes[c].mean_persistence()}});
    groups.push_back(std::move(entry));
  }
  return groups;
}

}  // namespace perslay::cli
