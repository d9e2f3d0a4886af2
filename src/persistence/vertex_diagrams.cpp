#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/parallel.h>
#include <perslay/diagram/transforms.h>
#include <perslay/persistence/extended_persistence.h>
#include <perslay/persistence/vertex_diagrams.h>

namespace perslay::persistence {
namespace {

using diagram::Diagram;
using diagram::Kind;

/// The values that decide the pairing. Throws unless the request makes sense.
std::vector<double> deciding_values(std::span<const double> values, std::span<const data::Graph> graphs,
                                    const VertexDiagramOptions& options) {
  std::size_t vertices = 0;
  for (const auto& graph : graphs) vertices += static_cast<std::size_t>(graph.vertex_count());
  if (values.size() != vertices)
    throw base::user_error(fmt::format(
        "Extended persistence needs one number for each of {} vertices, not {}.", vertices, values.size()));
  for (const Kind kind : options.kinds)
    if (std::ranges::find(diagram::extended_kinds, kind) == diagram::extended_kinds.end())
      throw base::user_error(
          fmt::format("{} is not a kind of extended persistence.", diagram::kind_name(kind)));
  std::vector<double> result(values.begin(), values.end());
  if (options.resolution > 0)
    for (double& value : result) value = std::round(value / options.resolution) * options.resolution;
  return result;
}

/// The vertices behind the points of each diagram, in the order of points.
using Selection = std::vector<diagram::VertexPair>;

/// The vertices behind the points of one diagram, with coordinates in ascending order.
Selection selected(Diagram diagram, const VertexDiagramOptions& options) {
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
  if (!options.drop_diagonal) return std::move(vertices);
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

/// Calls use(kind, graph, diagram) for all diagrams of the chosen graphs, in parallel.
template <class Use>
void for_each_diagram(std::span<const double> values, std::span<const data::Graph> graphs,
                      std::span<const std::size_t> chosen, const VertexDiagramOptions& options,
                      const base::Context& context, Use&& use) {
  const auto begins = first_vertices(graphs);
  base::parallel_for(
      context, "persistence", chosen.size(), [] { return ExtendedPersistence(); },
      [&](std::size_t i, ExtendedPersistence& extended) {
        const std::size_t g = chosen[i];
        const auto own = values.subspan(static_cast<std::size_t>(begins[g]),
                                        static_cast<std::size_t>(graphs[g].vertex_count()));
        const auto& diagrams = extended.compute(graphs[g], own);
        for (std::size_t k = 0; k < options.kinds.size(); ++k) use(k, g, diagrams[options.kinds[k]]);
      });
}

std::vector<std::size_t> all_of(std::span<const data::Graph> graphs) {
  std::vector<std::size_t> all(graphs.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

/// The diagrams of one kind, packed.
VertexDiagrams pack(std::span<const data::Graph> graphs, const std::vector<Selection>& selections) {
  VertexDiagrams packed{{0}, {}};
  for (std::int64_t begin = 0, g = 0; const auto& graph : graphs) {
    for (const auto& [birth, death] : selections[static_cast<std::size_t>(g++)])
      packed.vertices.push_back({begin + birth, begin + death});
    packed.offsets.push_back(static_cast<std::int64_t>(packed.vertices.size()));
    begin += graph.vertex_count();
  }
  return packed;
}

}  // namespace

void ExtremeVertices::meet(std::int64_t vertex, std::span<const double> values) {
  const auto value = [&](std::int64_t v) { return values[static_cast<std::size_t>(v)]; };
  if (low < 0 || value(vertex) < value(low)) low = vertex;
  if (high < 0 || value(vertex) > value(high)) high = vertex;
}

std::vector<VertexDiagrams> vertex_diagrams(std::span<const double> values,
                                            std::span<const data::Graph> graphs,
                                            const VertexDiagramOptions& options,
                                            const base::Context& context) {
  const auto deciding = deciding_values(values, graphs, options);
  std::vector<std::vector<Selection>> selections(options.kinds.size(), std::vector<Selection>(graphs.size()));
  for_each_diagram(deciding, graphs, all_of(graphs), options, context,
                   [&](std::size_t k, std::size_t g, const Diagram& diagram) {
                     selections[k][g] = selected(diagram, options);
                   });
  std::vector<VertexDiagrams> result;
  result.reserve(selections.size());
  for (const auto& of_kind : selections) result.push_back(pack(graphs, of_kind));
  return result;
}

namespace {

/// The lowest and the highest value of a graph, between which all coordinates of its diagrams lie.
struct ValueRange {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
};

std::vector<ValueRange> ranges_of(std::span<const double> values, std::span<const data::Graph> graphs) {
  std::vector<ValueRange> ranges(graphs.size());
  for (std::size_t g = 0, vertex = 0; g < graphs.size(); ++g)
    for (data::Vertex v = 0; v < graphs[g].vertex_count(); ++v, ++vertex) {
      ranges[g].low = std::min(ranges[g].low, values[vertex]);
      ranges[g].high = std::max(ranges[g].high, values[vertex]);
    }
  return ranges;
}

/// Graphs that are likely to have extreme points first: turn by turn the lowest and the highest.
std::vector<std::size_t> from_outside_in(std::span<const ValueRange> ranges,
                                         std::vector<std::size_t> lowest) {
  auto highest = lowest;
  std::ranges::stable_sort(lowest, {}, [&](std::size_t g) { return ranges[g].low; });
  std::ranges::stable_sort(highest, std::greater{}, [&](std::size_t g) { return ranges[g].high; });
  std::vector<std::size_t> order;
  std::vector<bool> taken(ranges.size());
  for (std::size_t i = 0; i < lowest.size(); ++i)
    for (const std::size_t g : {lowest[i], highest[i]})
      if (!taken[g]) {
        taken[g] = true;
        order.push_back(g);
      }
  return order;
}

}  // namespace

// Coordinates of diagrams are values of their graph: a graph whose values lie strictly within the extremes
// found so far, of every kind, has none that matters, and its diagrams are not computed.
std::vector<ExtremeVertices> extreme_vertices(std::span<const double> values,
                                              std::span<const data::Graph> graphs,
                                              const VertexDiagramOptions& options,
                                              const base::Context& context) {
  constexpr std::size_t at_a_time = 64;
  const auto begins = first_vertices(graphs);
  const auto deciding = deciding_values(values, graphs, options);
  const auto value = [&](std::int64_t vertex) { return deciding[static_cast<std::size_t>(vertex)]; };
  std::vector<std::vector<ExtremeVertices>> of_graphs(options.kinds.size(),
                                                      std::vector<ExtremeVertices>(graphs.size()));
  const auto ranges = ranges_of(deciding, graphs);
  std::vector<ValueRange> known(options.kinds.size());
  const auto may_matter = [&](std::size_t g) {
    return std::ranges::any_of(known, [&](const ValueRange& kind) {
      return !(ranges[g].low > kind.low && ranges[g].high < kind.high);
    });
  };
  const auto order = from_outside_in(ranges, all_of(graphs));
  std::vector<std::size_t> chosen;
  for (std::size_t place = 0; place < order.size();) {
    chosen.clear();
    for (; place < order.size() && chosen.size() < at_a_time; ++place)
      if (may_matter(order[place])) chosen.push_back(order[place]);
    for_each_diagram(deciding, graphs, chosen, options, context,
                     [&](std::size_t k, std::size_t g, const Diagram& diagram) {
                       const bool all = !options.drop_diagonal &&
                                        diagram.size() <= options.prominent.value_or(diagram.size());
                       for (const auto& [birth, death] : all ? diagram.vertices : selected(diagram, options))
                         for (const auto vertex : {birth, death})
                           of_graphs[k][g].meet(begins[g] + vertex, deciding);
                     });
    for (std::size_t k = 0; k < known.size(); ++k)
      for (const std::size_t g : chosen)
        if (const auto& [low, high] = of_graphs[k][g]; low >= 0)
          known[k] = {std::min(known[k].low, value(low)), std::max(known[k].high, value(high))};
  }
  std::vector<ExtremeVertices> result(options.kinds.size());
  for (std::size_t k = 0; k < result.size(); ++k)
    for (const auto& [low, high] : of_graphs[k])
      for (const auto vertex : {low, high})
        if (vertex >= 0) result[k].meet(vertex, deciding);
  return result;
}

}  // namespace perslay::persistence
