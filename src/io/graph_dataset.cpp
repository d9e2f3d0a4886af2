#include "archive.h"
#include "text.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include <perslay/io/graph_dataset.h>

namespace perslay::io {

data::GraphDataset read_graph_dataset(const std::filesystem::path& path, const base::Context& context,
                                      const GraphReadOptions& options) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found)
    throw base::user_error(fmt::format("{} does not exist.", path.string()));
  if (error) throw base::user_error(fmt::format("{} cannot be read: {}.", path.string(), error.message()));
  if (std::filesystem::is_directory(status) || has_archive_ending(path))
    return read_tu_dataset(path, context);
  return read_edge_list(path, context, options);
}

std::vector<double> read_vertex_values(const std::filesystem::path& path, std::size_t expected) {
  const base::Context context;
  const Text text = load_text(path, context);
  std::vector<double> values;
  values.reserve(line_bound(text));
  NumberReader reader(text, context);
  while (reader.next_line()) {
    values.push_back(reader.real());
    reader.end_line();
  }
  if (values.size() != expected)
    fail_at(text.name, static_cast<std::int64_t>(std::min(values.size(), expected)) + 1,
            fmt::format("The file has {} values, but the graphs have {} vertices.", values.size(), expected));
  return values;
}

}  // namespace perslay::io
