#include "class_labels.h"
#include "graph_format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <utility>

#include <fmt/ranges.h>

#include <perslay/data/word_number.h>

namespace perslay::io {
namespace {

using data::GraphDataset;

/// The graphs of all files, one after the other, and the files that they are from.
struct Graphs {
  std::vector<ParsedGraph> graphs;
  std::vector<std::size_t> files;  ///< By graph.
  std::vector<std::string> names;  ///< Of the files.

  [[nodiscard]] std::size_t size() const { return graphs.size(); }
  [[nodiscard]] const std::string& file(std::size_t graph) const { return names[files[graph]]; }
};

Graphs all_of(std::vector<GraphFile> files) {
  Graphs all;
  for (GraphFile& file : files) {
    for (ParsedGraph& graph : file.graphs) {
      all.graphs.push_back(std::move(graph));
      all.files.push_back(all.names.size());
    }
    all.names.push_back(std::move(file.name));
  }
  return all;
}

// ---- edges

void count_vertices(GraphDataset& dataset, const Graphs& all) {
  constexpr std::int64_t most = std::numeric_limits<data::Vertex>::max() - 1;
  for (const ParsedGraph& graph : all.graphs)
    dataset.vertex_offsets.push_back(dataset.vertex_offsets.back() + graph.vertices);
  if (dataset.vertex_offsets.back() > most) refuse("A dataset can have at most {} vertices.", most);
}

/// Whether the edges have weights: those of all graphs or of none.
bool are_weighted(const Graphs& all) {
  const std::string* with = nullptr;
  const std::string* without = nullptr;
  for (std::size_t g = 0; g < all.size(); ++g)
    if (!all.graphs[g].arcs.empty()) (all.graphs[g].weights.empty() ? without : with) = &all.file(g);
  if (with != nullptr && without != nullptr)
    refuse(
        "The edges of {} have weights, but those of {} have none; either all graphs of a dataset have some "
        "or none.",
        *with, *without);
  return with != nullptr;
}

void build(GraphDataset& dataset, Graphs& all) {
  const bool weighted = are_weighted(all);
  std::vector<data::Arc> arcs;
  std::vector<double> weights;
  std::vector<std::size_t> ends;  // of the arcs of each graph
  std::size_t count = 0;
  for (const ParsedGraph& graph : all.graphs) ends.push_back(count += graph.arcs.size());
  if (all.size() == 1) {  // perhaps a large one
    arcs = std::move(all.graphs[0].arcs);
    weights = std::move(all.graphs[0].weights);
  } else {
    arcs.reserve(count);
    for (std::size_t g = 0; g < all.size(); ++g) {
      const auto first = static_cast<data::Vertex>(dataset.vertex_offsets[g]);
      for (const auto& [from, to] : all.graphs[g].arcs) arcs.push_back({from + first, to + first});
      if (weighted) weights.insert(weights.end(), all.graphs[g].weights.begin(), all.graphs[g].weights.end());
    }
  }
  const auto conflict = [&](std::size_t first, double first_weight, std::size_t second,
                            double second_weight) {
    const auto g = static_cast<std::size_t>(std::ranges::upper_bound(ends, second) - ends.begin());
    const std::size_t begin = g == 0 ? 0 : ends[g - 1];
    const auto& lines = all.graphs[g].lines;
    if (lines.empty())
      refuse("{}: An edge has the weight {}, but elsewhere the weight {}.", all.file(g), second_weight,
             first_weight);
    fail_at(all.file(g), lines[second - begin],
            "The edge has the weight {}, but line {} gives it the weight {}.", second_weight,
            lines[first - begin], first_weight);
  };
  data::build_graphs(dataset, std::move(arcs), std::move(weights), conflict);
}

// ---- vertices

void add_names(GraphDataset& dataset, Graphs& all) {
  if (std::ranges::all_of(all.graphs, [](const auto& graph) { return graph.names.empty(); })) return;
  dataset.vertex_names.reserve(static_cast<std::size_t>(dataset.vertex_offsets.back()));
  for (ParsedGraph& graph : all.graphs) {
    if (graph.names.empty())
      for (data::Vertex v = 0; v < graph.vertices; ++v) dataset.vertex_names.push_back(std::to_string(v));
    std::ranges::move(graph.names, std::back_inserter(dataset.vertex_names));
  }
}

/// What all graphs say of their vertices under one name; none if a graph with vertices says nothing.
struct Column {
  std::vector<const VertexColumn*> parts;  ///< By graph; null for those without vertices.
  bool complete = true;
  bool words = false;
};

Column column_called(const Graphs& all, std::string_view name) {
  Column column;
  for (const ParsedGraph& graph : all.graphs) {
    const auto found = std::ranges::find(graph.columns, name, &VertexColumn::name);
    column.parts.push_back(found == graph.columns.end() || graph.vertices == 0 ? nullptr : &*found);
    if (graph.vertices == 0) continue;
    column.complete = column.complete && found != graph.columns.end();
    column.words = column.words || (found != graph.columns.end() && !found->words.empty());
  }
  return column;
}

/// Numbers words; two that get the same number are refused.
class WordNumbers {
 public:
  int operator()(const std::string& word) {
    const int number = data::number_of_word(word);
    const auto [known, is_new] = words_.emplace(number, word);
    if (!is_new && known->second != word)
      refuse("The node labels {} and {} happen to have the same number, {}; change one of the two.",
             io::quoted(known->second), io::quoted(word), number);
    return number;
  }

 private:
  std::map<int, std::string> words_;
};

bool are_labels(const Column& column) {
  if (!column.complete) return false;
  if (column.words) return true;
  const auto is_label = [](double number) {
    return std::trunc(number) == number && number >= std::numeric_limits<int>::min() &&
           number <= std::numeric_limits<int>::max();
  };
  return std::ranges::all_of(column.parts, [&](const auto* part) {
    return part == nullptr || std::ranges::all_of(part->numbers, is_label);
  });
}

void add_labels(GraphDataset& dataset, const Column& column) {
  WordNumbers numbers;
  for (const VertexColumn* const part : column.parts) {
    if (part == nullptr) continue;
    for (const std::string& word : part->words) dataset.node_labels.push_back(numbers(word));
    for (const double number : part->numbers)
      dataset.node_labels.push_back(column.words ? numbers(fmt::format("{}", number))
                                                 : static_cast<int>(number));
  }
}

void add_attributes(GraphDataset& dataset, const std::vector<Column>& columns) {
  dataset.attribute_count = columns.size();
  if (columns.empty()) return;
  for (std::size_t g = 0; g < columns.front().parts.size(); ++g) {
    const auto vertices = static_cast<std::size_t>(dataset.vertex_offsets[g + 1] - dataset.vertex_offsets[g]);
    for (std::size_t v = 0; v < vertices; ++v)
      for (const Column& column : columns) dataset.node_attributes.push_back(column.parts[g]->numbers[v]);
  }
}

void add_columns(GraphDataset& dataset, const Graphs& all, std::set<std::string>& left_out) {
  std::vector<std::string> names;
  for (const ParsedGraph& graph : all.graphs)
    for (const VertexColumn& column : graph.columns)
      if (std::ranges::find(names, column.name) == names.end()) names.push_back(column.name);
  std::vector<Column> attributes;
  for (const std::string& name : names) {
    Column column = column_called(all, name);
    if (name == "label" && are_labels(column)) {
      add_labels(dataset, column);
    } else if (!column.complete) {
      left_out.insert(fmt::format("node data '{}', which not all graphs have", name));
    } else if (column.words) {
      left_out.insert(fmt::format("the words of node data '{}'", name));
    } else {
      dataset.attribute_names.push_back(name);
      attributes.push_back(std::move(column));
    }
  }
  add_attributes(dataset, attributes);
}

// ---- graphs

void add_classes(GraphDataset& dataset, Graphs& all, std::string_view labels_from) {
  const auto missing = std::ranges::count_if(all.graphs, [](const auto& graph) { return !graph.label; });
  if (missing == static_cast<std::ptrdiff_t>(all.size())) return;
  if (missing > 0) {
    dataset.notes.push_back(fmt::format("{} of {} graphs have no label, so none has.", missing, all.size()));
    return;
  }
  std::vector<std::string> words;
  for (ParsedGraph& graph : all.graphs) words.push_back(*std::move(graph.label));
  const std::string file =
      all.names.size() == 1 ? all.names.front() : fmt::format("{} and other files", all.names.front());
  set_classes(dataset, std::move(words), labels_from, file, "graphs");
}

/// Every sentence once, however many graphs it is about.
void add_notes(GraphDataset& dataset, const Graphs& all, std::set<std::string>& left_out) {
  std::vector<std::pair<std::string, std::size_t>> notes;
  for (const ParsedGraph& graph : all.graphs) {
    left_out.insert(graph.left_out.begin(), graph.left_out.end());
    for (const std::string& note : graph.notes) {
      const auto known = std::ranges::find(notes, note, &std::pair<std::string, std::size_t>::first);
      if (known == notes.end())
        notes.emplace_back(note, 1);
      else
        ++known->second;
    }
  }
  for (auto& [note, count] : notes)
    dataset.notes.push_back(count == 1 ? note : fmt::format("{} So it is with {} graphs.", note, count));
  if (!left_out.empty()) dataset.notes.push_back(fmt::format("Left out: {}.", fmt::join(left_out, ", ")));
}

}  // namespace

void add_graphs(GraphDataset& dataset, std::vector<GraphFile> files, std::string_view labels_from) {
  Graphs all = all_of(std::move(files));
  if (all.graphs.empty()) refuse("{} holds no graphs.", all.names.empty() ? "It" : all.names.front());
  count_vertices(dataset, all);
  std::set<std::string> left_out;
  add_names(dataset, all);
  add_columns(dataset, all, left_out);
  add_notes(dataset, all, left_out);
  build(dataset, all);
  if (dataset.labels.empty()) add_classes(dataset, all, labels_from);
}

}  // namespace perslay::io
