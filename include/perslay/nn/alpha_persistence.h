#pragma once

#include <torch/torch.h>

#include <perslay/nn/ragged_batch.h>
#include <perslay/persistence/alpha_persistence.h>

namespace perslay::nn {

/// The alpha diagrams of clouds, one of each kind per cloud.
struct AlphaBatches {
  RaggedBatch h0, h1;
};

/// Alpha persistence as a step of a network. `points` [P, 2] holds the points of all clouds. `offsets` [B + 1] is
/// int64: cloud i has the rows from offsets[i] up to offsets[i + 1].
///
/// Each coordinate of a diagram is the squared radius of the smallest circle through one, two or three points of
/// the cloud. With options.radii it is the radius. Gradients go back to these points. They are the derivative where
/// the triangulation and the order of its simplices are locally constant. Where simplices are tied, they belong to
/// the selection that AlphaPersistence made. The birth 0 and options.essential_death are no circle's radius, so they
/// are constant.
///
/// Points are float32 or float64, on the CPU. Radii are computed in float64. Any number of `threads` gives the same
/// bytes. 0 stands for one thread per processor.
[[nodiscard]] AlphaBatches alpha_persistence(const torch::Tensor& points, const torch::Tensor& offsets,
                                             const persistence::AlphaOptions& options = {}, int threads = 1);

}  // namespace perslay::nn
