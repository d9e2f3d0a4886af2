#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include <perslay/data/graph_dataset.h>

namespace perslay::data {

/// An edge as it is given, vertices counted from 0 over all graphs.
struct Arc {
  Vertex from;
  Vertex to;
};

/// Called with the places of two arcs that give one edge different weights, and with these; it must throw.
using WeightConflict =
    std::function<void(std::size_t first, double first_weight, std::size_t second, double second_weight)>;

/// Makes all graphs of a dataset at once, as slices of one packed array: sets `dataset.graphs` and
/// `dataset.cleaning`, and adds a note if some edges are given in one direction and others in both.
/// `dataset.vertex_offsets` says which vertices a graph has; every arc must stay inside one graph. `weights`
/// is empty or has one entry per arc, at most 2^32. O(vertices + arcs) plus sorting each neighbour list; 16
/// bytes per arc at the peak, 40 with weights.
void build_graphs(GraphDataset& dataset, std::vector<Arc> arcs, std::vector<double> weights = {},
                  const WeightConflict& conflict = {});

}  // namespace perslay::data
