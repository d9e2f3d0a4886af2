#pragma once

#include "text.h"

#include <filesystem>
#include <optional>
#include <string>

#include <perslay/base/context.h>
#include <perslay/data/graph_dataset.h>
#include <perslay/io/graph_dataset.h>

namespace perslay::io {

/// The files of one TU dataset, in memory.
struct TuTexts {
  std::string name;
  Text edges;
  Text indicator;
  std::optional<Text> labels;
  std::optional<Text> node_labels;
  std::optional<Text> node_attributes;
};

/// Finds the one dataset in a folder or archive and loads its files.
[[nodiscard]] TuTexts load_tu_texts(const std::filesystem::path& path, const base::Context& context = {},
                                    const GraphReadOptions& options = {});

/// The same of an archive; nothing if it has neither NAME_A.txt nor NAME_graph_indicator.txt.
[[nodiscard]] std::optional<TuTexts> find_tu_texts(const std::filesystem::path& archive,
                                                   const base::Context& context,
                                                   const GraphReadOptions& options);

/// Whether the folder has a file NAME_A.txt or NAME_graph_indicator.txt.
[[nodiscard]] bool is_tu_folder(const std::filesystem::path& path);

/// Releases each text once it is parsed.
[[nodiscard]] data::GraphDataset parse_tu_dataset(TuTexts texts, const base::Context& context = {});

}  // namespace perslay::io
