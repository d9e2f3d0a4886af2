#include "graph_parsers.h"
#include "matrix_entries.h"

#include <array>
#include <limits>
#include <sstream>

namespace perslay::io {
namespace {

using data::Vertex;

constexpr std::string_view banner = "%%matrixmarket";

/// What the first line says.
struct Header {
  bool has_values = false;
  bool symmetric = false;
};

Header parse_header(const Text& text) {
  std::istringstream line(
      lower_case(text.content.substr(0, std::min(text.content.find('\n'), std::size_t{1000}))));
  std::array<std::string, 5> words;
  for (std::string& word : words) line >> word;
  const auto& [first, object, storage, field, symmetry] = words;
  const auto fail = [&](const std::string& found, const char* expected) {
    fail_at(text.name, 1, "The matrix is called {}; {} is expected.", io::quoted(found), expected);
  };
  if (first != banner) fail_at(text.name, 1, "A MatrixMarket file begins with '%%MatrixMarket'.");
  if (object != "matrix" || storage != "coordinate")
    fail(object + ' ' + storage, "'matrix coordinate', a list of entries,");
  if (field != "pattern" && field != "real" && field != "integer")
    fail(field, "'pattern', 'real' or 'integer'");
  if (symmetry != "general" && symmetry != "symmetric") fail(symmetry, "'general' or 'symmetric'");
  return {field != "pattern", symmetry == "symmetric"};
}

}  // namespace

bool recognises_matrix_market(std::string_view beginning) {
  return lower_case(std::string(beginning.substr(0, banner.size()))) == banner;
}

std::vector<ParsedGraph> parse_matrix_market(const Text& text, const GraphReadOptions& /*options*/,
                                             const base::Context& context) {
  const Header header = parse_header(text);
  NumberReader reader(text, context, NumberReader::Between::comments);
  const auto integer = [&] {
    const std::int64_t value = reader.integer();
    reader.next_number();
    return value;
  };
  if (!reader.next_line()) fail_at(text.name, 1, "The line 'rows columns entries' is missing.");
  const std::int64_t rows = integer(), columns = integer(), entries = integer();
  reader.end_line();
  if (rows < 0 || columns < 0 || entries < 0)
    reader.fail("{} {} {} is no size of a matrix.", rows, columns, entries);
  if (rows != columns)
    reader.fail("The matrix has {} rows and {} columns; the matrix of a graph is square.", rows, columns);
  if (rows >= std::numeric_limits<Vertex>::max() || rows > most_by_number(text.content.size()))
    reader.fail("{} rows are too many for a file of {} bytes: most vertices would have no edges.", rows,
                text.content.size());

  MatrixEntries matrix(text.name, static_cast<Vertex>(rows));
  std::int64_t count = 0;
  while (reader.next_line()) {
    if (++count > entries) reader.fail("The line is entry {}, but the size line says {}.", count, entries);
    const std::int64_t row = integer(), column = integer();
    if (row < 1 || row > rows || column < 1 || column > rows)
      reader.fail("Entry ({}, {}) is out of range: rows and columns are 1 to {}.", row, column, rows);
    if (header.symmetric && column > row)
      reader.fail("Entry ({}, {}) is above the diagonal, but the matrix is symmetric.", row, column);
    const data::Arc arc{static_cast<Vertex>(row - 1), static_cast<Vertex>(column - 1)};
    if (header.has_values)
      matrix.add(arc, reader.real(), reader.line());
    else
      matrix.add(arc);
    reader.end_line();
  }
  if (count != entries)
    fail_at(text.name, reader.line(), "The file ends after {} entries, but the size line says {}.", count,
            entries);
  std::vector<ParsedGraph> graphs;
  graphs.push_back(matrix.finish());
  return graphs;
}

}  // namespace perslay::io
