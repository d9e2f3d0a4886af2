#pragma once

#include <vector>

#include <perslay/data/graph_dataset.h>
#include <perslay/filtration/filtration.h>

/// Functions whose values the source gives. What it does not give is the user's mistake, except for a label that no
/// vertex has.
namespace perslay::features {

/// The column `filtration.attribute` of the node attributes, all of it finite.
[[nodiscard]] std::vector<double> attribute_values(const data::GraphDataset& dataset,
                                                   const filtration::Filtration& filtration);

/// 1 on vertices with the node label `filtration.label`, 0 on all others.
[[nodiscard]] std::vector<double> label_values(const data::GraphDataset& dataset,
                                               const filtration::Filtration& filtration);

/// Refuses edges without weights.
void require_edge_weights(const data::GraphDataset& dataset);

}  // namespace perslay::features
