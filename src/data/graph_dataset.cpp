#include <algorithm>
#include <unordered_set>

#include <perslay/base/parallel.h>
#include <perslay/data/graph_dataset.h>

namespace perslay::data {

std::optional<std::size_t> attribute_called(const GraphDataset& dataset, std::string_view name) {
  const auto& names = dataset.attribute_names;
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

DatasetSummary summarize(const GraphDataset& dataset, const base::Context& context) {
  std::vector<std::int64_t> components(dataset.size());
  base::parallel_for(context, "counting", dataset.size(),
                     [&](std::size_t g) { components[g] = component_count(dataset.graphs[g]); });

  DatasetSummary summary;
  std::int64_t vertices = 0, edges = 0, beta0 = 0;
  for (std::size_t g = 0; g < dataset.size(); ++g) {
    const Graph& graph = dataset.graphs[g];
    vertices += graph.vertex_count();
    edges += graph.edge_count();
    beta0 += components[g];
    summary.largest_graph = std::max(summary.largest_graph, graph.vertex_count());
    for (Vertex v = 0; v < graph.vertex_count(); ++v)
      if (graph.degree(v) == 0) ++summary.isolated_vertices;
  }
  const auto count = static_cast<double>(std::max<std::size_t>(dataset.size(), 1));
  summary.graphs = dataset.size();
  summary.classes = dataset.classes.size();
  summary.node_label_values =
      std::unordered_set<int>(dataset.node_labels.begin(), dataset.node_labels.end()).size();
  summary.average_nodes = static_cast<double>(vertices) / count;
  summary.average_edges = static_cast<double>(edges) / count;
  summary.average_beta0 = static_cast<double>(beta0) / count;
  summary.average_beta1 = static_cast<double>(edges - vertices + beta0) / count;
  return summary;
}

}  // namespace perslay::data
