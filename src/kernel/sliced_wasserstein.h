#pragma once

#include <cstddef>

#include <perslay/base/context.h>
#include <perslay/diagram/diagram_batch.h>
#include <perslay/kernel/gram.h>

namespace perslay::kernel {

/// Adds SW of all pairs (see kernel.h) to `base`; `rows` and `columns` may be the same object, and then half
/// of the pairs are computed.
///
/// On a line, the 1-Wasserstein distance of two sets of as many points is the L1 distance of their counting
/// functions. So SW in one direction is that of h_F and h_G, where h_F counts the projections of F up to x
/// less those of its points projected to the diagonal first: functions of one diagram each. By parts, the
/// integral of |h_F - h_G| is -sum x (change of |h_F - h_G| at x) over the events of both, and each event
/// changes |h_F - h_G| by 1 or -1 depending on whether h_F < h_G: no merge per pair, but one comparison and
/// one addition for each event, on vectors of diagrams G. Events of blocks of diagrams are merged once.
///
/// Positions are integers of 61 - log2(2 n) bits (50 for 1000 points), in units of a power of two for each
/// diagram; sums are exact, so that SW(F, F) = 0, and SW does not depend on the order of anything. Diagrams
/// with coordinates so different that this would lose more than 1e-10 of their lowest decile are compared by
/// sorting pair by pair instead, which is slower.
///
/// O(n + m) per pair and direction, a quarter of a nanosecond per point; O(N n) memory.
void add_sliced_wasserstein(std::size_t directions, const diagram::DiagramBatch& rows,
                            const diagram::DiagramBatch& columns, const base::Context& context, Matrix& base);

/// The memory that a batch takes meanwhile: its events in one direction.
[[nodiscard]] std::size_t slice_bytes(const diagram::DiagramBatch& batch);

}  // namespace perslay::kernel
