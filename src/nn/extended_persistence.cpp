#include <cmath>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/parallel.h>
#include <perslay/diagram/transforms.h>
#include <perslay/nn/extended_persistence.h>
#include <perslay/persistence/extended_persistence.h>

namespace perslay::nn {
namespace {

using diagram::Diagram;
using diagram::Kind;

/// The values that decide the pairing.
std::vector<double> deciding_values(const torch::Tensor& values, double resolution) {
  const auto numbers = values.detach().to(torch::kFloat64).contiguous();
  const auto* begin = numbers.data_ptr<double>();
  std::vector<double> result(begin, begin + numbers.numel());
  if (resolution > 0)
    for (double& value : result) value = std::round(value / resolution) * resolution;
  return result;
}

void check(const torch::Tensor& values, std::span<const data::Graph> graphs, const std::vector<Kind>& kinds) {
  std::int64_t vertices = 0;
  for (const auto& graph : graphs) vertices += graph.vertex_count();
  if (values.dim() != 1 || values.size(0) != vertices || !values.is_floating_point() || !values.is_cpu())
    throw base::user_error(fmt::format(
        "Extended persistence needs one floating number for each of {} vertices, on the CPU.", vertices));
  for (const Kind kind : kinds)
    if (std::ranges::find(diagram::extended_kinds, kind) == diagram::extended_kinds.end())
      throw base::user_error(fmt::format("{} is no kind of extended persistence.", diagram::kind_name(kind)));
}

/// Of each diagram the vertices behind its points, in the order of points.
using Selection = std::vector<diagram::VertexPair>;

/// Of one diagram, with coordinates in ascending order.
Selection selected(Diagram diagram, const ExtendedPersistenceOptions& options) {
  auto& [points, vertices] = diagram;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (points[i].birth > points[i].death) {
      std::swap(points[i].birth, points[i].death);
      std::swap(vertices[i].birth, vertices[i].death);
    }
  if (options.prominent && points.size() > *options.prominent) {
    const auto few = diagram::prominent(diagram::DiagramBatch(std::span(&diagram, 1)), *options.prominent);
    points.assign(few.points().begin(), few.points().end());
    vertices.assign(few.vertices().begin(), few.vertices().end());
  } else {
    diagram::sort_points(points, vertices);
  }
  if (options.keep_diagonal) return std::move(vertices);
  Selection proper;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (points[i].birth != points[i].death) proper.push_back(vertices[i]);
  return proper;
}

std::vector<std::int64_t> first_vertices(std::span<const data::Graph> graphs) {
  std::vector<std::int64_t> firsts;
  firsts.reserve(graphs.size());
  for (std::int64_t first = 0; const auto& graph : graphs) {
    firsts.push_back(first);
    first += graph.vertex_count();
  }
  return firsts;
}

/// Calls use(kind, graph, diagram) for all diagrams, in parallel.
template <class Use>
void for_each_diagram(std::span<const double> values, std::span<const data::Graph> graphs,
                      const ExtendedPersistenceOptions& options, Use&& use) {
  const auto begins = first_vertices(graphs);
  base::Context context;
  context.threads = options.threads;
  base::parallel_for(
      context, "persistence", graphs.size(), [] { return persistence::ExtendedPersistence(); },
      [&](std::size_t g, persistence::ExtendedPersistence& extended) {
        const auto own = values.subspan(static_cast<std::size_t>(begins[g]),
                                        static_cast<std::size_t>(graphs[g].vertex_count()));
        const auto& diagrams = extended.compute(graphs[g], own);
        for (std::size_t k = 0; k < options.kinds.size(); ++k) use(k, g, diagrams[options.kinds[k]]);
      });
}

/// The values that the points of a kind are.
VertexDiagrams select(const torch::Tensor& values, std::span<const data::Graph> graphs,
                      const std::vector<Selection>& selection) {
  std::vector<std::int64_t> offsets{0};
  for (const auto& pairs : selection)
    offsets.push_back(offsets.back() + static_cast<std::int64_t>(pairs.size()));
  const auto vertices = torch::empty({offsets.back(), 2}, torch::kInt64);
  auto* place = vertices.data_ptr<std::int64_t>();
  for (std::int64_t begin = 0, g = 0; const auto& graph : graphs) {
    for (const auto& [birth, death] : selection[static_cast<std::size_t>(g++)]) {
      *place++ = begin + birth;
      *place++ = begin + death;
    }
    begin += graph.vertex_count();
  }
  return {RaggedBatch(values.index_select(0, vertices.view(-1)).view({-1, 2}),
                      torch::tensor(offsets, torch::kInt64)),
          vertices};
}

}  // namespace

void ExtremeVertices::meet(std::int64_t vertex, std::span<const double> values) {
  const auto value = [&](std::int64_t v) { return values[static_cast<std::size_t>(v)]; };
  if (low < 0 || value(vertex) < value(low)) low = vertex;
  if (high < 0 || value(vertex) > value(high)) high = vertex;
}

std::vector<VertexDiagrams> extended_persistence(const torch::Tensor& values,
                                                 std::span<const data::Graph> graphs,
                                                 const ExtendedPersistenceOptions& options) {
  check(values, graphs, options.kinds);
  const auto deciding = deciding_values(values, options.resolution);
  std::vector<std::vector<Selection>> selections(options.kinds.size(), std::vector<Selection>(graphs.size()));
  for_each_diagram(deciding, graphs, options, [&](std::size_t k, std::size_t g, const Diagram& diagram) {
    selections[k][g] = selected(diagram, options);
  });
  std::vector<VertexDiagrams> result;
  for (const auto& of_kind : selections) result.push_back(select(values, graphs, of_kind));
  return result;
}

std::vector<ExtremeVertices> extreme_vertices(const torch::Tensor& values,
                                              std::span<const data::Graph> graphs,
                                              const ExtendedPersistenceOptions& options) {
  check(values, graphs, options.kinds);
  const auto begins = first_vertices(graphs);
  const auto deciding = deciding_values(values, options.resolution);
  std::vector<std::vector<ExtremeVertices>> of_graphs(options.kinds.size(),
                                                      std::vector<ExtremeVertices>(graphs.size()));
  for_each_diagram(deciding, graphs, options, [&](std::size_t k, std::size_t g, const Diagram& diagram) {
    const bool all = options.keep_diagonal && diagram.size() <= options.prominent.value_or(diagram.size());
    for (const auto& [birth, death] : all ? diagram.vertices : selected(diagram, options))
      for (const auto vertex : {birth, death}) of_graphs[k][g].meet(begins[g] + vertex, deciding);
  });
  std::vector<ExtremeVertices> result(options.kinds.size());
  for (std::size_t k = 0; k < result.size(); ++k)
    for (const auto& [low, high] : of_graphs[k])
      for (const auto vertex : {low, high})
        if (vertex >= 0) result[k].meet(vertex, deciding);
  return result;
}

}  // namespace perslay::nn
