#include "tu_dataset.h"

#include "archive.h"
#include "class_labels.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include <perslay/data/build_graphs.h>
#include <perslay/io/graph_dataset.h>
#include <perslay/io/path_type.h>

namespace perslay::io {

namespace fs = std::filesystem;

namespace {

using data::GraphDataset;
using data::Vertex;

constexpr std::string_view edges_ending = "_A.txt";
constexpr std::string_view indicator_ending = "_graph_indicator.txt";
constexpr std::string_view labels_ending = "_graph_labels.txt";
constexpr std::string_view node_labels_ending = "_node_labels.txt";
constexpr std::string_view node_attributes_ending = "_node_attributes.txt";

// ---- finding the files

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// Some systems leave files that start with a dot beside the real ones ("._NAME_A.txt").
bool has_ending(std::string_view path, std::string_view ending) {
  const std::string_view name = file_name(path);
  return name.size() > ending.size() && name.ends_with(ending) && name.front() != '.';
}

bool belongs_to_dataset(std::string_view path) {
  constexpr std::array endings{edges_ending, indicator_ending, labels_ending, node_labels_ending,
                               node_attributes_ending};
  return std::ranges::any_of(endings, [&](auto ending) { return has_ending(path, ending); });
}

/// Whether a file is of a TU dataset and of nothing else.
bool tells_dataset(std::string_view path) {
  return has_ending(path, edges_ending) || has_ending(path, indicator_ending);
}

/// The files of a folder or archive: their names, and how to get one of them.
struct Files {
  std::string where;
  std::vector<std::string> names;
  std::function<Text(const std::string&)> load;
};

/// The text before "_A.txt" in the one name with this ending.
std::string find_dataset(const Files& files) {
  std::vector<std::string> found;
  std::ranges::copy_if(files.names, std::back_inserter(found),
                       [](const std::string& name) { return has_ending(name, edges_ending); });
  if (found.empty()) refuse("{} holds no graph dataset: there is no file NAME_A.txt in it.", files.where);
  std::ranges::sort(found);
  if (found.size() > 1)
    refuse("{} holds {} files that end in _A.txt, for example {} and {}; one dataset is expected.",
           files.where, found.size(), found[0], found[1]);
  return found.front().substr(0, found.front().size() - edges_ending.size());
}

TuTexts load_dataset(const Files& files) {
  const std::string dataset = find_dataset(files);
  const auto optional = [&](std::string_view ending) -> std::optional<Text> {
    const std::string name = dataset + std::string(ending);
    if (std::ranges::find(files.names, name) != files.names.end()) return files.load(name);
    const auto other =
        std::ranges::find_if(files.names, [&](const std::string& file) { return has_ending(file, ending); });
    if (other != files.names.end())
      refuse("{} holds {}{} and {}; the files of a dataset begin with the same name.", files.where, dataset,
             edges_ending, *other);
    return std::nullopt;
  };
  const auto needed = [&](std::string_view ending) {
    if (auto text = optional(ending)) return *std::move(text);
    refuse("{} holds {}{} but no {}{}.", files.where, dataset, edges_ending, dataset, ending);
  };
  return {std::string(file_name(dataset)), needed(edges_ending),         needed(indicator_ending),
          optional(labels_ending),         optional(node_labels_ending), optional(node_attributes_ending)};
}

TuTexts load_folder(const fs::path& folder, const base::Context& context) {
  Files files{
      folder.string(), {}, [&](const std::string& name) { return load_found_text(folder / name, context); }};
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    files.names.push_back(entry->path().filename().string());
  if (error) refuse("{} cannot be read: {}.", folder.string(), error.message());
  return load_dataset(files);
}

TuTexts texts_of(const fs::path& archive, std::vector<Text> members) {
  Files files{archive.string(), {}, [&](const std::string& name) {
                const auto member = std::ranges::find(members, name, &Text::name);
                return Text{fmt::format("{}:{}", archive.string(), name), std::move(member->content)};
              }};
  for (const Text& member : members) files.names.push_back(member.name);
  return load_dataset(files);
}

// ---- parsing them

// Large texts are moved in, so that they are freed once they are parsed.

std::vector<std::string> parse_labels(const Text& text, const base::Context& context) {
  std::vector<std::string> values;
  NumberReader reader(text, context);
  while (reader.next_line()) {
    values.emplace_back(reader.real_text());
    reader.end_line();
  }
  return values;
}

/// How many labels there are, and in which file.
struct LabelCount {
  std::string file;
  std::int64_t labels = 0;
};

/// Which graph each vertex belongs to, counted from 0. Labels, if there are some, say how many graphs there
/// are.
std::vector<Vertex> parse_indicator(Text&& taken, const std::optional<LabelCount>& known,
                                    const base::Context& context) {
  const Text text = std::move(taken);
  const std::size_t lines = line_bound(text);
  const auto most_graphs = static_cast<std::int64_t>(
      std::min<std::size_t>(100 * lines + 1'000'000, std::numeric_limits<Vertex>::max()));
  std::vector<Vertex> graph_of;
  graph_of.reserve(lines);
  NumberReader reader(text, context);
  std::int64_t previous = 1;
  while (reader.next_line()) {
    const std::int64_t graph = reader.integer();
    reader.end_line();
    if (graph < 1) reader.fail("Graph {} is out of range: graphs are numbered from 1.", graph);
    if (graph < previous)
      reader.fail(
          "Graph {} comes after graph {}, but the vertices of a graph must stand together and the "
          "graphs in ascending order.",
          graph, previous);
    if (known && graph > known->labels)
      fail_at(known->file, known->labels + 1,
              "A label is missing: there are {} labels, but {}:{} names graph {}.", known->labels, text.name,
              reader.line(), graph);
    if (!known && graph > most_graphs)
      reader.fail(
          "Graph {} is too large for a file of so few lines: all graphs up to it would be made. "
          "Number the graphs consecutively.",
          graph);
    if (reader.line() == std::numeric_limits<Vertex>::max())
      reader.fail("A dataset can have at most {} vertices.", std::numeric_limits<Vertex>::max() - 1);
    graph_of.push_back(static_cast<Vertex>(graph - 1));
    previous = graph;
  }
  if (graph_of.empty()) fail_at(text.name, 1, "The dataset is empty: 0 vertices, at least 1 is needed.");
  if (known && previous < known->labels)
    fail_at(known->file, previous + 1, "There are {} labels, but {} ends with graph {}.", known->labels,
            text.name, previous);
  return graph_of;
}

std::vector<std::int64_t> vertex_offsets_of(const std::vector<Vertex>& graph_of, std::size_t graphs) {
  std::vector<std::int64_t> offsets(graphs + 1, 0);
  for (const Vertex graph : graph_of) ++offsets[static_cast<std::size_t>(graph) + 1];
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  return offsets;
}

std::vector<data::Arc> parse_edges(Text&& taken, const std::vector<Vertex>& graph_of,
                                   const base::Context& context) {
  const Text text = std::move(taken);
  std::vector<data::Arc> pairs;
  pairs.reserve(line_bound(text));
  NumberReader reader(text, context);
  const auto vertices = static_cast<std::int64_t>(graph_of.size());
  const auto vertex = [&] {
    const std::int64_t id = reader.integer();
    if (id < 1 || id > vertices) [[unlikely]]
      reader.fail("Vertex {} is out of range: the vertices are 1 to {}.", id, vertices);
    return static_cast<Vertex>(id - 1);
  };
  while (reader.next_line()) {
    const Vertex from = vertex();
    reader.next_number();
    const Vertex to = vertex();
    reader.end_line();
    const Vertex from_graph = graph_of[static_cast<std::size_t>(from)];
    const Vertex to_graph = graph_of[static_cast<std::size_t>(to)];
    if (from_graph != to_graph) [[unlikely]]
      reader.fail("The edge joins vertex {} of graph {} and vertex {} of graph {}.", from + 1, from_graph + 1,
                  to + 1, to_graph + 1);
    pairs.push_back({from, to});
  }
  return pairs;
}

/// Lines of equally many numbers, one line per vertex. `take(reader, column)` reads one number.
template <class Take>
std::size_t parse_rows(const Text& text, const std::string& indicator, std::size_t vertices,
                       const base::Context& context, Take take) {
  NumberReader reader(text, context);
  std::size_t lines = 0;
  std::size_t columns = 0;
  while (reader.next_line()) {
    std::size_t column = 0;
    do take(reader, column++);
    while (reader.next_number());
    reader.end_line();
    if (lines++ == 0) columns = column;
    if (column != columns)
      reader.fail("The line has {} columns, but the first line has {}.", column, columns);
  }
  if (lines != vertices)
    fail_at(text.name, static_cast<std::int64_t>(std::min(lines, vertices)) + 1,
            "The file has {} lines, but {} has {}; both need one line per vertex.", lines, indicator,
            vertices);
  return columns;
}

void parse_node_labels(Text&& taken, const std::string& indicator, std::size_t vertices,
                       const base::Context& context, GraphDataset& dataset) {
  const Text text = std::move(taken);
  dataset.node_labels.reserve(vertices);
  parse_rows(text, indicator, vertices, context, [&](NumberReader& reader, std::size_t column) {
    const std::int64_t label = reader.integer();
    if (!std::in_range<int>(label))
      reader.fail("The node label {} is outside the range {} to {}.", label, std::numeric_limits<int>::min(),
                  std::numeric_limits<int>::max());
    if (column == 0) dataset.node_labels.push_back(static_cast<int>(label));
  });
}

void parse_node_attributes(Text&& taken, const std::string& indicator, std::size_t vertices,
                           const base::Context& context, GraphDataset& dataset) {
  const Text text = std::move(taken);
  dataset.attribute_count = parse_rows(
      text, indicator, vertices, context,
      [&](NumberReader& reader, std::size_t) { dataset.node_attributes.push_back(reader.real()); });
}

}  // namespace

TuTexts load_tu_texts(const fs::path& path, const base::Context& context, const GraphReadOptions& options) {
  if (path_type(path) == PathType::folder) return load_folder(path, context);
  return texts_of(path, read_members(path, belongs_to_dataset, options.unpack_limit, context));
}

std::optional<TuTexts> find_tu_texts(const fs::path& archive, const base::Context& context,
                                     const GraphReadOptions& options) {
  auto members = read_members(archive, belongs_to_dataset, options.unpack_limit, context);
  if (std::ranges::none_of(members, [](const Text& member) { return tells_dataset(member.name); }))
    return std::nullopt;
  return texts_of(archive, std::move(members));
}

GraphDataset parse_tu_dataset(TuTexts texts, const base::Context& context) {
  const auto report = [&](std::size_t done) {
    if (context.progress) context.progress({"reading graphs", done, 4});
  };
  GraphDataset dataset;
  dataset.name = texts.name;
  report(0);

  std::optional<LabelCount> known;
  if (texts.labels) {
    auto labels = parse_labels(*texts.labels, context);
    known = {texts.labels->name, static_cast<std::int64_t>(labels.size())};
    set_classes(dataset, std::move(labels), texts.name + std::string(labels_ending), texts.labels->name,
                "graphs");
  } else {
    dataset.notes.push_back(
        fmt::format("There is no {}{}, so the graphs have no labels.", texts.name, labels_ending));
  }
  const std::string indicator = texts.indicator.name;
  const std::vector<Vertex> graph_of = parse_indicator(std::move(texts.indicator), known, context);
  dataset.vertex_offsets = vertex_offsets_of(graph_of, static_cast<std::size_t>(graph_of.back()) + 1);
  report(1);

  std::vector<data::Arc> pairs = parse_edges(std::move(texts.edges), graph_of, context);
  report(2);
  data::build_graphs(dataset, std::move(pairs));
  report(3);

  if (texts.node_labels)
    parse_node_labels(std::move(*texts.node_labels), indicator, graph_of.size(), context, dataset);
  if (texts.node_attributes)
    parse_node_attributes(std::move(*texts.node_attributes), indicator, graph_of.size(), context, dataset);
  report(4);
  return dataset;
}

GraphDataset read_tu_dataset(const fs::path& path, const base::Context& context,
                             const GraphReadOptions& options) {
  return parse_tu_dataset(load_tu_texts(path, context, options), context);
}

bool is_tu_folder(const fs::path& path) {
  std::error_code error;
  for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error))
    if (tells_dataset(at->path().string())) return true;
  return false;
}

}  // namespace perslay::io
