#include "random_fourier.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <new>
#include <numbers>

// Vectors are kept in arrays, which those of the scalable instruction sets cannot be.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "random_fourier.cpp"
#include <hwy/foreach_target.h>  // compiles the part up to HWY_AFTER_NAMESPACE once per instruction set
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
// clang-format on

#include <perslay/base/random.h>

HWY_BEFORE_NAMESPACE();
namespace perslay::features::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Sums of cosines and sines over all points for the lanes' frequencies, `turns` on. Whole turns are taken
/// off first: what remains is exact enough for the cosine whatever the size of the coordinates.
std::size_t sum_waves(const double* HWY_RESTRICT turns, std::size_t stride, std::span<const double> points,
                      std::span<const double> weights, double* HWY_RESTRICT cosines,
                      double* HWY_RESTRICT sines) {
  const hn::ScalableTag<double> d;
  const auto circle = hn::Set(d, 2 * std::numbers::pi);
  auto cosine = hn::Zero(d), sine = hn::Zero(d);
  const double* point = points.data();
  const std::size_t dimension = weights.empty() ? 0 : points.size() / weights.size();
  for (const double weight : weights) {
    auto phase = hn::Zero(d);
    for (std::size_t i = 0; i < dimension; ++i)
      phase = hn::MulAdd(hn::Set(d, *point++), hn::Load(d, turns + i * stride), phase);
    const auto angle = hn::Mul(circle, hn::Sub(phase, hn::Round(phase)));
    cosine = hn::MulAdd(hn::Set(d, weight), hn::Cos(d, angle), cosine);
    sine = hn::MulAdd(hn::Set(d, weight), hn::Sin(d, angle), sine);
  }
  hn::StoreU(cosine, d, cosines);
  hn::StoreU(sine, d, sines);
  return hn::Lanes(d);
}

}  // namespace perslay::features::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perslay::features {

namespace {

HWY_EXPORT(sum_waves);
constexpr std::size_t widest = 64;  // doubles in a vector of any instruction set

}  // namespace

RandomFourier::RandomFourier(std::size_t dimension, std::size_t numbers, double sigma)
    : dimension_(dimension),
      frequencies_(numbers / 2),
      stride_((frequencies_ + widest - 1) / widest * widest),
      turns_(hwy::AllocateAligned<double>(dimension * stride_)) {
  if (!turns_) throw std::bad_alloc();
  std::fill_n(turns_.get(), dimension_ * stride_, 0.0);
  for (std::size_t j = 0; j < frequencies_; ++j) {
    base::RandomStream random(std::bit_cast<std::uint64_t>(sigma), j);
    for (std::size_t i = 0; i < dimension_; ++i)
      turns_[i * stride_ + j] = random.normal() / (2 * std::numbers::pi * sigma);
  }
}

void RandomFourier::sum(std::span<const double> points, std::span<const double> weights,
                        std::span<double> sums) const {
  std::array<double, widest> cosines, sines;
  const double scale = 1 / std::sqrt(static_cast<double>(frequencies_));
  for (std::size_t begin = 0; begin < frequencies_;) {
    const std::size_t done = HWY_DYNAMIC_DISPATCH(sum_waves)(turns_.get() + begin, stride_, points, weights,
                                                             cosines.data(), sines.data());
    for (std::size_t j = 0; j < std::min(done, frequencies_ - begin); ++j) {
      sums[begin + j] = scale * cosines[j];
      sums[frequencies_ + begin + j] = scale * sines[j];
    }
    begin += done;
  }
}

}  // namespace perslay::features
#endif
