#include "csv.h"
#include "diagram_formats.h"
#include "output_file.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include <fmt/ranges.h>

namespace perslay::io {
namespace {

namespace fs = std::filesystem;
using diagram::DiagramGroup;
using diagram::DiagramSet;
using diagram::Point;

constexpr std::string_view header = "item,filtration,kind,birth,death";
constexpr std::string_view header_with_cycles = "item,filtration,kind,birth,death,cycle";

// ---- writing

std::string cycle_text(const diagram::CycleBatch& cycles, std::size_t point) {
  const auto begin = cycles.vertices.begin();
  return fmt::format("{}", fmt::join(begin + cycles.offsets[point], begin + cycles.offsets[point + 1], " "));
}

void append_item(std::string& text, const DiagramGroup& group, const std::string& names, std::size_t item,
                 bool with_cycles) {
  auto point = static_cast<std::size_t>(group.diagrams.offsets()[item]);
  for (const auto [birth, death] : group.diagrams[item]) {
    append_number(text, item);
    text += names;
    append_number(text, birth);
    text += ',';
    append_number(text, death);
    if (with_cycles) {
      text += ',';
      if (group.cycles.size() > 0) text += cycle_text(group.cycles, point);
    }
    text += '\n';
    ++point;
  }
}

// ---- reading

/// The rows of one group, in the order of the file.
struct Rows {
  std::string filtration;
  diagram::Kind kind = diagram::Kind::ord0;
  std::vector<std::int64_t> items;
  std::vector<Point> points;
  std::vector<std::vector<std::int32_t>> cycles;
};

/// A number that is not NaN, or a whole one from 0.
template <class Number>
Number parse(const CsvReader& csv, std::string_view text, std::string_view what) {
  const auto value = number_in<Number>(text);
  if (!value || std::isnan(static_cast<double>(*value)) || (std::is_integral_v<Number> && *value < 0))
    csv.fail("{} is {}.", what, io::quoted(text));
  return *value;
}

std::vector<std::int32_t> parse_cycle(const CsvReader& csv, std::string_view text) {
  std::vector<std::int32_t> cycle;
  while (!text.empty()) {
    const auto token = text.substr(0, text.find(' '));
    cycle.push_back(parse<std::int32_t>(csv, token, "A vertex of the cycle"));
    text.remove_prefix(std::min(token.size() + 1, text.size()));
  }
  return cycle;
}

bool check_header(CsvReader& csv) {
  if (!csv.next()) csv.fail("The file is empty; a diagram file starts with the line '{}'.", header);
  const std::string found = fmt::format("{}", fmt::join(csv.fields(), ","));
  if (found != header && found != header_with_cycles)
    csv.fail("A diagram file starts with the line '{}', not with {}.", header, io::quoted(found));
  return found == header_with_cycles;
}

Rows& rows_of(std::vector<Rows>& groups, const CsvReader& csv) {
  const auto& filtration = csv.fields()[1];
  const auto& kind_name = csv.fields()[2];
  for (auto& group : groups)
    if (group.filtration == filtration && diagram::kind_name(group.kind) == kind_name) return group;
  try {
    groups.push_back({filtration, diagram::parse_kind(kind_name), {}, {}, {}});
  } catch (const base::Error& error) {
    csv.fail("{}", error.what());
  }
  return groups.back();
}

std::vector<Rows> read_rows(CsvReader& csv) {
  const bool with_cycles = check_header(csv);
  const std::size_t expected = with_cycles ? 6 : 5;
  std::vector<Rows> groups;
  while (csv.next()) {
    const auto& fields = csv.fields();
    if (fields.size() != expected)
      csv.fail("The line has {} fields; the header has {}.", fields.size(), expected);
    Rows& group = rows_of(groups, csv);
    group.items.push_back(parse<std::int64_t>(csv, fields[0], "The item"));
    group.points.push_back(
        {parse<double>(csv, fields[3], "The birth"), parse<double>(csv, fields[4], "The death")});
    if (with_cycles) group.cycles.push_back(parse_cycle(csv, fields[5]));
  }
  return groups;
}

/// The number of items. Refuses so many without points that they can only come from a damaged number.
std::size_t count_items(const std::string& file, const std::vector<Rows>& groups) {
  std::int64_t last = -1;
  std::int64_t points = 0;
  for (const auto& rows : groups) {
    points += static_cast<std::int64_t>(rows.items.size());
    for (const auto item : rows.items) last = std::max(last, item);
  }
  if (last > 100 * points + 1'000'000)
    refuse("{}: The file has an item {} but only {} points.", file, last, points);
  return static_cast<std::size_t>(last + 1);
}

/// Sorts the rows of a group by item; a file may have them in any order.
DiagramGroup pack(const Rows& rows, std::size_t items) {
  std::vector<std::size_t> order(rows.items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {},
                           [&](std::size_t i) { return std::pair(rows.items[i], rows.points[i]); });

  std::vector<std::int64_t> offsets(items + 1, 0);
  for (const auto item : rows.items) ++offsets[static_cast<std::size_t>(item) + 1];
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());

  DiagramGroup group{rows.filtration, rows.kind, {}, {}};
  std::vector<Point> points;
  const bool with_cycles = std::ranges::any_of(rows.cycles, [](const auto& cycle) { return !cycle.empty(); });
  for (const auto i : order) {
    points.push_back(rows.points[i]);
    if (!with_cycles) continue;
    group.cycles.vertices.insert(group.cycles.vertices.end(), rows.cycles[i].begin(), rows.cycles[i].end());
    group.cycles.offsets.push_back(static_cast<std::int64_t>(group.cycles.vertices.size()));
  }
  group.diagrams = {std::move(points), std::move(offsets)};
  return group;
}

}  // namespace

void write_csv(const AtomicFile& target, const DiagramSet& diagrams) {
  const bool with_cycles =
      std::ranges::any_of(diagrams.groups, [](const DiagramGroup& group) { return group.cycles.size() > 0; });
  OutputFile file(target);
  file.write(fmt::format("{}\n", with_cycles ? header_with_cycles : header));
  std::string text;
  for (const auto& group : diagrams.groups) {
    const auto names = fmt::format(",{},{},", csv_field(group.filtration), diagram::kind_name(group.kind));
    for (std::size_t item = 0; item < group.diagrams.size(); ++item) {
      text.clear();
      append_item(text, group, names, item, with_cycles);
      file.write(text);
    }
  }
  file.close();
}

DiagramSet read_csv(const fs::path& path) {
  const Text text = load_text(path);
  CsvReader csv(text);
  const auto groups = read_rows(csv);
  const std::size_t items = count_items(text.name, groups);
  DiagramSet set;
  for (const auto& rows : groups) set.groups.push_back(pack(rows, items));
  return set;
}

}  // namespace perslay::io
