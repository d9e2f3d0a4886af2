#include "csv.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include <perslay/io/atomic_file.h>
#include <perslay/io/graph_dataset.h>

namespace perslay::io {
namespace {

using data::GraphDataset;

/// Writes a file within the folder: the text that `append(text, i)` adds for each i below `count`, in large
/// pieces.
template <class Append>
void write_text(const AtomicFile& folder, std::string_view ending, std::size_t count, Append append) {
  const std::string name = folder.target().filename().string().append(ending);
  const auto fail = [&] {
    throw base::internal_error(
        fmt::format("{} cannot be written: {}.", (folder.target() / name).string(), std::strerror(errno)));
  };
  const auto close = [](std::FILE* opened) { std::fclose(opened); };
  std::unique_ptr<std::FILE, decltype(close)> file(std::fopen((folder.partial() / name).c_str(), "wb"),
                                                   close);
  if (!file) fail();
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    append(text, i);
    if (text.size() < (std::size_t{1} << 20) && i + 1 < count) continue;
    if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size()) fail();
    text.clear();
  }
  if (std::fclose(file.release()) != 0) fail();
}

void append_line(std::string& text, auto number) {
  append_number(text, number);
  text += '\n';
}

/// Refuses datasets with content that the format cannot hold.
void refuse_what_would_be_lost(const GraphDataset& dataset) {
  const auto lost = [](const std::string& reason) {
    refuse("The dataset cannot be written as a TU folder: {}", reason);
  };
  if (dataset.vertex_offsets.back() == 0) lost("it has no vertices.");
  if (dataset.labels.size() != dataset.size())
    lost(fmt::format("it has {} labels for {} graphs.", dataset.labels.size(), dataset.size()));
  if (dataset.graphs.back().vertex_count() == 0)
    lost(fmt::format("its last graph, {}, has no vertices.", dataset.size()));
  if (!dataset.vertex_names.empty()) lost("its vertices have names.");
  if (!dataset.attribute_names.empty()) lost("its node attributes have names.");
  for (const std::string& name : dataset.classes)
    if (!number_in<std::int64_t>(name))
      lost(fmt::format("its class {} is not an integer.", io::quoted(name)));
  for (std::size_t g = 0; g < dataset.size(); ++g)
    if (dataset.graphs[g].weighted()) lost(fmt::format("graph {} has edge weights.", g + 1));
}

}  // namespace

void write_tu_dataset(const std::filesystem::path& path, const GraphDataset& dataset) {
  const std::filesystem::path target = path.has_filename() ? path : path.parent_path();
  std::error_code error;
  if (std::filesystem::exists(target, error)) refuse("{} exists already.", target.string());
  refuse_what_would_be_lost(dataset);

  AtomicFile folder(target);
  if (!std::filesystem::create_directory(folder.partial(), error))
    throw base::internal_error(fmt::format("{} cannot be written: {}.", target.string(), error.message()));
  write_text(folder, "_A.txt", dataset.size(), [&](std::string& text, std::size_t g) {
    const data::Graph& graph = dataset.graphs[g];
    const std::int64_t first = dataset.vertex_offsets[g] + 1;
    for (data::Vertex v = 0; v < graph.vertex_count(); ++v)
      for (const data::Vertex u : graph.neighbours(v)) {
        append_number(text, first + v);
        text += ", ";
        append_line(text, first + u);
      }
  });
  write_text(folder, "_graph_indicator.txt", dataset.size(), [&](std::string& text, std::size_t g) {
    for (data::Vertex v = 0; v < dataset.graphs[g].vertex_count(); ++v) append_line(text, g + 1);
  });
  write_text(folder, "_graph_labels.txt", dataset.size(), [&](std::string& text, std::size_t g) {
    text += dataset.classes[static_cast<std::size_t>(dataset.labels[g])] + '\n';
  });
  if (!dataset.node_labels.empty())
    write_text(folder, "_node_labels.txt", dataset.node_labels.size(),
               [&](std::string& text, std::size_t v) { append_line(text, dataset.node_labels[v]); });
  if (dataset.attribute_count > 0)
    write_text(folder, "_node_attributes.txt", dataset.node_attributes.size(),
               [&](std::string& text, std::size_t i) {
                 append_number(text, dataset.node_attributes[i]);
                 text += (i + 1) % dataset.attribute_count == 0 ? "\n" : ", ";
               });
  folder.commit();
}

}  // namespace perslay::io
