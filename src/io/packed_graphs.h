#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <perslay/data/graph_dataset.h>

namespace perslay::io {

/// An edge as a file gives it, vertices counted from 0 over all graphs.
struct Pair {
  data::Vertex from;
  data::Vertex to;
};

/// Called with the places of two pairs that give one edge different weights, and with these; it must throw.
using WeightConflict =
    std::function<void(std::size_t first, double first_weight, std::size_t second, double second_weight)>;

/// Makes all graphs of a dataset at once, as slices of one packed array: sets `dataset.graphs` and
/// `dataset.cleaning`, and adds a note if some edges are given in one direction and others in both.
/// `dataset.vertex_offsets` says which vertices a graph has; every pair must stay inside one graph. `weights`
/// is empty or has one entry per pair, at most 2^32. O(vertices + pairs) plus sorting each neighbour list; 16
/// bytes per pair at the peak, 40 with weights.
void build_graphs(data::GraphDataset& dataset, std::vector<Pair> pairs, std::vector<double> weights = {},
                  const WeightConflict& conflict = {});

}  // namespace perslay::io
