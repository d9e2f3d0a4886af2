#pragma once

#include <perslay/diagram/diagram_batch.h>
#include <perslay/kernel/kernel.h>

namespace perslay::kernel {

/// What the time of a matrix grows with.
struct Load {
  double points = 0;  ///< To prepare.
  double work = 0;    ///< On pairs: operations on a pair of points, or on a point, and a few for each pair.
};

/// Of a matrix with these rows and columns; if they are one object, of half the pairs. The work is linear in
/// the points of either side, so that their mean number will do.
[[nodiscard]] Load load_of(const Kernel& kernel, const diagram::DiagramBatch& rows,
                           const diagram::DiagramBatch& columns);

}  // namespace perslay::kernel
