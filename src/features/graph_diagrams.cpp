#include "data_functions.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/parallel.h>
#include <perslay/base/stopwatch.h>
#include <perslay/features/graph_diagrams.h>
#include <perslay/filtration/heat_kernel_signature.h>
#include <perslay/io/graph_dataset.h>
#include <perslay/persistence/edge_subdivision.h>
#include <perslay/persistence/extended_persistence.h>
#include <perslay/persistence/representative_cycle.h>

namespace perslay::features {
namespace {

using diagram::Kind;
using filtration::Filtration;

/// The context for work on one of `items` items: only a single item reports progress of its own.
base::Context inside_item(const base::Context& context, std::size_t items) {
  base::Context inside = context;
  if (items > 1) inside.progress = nullptr;
  return inside;
}

/// The numbers of one graph's vertices.
template <class T>
std::span<T> of_graph(std::span<T> packed, const data::GraphDataset& dataset, std::size_t graph) {
  return packed.subspan(static_cast<std::size_t>(dataset.vertex_offsets[graph]),
                        static_cast<std::size_t>(dataset.graphs[graph].vertex_count()));
}

/// The heat kernel signatures of some filtrations that share a tolerance: one call per graph for all times.
void compute_heat_kernels(const data::GraphDataset& dataset, std::span<const Filtration> filtrations,
                          double tolerance, std::span<const std::size_t> places,
                          std::vector<std::vector<double>>& values, const base::Context& context) {
  struct Buffer {
    filtration::HeatKernelSignature signature;
    std::vector<double> values;
  };
  filtration::HeatKernelOptions options;
  options.tolerance = tolerance;
  std::vector<double> times;
  times.reserve(places.size());
  for (const std::size_t place : places) times.push_back(filtrations[place].heat_kernel->time);
  const base::Context inside = inside_item(context, dataset.size());
  base::parallel_for(
      context, "heat kernel signatures", dataset.size(),
      [&] {
        return Buffer{filtration::HeatKernelSignature(options), {}};
      },
      [&](std::size_t g, Buffer& buffer) {
        const auto n = static_cast<std::size_t>(dataset.graphs[g].vertex_count());
        buffer.values.resize(times.size() * n);
        buffer.signature.compute(dataset.graphs[g], times, buffer.values, {}, inside);
        for (std::size_t i = 0; i < times.size(); ++i)
          std::ranges::copy(std::span(buffer.values).subspan(i * n, n),
                            of_graph(std::span(values[places[i]]), dataset, g).begin());
      });
}

/// A graph with values on its vertices. If it is a subdivided one, `vertex_of` says which vertex each of its own was,
/// -1 for none; otherwise it is empty.
struct ValuedGraph {
  const data::Graph& graph;
  std::span<const double> values;
  std::span<const data::Vertex> vertex_of{};

  [[nodiscard]] data::Vertex original(data::Vertex v) const {
    return v < 0 || vertex_of.empty() ? v : vertex_of[static_cast<std::size_t>(v)];
  }
  [[nodiscard]] diagram::VertexPair original(diagram::VertexPair pair) const {
    return {original(pair.birth), original(pair.death)};
  }
  [[nodiscard]] std::vector<data::Vertex> original(std::vector<data::Vertex> cycle) const {
    for (data::Vertex& v : cycle) v = original(v);
    std::erase(cycle, -1);
    return cycle;
  }
};

/// What one graph contributes to the groups of one filtration: the diagrams one after the other, in the order
/// of options.kinds, since most are small and there are many.
struct GraphResult {
  std::vector<diagram::Point> points;
  std::vector<diagram::VertexPair> vertices;
  std::vector<std::size_t> ends;                  // of each kind
  std::vector<std::vector<data::Vertex>> cycles;  // of the ext1 points

  [[nodiscard]] std::size_t begin_of(std::size_t kind) const { return kind == 0 ? 0 : ends[kind - 1]; }

  /// The batch would sort the points as well, but on one thread.
  void add(const diagram::Diagram& diagram, const ValuedGraph& valued) {
    const std::size_t begin = points.size();
    points.insert(points.end(), diagram.points.begin(), diagram.points.end());
    for (const auto& pair : diagram.vertices) vertices.push_back(valued.original(pair));
    ends.push_back(points.size());
    diagram::sort_points(std::span(points).subspan(begin), std::span(vertices).subspan(begin));
  }
};

/// An ext1 point in the order of batches: `original` are the vertices that are reported.
struct Loop {
  diagram::Point point;
  diagram::VertexPair original;
  data::Vertex closing;
  diagram::VertexPair vertices;

  friend auto operator<=>(const Loop&, const Loop&) = default;
};

std::vector<Loop> sorted_loops(const persistence::ExtendedDiagrams& diagrams, const ValuedGraph& valued) {
  std::vector<Loop> loops;
  for (std::size_t i = 0; i < diagrams.ext1.size(); ++i) {
    const auto vertices = diagrams.ext1.vertices[i];
    loops.push_back({diagrams.ext1.points[i], valued.original(vertices), diagrams.ext1_closing[i], vertices});
  }
  std::ranges::sort(loops);
  return loops;
}

bool any_of(std::span<const Kind> wanted, std::span<const Kind> family) {
  return std::ranges::find_first_of(wanted, family) != wanted.end();
}

GraphResult diagrams_of(const ValuedGraph& valued, const GraphDiagramOptions& options,
                        persistence::ExtendedPersistence& extended, const base::Context& context) {
  const auto& [graph, values, vertex_of] = valued;
  GraphResult result;
  const persistence::ExtendedDiagrams* extended_result = nullptr;
  if (any_of(options.kinds, diagram::extended_kinds))
    extended_result = &extended.compute(graph, values, {.keep_diagonal = options.keep_diagonal});
  persistence::OrdinaryDiagrams ordinary;
  if (any_of(options.kinds, diagram::ordinary_kinds))
    ordinary = persistence::ordinary_persistence(
        graph, values, {.essential = options.essential, .keep_diagonal = options.keep_diagonal});

  const auto of_kind = [&](Kind kind) -> const diagram::Diagram& {
    if (kind == Kind::sub0) return ordinary.sub0;
    if (kind == Kind::sup0) return ordinary.sup0;
    if (kind == Kind::sub1) return ordinary.sub1;
    if (kind != Kind::h0 && kind != Kind::h1) return (*extended_result)[kind];
    throw base::internal_error(fmt::format("Graphs have no diagrams of kind {}.", diagram::kind_name(kind)));
  };

  std::size_t all_points = 0;
  for (const Kind kind : options.kinds) all_points += of_kind(kind).size();
  result.points.reserve(all_points);
  result.vertices.reserve(all_points);
  result.ends.reserve(options.kinds.size());
  for (const Kind kind : options.kinds) {
    result.add(of_kind(kind), valued);
    if (kind != Kind::ext1 || !options.cycles) continue;
    persistence::RepresentativeCycles cycles(graph, values);
    for (const Loop& loop : sorted_loops(*extended_result, valued)) {
      context.stop_if_cancelled();
      result.cycles.push_back(valued.original(cycles.find(loop.vertices, loop.closing)));
    }
  }
  return result;
}

/// The diagrams of one kind, those of all graphs.
diagram::DiagramBatch pack_diagrams(std::span<const GraphResult> results, std::size_t kind) {
  std::vector<std::int64_t> offsets{0};
  offsets.reserve(results.size() + 1);
  for (const GraphResult& result : results)
    offsets.push_back(offsets.back() + static_cast<std::int64_t>(result.ends[kind] - result.begin_of(kind)));
  std::vector<diagram::Point> points;
  std::vector<diagram::VertexPair> vertices;
  points.reserve(static_cast<std::size_t>(offsets.back()));
  vertices.reserve(static_cast<std::size_t>(offsets.back()));
  for (const GraphResult& result : results) {
    const auto begin = static_cast<std::ptrdiff_t>(result.begin_of(kind));
    const auto end = static_cast<std::ptrdiff_t>(result.ends[kind]);
    points.insert(points.end(), result.points.begin() + begin, result.points.begin() + end);
    vertices.insert(vertices.end(), result.vertices.begin() + begin, result.vertices.begin() + end);
  }
  return {std::move(points), std::move(offsets), std::move(vertices)};
}

diagram::CycleBatch pack_cycles(std::span<const GraphResult> results) {
  diagram::CycleBatch batch;
  for (const GraphResult& result : results) {
    for (const auto& cycle : result.cycles) {
      batch.vertices.insert(batch.vertices.end(), cycle.begin(), cycle.end());
      batch.offsets.push_back(static_cast<std::int64_t>(batch.vertices.size()));
    }
  }
  return batch;
}

/// The groups of one filtration, in the order of options.kinds.
std::vector<diagram::DiagramGroup> groups_of(const data::GraphDataset& dataset, const GivenFunction& function,
                                             const GraphDiagramOptions& options,
                                             const base::Context& context) {
  if (function.edge_weights) require_edge_weights(dataset);
  std::vector<GraphResult> results(dataset.size());
  base::parallel_for(
      context, "persistence", dataset.size(), [] { return persistence::ExtendedPersistence(); },
      [&](std::size_t g, persistence::ExtendedPersistence& extended) {
        if (function.edge_weights) {
          const auto [graph, values, vertex_of] = persistence::subdivide_by_weight(dataset.graphs[g]);
          results[g] = diagrams_of({graph, values, vertex_of}, options, extended, context);
        } else {
          results[g] = diagrams_of({dataset.graphs[g], of_graph(function.values, dataset, g)}, options,
                                   extended, context);
        }
      });

  std::vector<diagram::DiagramGroup> groups;
  for (std::size_t k = 0; k < options.kinds.size(); ++k) {
    diagram::DiagramGroup group{function.name, options.kinds[k], pack_diagrams(results, k), {}};
    if (options.cycles && options.kinds[k] == Kind::ext1) group.cycles = pack_cycles(results);
    groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace

std::vector<std::vector<double>> vertex_values(const data::GraphDataset& dataset,
                                               std::span<const Filtration> filtrations,
                                               const base::Context& context) {
  const auto vertices = static_cast<std::size_t>(dataset.vertex_offsets.back());
  std::vector<std::vector<double>> values(filtrations.size());
  std::map<double, std::vector<std::size_t>> heat_kernels;  // places in the list, by tolerance
  const base::Context inside = inside_item(context, dataset.size());
  for (std::size_t i = 0; i < filtrations.size(); ++i) {
    const Filtration& filtration = filtrations[i];
    if (!filtration.path.empty()) {
      values[i] = io::read_vertex_values(filtration.path, vertices);
      continue;
    }
    if (filtration.attribute) {
      values[i] = attribute_values(dataset, filtration);
      continue;
    }
    if (!filtration.label.empty()) {
      values[i] = label_values(dataset, filtration);
      continue;
    }
    if (filtration.edge_weights) continue;
    values[i].resize(vertices);
    if (filtration.heat_kernel) {
      heat_kernels[filtration.heat_kernel->tolerance].push_back(i);
      continue;
    }
    base::parallel_for(context, filtration.name, dataset.size(), [&](std::size_t g) {
      filtration.compute(dataset.graphs[g], of_graph(std::span(values[i]), dataset, g), inside);
    });
  }
  for (const auto& [tolerance, places] : heat_kernels)
    compute_heat_kernels(dataset, filtrations, tolerance, places, values, context);
  return values;
}

std::vector<GivenFunction> given_functions(std::span<const Filtration> filtrations,
                                           std::span<const std::vector<double>> values) {
  std::vector<GivenFunction> functions;
  functions.reserve(filtrations.size());
  for (std::size_t i = 0; i < filtrations.size(); ++i)
    functions.push_back({filtrations[i].name, values[i], filtrations[i].edge_weights});
  return functions;
}

diagram::DiagramSet graph_diagrams(const data::GraphDataset& dataset, std::span<const Filtration> filtrations,
                                   const GraphDiagramOptions& options, const base::Context& context,
                                   GraphDiagramSeconds* seconds) {
  const base::Stopwatch watch;
  const auto values = vertex_values(dataset, filtrations, context);
  const double filtration_seconds = watch.seconds();
  auto set = graph_diagrams(dataset, given_functions(filtrations, values), options, context);
  if (seconds != nullptr) *seconds = {filtration_seconds, watch.seconds() - filtration_seconds};
  return set;
}

diagram::DiagramSet graph_diagrams(const data::GraphDataset& dataset,
                                   std::span<const GivenFunction> functions,
                                   const GraphDiagramOptions& options, const base::Context& context) {
  diagram::DiagramSet set;
  set.labels = dataset.labels;
  set.classes = dataset.classes;
  for (const GivenFunction& function : functions)
    for (auto& group : groups_of(dataset, function, options, context)) set.groups.push_back(std::move(group));
  return set;
}

}  // namespace perslay::features
