#include "item_steps.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/data/part_of.h>
#include <perslay/features/graph_diagrams.h>
#include <perslay/features/inputs.h>
#include <perslay/filtration/filtration.h>
#include <perslay/io/diagram_file.h>
#include <perslay/io/graph_dataset.h>
#include <perslay/io/look.h>

namespace perslay::features {
namespace {

namespace fs = std::filesystem;
using diagram::Kind;
using persistence::EssentialPolicy;

std::vector<filtration::Filtration> filtrations_of(std::span<const std::string> names) {
  return parse_filtrations(filtration::expand_times(names), graph_kind().default_filtration,
                           filtration::parse_filtration);
}

// ---- diagrams

bool is_ordinary(Kind kind) {
  return std::ranges::find(diagram::ordinary_kinds, kind) != diagram::ordinary_kinds.end();
}

GraphDiagramOptions options_of(const DiagramRequest& request) {
  GraphDiagramOptions options;
  options.kinds = chosen_kinds(graph_kind(), request.kinds);
  options.keep_diagonal = request.keep_diagonal;
  options.cycles = request.cycles;
  if (!request.essential.empty()) {
    if (std::ranges::none_of(options.kinds, is_ordinary))
      throw base::user_error(
          "essential is about the ordinary kinds sub0, sup0 and sub1, and none of them is asked for.");
    options.essential = persistence::parse_essential(request.essential);
  }
  if (options.cycles && std::ranges::find(options.kinds, Kind::ext1) == options.kinds.end())
    throw base::user_error("Cycles are found for ext1 points, and the kind ext1 is not asked for.");
  return options;
}

ComputedDiagrams diagrams_of(const data::GraphDataset& graphs, const DiagramRequest& request,
                             const base::Context& context) {
  const auto options = options_of(request);
  GraphDiagramSeconds seconds;
  ComputedDiagrams computed;
  const auto filtrations = filtrations_of(request.filtrations);
  computed.set = graph_diagrams(graphs, filtrations, options, context, &seconds);
  computed.notes = absent_labels(graphs, filtrations);
  computed.vertices = {graphs.vertex_names, graphs.vertex_offsets};
  computed.filtration_seconds = seconds.filtration;
  computed.persistence_seconds = seconds.persistence;
  if (options.essential.action == EssentialPolicy::Action::drop &&
      std::ranges::find(options.kinds, Kind::sub1) != options.kinds.end())
    computed.notes.emplace_back("Loops of a graph never die, so sub1 is empty unless 'essential' is clip.");
  return computed;
}

// ---- items

bool wants_diagrams(const LoadRequest& request, const std::vector<ItemFeature>& features) {
  return request.keep_diagrams || !std::ranges::all_of(features, &ItemFeature::of_graphs);
}

// ---- vertex functions

/// The functions of filtrations, then those whose deciles are asked for, each once.
std::vector<filtration::Filtration> functions_read(std::vector<filtration::Filtration> functions,
                                                   std::span<const ItemFeature> features) {
  for (const auto& feature : features)
    if (feature.type == ItemFeature::Type::deciles &&
        std::ranges::find(functions, feature.function.name, &filtration::Filtration::name) == functions.end())
      functions.push_back(feature.function);
  return functions;
}

/// Blocks of features of graphs, and the diagrams of filtrations. Every vertex function is computed once,
/// however many of them read it; its values live as long as somebody reads them.
void add_blocks_and_diagrams(Items& items, const data::GraphDataset& graphs,
                             std::span<const ItemFeature> features,
                             const std::vector<filtration::Filtration>& filtrations,
                             const GraphDiagramOptions& options, bool to_predict,
                             const base::Context& context) {
  const auto functions = functions_read(filtrations, features);
  const auto absent = absent_labels(graphs, functions);
  if (!to_predict && !absent.empty()) throw base::user_error(absent.front());
  auto values = vertex_values(graphs, functions, context);
  if (!features.empty())
    items.blocks = graph_blocks(graphs, features, given_functions(functions, values), context);
  values.resize(filtrations.size());  // the rest was for features alone
  items.groups = graph_diagrams(graphs, given_functions(filtrations, values), options, context).groups;
}

// ---- what is said of a dataset

std::vector<Fact> facts_of(const data::GraphDataset& graphs, const base::Context& context) {
  const auto summary = data::summarize(graphs, context);
  const bool weighted = std::ranges::any_of(graphs.graphs, &data::Graph::weighted);
  const auto attributes = static_cast<std::int64_t>(graphs.attribute_count);
  const auto label_values = static_cast<std::int64_t>(summary.node_label_values);
  const auto real = [](const char* title, const char* key, double value) {
    return Fact{title, fmt::format("{:.3f}", value), key, value};
  };
  const auto count = [](const char* title, const char* key, std::int64_t value) {
    return Fact{title, fmt::format("{}", value), key, value};
  };
  return {
      real("average nodes", "avg_nodes", summary.average_nodes),
      real("average edges", "avg_edges", summary.average_edges),
      real("average beta0", "avg_beta0", summary.average_beta0),
      real("average beta1", "avg_beta1", summary.average_beta1),
      {"largest graph", fmt::format("{} nodes", summary.largest_graph), "largest_graph",
       std::int64_t{summary.largest_graph}},
      count("isolated vertices", "isolated_vertices", summary.isolated_vertices),
      count("self loops dropped", "self_loops_dropped", graphs.cleaning.self_loops_dropped),
      count("duplicate edges merged", "duplicate_edges_merged", graphs.cleaning.duplicate_edges_merged),
      {"edge weights", weighted ? "yes" : "no", "weighted", weighted},
      {"node labels", graphs.node_labels.empty() ? "no" : fmt::format("{} values", label_values),
       "node_label_values", label_values},
      {"node attributes", attributes == 0 ? "no" : fmt::format("{}", attributes), "node_attributes",
       attributes},
  };
}

Reading reading_of(const data::GraphDataset& graphs) {
  return {.labels_from = graphs.labels_from,
          .self_loops_dropped = graphs.cleaning.self_loops_dropped,
          .duplicate_edges_merged = graphs.cleaning.duplicate_edges_merged};
}

class Graphs final : public Dataset {
 public:
  explicit Graphs(std::shared_ptr<const data::GraphDataset> graphs) : graphs_(std::move(graphs)) {}

  [[nodiscard]] std::size_t size() const noexcept override { return graphs_->size(); }
  [[nodiscard]] std::string name() const override { return graphs_->name; }
  [[nodiscard]] const std::vector<int>& labels() const noexcept override { return graphs_->labels; }
  [[nodiscard]] const std::vector<std::string>& classes() const noexcept override { return graphs_->classes; }
  [[nodiscard]] std::vector<Fact> facts(const base::Context& context) const override {
    return facts_of(*graphs_, context);
  }
  [[nodiscard]] std::vector<std::string> notes() const override { return graphs_->notes; }
  [[nodiscard]] Reading reading() const override { return reading_of(*graphs_); }
  [[nodiscard]] std::unique_ptr<Dataset> part(std::span<const std::size_t> rows) const override {
    return dataset_of(std::make_shared<data::GraphDataset>(data::part_of(*graphs_, rows)));
  }
  [[nodiscard]] ComputedDiagrams diagrams(const DiagramRequest& request,
                                          const base::Context& context) const override {
    return diagrams_of(*graphs_, request, context);
  }
  [[nodiscard]] Items items(const LoadRequest& request, const base::Context& context) override {
    return make_items(*graphs_, request, context);
  }
  [[nodiscard]] std::shared_ptr<const ItemGraphs> graphs() const override {
    return std::make_shared<const ItemGraphs>(ItemGraphs{graphs_->graphs});
  }

 private:
  std::shared_ptr<const data::GraphDataset> graphs_;
};

// ---- the kind

Claim claim(const fs::path& data) {
  return io::is_diagram_file(data)
             ? Claim{}
             : claim_of(data, io::look_at(data), &io::Look::graphs, "an edge list", "edge lists");
}

std::unique_ptr<Dataset> read(const fs::path& data, const ReadOptions& options,
                              const base::Context& context) {
  return dataset_of(std::make_shared<data::GraphDataset>(io::read_graph_dataset(
      data, context,
      {.one_based = options.one_based, .columns = options.columns, .unpack_limit = options.unpack_limit})));
}

void check(const DiagramRequest& request) {
  (void)filtrations_of(request.filtrations);
  (void)options_of(request);
}

}  // namespace

Items make_items(const data::GraphDataset& graphs, const LoadRequest& request, const base::Context& context) {
  const auto features = parse_features(request);
  const auto transforms = parse_item_transforms(request.transforms);
  auto filtrations = filtrations_of(request.filtrations);
  const auto options = options_of(diagram_request(request));

  Items items;
  items.kind = &graph_kind();
  items.labels = graphs.labels;
  items.classes = graphs.classes;
  items.reading = reading_of(graphs);
  for (const auto& graph : graphs.graphs)
    items.sizes.push_back(
        {static_cast<double>(graph.vertex_count()), static_cast<double>(graph.edge_count())});
  std::vector<ItemFeature> of_graphs, keyed;
  for (const auto& feature : features)
    if (feature.of_graphs()) (feature.is_keyed() ? keyed : of_graphs).push_back(feature);
  items.keyed = keyed_blocks(graphs, keyed, context);  // before vertex values, which take memory
  if (!wants_diagrams(request, features)) filtrations.clear();
  add_blocks_and_diagrams(items, graphs, of_graphs, filtrations, options, request.to_predict, context);
  for (const auto& feature : features)  // now, as transforms drop vertices
    if (feature.type == ItemFeature::Type::label_pairs)
      items.keyed.push_back(label_pairs_block(graphs, items.groups, feature, context));
  normalise(items.groups, transforms, request.drop_diagonal, context);
  add_diagram_blocks(items, features, request.keep_diagrams, context);
  if (request.keep_graphs) items.graphs = std::make_shared<const ItemGraphs>(ItemGraphs{graphs.graphs});
  return items;
}

std::unique_ptr<Dataset> dataset_of(std::shared_ptr<const data::GraphDataset> graphs) {
  return std::make_unique<Graphs>(std::move(graphs));
}

const InputKind& graph_kind() {
  static const InputKind kind{
      .name = "graphs",
      .plural = "graphs",
      .item = "graph",
      .help =
          "a TU folder, a folder with a file for each graph (with labels in labels.csv), the same\n"
          "in a .zip or .tar.* archive, an edge list, or another file of graphs",
      .filtrations = &filtration::filtrations(),
      .default_filtration = "hks:10",
      .kinds = {Kind::ord0, Kind::rel1, Kind::ext0, Kind::ext1, Kind::sub0, Kind::sup0, Kind::sub1},
      .default_kinds = {diagram::extended_kinds.begin(), diagram::extended_kinds.end()},
      .options = {"ordinary", "keep-diagonal", "cycles", "one-based", "columns"},
      .claim = claim,
      .read = read,
      .check = check};
  return kind;
}

}  // namespace perslay::features
