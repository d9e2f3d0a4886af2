// The structure elements of the point transformations, on vectors. An element is a function f(u, v; theta) of
// a point's coordinates (see coordinates.h) and of the parameters of one feature. Some are multiplied by the
// point's amplitude. Lanes hold one point and many features, or many points with a feature each. At the end
// of the file every type of φ gets its element.
#if defined(PERSLAY_LAYER_ELEMENTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PERSLAY_LAYER_ELEMENTS_INL_H_
#undef PERSLAY_LAYER_ELEMENTS_INL_H_
#else
#define PERSLAY_LAYER_ELEMENTS_INL_H_
#endif

#include <numbers>

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <perslay/layer/point_transform.h>

HWY_BEFORE_NAMESPACE();
namespace perslay::layer::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Tag = hn::CappedTag<T, 32 / sizeof(T)>;

/// NaN stays NaN; Highway's own functions turn it into a number.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V exp_or_nan(D d, V x) {
  return hn::IfThenElse(hn::Eq(x, x), hn::Exp(d, x), x);
}
template <class D, class V = hn::Vec<D>>
HWY_INLINE V log_or_nan(D d, V x) {
  return hn::IfThenElse(hn::Eq(x, x), hn::Log(d, x), x);
}

/// 2^x for -126 <= x <= 0 in single precision, four times as fast as Highway's Exp. With x = n + f, adding
/// 1.5 2^23 rounds x to n and leaves n in the lowest bits. The polynomial for |f| <= 1/2 has an error of 2e-9,
/// less than rounding.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V exp2_of_negative(D d, V x) {
  const hn::RebindToSigned<D> di;
  const V magic = hn::Set(d, 12582912.0F);
  const V shifted = hn::Add(x, magic);
  const V f = hn::Sub(x, hn::Sub(shifted, magic));
  V p = hn::Set(d, 1.535334159e-4F);
  p = hn::MulAdd(p, f, hn::Set(d, 1.339890063e-3F));
  p = hn::MulAdd(p, f, hn::Set(d, 9.618437849e-3F));
  p = hn::MulAdd(p, f, hn::Set(d, 5.550332367e-2F));
  p = hn::MulAdd(p, f, hn::Set(d, 0.2402264774F));
  p = hn::MulAdd(p, f, hn::Set(d, 0.6931471825F));
  p = hn::MulAdd(p, f, hn::Set(d, 1.0F));
  return hn::BitCast(d, hn::Add(hn::BitCast(di, p), hn::ShiftLeft<23>(hn::BitCast(di, shifted))));
}

/// exp(scale x) for x <= 0 and scale > 0, but at least about the smallest normal number. Max keeps its second
/// operand if that is NaN.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V exp_of_negative(D d, V x, V scale) {
  if constexpr (sizeof(hn::TFromD<D>) == 8)
    return exp_or_nan(d, hn::Max(hn::Set(d, -708.0), hn::Mul(x, scale)));
  else
    return exp2_of_negative(d, hn::Max(hn::Set(d, -126.0F), hn::Mul(x, scale)));
}

/// With this scale exp_of_negative() gives exp(factor x).
template <class T>
constexpr T exp_scale(T factor) {
  return sizeof(T) == 8 ? factor : factor * std::numbers::log2e_v<T>;
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V exp_of_negative(D d, V x) {
  return exp_of_negative(d, x, hn::Set(d, exp_scale(hn::TFromD<D>(1))));
}

template <class V>
HWY_INLINE V distance(V a, V b) {
  return hn::Abs(hn::Sub(a, b));
}

/// -1, 0 or 1.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V sign(D d, V x) {
  const V one = hn::CopySign(hn::Set(d, hn::TFromD<D>(1)), x);
  return hn::IfThenZeroElse(hn::Eq(x, hn::Zero(d)), one);
}

template <class V, std::size_t count>
struct Derivatives {
  V value;
  V u, v, amplitude;
  V theta[count];
};

/// max(0, h - |t - m|) at (m, h); theta = t.
template <class D>
struct Triangle {
  using V = hn::Vec<D>;
  static constexpr std::size_t parameters = 1;
  static constexpr bool has_amplitude = false;
  D d;

  HWY_INLINE V value(V u, V v, V /*amplitude*/, const V* t) const {
    return hn::Max(hn::Zero(d), hn::Sub(v, distance(t[0], u)));
  }
  HWY_INLINE Derivatives<V, 1> derivatives(V u, V v, V /*amplitude*/, const V* t) const {
    const V height = hn::Sub(v, distance(t[0], u));
    const auto active = hn::Gt(height, hn::Zero(d));
    const V slope = hn::IfThenElseZero(active, sign(d, hn::Sub(t[0], u)));
    return {hn::IfThenElseZero(active, height),
            slope,
            hn::IfThenElseZero(active, hn::Set(d, hn::TFromD<D>(1))),
            hn::Zero(d),
            {hn::Neg(slope)}};
  }
};

/// a if b <= t < d, else 0, at (b, d); theta = t.
template <class D>
struct Indicator {
  using V = hn::Vec<D>;
  static constexpr std::size_t parameters = 1;
  static constexpr bool has_amplitude = true;
  D d;

  HWY_INLINE auto inside(V u, V v, const V* t) const { return hn::And(hn::Ge(t[0], u), hn::Lt(t[0], v)); }
  HWY_INLINE V value(V u, V v, V amplitude, const V* t) const {
    return hn::IfThenElseZero(inside(u, v, t), amplitude);
  }
  HWY_INLINE Derivatives<V, 1> derivatives(V u, V v, V amplitude, const V* t) const {
    const auto in = inside(u, v, t);
    const V zero = hn::Zero(d);
    return {hn::IfThenElseZero(in, amplitude),
            zero,
            zero,
            hn::IfThenElseZero(in, hn::Set(d, hn::TFromD<D>(1))),
            {zero}};
  }
};

/// a sigmoid(k (h - |t - m|)) at (m, h); theta = (t, k).
template <class D>
struct Sigmoid {
  using V = hn::Vec<D>;
  static constexpr std::size_t parameters = 2;
  static constexpr bool has_amplitude = true;
  D d;

  /// exp(-|z|) cannot overflow.
  HWY_INLINE V sigmoid(V z) const {
    const V one = hn::Set(d, hn::TFromD<D>(1));
    const V small = exp_of_negative(d, hn::Neg(hn::Abs(z)));
    return hn::Div(hn::IfThenElse(hn::Lt(z, hn::Zero(d)), small, one), hn::Add(one, small));
  }
  HWY_INLINE V value(V u, V v, V amplitude, const V* t) const {
    return hn::Mul(amplitude, sigmoid(hn::Mul(t[1], hn::Sub(v, distance(t[0], u)))));
  }
  HWY_INLINE Derivatives<V, 2> derivatives(V u, V v, V amplitude, const V* t) const {
    const V height = hn::Sub(v, distance(t[0], u));
    const V s = sigmoid(hn::Mul(t[1], height));
    const V slope = hn::Mul(amplitude, hn::Mul(s, hn::Sub(hn::Set(d, hn::TFromD<D>(1)), s)));
    const V by_height = hn::Mul(slope, t[1]);
    const V by_middle = hn::Mul(by_height, sign(d, hn::Sub(t[0], u)));
    return {hn::Mul(amplitude, s), by_middle, by_height, s, {hn::Neg(by_middle), hn::Mul(slope, height)}};
  }
};

/// a exp(-s1^2 (u - c1)^2 - s2^2 (v - c2)^2); theta = (c1, c2, s1, s2). The amplitude, if there is one, is 0
/// or 1.
template <class D, bool with_amplitude>
struct Gaussian {
  using V = hn::Vec<D>;
  static constexpr std::size_t parameters = 4;
  static constexpr bool has_amplitude = with_amplitude;
  D d;

  HWY_INLINE V bell(V a, V b, V amplitude) const {
    const V x = hn::NegMulSub(a, a, hn::Mul(b, b));
    const V f = exp_of_negative(d, x);
    if constexpr (with_amplitude) {
      // Far out it must be 0: the logarithm of Hofer's coordinate is as steep there as the bell is low.
      return hn::IfThenElseZero(hn::Gt(x, hn::Set(d, hn::TFromD<D>(-80))), hn::Mul(amplitude, f));
    } else {
      return f;
    }
  }
  HWY_INLINE V value(V u, V v, V amplitude, const V* t) const {
    return bell(hn::Mul(t[2], hn::Sub(u, t[0])), hn::Mul(t[3], hn::Sub(v, t[1])), amplitude);
  }
  HWY_INLINE Derivatives<V, 4> derivatives(V u, V v, V amplitude, const V* t) const {
    const V du = hn::Sub(u, t[0]), dv = hn::Sub(v, t[1]);
    const V a = hn::Mul(t[2], du), b = hn::Mul(t[3], dv);
    const V f = bell(a, b, amplitude);
    const V twice = hn::Mul(hn::Set(d, hn::TFromD<D>(-2)), f);
    const V fa = hn::Mul(twice, a), fb = hn::Mul(twice, b);
    const V by_u = hn::Mul(fa, t[2]), by_v = hn::Mul(fb, t[3]);
    return {f, by_u, by_v, hn::Zero(d), {hn::Neg(by_u), hn::Neg(by_v), hn::Mul(fa, du), hn::Mul(fb, dv)}};
  }
};

/// (1 + |s1| |u - c1| + |s2| |v - c2|)^-a; theta = (c1, c2, s1, s2, a).
template <class D>
struct Rational {
  using V = hn::Vec<D>;
  static constexpr std::size_t parameters = 5;
  static constexpr bool has_amplitude = false;
  D d;

  HWY_INLINE V base(V u, V v, const V* t) const {
    const V one = hn::Set(d, hn::TFromD<D>(1));
    return hn::MulAdd(hn::Abs(t[2]), distance(u, t[0]), hn::MulAdd(hn::Abs(t[3]), distance(v, t[1]), one));
  }
  HWY_INLINE V value(V u, V v, V /*amplitude*/, const V* t) const {
    return exp_or_nan(d, hn::Neg(hn::Mul(t[4], log_or_nan(d, base(u, v, t)))));
  }
  HWY_INLINE Derivatives<V, 5> derivatives(V u, V v, V /*amplitude*/, const V* t) const {
    const V du = hn::Sub(u, t[0]), dv = hn::Sub(v, t[1]);
    const V sum = base(u, v, t);
    const V log = log_or_nan(d, sum);
    const V f = exp_or_nan(d, hn::Neg(hn::Mul(t[4], log)));
    const V by_sum = hn::Neg(hn::Div(hn::Mul(t[4], f), sum));
    const V by_u = hn::Mul(by_sum, hn::Mul(hn::Abs(t[2]), sign(d, du)));
    const V by_v = hn::Mul(by_sum, hn::Mul(hn::Abs(t[3]), sign(d, dv)));
    return {f,
            by_u,
            by_v,
            hn::Zero(d),
            {hn::Neg(by_u), hn::Neg(by_v), hn::Mul(by_sum, hn::Mul(sign(d, t[2]), hn::Abs(du))),
             hn::Mul(by_sum, hn::Mul(sign(d, t[3]), hn::Abs(dv))), hn::Neg(hn::Mul(f, log))}};
  }
};

/// 1/(1 + N) - 1/(1 + | |r| - N |), N = |(u, v) - c|; theta = (c1, c2, r).
template <class D, int norm_order>
struct RationalHat {
  using V = hn::Vec<D>;
  static constexpr std::size_t parameters = 3;
  static constexpr bool has_amplitude = false;
  D d;

  HWY_INLINE V norm(V du, V dv) const {
    if constexpr (norm_order == 1)
      return hn::Add(hn::Abs(du), hn::Abs(dv));
    else
      return hn::Sqrt(hn::MulAdd(du, du, hn::Mul(dv, dv)));
  }
  HWY_INLINE V inverse(V x) const {
    const V one = hn::Set(d, hn::TFromD<D>(1));
    return hn::Div(one, hn::Add(one, x));
  }
  HWY_INLINE V value(V u, V v, V /*amplitude*/, const V* t) const {
    const V n = norm(hn::Sub(u, t[0]), hn::Sub(v, t[1]));
    return hn::Sub(inverse(n), inverse(distance(hn::Abs(t[2]), n)));
  }
  HWY_INLINE Derivatives<V, 3> derivatives(V u, V v, V /*amplitude*/, const V* t) const {
    const V du = hn::Sub(u, t[0]), dv = hn::Sub(v, t[1]);
    const V n = norm(du, dv);
    const V gap = hn::Sub(hn::Abs(t[2]), n);
    const V a = inverse(n), b = inverse(hn::Abs(gap));
    const V turn = hn::Mul(hn::Mul(b, b), sign(d, gap));
    const V by_norm = hn::NegMulSub(a, a, turn);
    V nu, nv;
    if constexpr (norm_order == 1) {
      nu = sign(d, du);
      nv = sign(d, dv);
    } else {
      const auto at_centre = hn::Eq(n, hn::Zero(d));
      const V safe = hn::IfThenElse(at_centre, hn::Set(d, hn::TFromD<D>(1)), n);
      nu = hn::Div(du, safe);
      nv = hn::Div(dv, safe);
    }
    const V by_u = hn::Mul(by_norm, nu), by_v = hn::Mul(by_norm, nv);
    return {
        hn::Sub(a, b), by_u, by_v, hn::Zero(d), {hn::Neg(by_u), hn::Neg(by_v), hn::Mul(turn, sign(d, t[2]))}};
  }
};

/// e1 u + e2 v + bias; theta = (e1, e2, bias).
template <class D>
struct Line {
  using V = hn::Vec<D>;
  static constexpr std::size_t parameters = 3;
  static constexpr bool has_amplitude = false;
  D d;

  HWY_INLINE V value(V u, V v, V /*amplitude*/, const V* t) const {
    return hn::MulAdd(u, t[0], hn::MulAdd(v, t[1], t[2]));
  }
  HWY_INLINE Derivatives<V, 3> derivatives(V u, V v, V amplitude, const V* t) const {
    return {value(u, v, amplitude, t), t[0], t[1], hn::Zero(d), {u, v, hn::Set(d, hn::TFromD<D>(1))}};
  }
};

/// Calls `use` with the element of this type of φ.
template <class D, class Use>
void with_element(PointTransform::Type type, Use use) {
  using Type = PointTransform::Type;
  switch (type) {
    case Type::triangle:
      return use.template operator()<Triangle<D>>();
    case Type::betti:
    case Type::entropy:
      return use.template operator()<Indicator<D>>();
    case Type::flat:
    case Type::flat_entropy:
      return use.template operator()<Sigmoid<D>>();
    case Type::gaussian:
    case Type::gaussian_grid:
    case Type::exponential:
      return use.template operator()<Gaussian<D, false>>();
    case Type::hofer:
      return use.template operator()<Gaussian<D, true>>();
    case Type::rational:
      return use.template operator()<Rational<D>>();
    case Type::rational_hat_1:
      return use.template operator()<RationalHat<D, 1>>();
    case Type::rational_hat_2:
      return use.template operator()<RationalHat<D, 2>>();
    case Type::line:
      return use.template operator()<Line<D>>();
    case Type::given:
    case Type::mixture:
      break;  // have no element of their own
  }
}

}  // namespace perslay::layer::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
