#include "fma_peak.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fma_peak.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace perslay::bench::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

double multiply_adds(std::size_t rounds, float& sink) {
  const hn::ScalableTag<float> d;
  const auto factor = hn::Set(d, 0.999F), term = hn::Set(d, 0.001F);
  auto a = hn::Set(d, sink), b = a, c = a, e = a, f = a, g = a, h = a, i = a, j = a, k = a, l = a, m = a;
  for (std::size_t round = 0; round < rounds; ++round) {
    a = hn::MulAdd(a, factor, term);
    b = hn::MulAdd(b, factor, term);
    c = hn::MulAdd(c, factor, term);
    e = hn::MulAdd(e, factor, term);
    f = hn::MulAdd(f, factor, term);
    g = hn::MulAdd(g, factor, term);
    h = hn::MulAdd(h, factor, term);
    i = hn::MulAdd(i, factor, term);
    j = hn::MulAdd(j, factor, term);
    k = hn::MulAdd(k, factor, term);
    l = hn::MulAdd(l, factor, term);
    m = hn::MulAdd(m, factor, term);
  }
  const auto sum =
      hn::Add(hn::Add(hn::Add(a, b), hn::Add(c, e)),
              hn::Add(hn::Add(hn::Add(f, g), hn::Add(h, i)), hn::Add(hn::Add(j, k), hn::Add(l, m))));
  sink = hn::GetLane(hn::SumOfLanes(d, sum));
  return 12.0 * static_cast<double>(rounds) * static_cast<double>(hn::Lanes(d));
}

}  // namespace perslay::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perslay::bench {

HWY_EXPORT(multiply_adds);
double multiply_adds(std::size_t rounds, float& sink) {
  return HWY_DYNAMIC_DISPATCH(multiply_adds)(rounds, sink);
}

}  // namespace perslay::bench
#endif
