#include "archive.h"
#include "graph_parsers.h"
#include "stream.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include <fmt/ranges.h>

#include <perslay/io/path_type.h>

namespace perslay::io {

namespace fs = std::filesystem;

namespace {

using data::Vertex;

/// The tables of a dataset: in the folder `raw`, packed by gzip or not.
constexpr std::array tables{"edge",      "num-node-list", "num-edge-list",     "graph-label",  "node-label",
                            "node-feat", "edge-feat",     "triplet-type-list", "num-node-dict"};
constexpr std::string_view packed_ending = ".csv.gz", plain_ending = ".csv";

struct Path {
  std::string_view folder;  ///< With the slash at its end, or nothing.
  std::string_view file;
};

Path split_path(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? Path{"", path}
                                         : Path{path.substr(0, slash + 1), path.substr(slash + 1)};
}

/// The name of a table without its ending; nothing if the file is none.
std::string_view table_of(std::string_view file) {
  for (const std::string_view table : tables) {
    const std::string_view ending = file.substr(std::min(table.size(), file.size()));
    if (file.starts_with(table) && (ending == packed_ending || ending == plain_ending)) return table;
  }
  return {};
}

/// "scaffold" for "mol/split/scaffold/train.csv.gz".
std::string_view split_of(std::string_view path) {
  const auto [folder, file] = split_path(path);
  if (file != "train.csv.gz" && file != "valid.csv.gz" && file != "test.csv.gz") return {};
  const auto [outer, name] = split_path(folder.substr(0, folder.empty() ? 0 : folder.size() - 1));
  return outer == "split/" || outer.ends_with("/split/") ? name : std::string_view();
}

class MemoryStream final : public Stream {
 public:
  explicit MemoryStream(std::string_view bytes) : bytes_(bytes) {}
  std::string_view next() override { return std::exchange(bytes_, {}); }

 private:
  std::string_view bytes_;
};

/// Unpacks the files in turn, within a limit for all.
class Unpacker {
 public:
  Unpacker(std::uint64_t packed_bytes, const GraphReadOptions& options, const base::Context& context)
      : limit_(options.unpack_limit.value_or(default_unpack_limit(packed_bytes))), context_(context) {}

  Text operator()(Text&& taken) {
    const Text packed = std::move(taken);
    if (!packed.name.ends_with(packed_ending)) return {packed.name, packed.content};
    Text text{packed.name, {}};
    const auto stream = unpacked_stream(
        std::make_unique<PeekedStream>(std::make_unique<MemoryStream>(packed.content)), packed.name);
    for (auto bytes = stream->next(); !bytes.empty(); bytes = stream->next()) {
      context_.stop_if_cancelled();
      if (bytes.size() > limit_ - unpacked_)
        refuse(
            "{} unpacks to more than the {} bytes that are allowed for the dataset; --unpack-limit allows "
            "more.",
            packed.name, limit_);
      unpacked_ += bytes.size();
      text.content += bytes;
    }
    return text;
  }

 private:
  std::uint64_t limit_;
  std::uint64_t unpacked_ = 0;
  const base::Context& context_;
};

// ---- tables

/// One integer per line, each from 0 to `most`.
std::vector<std::int64_t> parse_counts(const Text& text, const base::Context& context) {
  constexpr std::int64_t most = std::numeric_limits<Vertex>::max() - 1;
  std::vector<std::int64_t> counts;
  NumberReader reader(text, context);
  while (reader.next_line()) {
    counts.push_back(reader.integer());
    if (counts.back() < 0 || counts.back() > most)
      reader.fail("{} is out of range: a graph has 0 to {} of them.", counts.back(), most);
    reader.end_line();
  }
  return counts;
}

/// Rows of equally many numbers, one row for each of the things that `owners` counts. `take(reader, column)` takes a
/// number. Returns how many columns there are.
template <class BeginRow, class Take>
std::size_t parse_rows(const Text& text, std::int64_t rows, const char* things, const base::Context& context,
                       BeginRow begin_row, Take take) {
  NumberReader reader(text, context);
  std::int64_t row = 0;
  std::size_t columns = 0;
  while (reader.next_line()) {
    if (row == rows) reader.fail("The line is one more than there are {}: {}.", things, rows);
    begin_row(row);
    std::size_t column = 0;
    do take(reader, column++);
    while (reader.next_number());
    reader.end_line();
    if (row++ == 0) columns = column;
    if (column != columns)
      reader.fail("The line has {} columns, but the first line has {}.", column, columns);
  }
  if (row != rows)
    fail_at(text.name, row + 1, "The file has {} lines, but there are {} {}.", row, rows, things);
  return columns;
}

/// The fields of tables of labels, which may also hold `nan` or nothing.
struct Labels {
  std::vector<std::string> fields;  ///< Of the first column.
  std::size_t columns = 0;          ///< Of the line that has most.
  bool integers = true;
};

Labels parse_labels(const Text& text, const base::Context& context) {
  Labels labels;
  std::string_view rest = text.content;
  while (!rest.empty()) {
    if ((labels.fields.size() & 0xFFFF) == 0) context.stop_if_cancelled();
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    labels.columns = std::max(labels.columns, static_cast<std::size_t>(std::ranges::count(line, ',')) + 1);
    const std::string_view field = line.substr(0, line.find(','));
    const auto number = number_in<double>(field);
    if (!field.empty() && !number)
      fail_at(text.name, static_cast<std::int64_t>(labels.fields.size()) + 1, "{} is not a number.",
              io::quoted(field));
    labels.integers = labels.integers && number_in<std::int64_t>(field).has_value();
    labels.fields.emplace_back(field);
  }
  return labels;
}

class OgbParser {
 public:
  OgbParser(const std::string& where, std::vector<Text> files, const GraphReadOptions& options,
            const base::Context& context)
      : where_(where), context_(context), unpack_(packed_bytes(files), options, context) {
    for (Text& file : files) {
      if (const auto split = split_of(file.name); !split.empty()) splits_.emplace(split);
      const auto [folder, name] = split_path(file.name);
      const std::string_view table = table_of(name);
      if (table.empty()) continue;
      if (folder_ && *folder_ != folder)
        refuse("{} holds tables of the Open Graph Benchmark in {} and in {}; one dataset is expected.",
               where_, io::quoted(*folder_), io::quoted(folder));
      folder_ = folder;
      Text text{(fs::path(where) / file.name).string(), std::move(file.content)};
      if (const auto [other, added] = tables_.emplace(table, std::move(text)); !added)
        refuse("{} holds {} and {}; one of them is expected.", where_, split_path(other->second.name).file,
               name);
    }
  }

  std::vector<ParsedGraph> run() {
    for (const auto* const table : {"triplet-type-list", "num-node-dict"})
      if (tables_.contains(table))
        refuse("{} holds a graph with several kinds of nodes or edges ({}); graphs with one kind are read.",
               where_, table);
    add_vertices();
    add_edges();
    add_features();
    add_graph_labels();
    add_node_labels();
    if (tables_.contains("edge-feat"))
      for (ParsedGraph& graph : graphs_) graph.left_out.emplace_back("table 'edge-feat'");
    if (!splits_.empty())
      graphs_[0].notes.push_back(fmt::format("The dataset has the split{} {}, which {} not used.",
                                             splits_.size() == 1 ? "" : "s", fmt::join(splits_, ", "),
                                             splits_.size() == 1 ? "is" : "are"));
    return std::move(graphs_);
  }

 private:
  static std::uint64_t packed_bytes(const std::vector<Text>& files) {
    std::uint64_t bytes = 0;
    for (const Text& file : files) bytes += file.content.size();
    return bytes;
  }

  std::optional<Text> find(const char* table) {
    const auto found = tables_.find(table);
    if (found == tables_.end()) return std::nullopt;
    return unpack_(std::move(found->second));
  }
  Text need(const char* table) {
    if (auto text = find(table)) return *std::move(text);
    refuse("{} holds no {}.csv.gz, which belongs to a dataset of the Open Graph Benchmark.", where_, table);
  }

  void add_vertices() {
    const Text text = need("num-node-list");
    for (const std::int64_t count : parse_counts(text, context_)) {
      vertices_ += count;
      graphs_.emplace_back().vertices = static_cast<Vertex>(count);
    }
    if (graphs_.empty()) fail_at(text.name, 1, "The dataset has no graphs.");
    vertices_file_ = text.name;
  }

  void add_edges() {
    const Text counts_text = need("num-edge-list");
    const auto counts = parse_counts(counts_text, context_);
    if (counts.size() != graphs_.size())
      fail_at(counts_text.name, static_cast<std::int64_t>(counts.size()),
              "There are {} lines, but {} has {}; both need one per graph.", counts.size(), vertices_file_,
              graphs_.size());
    const auto edges = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
    const Text text = need("edge");
    if (vertices_ >
        std::min<std::int64_t>(most_by_number(text.content.size()), std::numeric_limits<Vertex>::max() - 1))
      refuse("{}: {} vertices are too many for edges of {} bytes: most would have none.", vertices_file_,
             vertices_, text.content.size());

    NumberReader reader(text, context_);
    for (std::size_t g = 0; g < graphs_.size(); ++g) {
      ParsedGraph& graph = graphs_[g];
      const auto vertex = [&] {
        const std::int64_t id = reader.integer();
        if (id < 0 || id >= graph.vertices) [[unlikely]]
          reader.fail("Vertex {} is out of range: graph {}, counted from 0, has {} vertices.", id, g,
                      graph.vertices);
        reader.next_number();
        return static_cast<Vertex>(id);
      };
      for (std::int64_t i = 0; i < counts[g]; ++i) {
        if (!reader.next_line())
          fail_at(text.name, reader.line(), "The file ends too early: {} says that there are {} edges.",
                  counts_text.name, edges);
        const Vertex from = vertex();
        graph.arcs.push_back({from, vertex()});
        reader.end_line();
      }
    }
    if (reader.next_line())
      reader.fail("The edge is one more than the {} that {} says.", edges, counts_text.name);
  }

  void add_features() {
    const auto text = find("node-feat");
    if (!text) return;
    // The graph of the row that is read.
    std::size_t g = 0;
    std::int64_t rows_left = 0;
    const auto begin_row = [&](std::int64_t row) {
      if (row == 0) rows_left = graphs_[0].vertices;
      while (rows_left == 0) rows_left = graphs_[++g].vertices;
      --rows_left;
    };
    const auto take = [&](NumberReader& reader, std::size_t column) {
      ParsedGraph& graph = graphs_[g];
      const double value = reader.real();
      if (column == graph.columns.size()) graph.columns.emplace_back();
      graph.columns[column].numbers.push_back(value);
    };
    const std::size_t columns = parse_rows(*text, vertices_, "vertices", context_, begin_row, take);
    for (ParsedGraph& graph : graphs_)
      for (std::size_t i = 0; i < graph.columns.size(); ++i)
        graph.columns[i].name = columns == 1 ? "node_feat" : fmt::format("node_feat_{}", i);
  }

  /// Labels of one kind of things, or why there are none.
  std::optional<Labels> find_labels(const char* table, std::int64_t things, const char* name) {
    const auto text = find(table);
    if (!text) return std::nullopt;
    Labels labels = parse_labels(*text, context_);
    if (static_cast<std::int64_t>(labels.fields.size()) != things)
      fail_at(text->name, static_cast<std::int64_t>(labels.fields.size()) + 1,
              "The file has {} lines, but there are {} {}.", labels.fields.size(), things, name);
    if (labels.columns == 1 && labels.integers) return labels;
    const std::string why = labels.columns > 1 ? fmt::format("which has {} columns", labels.columns)
                                               : "whose values are not all integers";
    for (ParsedGraph& graph : graphs_) graph.left_out.push_back(fmt::format("table '{}', {}", table, why));
    return std::nullopt;
  }

  void add_graph_labels() {
    auto labels = find_labels("graph-label", static_cast<std::int64_t>(graphs_.size()), "graphs");
    if (!labels) return;
    for (std::size_t g = 0; g < graphs_.size(); ++g) graphs_[g].label = std::move(labels->fields[g]);
  }

  void add_node_labels() {
    const auto labels = find_labels("node-label", vertices_, "vertices");
    if (!labels) return;
    auto next = labels->fields.begin();
    for (ParsedGraph& graph : graphs_) {
      VertexColumn& column = graph.columns.emplace_back();
      column.name = "label";
      for (Vertex v = 0; v < graph.vertices; ++v) column.numbers.push_back(*number_in<double>(*next++));
    }
  }

  const std::string& where_;
  const base::Context& context_;
  Unpacker unpack_;
  std::optional<std::string> folder_;
  std::map<std::string, Text, std::less<>> tables_;
  std::set<std::string> splits_;
  std::int64_t vertices_ = 0;
  std::string vertices_file_;
  std::vector<ParsedGraph> graphs_;
};

/// The folder of the tables: the one given, or `raw` in it. Nothing if they cannot be read, either.
std::optional<fs::path> tables_folder(const fs::path& folder) {
  std::error_code unknown;
  for (const fs::path& place : {folder, folder / "raw"})
    for (const std::string_view ending : {packed_ending, plain_ending})
      if (fs::is_regular_file(place / fmt::format("num-node-list{}", ending), unknown)) return place;
  return std::nullopt;
}

}  // namespace

bool belongs_to_ogb(std::string_view path) {
  return !table_of(split_path(path).file).empty() || !split_of(path).empty();
}

bool is_ogb_folder(const fs::path& path) { return tables_folder(path).has_value(); }

std::vector<ParsedGraph> read_ogb_folder(const fs::path& folder, const GraphReadOptions& options,
                                         const base::Context& context) {
  const auto place = tables_folder(folder);
  if (!place) refuse("{} holds no num-node-list.csv.gz.", folder.string());
  const fs::path inside = place->lexically_relative(folder);
  const fs::path top = inside == "." && folder.filename() == "raw" ? folder.parent_path() : folder;
  std::vector<Text> files;
  for (const std::string_view table : tables)
    for (const std::string_view ending : {packed_ending, plain_ending}) {
      const std::string name = fmt::format("{}{}", table, ending);
      if (path_type(*place / name) != PathType::file) continue;
      files.push_back(
          {(inside / name).lexically_normal().string(), load_found_text(*place / name, context).content});
    }
  std::error_code absent;
  for (fs::directory_iterator entry(top / "split", absent), end; !absent && entry != end;
       entry.increment(absent))
    files.push_back({fmt::format("split/{}/train.csv.gz", entry->path().filename().string()), {}});
  return parse_ogb(folder.string(), std::move(files), options, context);
}

std::vector<ParsedGraph> parse_ogb(const std::string& where, std::vector<Text> files,
                                   const GraphReadOptions& options, const base::Context& context) {
  return OgbParser(where, std::move(files), options, context).run();
}

}  // namespace perslay::io
