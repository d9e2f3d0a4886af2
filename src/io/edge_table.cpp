#include "columns.h"
#include "edge_data.h"
#include "graph_format.h"
#include "utf8.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>

#include <fmt/ranges.h>

namespace perslay::io {
namespace {

using data::Vertex;
using Header = ColumnSample::Header;

// ---- which columns

/// How the table is read.
struct Layout {
  EdgeColumns columns{};
  bool header = false;
  bool header_unsure = false;  ///< The first line may be one; see require_edge.
  std::size_t width = 0;       ///< Fields of a line with an edge; 0 if each says so itself.
};

/// "a, b and c"
std::string listed(const std::vector<std::string>& names) {
  if (names.size() < 2) return names.empty() ? "" : names.front();
  return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

[[noreturn]] void ask_for_columns(const Text& text, const ColumnSample& sample) {
  if (sample.header == Header::yes)
    refuse(
        "{}: The columns are {}; --columns SOURCE,TARGET says by their names which two hold the edges, and a "
        "third name "
        "which one holds weights.",
        text.name, listed(sample.names));
  refuse(
      "{}: The lines have {} columns and no header; --columns 1,2 says by their numbers which two hold the "
      "edges, and "
      "a third number which one holds weights.",
      text.name, sample.names.size());
}

/// The place of a column that the user names.
std::size_t chosen_place(const Text& text, const std::vector<std::string>& names, const std::string& name,
                         bool by_number) {
  if (by_number) {
    const auto number = number_in<std::size_t>(name);
    if (!number || *number < 1 || *number > names.size())
      refuse("{}: There is no column {}; the columns are 1 to {}.", text.name, name, names.size());
    return *number - 1;
  }
  const auto found = std::ranges::find(names, name);
  if (found == names.end())
    refuse("{}: There is no column {}; the columns are {}.", text.name, io::quoted(name), listed(names));
  return static_cast<std::size_t>(found - names.begin());
}

Layout chosen_layout(const Text& text, const ColumnSample& sample, const std::vector<std::string>& chosen) {
  if (chosen.size() != 2 && chosen.size() != 3)
    refuse("--columns needs the columns of source and target and perhaps a third, of weights, not {}.",
           chosen.size());
  const bool by_number =
      std::ranges::all_of(chosen, [](const auto& name) { return number_in<std::size_t>(name).has_value(); });
  const auto place = [&](std::size_t i) { return chosen_place(text, sample.names, chosen[i], by_number); };
  Layout layout;
  layout.columns = {place(0), place(1), {}};
  if (chosen.size() == 3) layout.columns.weight = place(2);
  layout.header = !by_number || sample.header == Header::yes;
  layout.width = sample.names.size();
  return layout;
}

Layout layout_by_header(const Text& text, const ColumnSample& sample) {
  std::vector<std::size_t> places;  // but for the index of a table of pandas
  for (std::size_t i = 0; i < sample.names.size(); ++i)
    if (i > 0 || !(sample.names[0].empty() || sample.names[0] == "Unnamed: 0")) places.push_back(i);
  const auto ends = named_ends(sample.names);
  const auto is_end = [&](std::size_t place) {
    return ends && (place == ends->source || place == ends->target);
  };
  std::vector<std::size_t> others;
  std::ranges::copy_if(places, std::back_inserter(others), [&](std::size_t place) { return !is_end(place); });
  Layout layout{.header = true, .width = sample.names.size()};
  if (places.size() == 2) {
    layout.columns = ends.value_or(EdgeColumns{places[0], places[1], {}});
    return layout;
  }
  if (places.size() != 3 || !names_weight(sample.names[ends ? others.front() : places[2]]))
    ask_for_columns(text, sample);
  layout.columns = ends.value_or(EdgeColumns{places[0], places[1], {}});
  layout.columns.weight = ends ? others.front() : places[2];
  return layout;
}

Layout layout_of(const Text& text, const ColumnSample& sample, const std::vector<std::string>& chosen) {
  if (!chosen.empty()) return chosen_layout(text, sample, chosen);
  if (sample.header == Header::yes && sample.names.size() > 1) return layout_by_header(text, sample);
  std::size_t width = 0;
  for (const auto& row : sample.rows) width = std::max(width, row.size());
  Layout layout{.header = sample.header == Header::yes,
                .header_unsure = sample.header == Header::unsure && sample.names.size() == 2};
  if (width > 3) ask_for_columns(text, sample);
  for (const auto& row : sample.rows)
    if (row.size() == 3 && !row[2].starts_with('{') && !number_of(row[2])) ask_for_columns(text, sample);
  if (width == 3) layout.columns.weight = 2;
  return layout;
}

// ---- vertices by their names

/// Numbers vertices whose names are integers; nothing else can be one.
class IntegerIds {
 public:
  bool add(std::string_view name) {
    const auto id = integer_of(name);
    if (id) ids_.push_back(*id);
    return id.has_value();
  }
  /// A vertex without an edge; they come behind the ends of edges.
  bool add_single(std::string_view name) {
    const auto id = integer_of(name);
    if (id) singles_.push_back(*id);
    return id.has_value();
  }
  void finish(ParsedGraph& graph, bool one_based) {
    graph.arcs.resize(ids_.size() / 2);
    ids_.insert(ids_.end(), singles_.begin(), singles_.end());
    number_vertices(graph, ids_, one_based);
  }

 private:
  /// As it would be written; 1.0 is 1, as programs write integers that they hold as floats.
  static std::optional<std::int64_t> integer_of(std::string_view name) {
    constexpr double largest_whole = 9007199254740992;
    const auto digits = name.substr(name.starts_with('-') ? 1 : 0);
    if (digits.empty() || (digits.size() > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9') ||
        name == "-0")
      return std::nullopt;
    if (const auto id = number_in<std::int64_t>(name)) return id;
    if (name.find_first_not_of("-+.e0123456789") != std::string_view::npos) return std::nullopt;
    const auto real = number_in<double>(name);
    if (!real || std::trunc(*real) != *real || std::abs(*real) >= largest_whole ||
        digits.find_first_of(".e") == std::string_view::npos)
      return std::nullopt;
    return static_cast<std::int64_t>(*real);
  }

  std::vector<std::int64_t> ids_;
  std::vector<std::int64_t> singles_;
};

/// Numbers vertices in the order in which they come.
class NamedIds {
 public:
  bool add(std::string_view name) {
    ends_.push_back(numbers_(name));
    return true;
  }
  bool add_single(std::string_view name) {
    (void)numbers_(name);
    return true;
  }
  void finish(ParsedGraph& graph, bool /*one_based*/) {
    graph.vertices = numbers_.size();
    graph.arcs.reserve(ends_.size() / 2);
    for (std::size_t i = 0; i + 1 < ends_.size(); i += 2) graph.arcs.push_back({ends_[i], ends_[i + 1]});
    graph.names = numbers_.take_names();
  }

 private:
  VertexNumbers numbers_;
  std::vector<Vertex> ends_;
};

// ---- lines

class TableParser {
 public:
  TableParser(const Text& text, const Layout& layout, const base::Context& context)
      : text_(text), layout_(layout), context_(context) {}

  /// Nothing if a vertex has a name that is none of these ids.
  template <class Ids>
  std::optional<ParsedGraph> run(Ids ids, bool one_based) {
    ColumnReader reader(text_, context_);
    graph_ = {};
    has_singles_ = false;
    std::set<std::string> others;
    std::size_t edges = 0;
    if (layout_.header) {
      (void)reader.next();
      reader.end_comments();
    }
    while (reader.next()) {
      const auto& fields = reader.fields();
      if (fields.size() == 1 && layout_.width == 0) {
        require_text(reader, fields[0]);
        if (!ids.add_single(fields[0])) return std::nullopt;
        has_singles_ = true;
        continue;
      }
      require_width(reader);
      for (const std::size_t column : {layout_.columns.source, layout_.columns.target}) {
        if (fields[column].empty()) reader.fail("The name of a vertex is missing.");
        require_text(reader, fields[column]);
        if (!ids.add(fields[column])) return std::nullopt;
        note_fraction(reader, fields[column]);
      }
      add_weight(reader, others, edges++ == 0);
    }
    if (edges == 0 && layout_.header) refuse("{} has a header, but no edges.", text_.name);
    ids.finish(graph_, one_based);
    require_no_coordinates();
    if (layout_.header_unsure) require_edge();
    for (const auto& other : others) graph_.left_out.push_back(fmt::format("edge data '{}'", other));
    return std::move(graph_);
  }

 private:
  /// Names are shown to people, so they are text; anything else comes from a file that is no table.
  static void require_text(const ColumnReader& reader, std::string_view name) {
    const auto is_plain = [](char c) { return c >= ' ' && c < '\x7f'; };
    if (std::ranges::all_of(name, is_plain)) return;
    const auto is_control = [](char c) { return (c >= '\0' && c < ' ') || c == '\x7f'; };
    if (!is_utf8(name) || std::ranges::any_of(name, is_control))
      reader.fail("{} is not text in UTF-8.", io::quoted(name));
  }

  void require_width(const ColumnReader& reader) {
    const std::size_t width = reader.fields().size();
    if (layout_.width != 0 && width != layout_.width)
      reader.fail("The line has {} field{}, but the first line has {}.", width, width == 1 ? "" : "s",
                  layout_.width);
    if (layout_.width == 0 && width > 3)
      reader.fail("The line has {} fields; an edge has two, and perhaps a weight.", width);
  }

  void add_weight(const ColumnReader& reader, std::set<std::string>& others, bool first) {
    const auto& fields = reader.fields();
    const std::size_t place = layout_.columns.weight.value_or(fields.size());
    std::optional<std::string> of_data;
    std::optional<std::string_view> written;
    if (place < fields.size()) written = fields[place];
    if (written && written->starts_with('{')) {
      auto data = parse_edge_data(*written);
      if (!data) reader.fail("{} is not data of an edge such as {{'weight': 3.0}}.", io::quoted(*written));
      others.insert(data->others.begin(), data->others.end());
      of_data = std::move(data->weight);
      written.reset();
      if (of_data) written = *of_data;
    }
    require_uniform(reader, written.has_value(), first);
    if (!written) return;
    const auto weight = number_of(*written);
    if (!weight || !std::isfinite(*weight))
      reader.fail("The weight {} is not a finite number.", io::quoted(*written));
    if (!(*weight > 0)) reader.fail("The weight {} is not positive.", *weight);
    graph_.weights.push_back(*weight);
    graph_.lines.push_back(reader.line());
  }

  void require_uniform(const ColumnReader& reader, bool weighted, bool first) {
    if (first) {
      weighted_ = weighted;
      first_edge_line_ = reader.line();
    }
    if (weighted != weighted_)
      reader.fail(
          "The edge has {} weight, but the edge in line {} has {}; either all edges have one or none.",
          weighted ? "a" : "no", first_edge_line_, weighted ? "none" : "one");
  }

  void note_fraction(const ColumnReader& reader, std::string_view name) {
    if (first_fraction_.empty() && name.find('.') != std::string_view::npos && number_of(name)) {
      first_fraction_ = name;
      first_fraction_line_ = reader.line();
    }
  }

  /// Numbers with fractions and no other names are coordinates of points, unless a header says that they are names.
  void require_no_coordinates() const {
    if (layout_.header || first_fraction_.empty() || graph_.names.empty()) return;
    if (std::ranges::all_of(graph_.names, [](const auto& name) { return number_of(name).has_value(); }))
      fail_at(text_.name, first_fraction_line_, "{} is not an integer.", io::quoted(first_fraction_));
  }

  /// The words of the first line are vertices if one of them is met again, or if the lines are no table.
  void require_edge() const {
    if (has_singles_) return;
    const auto [from, to] = graph_.arcs.front();
    const auto meets = [from = from, to = to](const data::Arc& arc) {
      return arc.from == from || arc.from == to || arc.to == from || arc.to == to;
    };
    if (std::any_of(graph_.arcs.begin() + 1, graph_.arcs.end(), meets)) return;
    const auto name = [&](Vertex v) { return graph_.names[static_cast<std::size_t>(v)]; };
    fail_at(
        text_.name, first_edge_line_,
        "{0} and {1} could be the names of columns or an edge; --columns {0},{1} says that they are columns, "
        "--columns 1,2 that they are an edge.",
        name(from), name(to));
  }

  const Text& text_;
  const Layout& layout_;
  const base::Context& context_;
  ParsedGraph graph_;
  bool weighted_ = false;
  bool has_singles_ = false;
  std::int64_t first_edge_line_ = 0;
  std::string first_fraction_;
  std::int64_t first_fraction_line_ = 0;
};

}  // namespace

ParsedGraph parse_edge_table(const Text& text, const GraphReadOptions& options,
                             const base::Context& context) {
  const auto sample = sample_columns(text);
  if (sample.names.empty()) refuse("{} holds no edges and no vertices.", text.name);
  const auto layout = layout_of(text, sample, options.columns);
  TableParser parser(text, layout, context);
  if (auto graph = parser.run(IntegerIds(), options.one_based)) return *std::move(graph);
  return *parser.run(NamedIds(), options.one_based);
}

}  // namespace perslay::io
