#pragma once

#include "layer/runs.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

/// Layers of every kind, and their derivatives by differences.
namespace perslay::test {

using layer::Channel;
using layer::parse_operation;
using layer::parse_point_transform;
using layer::parse_weight;
using layer::Pool;

inline const std::vector<const char*> transforms{"triangle:13",
                                                 "betti:9",
                                                 "flat:7",
                                                 "entropy:9",
                                                 "flat-entropy:5",
                                                 "gaussian:11",
                                                 "gaussian:6:widths=each",
                                                 "gaussian:5x7",
                                                 "gaussian:7:axes=birth-death",
                                                 "gaussian:6x4:axes=birth-death",
                                                 "gaussian:20x20",
                                                 "hofer:10:nu=0.3",
                                                 "exponential:9",
                                                 "rational:9",
                                                 "rational-hat:12",
                                                 "rational-hat:12:norm=2",
                                                 "line:25",
                                                 "line:1",
                                                 "mixture:triangle:6+gaussian:2x3+line:6",
                                                 "mixture:hofer+flat:4"};
inline const std::vector<const char*> weights{"one",     "constant",  "grid:4x3",
                                              "power:1", "power:2.5", "gmix:3"};
inline const std::vector<const char*> operations{"sum",   "mean",   "max",    "min",
                                                 "kth:2", "topk:3", "topk:7", "topk:100"};

inline Channel channel(const char* phi, const char* weight = "one", const char* op = "sum",
                       std::vector<layer::Equivariant> equivariant = {}) {
  return {parse_point_transform(phi), std::move(equivariant), parse_weight(weight), parse_operation(op)};
}

/// Stacks that take every path: upon lines, where they collapse, and upon other features.
inline std::vector<Channel> stacked_channels() {
  std::vector<Channel> channels;
  for (const char* phi : {"line:5", "triangle:9", "mixture:line+gaussian:4"})
    for (const char* op : {"sum", "topk:2", "mean", "min"})
      for (const Pool pool : {Pool::none, Pool::max, Pool::min, Pool::sum, Pool::mean}) {
        channels.push_back(channel(phi, "grid:3x3", op, {{6, pool}}));
        channels.push_back(channel(phi, "power:1", op, {{9, Pool::max}, {3, pool}, {4, Pool::mean}}));
      }
  return channels;
}

inline std::vector<Channel> all_channels() {
  auto channels = stacked_channels();
  for (const char* phi : transforms) {
    for (const char* weight : weights) channels.push_back(channel(phi, weight, "sum"));
    for (const char* op : operations) channels.push_back(channel(phi, "grid:4x3", op));
    channels.push_back(channel(phi, "gmix:2", "topk:2"));
  }
  return channels;
}

// ---- derivatives

/// The sum of upstream * out, by definition.
inline double loss(const Channel& c, const std::vector<Bars>& diagrams, const Matrix& parameters,
                   const std::vector<double>& upstream) {
  double sum = 0;
  std::size_t place = 0;
  for (const Bars& bars : diagrams)
    for (const double value : brute_perslay(c, bars, parameters)) sum += upstream[place++] * value;
  return sum;
}

/// The derivative along a coordinate by central differences at two steps, and whether these agree: at a kink,
/// a tie or a jump they do not.
template <class Move>
bool derivative(const Move& loss_at, double& value) {
  const auto difference = [&](double h) { return (loss_at(h) - loss_at(-h)) / (2 * h); };
  const double coarse = difference(2e-5), fine = difference(1e-5);
  value = (4 * fine - coarse) / 3;
  return std::abs(coarse - fine) < 1e-6 * std::max(1.0, std::abs(fine));
}

}  // namespace perslay::test
