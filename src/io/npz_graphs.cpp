#include "archive.h"
#include "graph_parsers.h"
#include "matrix_entries.h"
#include "npy_array.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/ranges.h>

namespace perslay::io {
namespace {

using data::Arc;
using data::Vertex;
using Type = NpyArray::Type;

/// The arrays of the file by their names. One is parsed when it is asked for.
class Arrays {
 public:
  Arrays(const Text& file, const GraphReadOptions& options, const base::Context& context)
      : file_(file.name),
        members_(read_zip_members(
            file, [](std::string_view) { return true; }, options.unpack_limit, context)) {
    for (Text& member : members_) {
      std::string name =
          member.name.ends_with(".npy") ? member.name.substr(0, member.name.size() - 4) : member.name;
      bytes_ += member.content.size();
      member.name = fmt::format("{}:{}", file_, member.name);
      by_name_.emplace(std::move(name), &member);
    }
  }

  [[nodiscard]] bool has(const std::string& name) const { return by_name_.contains(name); }

  [[nodiscard]] std::optional<NpyArray> find(const std::string& name) {
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) return std::nullopt;
    used_.insert(name);
    return NpyArray(*found->second);
  }
  [[nodiscard]] NpyArray need(const std::string& name) {
    if (auto array = find(name)) return *std::move(array);
    refuse("{} has no array {}, which belongs to a sparse matrix of SciPy.", file_, io::quoted(name));
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& [name, member] : by_name_) all.push_back(io::quoted(name));
    return all;
  }
  [[nodiscard]] std::vector<std::string> left_out() const {
    std::vector<std::string> names;
    for (const auto& [name, member] : by_name_)
      if (!used_.contains(name)) names.push_back(fmt::format("array {}", io::quoted(name)));
    return names;
  }
  [[nodiscard]] const std::string& file() const noexcept { return file_; }
  /// The size of all arrays.
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

 private:
  const std::string& file_;
  std::vector<Text> members_;
  std::map<std::string, const Text*> by_name_;
  std::set<std::string> used_;
  std::size_t bytes_ = 0;
};

void require_type(const NpyArray& array, std::initializer_list<Type> types, const char* expected) {
  if (std::ranges::find(types, array.type()) == types.end())
    refuse("{}: The array holds values of the type {}; {} are expected.", array.file(),
           io::quoted(array.type_text()), expected);
}
void require_integers(const NpyArray& array) { require_type(array, {Type::integer}, "integers"); }
void require_numbers(const NpyArray& array) {
  require_type(array, {Type::integer, Type::real, Type::boolean}, "numbers");
}
void require_shape(const NpyArray& array, std::initializer_list<std::size_t> shape) {
  if (!std::ranges::equal(array.shape(), shape))
    refuse("{}: The array has the shape {}; ({}) is expected.", array.file(), shape_text(array.shape()),
           fmt::join(shape, ", "));
}

/// Element i of a list, from 0 to `most`.
std::size_t index_at(const NpyArray& array, std::size_t i, std::size_t most) {
  const double value = array(i);
  if (!(value >= 0 && value <= static_cast<double>(most)))
    refuse("{}: Element {}, counted from 0, is {}; it should be 0 to {}.", array.file(), i, array.text(i),
           most);
  return static_cast<std::size_t>(value);
}

Vertex vertex_count(const Arrays& arrays, const std::string& what, double count) {
  if (!(count >= 0) || count >= static_cast<double>(std::numeric_limits<Vertex>::max()) ||
      count > static_cast<double>(most_by_number(arrays.bytes())))
    refuse("{}: {} {} are no number of vertices for arrays of {} bytes.", arrays.file(), count, what,
           arrays.bytes());
  return static_cast<Vertex>(count);
}

// ---- sparse matrices

class SparseMatrix {
 public:
  explicit SparseMatrix(Arrays& arrays)
      : arrays_(arrays),
        values_(arrays.need("data")),
        rows_(size(arrays)),
        entries_(arrays.file(), rows_, 0) {
    require_numbers(values_);
  }

  ParsedGraph run() {
    const NpyArray format = arrays_.need("format");
    const std::string name = format.type() == Type::text && format.shape().empty() ? format.text(0) : "?";
    if (name == "csr")
      add_compressed(false);
    else if (name == "csc")
      add_compressed(true);
    else if (name == "coo")
      add_coordinates();
    else if (name == "dia")
      add_diagonals();
    else
      refuse("{}: The sparse matrix has the format {}; csr, csc, coo and dia are read.", arrays_.file(),
             io::quoted(name));
    return entries_.finish();
  }

 private:
  static Vertex size(Arrays& arrays) {
    const NpyArray shape = arrays.need("shape");
    require_integers(shape);
    require_shape(shape, {2});
    if (shape(0) != shape(1))
      refuse("{}: The matrix has {} rows and {} columns; the matrix of a graph is square.", arrays.file(),
             shape.text(0), shape.text(1));
    return vertex_count(arrays, "rows", shape(0));
  }

  [[nodiscard]] std::size_t rows() const noexcept { return static_cast<std::size_t>(rows_); }
  [[nodiscard]] std::size_t last() const noexcept { return rows() == 0 ? 0 : rows() - 1; }

  void add(std::size_t row, std::size_t column, double value) {
    if (row >= rows() || column >= rows())
      refuse("{}: The matrix has no rows, but an entry.", arrays_.file());
    const Arc arc{static_cast<Vertex>(row), static_cast<Vertex>(column)};
    if (values_.type() == Type::boolean && value != 0)
      entries_.add(arc);
    else
      entries_.add(arc, value, 0);
  }

  void add_compressed(bool by_columns) {
    const NpyArray indices = arrays_.need("indices"), begins = arrays_.need("indptr");
    require_integers(indices);
    require_integers(begins);
    require_shape(begins, {rows() + 1});
    require_shape(values_, {values_.size()});
    require_shape(indices, {values_.size()});
    std::size_t begin = index_at(begins, 0, 0);
    for (std::size_t row = 0; row < rows(); ++row) {
      const std::size_t end = index_at(begins, row + 1, values_.size());
      if (end < begin)
        refuse("{}: Element {}, counted from 0, is {}, less than the one before.", begins.file(), row + 1,
               end);
      for (std::size_t i = begin; i < end; ++i) {
        const std::size_t column = index_at(indices, i, last());
        by_columns ? add(column, row, values_(i)) : add(row, column, values_(i));
      }
      begin = end;
    }
    if (begin != values_.size())
      refuse("{}: The last element is {}, but there are {} entries.", begins.file(), begin, values_.size());
  }

  void add_coordinates() {
    const NpyArray row = arrays_.need("row"), column = arrays_.need("col");
    require_integers(row);
    require_integers(column);
    for (const NpyArray* const array : {&std::as_const(values_), &row, &column})
      require_shape(*array, {values_.size()});
    for (std::size_t i = 0; i < values_.size(); ++i)
      add(index_at(row, i, last()), index_at(column, i, last()), values_(i));
  }

  /// Column j of the data has column j of the matrix; zeros fill it up.
  void add_diagonals() {
    const NpyArray offsets = arrays_.need("offsets");
    require_integers(offsets);
    if (values_.shape().size() != 2)
      refuse("{}: The array has the shape {}; (diagonals, columns) is expected.", values_.file(),
             shape_text(values_.shape()));
    require_shape(offsets, {values_.shape()[0]});
    for (std::size_t k = 0; k < values_.shape()[0]; ++k) {
      const double offset = offsets(k);
      for (std::size_t column = 0; column < std::min(values_.shape()[1], rows()); ++column) {
        const double row = static_cast<double>(column) - offset;
        const double value = values_(k, column);
        if (row >= 0 && row < static_cast<double>(rows()) && value != 0)
          add(static_cast<std::size_t>(row), column, value);
      }
    }
  }

  Arrays& arrays_;
  NpyArray values_;
  Vertex rows_;
  MatrixEntries entries_;
};

// ---- plain arrays

class PlainArrays {
 public:
  explicit PlainArrays(Arrays& arrays) : arrays_(arrays) {}

  ParsedGraph run() {
    add_edges();
    add_features();
    set_vertices();
    add_weights();
    add_labels();
    return std::move(graph_);
  }

 private:
  void add_edges() {
    const bool by_pairs = arrays_.has("edges");
    if (by_pairs && arrays_.has("edge_index"))
      refuse("{} has both arrays 'edges' and 'edge_index'; one is expected.", arrays_.file());
    const NpyArray array = arrays_.need(by_pairs ? "edges" : "edge_index");
    const auto& shape = array.shape();
    if (shape.size() != 2 || (shape[0] != 2 && shape[1] != 2))
      refuse("{}: The array has the shape {}; (2, edges) or (edges, 2) is expected.", array.file(),
             shape_text(array.shape()));
    if (by_pairs && shape[0] == 2 && shape[1] == 2)
      refuse("{}: The two edges could be the rows or the columns; an array 'edge_index' has them as columns.",
             array.file());
    if (array.size() > 0) require_integers(array);
    const bool columns = shape[0] == 2;
    constexpr std::size_t most = std::numeric_limits<Vertex>::max() - 1;
    const auto vertex = [&](std::size_t edge, std::size_t end) {
      const double value = columns ? array(end, edge) : array(edge, end);
      if (!(value >= 0 && value <= static_cast<double>(most)))
        refuse("{}: Edge {}, counted from 0, ends at vertex {}; vertices are numbered 0 to {}.", array.file(),
               edge, value, most);
      return static_cast<Vertex>(value);
    };
    const std::size_t edges = shape[columns ? 1 : 0];
    graph_.arcs.reserve(edges);
    for (std::size_t edge = 0; edge < edges; ++edge)
      graph_.arcs.push_back({vertex(edge, 0), vertex(edge, 1)});
  }

  /// A column of the array x for each number of a vertex.
  void add_features() {
    const auto array = arrays_.find("x");
    if (!array) return;
    require_numbers(*array);
    const auto& shape = array->shape();
    if (shape.empty() || shape.size() > 2)
      refuse("{}: The array has the shape {}; (vertices, numbers) is expected.", array->file(),
             shape_text(array->shape()));
    features_ = shape[0];
    const std::size_t columns = shape.size() == 2 ? shape[1] : 1;
    for (std::size_t column = 0; column < columns && array->size() > 0; ++column) {
      VertexColumn& made = graph_.columns.emplace_back();
      made.name = columns == 1 ? "x" : fmt::format("x_{}", column);
      made.numbers.resize(*features_);
      for (std::size_t row = 0; row < *features_; ++row) {
        made.numbers[row] = shape.size() == 2 ? (*array)(row, column) : (*array)(row);
        if (!std::isfinite(made.numbers[row]))
          refuse("{}: Row {}, counted from 0, has the number {}; numbers of vertices are finite.",
                 array->file(), row, made.numbers[row]);
      }
    }
  }

  void set_vertices() {
    double count = 0;
    for (const auto& [from, to] : graph_.arcs) count = std::max({count, from + 1.0, to + 1.0});
    const double needed = count;
    if (features_) count = static_cast<double>(*features_);
    if (const auto array = arrays_.find("num_nodes")) {
      require_integers(*array);
      if (array->size() != 1)
        refuse("{}: The array has the shape {}; one number is expected.", array->file(),
               shape_text(array->shape()));
      const double given = array->number(0);
      if (features_ && given != count)
        refuse("{}: 'num_nodes' is {}, but 'x' has {} rows.", arrays_.file(), given, count);
      count = given;
    }
    if (needed > count)
      refuse("{}: An edge ends at vertex {}, but there are {} vertices.", arrays_.file(), needed - 1, count);
    graph_.vertices = vertex_count(arrays_, "vertices", count);
  }

  void add_weights() {
    const auto array = arrays_.find("edge_weight");
    if (!array) return;
    require_numbers(*array);
    const std::size_t edges = graph_.arcs.size();
    if (array->shape() != std::vector{edges, std::size_t{1}}) require_shape(*array, {edges});
    for (std::size_t edge = 0; edge < edges; ++edge) {
      const double weight = array->number(edge);
      if (!std::isfinite(weight) || !(weight > 0))
        refuse("{}: Edge {}, counted from 0, has the weight {}; weights are positive and finite.",
               array->file(), edge, weight);
      graph_.weights.push_back(weight);
    }
  }

  /// One number is the class of the graph, one for each vertex are labels of vertices.
  void add_labels() {
    if (!arrays_.has("y")) return;
    const auto array = arrays_.find("y");
    const std::size_t vertices = static_cast<std::size_t>(graph_.vertices);
    if (array->size() == 1 && array->shape().size() < 2) {
      graph_.label = array->text(0);
    } else if (array->type() == Type::integer && array->shape() == std::vector{vertices}) {
      VertexColumn& column = graph_.columns.emplace_back();
      column.name = "label";
      for (std::size_t vertex = 0; vertex < vertices; ++vertex) column.numbers.push_back((*array)(vertex));
    } else {
      graph_.left_out.push_back(fmt::format("array 'y' of shape {}", shape_text(array->shape())));
    }
  }

  Arrays& arrays_;
  std::optional<std::size_t> features_;
  ParsedGraph graph_;
};

}  // namespace

bool recognises_npz(std::string_view beginning) { return beginning.starts_with("PK\x03\x04"); }

std::vector<ParsedGraph> parse_npz(const Text& text, const GraphReadOptions& options,
                                   const base::Context& context) {
  Arrays arrays(text, options, context);
  std::vector<ParsedGraph> graphs;
  if (arrays.has("format") && arrays.has("shape")) {
    (void)arrays.find("_is_array");  // whether it was a sparse array or a sparse matrix
    graphs.push_back(SparseMatrix(arrays).run());
  } else if (arrays.has("edge_index") || arrays.has("edges")) {
    graphs.push_back(PlainArrays(arrays).run());
  } else {
    refuse(
        "{} holds no graph but the arrays {}; a sparse matrix of SciPy or an array 'edge_index' is expected.",
        text.name, fmt::join(arrays.names(), ", "));
  }
  for (auto& name : arrays.left_out()) graphs[0].left_out.push_back(std::move(name));
  return graphs;
}

}  // namespace perslay::io
