#include "archive.h"
#include "class_labels.h"
#include "compressed.h"
#include "file_collection.h"
#include "graph_format.h"
#include "graph_parsers.h"
#include "tu_dataset.h"

#include <perslay/io/graph_dataset.h>
#include <perslay/io/path_type.h>

namespace perslay::io {
namespace {

namespace fs = std::filesystem;
using data::GraphDataset;

/// A graph for each file, or several; their labels are in labels.csv, in the files themselves, or nowhere.
GraphDataset read_collection(const FileCollection& files, const GraphReadOptions& options,
                             const base::Context& context) {
  GraphDataset dataset;
  std::vector<GraphFile> parsed;
  const auto add = [&](const std::string& name) {
    context.stop_if_cancelled();
    Text text = files.load(name);
    parsed.push_back({text.name, {}});
    parsed.back().graphs = parse_graph_file(std::move(text), options, context);
    return parsed.back().graphs.size();
  };
  if (files.labelled) {
    const auto named = read_labels(files);
    std::vector<std::string> labels;
    for (const auto& [file, label] : named) labels.insert(labels.end(), add(file), label);
    set_classes(dataset, std::move(labels), labels_file, fmt::format("{}/{}", files.where, labels_file),
                "graphs");
    if (auto note = unnamed_note(files, named)) dataset.notes.push_back(*std::move(note));
    for (auto& file : parsed)  // labels.csv has the last word
      for (auto& graph : file.graphs) graph.label.reset();
  } else {
    for (const auto& name : files.names) (void)add(name);
  }
  add_graphs(dataset, std::move(parsed));
  return dataset;
}

void require_graphs(const FileCollection& files) {
  if (files.names.empty() && !files.labelled)
    refuse("{} holds no graph dataset: there is no file NAME_A.txt in it, and no file of a format of graphs.",
           files.where);
}

GraphDataset ogb_dataset(std::vector<ParsedGraph> graphs, const fs::path& path) {
  GraphDataset dataset;
  std::vector<GraphFile> files;
  files.push_back({path.string(), std::move(graphs)});
  add_graphs(dataset, std::move(files), "graph-label.csv");
  return dataset;
}

GraphDataset read_folder(const fs::path& folder, const GraphReadOptions& options,
                         const base::Context& context) {
  if (is_tu_folder(folder)) return read_tu_dataset(folder, context, options);
  if (is_ogb_folder(folder)) return ogb_dataset(read_ogb_folder(folder, options, context), folder);
  const auto files = folder_files(folder, is_graph_file_name, context);
  require_graphs(files);
  return read_collection(files, options, context);
}

GraphDataset read_archive(const fs::path& archive, const GraphReadOptions& options,
                          const base::Context& context) {
  if (auto texts = find_tu_texts(archive, context, options))
    return parse_tu_dataset(*std::move(texts), context);
  if (auto ogb = read_members(archive, belongs_to_ogb, options.unpack_limit, context); !ogb.empty())
    return ogb_dataset(parse_ogb(archive.string(), std::move(ogb), options, context), archive);
  const auto files = archive_files(archive, is_graph_file_name, options.unpack_limit, context);
  require_graphs(files);
  return read_collection(files, options, context);
}

GraphDataset read_file(const fs::path& path, const GraphReadOptions& options, const base::Context& context) {
  GraphDataset dataset;
  std::vector<GraphFile> files(1);
  files.front().name = path.string();
  files.front().graphs = parse_graph_file(load_text(path, context), options, context);
  add_graphs(dataset, std::move(files));
  return dataset;
}

/// "roads" for roads.txt.gz
std::string name_of(const fs::path& path) {
  const fs::path plain = path.has_filename() ? path : path.parent_path();
  return fs::path(without_compression(plain.filename().string())).stem().string();
}

}  // namespace

GraphDataset read_graph_dataset(const fs::path& path, const base::Context& context,
                                const GraphReadOptions& options) {
  require_path(path);
  GraphDataset dataset;
  if (path_type(path) == PathType::folder)
    dataset = read_folder(path, options, context);
  else if (has_archive_ending(path))
    dataset = read_archive(path, options, context);
  else
    dataset = read_file(path, options, context);
  if (dataset.name.empty()) dataset.name = name_of(path);
  return dataset;
}

}  // namespace perslay::io
