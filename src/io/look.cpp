#include "archive.h"
#include "columns.h"
#include "compressed.h"
#include "file_collection.h"
#include "graph_format.h"
#include "graph_parsers.h"
#include "npy.h"
#include "tu_dataset.h"
#include "unsupported.h"

#include <algorithm>
#include <cmath>

#include <perslay/io/look.h>
#include <perslay/io/path_type.h>
#include <perslay/io/point_clouds.h>

namespace perslay::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t looked_at = std::size_t{1} << 15;

Look graphs_only(std::string why) { return {Likely::certainly, Likely::no, std::move(why)}; }
Look clouds_only(std::string why) { return {Likely::no, Likely::certainly, std::move(why)}; }
Look either(std::string why) { return {Likely::possibly, Likely::possibly, std::move(why)}; }

// ---- text in columns

/// What the fields of some lines are.
struct Fields {
  std::size_t narrowest = 0;
  std::size_t widest = 0;
  bool data = false;       ///< Dictionaries behind edges.
  bool words = false;      ///< Anything that is no number.
  bool fractions = false;  ///< A number that is not whole, or is negative.
  bool ids = true;         ///< The first two fields of every line are whole and not negative.
  bool integers = true;    ///< All numbers are written as integers.
};

Fields fields_of(const ColumnSample& sample) {
  Fields found;
  for (const auto& row : sample.rows) {
    found.narrowest = found.narrowest == 0 ? row.size() : std::min(found.narrowest, row.size());
    found.widest = std::max(found.widest, row.size());
    for (std::size_t c = 0; c < row.size(); ++c) {
      const auto number = number_of(row[c]);
      const bool whole = number && *number >= 0 && std::trunc(*number) == *number;
      found.data = found.data || row[c].starts_with('{');
      found.words = found.words || !number;
      found.fractions = found.fractions || (number && !whole);
      found.ids = found.ids && (whole || c > 1);
      found.integers = found.integers && number_in<std::int64_t>(row[c]);
    }
  }
  return found;
}

Look look_at_columns(const Text& text) {
  const auto sample = sample_columns(text);
  if (sample.rows.empty() && sample.header != ColumnSample::Header::yes) return {};
  const auto fields = fields_of(sample);
  if (sample.header == ColumnSample::Header::yes) {
    const bool ends = named_ends(sample.names).has_value(),
               coordinates = named_coordinates(sample.names).has_value();
    if (ends && !coordinates) return graphs_only("its columns are those of edges");
    if (coordinates && !ends) return clouds_only("it has columns x and y");
  }
  if (fields.data) return graphs_only("its edges have data");
  if (fields.words && fields.widest >= 2 && fields.narrowest == fields.widest)
    return graphs_only("it has words");
  if (fields.words && fields.widest <= 2) return graphs_only("it has words");
  if (fields.words) return {Likely::no, Likely::no, "its lines differ in length and hold words"};
  if (fields.widest == 1) return {Likely::possibly, Likely::no, "every line has one number"};
  if (fields.narrowest == 1 && fields.widest == 2) return graphs_only("lines have one number or two");
  if (fields.narrowest != fields.widest)
    return {Likely::no, Likely::no,
            fmt::format("its lines have {} to {} numbers", fields.narrowest, fields.widest)};
  if (fields.widest == 2)
    return fields.fractions
               ? clouds_only("it has numbers that are no numbers of vertices")
               : either(fmt::format("every line has two {}", fields.integers ? "integers" : "whole numbers"));
  if (fields.widest == 3)
    return fields.ids ? Look{Likely::certainly, Likely::possibly, "every line has two integers and a number"}
                      : clouds_only("it has numbers that are no numbers of vertices");
  return either(fmt::format("every line has {} numbers", fields.widest));
}

// ---- files

/// By the header; a damaged one is said by the reader of clouds.
Look look_at_array(const Text& text) {
  if (!is_npy_content(text.content)) return clouds_only("");
  NpyHeader header;
  try {
    header = parse_npy_header(text);
    if (!npy_element(text.name, header.type).is_integer) return clouds_only("its numbers are not integers");
  } catch (const base::Error&) {
    return clouds_only("");
  }
  const auto& shape = header.shape;
  if (shape.size() == 2 && shape[1] == 2)
    return either(fmt::format("it is an array of integers of shape {}", shape_text(shape)));
  if (shape.size() == 2 && shape[0] == 2) return graphs_only("it has two rows of integers");
  return clouds_only(fmt::format("it is an array of shape {}", shape_text(shape)));
}

Look look_at_file(const fs::path& path) {
  const std::string plain = without_compression(path.string());
  const Text beginning = beginning_of(path, looked_at);
  refuse_unsupported(plain, beginning.content);
  const auto& format = format_of(path, beginning.content);
  if (format.parse == parse_edge_array) return look_at_array(beginning);
  if (format.parse != parse_edge_list) return graphs_only(fmt::format("it is {}", format.name));
  if (beginning.content.find('\0') != std::string::npos) return {};
  return look_at_columns(beginning);
}

// ---- folders

/// How the look at a file ends a sentence about its folder.
std::string said_of(const std::string& file, const Look& look) {
  return look.why.empty() ? fmt::format("{} cannot be told", file) : fmt::format("of {}, {}", file, look.why);
}

Look look_at_folder(const fs::path& folder) {
  if (is_tu_folder(folder)) return graphs_only("it has the files of a TU dataset");
  if (is_ogb_folder(folder)) return graphs_only("it is a folder of the Open Graph Benchmark");
  const auto files = folder_files(folder, is_graph_file_name);
  Look all{Likely::possibly, Likely::possibly, {}};
  std::string graphs, clouds;  // files that certainly hold these
  for (const auto& name : item_files(files)) {
    const Look look = look_at_file(folder / name);
    if (look.graphs == Likely::no && look.clouds == Likely::no)
      refuse("{} holds neither a graph nor points: {}.", (folder / name).string(), look.why);
    if (look.clouds == Likely::no && graphs.empty()) graphs = name;
    if (look.graphs == Likely::no && clouds.empty()) clouds = name;
    if (!graphs.empty() && !clouds.empty())
      refuse("{} holds graphs, as in {}, and points, as in {}; a dataset has only one of the two.",
             folder.string(), graphs, clouds);
    if (all.why.empty() && !look.why.empty()) all.why = said_of(name, look);
    if (look.graphs == Likely::certainly && all.graphs == Likely::possibly) all.graphs = Likely::certainly;
    if (look.clouds == Likely::certainly && all.clouds == Likely::possibly) all.clouds = Likely::certainly;
  }
  if (!graphs.empty()) return {Likely::certainly, Likely::no, std::move(all.why)};
  if (!clouds.empty()) return {Likely::no, Likely::certainly, std::move(all.why)};
  return all;
}

}  // namespace

Look look_at(const fs::path& path) {
  switch (path_type(path)) {
    case PathType::nothing:
      return {};
    case PathType::folder:
      return look_at_folder(path);
    case PathType::other:
      return either("it is a pipe, which can be read only once");
    case PathType::file:
      break;
  }
  return has_archive_ending(path) ? graphs_only("it is an archive") : look_at_file(path);
}

}  // namespace perslay::io
