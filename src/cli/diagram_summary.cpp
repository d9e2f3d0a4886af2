#include "diagram_summary.h"

#include "output.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace perslay::cli {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t most_classes_shown = 20;

std::string range(const PointSummary& summary, const std::pair<double, double>& values) {
  return summary.finite() == 0 ? "-" : fmt::format("{:.6g} .. {:.6g}", values.first, values.second);
}

ordered_json range_json(const PointSummary& summary, const std::pair<double, double>& values) {
  return summary.finite() == 0 ? ordered_json(nullptr) : ordered_json(values);
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
    births = {std::min(births.first, birth), std::max(births.second, birth)};
    deaths = {std::min(deaths.first, death), std::max(deaths.second, death)};
    persistence += std::abs(death - birth);
  }
}

double PointSummary::points_per_item() const {
  return items == 0 ? 0 : static_cast<double>(points) / static_cast<double>(items);
}

double PointSummary::mean_persistence() const {
  return finite() == 0 ? 0 : persistence / static_cast<double>(finite());
}

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
               range(summary, summary.births), range(summary, summary.deaths)});
  }
  return table.text();
}

std::string SetSummary::class_table() const {
  Table table({"filtration", "kind", "class", "items", "points per item", "mean persistence"}, 3);
  for (const auto& group : groups_) {
    const auto add = [&](const std::string& name, const PointSummary& summary) {
      table.add({group.filtration, std::string(diagram::kind_name(group.kind)), name,
                 fmt::format("{}", summary.items), fmt::format("{:.2f}", summary.points_per_item()),
                 summary.finite() == 0 ? "-" : fmt::format("{:.4g}", summary.mean_persistence())});
    };
    const std::size_t classes = group.classes.size();
    if (classes < 2 || classes > most_classes_shown)
      add("all", group.all);
    else
      for (std::size_t c = 0; c < classes; ++c) add(classes_[c], group.classes[c]);
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
                       {"births", range_json(summary, summary.births)},
                       {"deaths", range_json(summary, summary.deaths)}};
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
