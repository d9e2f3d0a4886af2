#pragma once

#include <cstddef>

#include <perslay/base/context.h>
#include <perslay/diagram/diagram_batch.h>
#include <perslay/kernel/gram.h>

namespace perslay::kernel {

/// Adds SW of all pairs (see kernel.h) to `base`. If `rows` and `columns` are the same object, half of the pairs
/// is enough.
///
/// On a line, the 1-Wasserstein distance of two sets of as many points is the L1 distance of their counting
/// functions. So SW in one direction is that of h_F and h_G, functions of one diagram each: h_F(x) counts the
/// projections of F up to x, less those of its points that were projected to the diagonal first. By parts, the
/// integral of |h_F - h_G| is -sum x (change of |h_F - h_G| at x) over the events of both. Each event changes
/// |h_F - h_G| by 1 or -1, depending on whether h_F < h_G. So a pair needs no merge, but one comparison and one
/// addition for each event, on vectors of diagrams G. The events of a block of diagrams are merged once.
///
/// Positions are integers of 61 - log2(2 n) bits (50 for 1000 points), in units of a power of two for each
/// diagram. Sums are exact: SW(F, F) = 0, and SW does not depend on the order of anything. Where coordinates
/// differ so much that integers would lose more than 1e-10 of their lowest decile, each pair is sorted instead,
/// which is slower.
///
/// A pair costs O(n + m) per direction, a quarter of a nanosecond per point; the memory is O(N n).
void add_sliced_wasserstein(std::size_t directions, const diagram::DiagramBatch& rows,
                            const diagram::DiagramBatch& columns, const base::Context& context, Matrix& base);

/// The memory that a batch takes while SW is computed: its events in one direction.
[[nodiscard]] std::size_t slice_bytes(const diagram::DiagramBatch& batch);

}  // namespace perslay::kernel
