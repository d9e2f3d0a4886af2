#include "text.h"

#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include <perslay/io/atomic_file.h>
#include <perslay/io/graph_dataset.h>

namespace perslay::io {
namespace {

using data::GraphDataset;

/// Text gathered in memory and written in large pieces.
class TextFile {
 public:
  /// A file within the folder.
  TextFile(const AtomicFile& folder, const std::string& name)
      : shown_(folder.target() / name), file_(std::fopen((folder.partial() / name).c_str(), "wb")) {
    if (!file_) fail();
  }

  template <class Number>
  requires std::is_arithmetic_v<Number> TextFile& operator<<(Number number) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    return *this << std::string_view(digits, end);
  }
  TextFile& operator<<(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= (std::size_t{1} << 20)) flush();
    return *this;
  }

  void close() {
    flush();
    if (std::fclose(file_.release()) != 0) fail();
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  void flush() {
    if (std::fwrite(buffer_.data(), 1, buffer_.size(), file_.get()) != buffer_.size()) fail();
    buffer_.clear();
  }
  [[noreturn]] void fail() const {
    throw base::internal_error(
        fmt::format("{} cannot be written: {}.", shown_.string(), std::strerror(errno)));
  }

  std::filesystem::path shown_;
  std::unique_ptr<std::FILE, Close> file_;
  std::string buffer_;
};

/// Refuses datasets with content that the format cannot hold.
void refuse_what_would_be_lost(const GraphDataset& dataset) {
  const auto refuse = [](const std::string& reason) {
    throw base::user_error("The dataset cannot be written as a TU folder: " + reason);
  };
  if (dataset.vertex_offsets.back() == 0) refuse("it has no vertices.");
  if (dataset.labels.size() != dataset.size())
    refuse(fmt::format("it has {} labels for {} graphs.", dataset.labels.size(), dataset.size()));
  if (dataset.graphs.back().vertex_count() == 0)
    refuse(fmt::format("its last graph, {}, has no vertices.", dataset.size()));
  for (const std::string& name : dataset.classes) {
    std::int64_t number = 0;
    const char* const end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data(), end, number);
    if (error != std::errc{} || stop != end)
      refuse(fmt::format("its class {} is not an integer.", io::quoted(name)));
  }
  for (std::size_t g = 0; g < dataset.size(); ++g)
    if (dataset.graphs[g].weighted()) refuse(fmt::format("graph {} has edge weights.", g + 1));
}

void write_edges(TextFile file, const GraphDataset& dataset) {
  for (std::size_t g = 0; g < dataset.size(); ++g) {
    const data::Graph& graph = dataset.graphs[g];
    const std::int64_t first = dataset.vertex_offsets[g] + 1;
    for (data::Vertex v = 0; v < graph.vertex_count(); ++v)
      for (const data::Vertex u : graph.neighbours(v)) file << first + v << ", " << first + u << "\n";
  }
  file.close();
}

void write_indicator(TextFile file, const GraphDataset& dataset) {
  for (std::size_t g = 0; g < dataset.size(); ++g)
    for (data::Vertex v = 0; v < dataset.graphs[g].vertex_count(); ++v) file << g + 1 << "\n";
  file.close();
}

void write_labels(TextFile file, const GraphDataset& dataset) {
  for (const int label : dataset.labels) file << dataset.classes[static_cast<std::size_t>(label)] << "\n";
  file.close();
}

void write_node_labels(TextFile file, const GraphDataset& dataset) {
  for (const int label : dataset.node_labels) file << label << "\n";
  file.close();
}

void write_node_attributes(TextFile file, const GraphDataset& dataset) {
  for (std::size_t i = 0; i < dataset.node_attributes.size(); ++i)
    file << dataset.node_attributes[i] << ((i + 1) % dataset.attribute_count == 0 ? "\n" : ", ");
  file.close();
}

}  // namespace

void write_tu_dataset(const std::filesystem::path& path, const GraphDataset& dataset) {
  const std::filesystem::path target = path.has_filename() ? path : path.parent_path();
  std::error_code error;
  if (std::filesystem::exists(std::filesystem::symlink_status(target, error)))
    throw base::user_error(fmt::format("{} exists already.", target.string()));
  refuse_what_would_be_lost(dataset);

  AtomicFile folder(target);
  if (!std::filesystem::create_directory(folder.partial(), error))
    throw base::internal_error(fmt::format("{} cannot be written: {}.", target.string(), error.message()));
  const auto file = [&](std::string_view ending) {
    return TextFile(folder, target.filename().string() + std::string(ending));
  };
  write_edges(file("_A.txt"), dataset);
  write_indicator(file("_graph_indicator.txt"), dataset);
  write_labels(file("_graph_labels.txt"), dataset);
  if (!dataset.node_labels.empty()) write_node_labels(file("_node_labels.txt"), dataset);
  if (dataset.attribute_count > 0) write_node_attributes(file("_node_attributes.txt"), dataset);
  folder.commit();
}

}  // namespace perslay::io
