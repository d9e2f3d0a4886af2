#include "csv.h"
#include "diagram_formats.h"
#include "output_file.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
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

/// A name that stands between blanks: in quotes if it needs them.
std::string between_blanks(const std::string& name) {
  if (!name.empty() && name.find_first_of(" \t\r\n\"") == std::string::npos) return name;
  std::string quoted = "\"";
  for (const char c : name) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

/// The vertices of a cycle, by their names if they have some.
std::string cycle_text(const diagram::CycleBatch& cycles, std::size_t point, const VertexNames& names,
                       std::size_t item) {
  const auto begin = cycles.vertices.begin();
  const std::span vertices(begin + cycles.offsets[point], begin + cycles.offsets[point + 1]);
  if (names.names.empty()) return fmt::format("{}", fmt::join(vertices, " "));
  std::string text;
  for (const auto vertex : vertices) {
    if (!text.empty()) text += ' ';
    text += between_blanks(names.names[static_cast<std::size_t>(names.offsets[item] + vertex)]);
  }
  return csv_field(text);
}

void append_item(std::string& text, const DiagramGroup& group, const std::string& names, std::size_t item,
                 bool with_cycles, const VertexNames& vertices) {
  auto point = static_cast<std::size_t>(group.diagrams.offsets()[item]);
  for (const auto [birth, death] : group.diagrams[item]) {
    append_number(text, item);
    text += names;
    append_number(text, birth);
    text += ',';
    append_number(text, death);
    if (with_cycles) {
      text += ',';
      if (group.cycles.size() > 0) text += cycle_text(group.cycles, point, vertices, item);
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

/// The vertices that cycles call by names, item by item, numbered in their order.
class CycleNames {
 public:
  std::int32_t number(std::int64_t item, const std::string& name) {
    auto& names = items_[item];
    return names.try_emplace(name, static_cast<std::int32_t>(names.size())).first->second;
  }

 private:
  std::map<std::int64_t, std::map<std::string, std::int32_t>> items_;
};

/// The next vertex of a cycle, which is taken away from the text with the blank behind it.
std::string take_vertex(const CsvReader& csv, std::string_view& text) {
  std::string name;
  std::size_t end = std::min(text.find(' '), text.size());
  if (!text.starts_with('"')) {
    name = text.substr(0, end);
  } else {
    for (std::size_t at = 1;; ++at) {
      const auto quote = text.find('"', at);
      if (quote == std::string_view::npos)
        csv.fail("A name in the cycle opens with a quote that is never closed.");
      name += text.substr(at, quote - at);
      end = at = quote + 1;
      if (at == text.size() || text[at] != '"') break;
      name += '"';
    }
  }
  text.remove_prefix(std::min(end + 1, text.size()));
  return name;
}

/// Vertices by their numbers, or by their names if `names` are given; nothing if they need names.
std::optional<std::vector<std::int32_t>> parse_cycle(const CsvReader& csv, std::string_view text,
                                                     std::int64_t item, CycleNames* names) {
  std::vector<std::int32_t> cycle;
  while (!text.empty()) {
    const auto vertex = take_vertex(csv, text);
    const auto number = number_in<std::int32_t>(vertex);
    if (names == nullptr && (!number || *number < 0)) return std::nullopt;
    cycle.push_back(names == nullptr ? *number : names->number(item, vertex));
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

/// Nothing if the cycles call vertices by names, and no `names` are given.
std::optional<std::vector<Rows>> read_rows(const Text& text, CycleNames* names) {
  CsvReader csv(text);
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
    if (!with_cycles) continue;
    auto cycle = parse_cycle(csv, fields[5], group.items.back(), names);
    if (!cycle) return std::nullopt;
    group.cycles.push_back(*std::move(cycle));
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

void write_csv(const AtomicFile& target, const DiagramSet& diagrams, const VertexNames& vertices) {
  const bool with_cycles =
      std::ranges::any_of(diagrams.groups, [](const DiagramGroup& group) { return group.cycles.size() > 0; });
  OutputFile file(target);
  file.write(fmt::format("{}\n", with_cycles ? header_with_cycles : header));
  std::string text;
  for (const auto& group : diagrams.groups) {
    const auto names = fmt::format(",{},{},", csv_field(group.filtration), diagram::kind_name(group.kind));
    for (std::size_t item = 0; item < group.diagrams.size(); ++item) {
      text.clear();
      append_item(text, group, names, item, with_cycles, vertices);
      file.write(text);
    }
  }
  file.close();
}

DiagramSet read_csv(const fs::path& path) {
  const Text text = load_text(path);
  CycleNames names;
  auto rows = read_rows(text, nullptr);
  if (!rows) rows = read_rows(text, &names);
  const auto& groups = *rows;
  const std::size_t items = count_items(text.name, groups);
  DiagramSet set;
  for (const auto& group : groups) set.groups.push_back(pack(group, items));
  return set;
}

}  // namespace perslay::io
