#pragma once

namespace perslay::kernel {

/// A computation: points to prepare, work on pairs (in any unit), and the seconds they take.
struct Timing {
  double points = 0;
  double work = 0;
  double seconds = 0;
};

/// The seconds of `all`, linear in the points and in the work as two samples are. They grow from the larger
/// sample's at least like the points and at most like the work, whatever disturbed the clock.
[[nodiscard]] double extrapolate(const Timing& small, const Timing& large, const Timing& all);

}  // namespace perslay::kernel
