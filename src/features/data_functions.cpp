#include "data_functions.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/error.h>
#include <perslay/data/word_number.h>
#include <perslay/features/graph_diagrams.h>

namespace perslay::features {
namespace {

using filtration::Filtration;

/// "columns 0 to 4"
std::string columns_of(const data::GraphDataset& dataset) {
  if (dataset.attribute_count == 1) return "column 0 alone";
  return fmt::format("columns 0 to {}", dataset.attribute_count - 1);
}

/// The number that datasets have for a node label, be it an integer or a word.
int label_number(std::string_view label) {
  int number = 0;
  std::from_chars(label.data(), label.data() + label.size(), number);
  return fmt::format("{}", number) == label ? number : data::number_of_word(label);
}

}  // namespace

std::vector<double> attribute_values(const data::GraphDataset& dataset, const Filtration& filtration) {
  const auto vertices = static_cast<std::size_t>(dataset.vertex_offsets.back());
  const std::size_t column = *filtration.attribute;
  if (vertices > 0 && dataset.attribute_count == 0)
    throw base::user_error(fmt::format(
        "{} reads node attributes, and the vertices of these graphs have none.", filtration.name));
  if (vertices > 0 && column >= dataset.attribute_count)
    throw base::user_error(fmt::format("{} reads column {} of the node attributes, and these graphs have {}.",
                                       filtration.name, column, columns_of(dataset)));
  std::vector<double> values(vertices);
  for (std::size_t v = 0; v < vertices; ++v) {
    values[v] = dataset.node_attributes[v * dataset.attribute_count + column];
    if (!std::isfinite(values[v])) {
      const auto after = std::ranges::upper_bound(dataset.vertex_offsets, static_cast<std::int64_t>(v));
      throw base::user_error(
          fmt::format("{} of vertex {} of graph {} is {}, and values of vertices must be finite.",
                      filtration.name, static_cast<std::int64_t>(v) - *(after - 1),
                      after - dataset.vertex_offsets.begin() - 1, values[v]));
    }
  }
  return values;
}

std::vector<double> label_values(const data::GraphDataset& dataset, const Filtration& filtration) {
  const auto vertices = static_cast<std::size_t>(dataset.vertex_offsets.back());
  if (vertices > 0 && dataset.node_labels.empty())
    throw base::user_error(
        fmt::format("{} reads node labels, and the vertices of these graphs have none.", filtration.name));
  const auto wanted = label_number(filtration.label);
  std::vector<double> values(vertices);
  std::ranges::transform(dataset.node_labels, values.begin(),
                         [&](int label) { return label == wanted ? 1.0 : 0.0; });
  return values;
}

void require_edge_weights(const data::GraphDataset& dataset) {
  const auto lacks = [](const data::Graph& graph) { return graph.edge_count() > 0 && !graph.weighted(); };
  const auto found = std::ranges::find_if(dataset.graphs, lacks);
  if (found == dataset.graphs.end()) return;
  if (std::ranges::none_of(dataset.graphs, &data::Graph::weighted))
    throw base::user_error("weight reads edge weights, and the edges of these graphs have none.");
  throw base::user_error(fmt::format("weight reads edge weights, and the edges of graph {} have none.",
                                     found - dataset.graphs.begin()));
}

std::vector<std::string> absent_labels(const data::GraphDataset& dataset,
                                       std::span<const Filtration> filtrations) {
  constexpr std::size_t most = 20;
  std::vector<std::string> sentences;
  if (dataset.node_labels.empty()) return sentences;
  const std::set<int> labels(dataset.node_labels.begin(), dataset.node_labels.end());
  const auto last = std::next(labels.begin(), static_cast<std::ptrdiff_t>(std::min(most, labels.size())));
  auto known = fmt::format("{}", fmt::join(labels.begin(), last, ", "));
  if (labels.size() > most) known += fmt::format(" and {} more", labels.size() - most);
  for (const Filtration& filtration : filtrations) {
    if (filtration.label.empty()) continue;
    const auto wanted = label_number(filtration.label);
    if (!labels.contains(wanted))
      sentences.push_back(
          fmt::format("No vertex has the label of {}; the node labels are {}.", filtration.name, known));
  }
  return sentences;
}

}  // namespace perslay::features
