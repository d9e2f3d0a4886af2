#pragma once

#include <span>

#include <perslay/base/context.h>
#include <perslay/data/graph.h>

namespace perslay::filtration {

/// values[v] = the number of v's neighbours. O(n).
void degree(const data::Graph& graph, std::span<double> values);

/// Closeness centrality as defined by Wasserman and Faust for graphs with several components: with r vertices
/// reachable from v, itself included, at total distance s, values[v] = (r-1)/(n-1) * (r-1)/s; isolated
/// vertices have 0. Distances count edges; weights are ignored. O(n (n + m)).
void closeness(const data::Graph& graph, std::span<double> values, const base::Context& context = {});

}  // namespace perslay::filtration
