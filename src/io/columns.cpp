#include "columns.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace perslay::io {
namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

/// Small letters and digits alone.
std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : lower_case(std::string(name)))
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) plain += c;
  return plain;
}

std::optional<std::size_t> place_of(const std::vector<std::string>& plain, std::string_view name) {
  const auto found = std::ranges::find(plain, name);
  if (found == plain.end()) return std::nullopt;
  return static_cast<std::size_t>(found - plain.begin());
}

std::vector<std::string> plain_names(const std::vector<std::string>& names) {
  std::vector<std::string> plain;
  plain.reserve(names.size());
  for (const auto& name : names) plain.push_back(plain_name(name));
  return plain;
}

/// Whether a field of the first line stands in a column of numbers, or one of its words stands below as well.
ColumnSample::Header header_of(const std::vector<std::string>& first,
                               const std::vector<std::vector<std::string>>& below) {
  using enum ColumnSample::Header;
  const bool has_data = std::ranges::any_of(first, [](const auto& field) { return field.starts_with('{'); });
  const bool has_number =
      std::ranges::any_of(first, [](const auto& field) { return number_of(field).has_value(); });
  if (first.size() > 1 && first.front().empty()) return yes;  // the index of a table of pandas
  if (has_data || has_number) return no;
  if (named_ends(first) || named_coordinates(first)) return yes;
  const std::set<std::string> words(first.begin(), first.end());
  bool over_numbers = false;
  for (const auto& row : below)
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (words.contains(row[c])) return no;
      over_numbers = over_numbers || (c < first.size() && number_of(row[c]));
    }
  return over_numbers ? yes : unsure;
}

}  // namespace

char separator_of(std::string_view line) {
  bool in_quotes = false;
  std::string outside;
  for (const char c : line) {
    if (c == '"') in_quotes = !in_quotes;
    if (c == '{' && !in_quotes) break;
    if (!in_quotes) outside += c;
  }
  const auto bare = trimmed(outside);
  for (const char separator : {'\t', ';', ','})
    if (bare.find(separator) != std::string_view::npos) return separator;
  return ' ';
}

ColumnReader::ColumnReader(const Text& text, const base::Context& context)
    : name_(text.name), context_(context), rest_(text.content) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (rest_.starts_with(byte_order_mark)) rest_.remove_prefix(byte_order_mark.size());
  for (auto look = rest_; !look.empty();) {
    const auto line = look.substr(0, look.find('\n'));
    const auto bare = trimmed(line);
    if (!bare.empty() && bare.front() != '#' && bare.front() != '%') {
      separator_ = separator_of(line);
      break;
    }
    look.remove_prefix(std::min(line.size() + 1, look.size()));
  }
}

bool ColumnReader::next() {
  while (!rest_.empty()) {
    ++line_;
    if ((line_ & 0xFFFF) == 0) context_.stop_if_cancelled();
    const auto line = rest_.substr(0, rest_.find('\n'));
    rest_.remove_prefix(std::min(line.size() + 1, rest_.size()));
    const auto begin = line.find_first_not_of(blanks);
    if (begin == std::string_view::npos) continue;
    if (comments_ && (line[begin] == '#' || line[begin] == '%')) continue;
    split(line);
    return true;
  }
  return false;
}

void ColumnReader::split(std::string_view line) {
  fields_.clear();
  if (!unquoted_.empty()) unquoted_.clear();
  const bool by_blanks = separator_ == ' ';
  const std::string_view around = separator_ == '\t' ? " \r" : blanks;
  while (true) {
    line.remove_prefix(std::min(line.find_first_not_of(around), line.size()));
    if (by_blanks && line.empty()) return;
    if (line.starts_with('{')) {
      fields_.push_back(trimmed(line));
      return;
    }
    if (line.starts_with('"')) {
      fields_.push_back(quoted_field(line));
    } else {
      const auto end = by_blanks ? line.find_first_of(blanks) : line.find(separator_);
      fields_.push_back(trimmed(line.substr(0, end)));
      line.remove_prefix(std::min(end, line.size()));
    }
    if (by_blanks) continue;
    line.remove_prefix(std::min(line.find_first_not_of(around), line.size()));
    if (line.empty()) return;
    if (line.front() != separator_) fail("There is something after the closing quote of a field.");
    line.remove_prefix(1);
  }
}

std::string_view ColumnReader::quoted_field(std::string_view& line) {
  std::string content;
  for (std::size_t at = 1;;) {
    const auto quote = line.find('"', at);
    if (quote == std::string_view::npos) fail("A field that opens with a quote is never closed.");
    content += line.substr(at, quote - at);
    at = quote + 1;
    if (at < line.size() && line[at] == '"') {
      content += '"';
      ++at;
      continue;
    }
    line.remove_prefix(at);
    return unquoted_.emplace_back(std::move(content));
  }
}

std::optional<double> number_of(std::string_view field) {
  if (field.starts_with('+') && !field.starts_with("+-")) field.remove_prefix(1);
  return number_in<double>(field);
}

ColumnSample sample_columns(const Text& text) {
  constexpr std::size_t most = 100;
  const base::Context context;
  ColumnReader reader(text, context);
  ColumnSample sample;
  sample.separator = reader.separator();
  while (sample.rows.size() < most && reader.next())
    sample.rows.emplace_back(reader.fields().begin(), reader.fields().end());
  if (sample.rows.empty()) return sample;
  sample.names = std::move(sample.rows.front());
  sample.rows.erase(sample.rows.begin());
  sample.header = header_of(sample.names, sample.rows);
  if (sample.header != ColumnSample::Header::yes) sample.rows.insert(sample.rows.begin(), sample.names);
  return sample;
}

std::optional<EdgeColumns> named_ends(const std::vector<std::string>& names) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 16> pairs{{
      {"source", "target"},
      {"src", "dst"},
      {"from", "to"},
      {"sourceid", "targetid"},
      {"srcid", "dstid"},
      {"fromid", "toid"},
      {"fromnodeid", "tonodeid"},
      {"fromnode", "tonode"},
      {"sourcenode", "targetnode"},
      {"node1", "node2"},
      {"nodeid1", "nodeid2"},
      {"node1id", "node2id"},
      {"vertex1", "vertex2"},
      {"id1", "id2"},
      {"u", "v"},
      {"i", "j"},
  }};
  const auto plain = plain_names(names);
  for (const auto& [from, to] : pairs) {
    const auto source = place_of(plain, from), target = place_of(plain, to);
    if (source && target) return EdgeColumns{*source, *target, {}};
  }
  return std::nullopt;
}

bool names_weight(std::string_view name) {
  static constexpr std::array<std::string_view, 12> weights{"weight",   "weights", "w",        "edgeweight",
                                                            "value",    "length",  "distance", "strength",
                                                            "capacity", "cost",    "count",    "similarity"};
  return std::ranges::find(weights, plain_name(name)) != weights.end();
}

bool names_index(std::string_view name) {
  static constexpr std::array<std::string_view, 7> indices{"",      "index", "id",    "unnamed0",
                                                           "point", "row",   "number"};
  return std::ranges::find(indices, plain_name(name)) != indices.end();
}

std::optional<PointColumns> named_coordinates(const std::vector<std::string>& names) {
  const auto plain = plain_names(names);
  const auto x = place_of(plain, "x"), y = place_of(plain, "y");
  if (!x || !y) return std::nullopt;
  return PointColumns{*x, *y};
}

}  // namespace perslay::io
