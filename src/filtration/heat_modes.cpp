#include "heat_modes.h"

#include <algorithm>
#include <cmath>

#include <cblas.h>

#include <perslay/base/blas.h>

namespace perslay::filtration {

void HeatModes::compute(const TwinQuotient& quotient, std::int64_t components, double longest_time) {
  // Up to this time LAPACK's errors stay below 5e-14, and exp(-40) is negligible beside them.
  constexpr double accurate_time = 100, negligible_exponent = 40;
  eigen_.decompose(quotient.reduced(), DenseEigen::Want::eigenvectors);
  rates_.clear();
  for (const double mu : eigen_.eigenvalues()) rates_.push_back(1 - mu);
  std::ranges::reverse(rates_);
  slow_ = 0;
  if (longest_time > accurate_time) {
    const double limit = negligible_exponent / longest_time;
    slow_ = static_cast<std::size_t>(std::ranges::lower_bound(rates_, limit) - rates_.begin());
    refine_slow_modes(quotient);
  }
  std::fill_n(rates_.begin(), components, 0.0);
}

std::span<const double> HeatModes::mode(std::size_t k) const noexcept {
  const std::size_t n = rates_.size();
  if (k < slow_) return std::span(slow_modes_).subspan(k * n, n);
  return eigen_.eigenvector(n - 1 - k);
}

// Rayleigh and Ritz: the eigenvectors of the energy, restricted to the space of the slow modes, recombine
// these.
void HeatModes::refine_slow_modes(const TwinQuotient& quotient) {
  if (slow_ == 0) return;
  const base::OneBlasThread one_thread;
  const std::size_t n = rates_.size();
  accumulate_energy(quotient);
  slow_eigen_.decompose(energy_, slow_, DenseEigen::Want::eigenvectors);
  std::ranges::copy(slow_eigen_.eigenvalues(), rates_.begin());
  slow_modes_.resize(n * slow_);
  const auto rows = static_cast<int>(n), modes = static_cast<int>(slow_);
  // The slow modes are LAPACK's last eigenvectors, stored side by side.
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, rows, modes, modes, 1.0,
              eigen_.eigenvector(n - slow_).data(), rows, slow_eigen_.eigenvector(0).data(), modes, 0.0,
              slow_modes_.data(), rows);
}

// energy = differences' differences, where a row of differences belongs to a pair of adjacent classes; some
// rows at a time.
void HeatModes::accumulate_energy(const TwinQuotient& quotient) {
  constexpr std::size_t rows_at_once = 256;
  const SparseOperator matrix = quotient.reduced();
  const auto u = quotient.harmonic();
  const std::size_t n = matrix.rows();
  const auto modes = static_cast<int>(slow_);
  energy_.assign(slow_ * slow_, 0.0);
  differences_.clear();
  const auto flush = [&] {
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, modes, static_cast<int>(differences_.size() / slow_),
                1.0, differences_.data(), modes, 1.0, energy_.data(), modes);
    differences_.clear();
  };
  for (std::size_t c = 0; c < n; ++c) {
    const auto columns = matrix.row_columns(c);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto d = static_cast<std::size_t>(columns[i]);
      if (d <= c) continue;
      const double root = std::sqrt(matrix.row_values(c)[i]);
      const double at_c = root * std::sqrt(u[d] / u[c]), at_d = root * std::sqrt(u[c] / u[d]);
      for (std::size_t k = n - slow_; k < n; ++k)
        differences_.push_back(at_c * eigen_.eigenvector(k)[c] - at_d * eigen_.eigenvector(k)[d]);
      if (differences_.size() == rows_at_once * slow_) flush();
    }
  }
  if (!differences_.empty()) flush();
}

}  // namespace perslay::filtration
