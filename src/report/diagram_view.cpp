#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <perslay/diagram/transforms.h>
#include <perslay/features/sample.h>
#include <perslay/report/chart.h>
#include <perslay/report/diagram_view.h>

namespace perslay::report {
namespace {

using diagram::DiagramGroup;
using diagram::DiagramSet;
using nlohmann::ordered_json;

/// Bytes in base64 (RFC 4648).
std::string base64(std::span<const std::byte> bytes) {
  static constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t k) {
      return i + k < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0U;
    };
    const std::uint32_t word = byte(0) << 16U | byte(1) << 8U | byte(2);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k <= bytes.size() ? letters[word >> (18U - 6U * k) & 63U] : '=';
  }
  return text;
}

template <class T>
std::string base64_of(const std::vector<T>& numbers) {
  return base64(std::as_bytes(std::span(numbers)));
}

/// JSON that may stand inside a script element.
std::string script_json(const ordered_json& json) {
  std::string text;
  for (const char c : json.dump(-1, ' ', false, ordered_json::error_handler_t::replace))
    c == '<' ? text += "\\u003c" : text += c;
  return text;
}

/// The farthest points of every diagram that can be shown, with their vertices.
struct ShownGroup {
  const DiagramGroup* group = nullptr;
  std::vector<std::uint32_t> offsets{0};
  std::vector<double> points;
  std::vector<std::int32_t> vertices;
};

/// Numbers of points.
struct NotShown {
  std::size_t infinite = 0;
  std::size_t huge = 0;
  std::size_t near_diagonal = 0;
};

ShownGroup shown(const DiagramGroup& group, NotShown& left_out) {
  ShownGroup result;
  result.group = &group;
  const auto farthest = diagram::prominent(group.diagrams, shown_points);
  left_out.near_diagonal += group.diagrams.points().size() - farthest.points().size();
  for (std::size_t item = 0; item < farthest.size(); ++item) {
    const auto points = farthest[item];
    const auto vertices = farthest.vertices(item);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto [birth, death] = points[i];
      if (!can_be_shown(birth) || !can_be_shown(death)) {
        ++(std::isfinite(birth) && std::isfinite(death) ? left_out.huge : left_out.infinite);
        continue;
      }
      result.points.insert(result.points.end(), {birth, death});
      if (!vertices.empty())
        result.vertices.insert(result.vertices.end(), {vertices[i].birth, vertices[i].death});
    }
    result.offsets.push_back(static_cast<std::uint32_t>(result.points.size() / 2));
  }
  return result;
}

/// All diagrams of one filtration, which share a chart.
struct SharedChart {
  std::string filtration;
  double low = 0, high = 1;
  int digits = 5;  ///< Enough to tell visibly different numbers apart.
};

std::vector<SharedChart> shared_charts(const std::vector<ShownGroup>& groups) {
  std::vector<SharedChart> charts;
  for (const auto& first : groups) {
    const auto& filtration = first.group->filtration;
    if (std::ranges::find(charts, filtration, &SharedChart::filtration) != charts.end()) continue;
    std::vector<double> values;
    for (const auto& shown : groups)
      if (shown.group->filtration == filtration)
        values.insert(values.end(), shown.points.begin(), shown.points.end());
    const auto axis = axis_around("", values);
    const double magnitude = std::max(std::abs(axis.low), std::abs(axis.high));
    const double leading = std::ceil(std::log10(magnitude / (axis.high - axis.low)));
    charts.push_back({filtration, axis.low, axis.high, 5 + static_cast<int>(std::clamp(leading, 0.0, 12.0))});
  }
  return charts;
}

/// Numbers in single precision where that tells them apart.
ordered_json points_json(const std::vector<double>& points, int digits) {
  const auto is_ordinary = [](double x) { return x == 0 || (std::abs(x) > 1e-30 && std::abs(x) < 1e30); };
  if (digits > 6 || !std::ranges::all_of(points, is_ordinary)) return {{"Float64", base64_of(points)}};
  std::vector<float> rounded;
  rounded.reserve(points.size());
  for (const double x : points) rounded.push_back(static_cast<float>(x));
  return {{"Float32", base64_of(rounded)}};
}

ordered_json group_json(const ShownGroup& shown, const std::vector<SharedChart>& charts) {
  const auto chart = std::ranges::find(charts, shown.group->filtration, &SharedChart::filtration);
  return {{"chart", chart - charts.begin()},
          {"digits", chart->digits},
          {"kind", diagram::kind_name(shown.group->kind)},
          {"offsets", base64_of(shown.offsets)},
          {"points", points_json(shown.points, chart->digits)},
          {"vertices", shown.vertices.empty() ? ordered_json() : ordered_json(base64_of(shown.vertices))}};
}

/// "5 ord0, 3 rel1", for each filtration.
std::string counts_of(const DiagramSet& set, std::size_t item) {
  std::vector<std::string> counts;
  for (const auto& group : set.groups)
    counts.push_back(fmt::format("{} {}", group.diagrams[item].size(), group.title()));
  return readable(fmt::format("Points: {}.", fmt::join(counts, ", ")));
}

/// The name of an item.
std::string_view noun_of(const DiagramSet& set) {
  if (set.groups.empty()) return "item";
  const auto& group = set.groups.front();
  const auto* const kind = features::kind_with_filtration(group.filtration);
  return (kind == nullptr ? features::kind_with_diagrams(group.kind) : kind)->item;
}

std::vector<Chart> drawn(const std::vector<SharedChart>& shared) {
  std::vector<Chart> charts;
  for (std::size_t i = 0; i < shared.size(); ++i) {
    const auto& [filtration, low, high, digits] = shared[i];
    charts.emplace_back(filtration, Axis{"birth", low, high}, Axis{"death", low, high}, ChartSize{460, 440});
    charts.back().diagonal();
    charts.back().slot(i, "points");
    charts.emplace_back(filtration + ", as intervals", Axis{"from birth to death", low, high},
                        Axis{"", 0, 1, false, {""}}, ChartSize{460, 440});
    charts.back().slot(i, "intervals");
  }
  return charts;
}

std::string chooser(const DiagramSet& set, std::span<const std::size_t> numbers, std::string_view noun) {
  std::string options;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto label =
        set.labels.empty() ? "" : ", class " + set.classes[static_cast<std::size_t>(set.labels[i])];
    options += fmt::format("<option>{} {}{}</option>\n", escaped(noun), numbers[i], escaped(label));
  }
  return fmt::format(
      "<div class=\"choice\"><button type=\"button\" data-step=\"-1\" aria-label=\"Previous "
      "{0}\">&#9664;</button>\n"
      "<label>Show <select>\n{1}</select></label>\n"
      "<button type=\"button\" data-step=\"1\" aria-label=\"Next {0}\">&#9654;</button>\n"
      "<output></output></div>\n",
      escaped(noun), options);
}

std::string kind_boxes(const DiagramSet& set) {
  std::string boxes;
  std::vector<diagram::Kind> kinds;
  for (const auto& group : set.groups) {
    if (std::ranges::find(kinds, group.kind) != kinds.end()) continue;
    kinds.push_back(group.kind);
    boxes += fmt::format("<label><input type=\"checkbox\" value=\"{0}\" checked> {0}</label>\n",
                         diagram::kind_name(group.kind));
  }
  return fmt::format("<div class=\"choice kinds\">\n{}</div>\n", boxes);
}

std::string caption(const NotShown& left_out) {
  const auto [infinite, huge, near_diagonal] = left_out;
  std::string text =
      "Each point is a feature that appears at its birth and ends at its death; beside, the same as "
      "intervals, "
      "kind by kind.";
  if (near_diagonal > 0)
    text += fmt::format(" Of each diagram the {} points farthest from the diagonal are shown; {} not.",
                        shown_points,
                        near_diagonal == 1 ? "1 other is" : fmt::format("{} others are", near_diagonal));
  const auto add = [&](std::size_t count, std::string_view where) {
    if (count > 0)
      text += fmt::format(" {} {} {} not shown.", counted(count, "point"), where, count == 1 ? "is" : "are");
  };
  add(infinite, "at infinity");
  add(huge, fmt::format("beyond {:g}", largest_shown));
  return text;
}

}  // namespace

std::string diagram_view(const DiagramSet& set, std::span<const std::size_t> numbers) {
  const auto noun = noun_of(set);
  std::vector<ShownGroup> groups;
  groups.reserve(set.groups.size());
  NotShown left_out;
  for (const auto& group : set.groups) groups.push_back(shown(group, left_out));
  ordered_json data{{"items", ordered_json::array()}, {"groups", ordered_json::array()}};
  for (std::size_t i = 0; i < numbers.size(); ++i)
    data["items"].push_back({{"name", fmt::format("{} {}", noun, numbers[i])}, {"about", counts_of(set, i)}});
  const auto charts = shared_charts(groups);
  for (const auto& own : groups) data["groups"].push_back(group_json(own, charts));
  return fmt::format(
      "<div class=\"diagrams\">\n{}{}{}<script type=\"application/json\">{}</script>\n</div>\n",
      chooser(set, numbers, noun), kind_boxes(set), figure(drawn(charts), caption(left_out)),
      script_json(data));
}

Page diagrams_page(const DiagramSet& set, const std::string& title, std::size_t most) {
  const auto numbers = features::sample_rows(set.item_count(), most);
  Page page;
  page.title = title;
  page.subtitle = numbers.size() == set.item_count()
                      ? numbers.size() == 1 ? "One item" : fmt::format("All {} items", numbers.size())
                      : fmt::format("{} of {} items, evenly spaced", numbers.size(), set.item_count());
  page.sections.push_back(
      {"diagrams", "Persistence diagrams", diagram_view(features::sample_diagrams(set, {}, most), numbers)});
  return page;
}

}  // namespace perslay::report
