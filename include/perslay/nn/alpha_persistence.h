#pragma once

#include <torch/torch.h>

#include <perslay/nn/ragged_batch.h>
#include <perslay/persistence/alpha_persistence.h>

namespace perslay::nn {

/// The alpha diagrams of clouds, one of each kind per cloud.
struct AlphaBatches {
  RaggedBatch h0, h1;
};

/// Alpha persistence as a step of a network: the points of all clouds in, [P, 2], cloud i being rows
/// offsets[i] ... offsets[i + 1] - 1 of `points` (`offsets` [B + 1], int64).
///
/// Each coordinate of a diagram is the squared radius (or, with options.radii, the radius) of the smallest
/// circle through one, two or three points of the cloud, and gradients go back to these. Where the
/// triangulation and the order of its simplices are locally constant this is the derivative; where simplices
/// are tied it is that of the selection which AlphaPersistence made. A coordinate that is no circle's radius
/// (the birth 0, options.essential_death) is constant.
///
/// In float32 or float64 (radii are computed in the latter), on the CPU. The same bytes for any number of
/// `threads` (0: one per processor).
[[nodiscard]] AlphaBatches alpha_persistence(const torch::Tensor& points, const torch::Tensor& offsets,
                                             const persistence::AlphaOptions& options = {}, int threads = 1);

}  // namespace perslay::nn
