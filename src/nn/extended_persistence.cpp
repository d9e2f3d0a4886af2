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

void check(const torch::Tensor& values, std::span<const data::Graph> graphs,
           const std::vector<Kind>& kinds) {
  std::int64_t vertices = 0;
  for (const auto& graph : graphs) vertices += graph.vertex_count();
  if (values.dim() != 1 || values.size(0) != vertices || !values.is_floating_point() || !values.is_cpu())
    throw base::user_error(
        fmt::format("Extended persistence needs one floating number for each of {} vertices, on the CPU.",
                    vertices));
  for (const Kind kind : kinds)
    if (std::ranges::find(diagram::extended_kinds, kind) == diagram::extended_kinds.end())
      throw base::user_error(fmt::format("{} is no kind of extended persistence.", diagram::kind_name(kind)));
}

/// Diagrams of all kinds, [kind][graph], with coordinates in ascending order.
std::vector<std::vector<Diagram>> diagrams_of(std::span<const double> values,
                                              std::span<const data::Graph> graphs,
                                              const ExtendedPersistenceOptions& options) {
  std::vector<std::size_t> begins;
  for (std::size_t begin = 0; const auto& graph : graphs) {
    begins.push_back(begin);
    begin += static_cast<std::size_t>(graph.vertex_count());
  }
  std::vector<std::vector<Diagram>> diagrams(options.kinds.size(), std::vector<Diagram>(graphs.size()));
  base::Context context;
  context.threads = options.threads;
  base::parallel_for(
      context, "persistence", graphs.size(), [] { return persistence::ExtendedPersistence(); },
      [&](std::size_t g, persistence::ExtendedPersistence& extended) {
        const auto own = values.subspan(begins[g], static_cast<std::size_t>(graphs[g].vertex_count()));
        const auto& result = extended.compute(graphs[g], own);
        for (std::size_t k = 0; k < options.kinds.size(); ++k) {
          auto& target = diagrams[k][g];
          target = result[options.kinds[k]];
          for (std::size_t i = 0; i < target.size(); ++i)
            if (target.points[i].birth > target.points[i].death) {
              std::swap(target.points[i].birth, target.points[i].death);
              std::swap(target.vertices[i].birth, target.vertices[i].death);
            }
          diagram::sort_points(target.points, target.vertices);
        }
      });
  return diagrams;
}

/// Which values the points of a batch are.
VertexDiagrams select(const torch::Tensor& values, const diagram::DiagramBatch& batch,
                      std::span<const data::Graph> graphs, bool keep_diagonal) {
  std::vector<std::int64_t> vertices, offsets{0};
  vertices.reserve(2 * batch.points().size());
  offsets.reserve(graphs.size() + 1);
  for (std::int64_t begin = 0, g = 0; const auto& graph : graphs) {
    const auto points = batch[static_cast<std::size_t>(g)];
    const auto pairs = batch.vertices(static_cast<std::size_t>(g));
    for (std::size_t i = 0; i < points.size(); ++i)
      if (keep_diagonal || points[i].birth != points[i].death) {
        vertices.push_back(begin + pairs[i].birth);
        vertices.push_back(begin + pairs[i].death);
      }
    offsets.push_back(static_cast<std::int64_t>(vertices.size() / 2));
    begin += graph.vertex_count();
    ++g;
  }
  const auto selected = torch::tensor(vertices, torch::kInt64);
  return {RaggedBatch(values.index_select(0, selected).view({-1, 2}), torch::tensor(offsets, torch::kInt64)),
          selected.view({-1, 2})};
}

}  // namespace

std::vector<VertexDiagrams> extended_persistence(const torch::Tensor& values,
                                                 std::span<const data::Graph> graphs,
                                                 const ExtendedPersistenceOptions& options) {
  check(values, graphs, options.kinds);
  const auto diagrams = diagrams_of(deciding_values(values, options.resolution), graphs, options);
  std::vector<VertexDiagrams> result;
  for (const auto& of_kind : diagrams) {
    diagram::DiagramBatch batch(of_kind);
    if (options.prominent) batch = diagram::prominent(batch, *options.prominent);
    result.push_back(select(values, batch, graphs, options.keep_diagonal));
  }
  return result;
}

}  // namespace perslay::nn
