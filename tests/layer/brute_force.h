#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <perslay/layer/perslay.h>

/// Equation (3) written down as the paper has it, point by point and feature by feature: an oracle that
/// shares nothing with the kernels.
namespace perslay::test {

using Matrix = std::vector<std::vector<double>>;

struct Bar {
  double birth = 0, death = 0;
};
using Bars = std::vector<Bar>;

/// A walk through the arrays of a channel, in their order.
class ArrayWalk {
 public:
  explicit ArrayWalk(const Matrix& arrays) : arrays_(arrays) {}
  const std::vector<double>& next() { return arrays_[at_++]; }

 private:
  const Matrix& arrays_;
  std::size_t at_ = 0;
};

inline double square(double x) { return x * x; }

inline double bell(double x, double y, double cx, double cy, double sx, double sy) {
  return std::exp(-square(sx) * square(x - cx) - square(sy) * square(y - cy));
}

/// phi of all points of a diagram: [point][feature].
inline Matrix brute_phi(const layer::PointTransform& phi, const Bars& bars, ArrayWalk& arrays) {
  using Type = layer::PointTransform::Type;
  const std::size_t q = phi.size();
  Matrix out(bars.size(), std::vector<double>(q));
  const auto fill = [&](auto f) {
    for (std::size_t p = 0; p < bars.size(); ++p)
      for (std::size_t j = 0; j < q; ++j) out[p][j] = f(bars[p].birth, bars[p].death, j);
    return out;
  };
  double total = 0;
  for (const Bar& bar : bars) total += std::max(0.0, bar.death - bar.birth);
  const auto entropy = [&](double b, double d) {
    const double share = (d - b) / total;
    return d > b ? -share * std::log(share) : 0.0;
  };
  const auto tent = [](double b, double d, double t) { return std::min(t - b, d - t); };
  const auto sigmoid = [](double z) { return 1 / (1 + std::exp(-z)); };

  switch (phi.type) {
    case Type::triangle: {
      const auto& t = arrays.next();
      return fill([&](double b, double d, std::size_t j) { return std::max(0.0, tent(b, d, t[j])); });
    }
    case Type::betti: {
      const auto& t = arrays.next();
      return fill([&](double b, double d, std::size_t j) { return b <= t[j] && t[j] < d ? 1.0 : 0.0; });
    }
    case Type::entropy: {
      const auto& t = arrays.next();
      return fill(
          [&](double b, double d, std::size_t j) { return b <= t[j] && t[j] < d ? entropy(b, d) : 0.0; });
    }
    case Type::flat:
    case Type::flat_entropy: {
      const auto& t = arrays.next();
      const double k = arrays.next()[0];
      return fill([&](double b, double d, std::size_t j) {
        const double amplitude = phi.type == Type::flat ? 1 : entropy(b, d);
        return amplitude * sigmoid(k * tent(b, d, t[j]));
      });
    }
    case Type::gaussian:
    case Type::hofer: {
      const auto& c = arrays.next();
      const auto& s = arrays.next();
      return fill([&](double b, double d, std::size_t j) {
        double y = phi.reads_death ? d : d - b;
        if (phi.type == Type::hofer) {
          if (y <= 0) return 0.0;
          if (y < phi.nu) y = phi.nu * std::log(y / phi.nu) + phi.nu;
        }
        const double width = s.size() == 1 ? s[0] : s[j];
        return bell(b, y, c[2 * j], c[2 * j + 1], width, width);
      });
    }
    case Type::gaussian_grid: {
      const auto& births = arrays.next();
      const auto& persistences = arrays.next();
      const double s = arrays.next()[0];
      return fill([&](double b, double d, std::size_t j) {
        return bell(b, phi.reads_death ? d : d - b, births[j / persistences.size()],
                    persistences[j % persistences.size()], s, s);
      });
    }
    case Type::exponential: {
      const auto& c = arrays.next();
      const auto& s = arrays.next();
      return fill([&](double b, double d, std::size_t j) {
        return bell(b, d - b, c[2 * j], c[2 * j + 1], s[2 * j], s[2 * j + 1]);
      });
    }
    case Type::rational: {
      const auto& c = arrays.next();
      const auto& s = arrays.next();
      const auto& a = arrays.next();
      return fill([&](double b, double d, std::size_t j) {
        return std::pow(
            1 + std::abs(s[2 * j] * (b - c[2 * j])) + std::abs(s[2 * j + 1] * (d - b - c[2 * j + 1])), -a[j]);
      });
    }
    case Type::rational_hat_1:
    case Type::rational_hat_2: {
      const auto& c = arrays.next();
      const auto& r = arrays.next();
      return fill([&](double b, double d, std::size_t j) {
        const double x = b - c[2 * j], y = d - b - c[2 * j + 1];
        const double norm = phi.type == Type::rational_hat_1 ? std::abs(x) + std::abs(y) : std::hypot(x, y);
        return 1 / (1 + norm) - 1 / (1 + std::abs(std::abs(r[j]) - norm));
      });
    }
    case Type::line: {
      const auto& e = arrays.next();
      const auto& bias = arrays.next();
      return fill(
          [&](double b, double d, std::size_t j) { return e[2 * j] * b + e[2 * j + 1] * d + bias[j]; });
    }
    case Type::mixture: {
      const auto& logits = arrays.next();
      double sum = 0;
      for (const double logit : logits) sum += std::exp(logit);
      for (std::size_t k = 0; k < phi.parts.size(); ++k) {
        const Matrix part = brute_phi(phi.parts[k], bars, arrays);
        for (std::size_t p = 0; p < bars.size(); ++p)
          for (std::size_t j = 0; j < q; ++j) out[p][j] += std::exp(logits[k]) / sum * part[p][j];
      }
      return out;
    }
    case Type::given:
      break;
  }
  return out;
}

inline Matrix brute_equivariant(const layer::Equivariant& layer, const Matrix& x, ArrayWalk& arrays) {
  using layer::Pool;
  const std::size_t input = x[0].size(), output = layer.size;
  const auto& lambda = arrays.next();
  const std::vector<double> none(lambda.size(), 0.0);
  const auto& gamma = layer.pool == Pool::none ? none : arrays.next();
  const auto& bias = arrays.next();
  std::vector<double> pool(input);
  for (std::size_t k = 0; k < input; ++k) {
    double sum = 0, low = x[0][k], high = x[0][k];
    for (const auto& row : x) {
      sum += row[k];
      low = std::min(low, row[k]);
      high = std::max(high, row[k]);
    }
    pool[k] = layer.pool == Pool::max   ? high
              : layer.pool == Pool::min ? low
              : layer.pool == Pool::sum ? sum
                                        : sum / static_cast<double>(x.size());
  }
  Matrix y(x.size(), std::vector<double>(output));
  for (std::size_t p = 0; p < x.size(); ++p)
    for (std::size_t l = 0; l < output; ++l) {
      y[p][l] = bias[l];
      for (std::size_t k = 0; k < input; ++k)
        y[p][l] += x[p][k] * lambda[k * output + l] - pool[k] * gamma[k * output + l];
    }
  return y;
}

inline std::vector<double> brute_weights(const layer::Weight& weight, const Bars& bars, ArrayWalk& arrays) {
  using Type = layer::Weight::Type;
  std::vector<double> w(bars.size(), 1.0);
  const auto fill = [&](auto f) {
    for (std::size_t p = 0; p < bars.size(); ++p) w[p] = f(bars[p].birth, bars[p].death);
    return w;
  };
  if (weight.type == Type::grid) {
    const auto& cells = arrays.next();
    // The cell is found by walking along the axis, not by a division.
    const auto along = [&](double x, std::size_t n) {
      std::size_t i = 0;
      while (i + 1 < n && x >= weight.low + static_cast<double>(i + 1) * (weight.high - weight.low) /
                                                static_cast<double>(n))
        ++i;
      return i;
    };
    return fill([&](double b, double d) {
      return cells[along(b, weight.births) * weight.deaths + along(d, weight.deaths)];
    });
  }
  if (weight.type == Type::power) {
    const double constant = arrays.next()[0];
    return fill([&](double b, double d) {
      return constant * std::pow(std::abs(d - b) / std::sqrt(2.0), weight.exponent);
    });
  }
  if (weight.type == Type::gmix) {
    const auto& c = arrays.next();
    const auto& s = arrays.next();
    const auto& a = arrays.next();
    return fill([&](double b, double d) {
      double sum = 0;
      for (std::size_t k = 0; k < a.size(); ++k)
        sum += a[k] * bell(b, d, c[2 * k], c[2 * k + 1], s[2 * k], s[2 * k + 1]);
      return sum;
    });
  }
  return w;
}

/// op of one feature's values: one number, or k for top-k.
inline std::vector<double> brute_op(const layer::Operation& op, std::vector<double> values) {
  using Type = layer::Operation::Type;
  std::vector<double> sorted = values;
  std::ranges::sort(sorted, std::greater<>{});
  double sum = 0;
  for (const double value : values) sum += value;
  const auto at = [&](std::size_t rank) { return rank < sorted.size() ? sorted[rank] : 0.0; };
  switch (op.type) {
    case Type::sum:
      return {sum};
    case Type::mean:
      return {values.empty() ? 0.0 : sum / static_cast<double>(values.size())};
    case Type::max:
      return {at(0)};
    case Type::min:
      return {values.empty() ? 0.0 : sorted.back()};
    case Type::kth:
      return {at(op.k - 1)};
    case Type::topk:
      break;
  }
  std::vector<double> best;
  for (std::size_t rank = 0; rank < op.k; ++rank) best.push_back(at(rank));
  return best;
}

/// The whole channel on one diagram.
inline std::vector<double> brute_perslay(const layer::Channel& channel, const Bars& bars,
                                         const Matrix& parameters) {
  if (bars.empty()) return std::vector<double>(channel.size(), 0.0);
  ArrayWalk arrays(parameters);
  Matrix features = brute_phi(channel.phi, bars, arrays);
  for (const auto& layer : channel.equivariant) features = brute_equivariant(layer, features, arrays);
  const auto weights = brute_weights(channel.weight, bars, arrays);
  std::vector<double> out;
  for (std::size_t j = 0; j < channel.features(); ++j) {
    std::vector<double> values(bars.size());
    for (std::size_t p = 0; p < bars.size(); ++p) values[p] = weights[p] * features[p][j];
    for (const double value : brute_op(channel.op, values)) out.push_back(value);
  }
  return out;
}

}  // namespace perslay::test
