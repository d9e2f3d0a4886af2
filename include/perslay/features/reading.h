#pragma once

#include <filesystem>
#include <string>

#include <perslay/features/input_kind.h>
#include <perslay/features/items.h>

namespace perslay::features {

/// "Read 188 graphs in 2 classes from MUTAG.zip (labels from MUTAG_graph_labels.txt)." With it comes what reading
/// changed: repeated edges and self loops.
[[nodiscard]] std::string reading_sentence(const InputKind& kind, const std::filesystem::path& data,
                                           std::size_t items, std::size_t classes, const Reading& reading);
[[nodiscard]] std::string reading_sentence(const InputKind& kind, const std::filesystem::path& data,
                                           const Dataset& dataset);
[[nodiscard]] std::string reading_sentence(const std::filesystem::path& data, const Items& items);

}  // namespace perslay::features
