#include <algorithm>
#include <cmath>

#include <perslay/base/parallel.h>
#include <perslay/data/generators.h>

namespace perslay::data {
namespace {

Vertex draw(base::RandomStream& random, Vertex bound) {
  return static_cast<Vertex>(random.below(static_cast<std::uint64_t>(bound)));
}

std::vector<Edge> path_edges(Vertex vertices) {
  std::vector<Edge> edges;
  for (Vertex v = 1; v < vertices; ++v) edges.push_back({v - 1, v});
  return edges;
}

std::vector<Edge> cycle_edges(Vertex vertices) {
  auto edges = path_edges(vertices);
  if (vertices > 2) edges.push_back({vertices - 1, 0});
  return edges;
}

}  // namespace

Graph path_graph(Vertex vertices) { return Graph::from_edges(vertices, path_edges(vertices)); }

Graph cycle_graph(Vertex vertices) { return Graph::from_edges(vertices, cycle_edges(vertices)); }

Graph complete_graph(Vertex vertices) {
  std::vector<Edge> edges;
  for (Vertex a = 0; a < vertices; ++a)
    for (Vertex b = a + 1; b < vertices; ++b) edges.push_back({a, b});
  return Graph::from_edges(vertices, edges);
}

Graph grid_graph(Vertex rows, Vertex columns) {
  std::vector<Edge> edges;
  for (Vertex r = 0; r < rows; ++r) {
    for (Vertex c = 0; c < columns; ++c) {
      const Vertex v = r * columns + c;
      if (c + 1 < columns) edges.push_back({v, v + 1});
      if (r + 1 < rows) edges.push_back({v, v + columns});
    }
  }
  return Graph::from_edges(rows * columns, edges);
}

Graph random_graph(Vertex vertices, double edge_probability, base::RandomStream& random) {
  if (edge_probability >= 1) return complete_graph(vertices);
  std::vector<Edge> edges;
  // The gaps between successive edges in the list of all pairs (a, b), b < a, are geometric (Batagelj and
  // Brandes 2005).
  if (edge_probability > 0) {
    const double log_absent = std::log1p(-edge_probability);
    std::int64_t a = 1;
    std::int64_t b = -1;
    while (a < vertices) {
      const double gap = std::floor(std::log1p(-random.uniform()) / log_absent);
      b += 1 + static_cast<std::int64_t>(std::min(gap, 1e18));
      while (a < vertices && b >= a) b -= a++;
      if (a < vertices) edges.push_back({static_cast<Vertex>(a), static_cast<Vertex>(b)});
    }
  }
  return Graph::from_edges(vertices, edges);
}

Graph preferential_attachment_graph(Vertex vertices, Vertex edges_per_vertex, base::RandomStream& random) {
  std::vector<Edge> edges;
  std::vector<Vertex> ends;  // every vertex once per edge end: a uniform draw is proportional to the degree
  for (Vertex v = 1; v < vertices; ++v) {
    for (Vertex i = 0; i < std::min(v, edges_per_vertex); ++i) {
      const Vertex u = ends.empty() ? 0 : ends[random.below(ends.size())];
      edges.push_back({v, u});
    }
    for (auto e = edges.end() - std::min(v, edges_per_vertex); e != edges.end(); ++e) {
      ends.push_back(e->a);
      ends.push_back(e->b);
    }
  }
  return Graph::from_edges(vertices, edges);
}

Graph tree_with_hubs(Vertex vertices, base::RandomStream& random) {
  const Vertex hubs = std::min<Vertex>(vertices, 3 + draw(random, 3));
  std::vector<Edge> edges;
  for (Vertex v = 1; v < vertices; ++v) {
    // Hubs form a small tree; the others hang on a hub, now and then on any earlier vertex.
    const bool on_hub = v >= hubs && random.uniform() < 0.8;
    edges.push_back({v, draw(random, on_hub ? hubs : v)});
  }
  return Graph::from_edges(vertices, edges);
}

Graph ring_with_chords(Vertex vertices, base::RandomStream& random) {
  auto edges = cycle_edges(vertices);
  const int chords = 2 + static_cast<int>(random.below(4));
  for (int i = 0; i < chords && vertices > 0; ++i)
    edges.push_back({draw(random, vertices), draw(random, vertices)});
  return Graph::from_edges(vertices, edges);
}

Graph dense_communities(Vertex vertices, base::RandomStream& random) {
  const Vertex groups = std::max<Vertex>(1, std::min<Vertex>(vertices / 4, 3 + draw(random, 2)));
  std::vector<Edge> edges;
  for (Vertex a = 0; a < vertices; ++a)
    for (Vertex b = a % groups; b < a; b += groups)
      if (random.uniform() < 0.7) edges.push_back({a, b});
  for (Vertex g = 1; g < groups; ++g) {
    const auto member = [&](Vertex group) {
      const Vertex size = (vertices - group + groups - 1) / groups;
      return group + groups * draw(random, size);
    };
    edges.push_back({member(g), member(draw(random, g))});
  }
  return Graph::from_edges(vertices, edges);
}

GraphDataset shapes_dataset(std::size_t per_class, const base::Context& context) {
  GraphDataset dataset;
  dataset.name = "SHAPES";
  dataset.classes = {"0", "1", "2"};
  dataset.graphs.resize(3 * per_class);
  dataset.labels.resize(3 * per_class);
  base::parallel_for(context, "making graphs", dataset.size(), [&](std::size_t i) {
    base::RandomStream random(context.seed, i);
    const Vertex vertices = 20 + draw(random, 41);
    const auto family = i / per_class;
    dataset.labels[i] = static_cast<int>(family);
    dataset.graphs[i] = family == 0   ? tree_with_hubs(vertices, random)
                        : family == 1 ? ring_with_chords(vertices, random)
                                      : dense_communities(vertices, random);
  });
  for (const Graph& graph : dataset.graphs)
    dataset.vertex_offsets.push_back(dataset.vertex_offsets.back() + graph.vertex_count());
  return dataset;
}

}  // namespace perslay::data
