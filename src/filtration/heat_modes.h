#pragma once

#include "dense_eigen.h"
#include "twin_quotient.h"

#include <cstdint>
#include <span>
#include <vector>

namespace perslay::filtration {

/// The eigenvectors of I - B, B being the quotient's operator, and the rates at which they decay.
///
/// LAPACK's errors are those of a perturbation of B by about 1e-15, which exp(-t(I - B)) sees magnified by t.
/// For long times the slow modes are therefore computed once more, within the space they span, from the
/// energy
///   x' (I - B) x = sum over pairs c < d of B_cd u_c u_d (x_c / u_c - x_d / u_d)^2,   u harmonic,
/// which as a sum of squares has errors in proportion to the small rates themselves.
///
/// Holds buffers: reuse it.
class HeatModes {
 public:
  /// `components` is the number of components of the quotient, and of modes that do not decay.
  void compute(const TwinQuotient& quotient, std::int64_t components, double longest_time);

  /// The rates of decay, ascending; exactly 0 once per component.
  [[nodiscard]] std::span<const double> rates() const noexcept { return rates_; }
  /// The k-th mode, normalized, of the rate rates()[k].
  [[nodiscard]] std::span<const double> mode(std::size_t k) const noexcept;

 private:
  void refine_slow_modes(const TwinQuotient& quotient);
  void accumulate_energy(const TwinQuotient& quotient);

  DenseEigen eigen_, slow_eigen_;
  std::vector<double> rates_, slow_modes_, energy_, differences_;
  std::size_t slow_ = 0;  // modes that were computed once more
};

}  // namespace perslay::filtration
