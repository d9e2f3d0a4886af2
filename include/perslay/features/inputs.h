#pragma once

#include <memory>

#include <perslay/data/graph_dataset.h>
#include <perslay/data/point_cloud.h>
#include <perslay/features/input_kind.h>

/// The kinds of input, each with what makes a dataset of it from data in memory.
namespace perslay::features {

[[nodiscard]] const InputKind& graph_kind();
[[nodiscard]] const InputKind& cloud_kind();
[[nodiscard]] const InputKind& diagram_kind();

[[nodiscard]] std::unique_ptr<Dataset> dataset_of(std::shared_ptr<const data::GraphDataset> graphs);
[[nodiscard]] std::unique_ptr<Dataset> dataset_of(std::shared_ptr<const data::PointCloudDataset> clouds);
[[nodiscard]] std::unique_ptr<Dataset> dataset_of(diagram::DiagramSet set);

}  // namespace perslay::features
