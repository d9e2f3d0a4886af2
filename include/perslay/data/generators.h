#pragma once

#include <perslay/base/random.h>
#include <perslay/data/graph_dataset.h>

/// Graphs made from a few numbers, for demonstrations, tests and benchmarks.
namespace perslay::data {

[[nodiscard]] Graph path_graph(Vertex vertices);
[[nodiscard]] Graph cycle_graph(Vertex vertices);
[[nodiscard]] Graph complete_graph(Vertex vertices);
[[nodiscard]] Graph grid_graph(Vertex rows, Vertex columns);

/// Each pair is an edge with the given probability, independently. O(vertices + edges).
[[nodiscard]] Graph random_graph(Vertex vertices, double edge_probability, base::RandomStream& random);

/// Barabasi and Albert: each new vertex draws `edges_per_vertex` earlier vertices as neighbours, with
/// probability proportional to their degree.
[[nodiscard]] Graph preferential_attachment_graph(Vertex vertices, Vertex edges_per_vertex,
                                                  base::RandomStream& random);

/// The families of `shapes_dataset`.
/// A tree whose vertices hang on few hubs.
[[nodiscard]] Graph tree_with_hubs(Vertex vertices, base::RandomStream& random);
/// A ring with a few chords across it.
[[nodiscard]] Graph ring_with_chords(Vertex vertices, base::RandomStream& random);
/// Three or four dense groups joined by single edges.
[[nodiscard]] Graph dense_communities(Vertex vertices, base::RandomStream& random);

/// A labelled dataset of three families that differ in shape: 0 trees with hubs, 1 rings with chords, 2 dense
/// communities, `per_class` graphs of 20 to 60 vertices each. Graph i is drawn from random stream (seed, i),
/// so the dataset does not depend on the number of threads.
[[nodiscard]] GraphDataset shapes_dataset(std::size_t per_class, const base::Context& context = {});

}  // namespace perslay::data
