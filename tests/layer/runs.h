#pragma once

#include "brute_force.h"

#include <perslay/base/random.h>
#include <perslay/layer/own_operation.h>

namespace perslay::test {

/// Packs diagrams, gives parameters, runs the layer: what every test of it does.
template <class T>
class LayerRun {
 public:
  LayerRun(layer::Channel channel, const std::vector<Bars>& diagrams, const Matrix& parameters,
           int threads = 1)
      : channel_(std::move(channel)) {
    context_.threads = threads;
    for (const Bars& bars : diagrams) {
      for (const Bar& bar : bars) {
        points_.push_back(static_cast<T>(bar.birth));
        points_.push_back(static_cast<T>(bar.death));
      }
      offsets_.push_back(static_cast<std::int64_t>(points_.size() / 2));
    }
    for (const auto& array : parameters) parameters_.emplace_back(array.begin(), array.end());
    batch_ = {points_, offsets_};
  }
  LayerRun(const LayerRun&) = delete;

  layer::Batch<T>& batch() { return batch_; }

  std::vector<T> forward() {
    std::vector<T> out(batch_.size() * channel_.size());
    layer::forward<T>(context_, channel_, batch_, views(), out, &selection_);
    return out;
  }

  /// The gradients of sum of upstream * out: of every parameter, then of the points.
  std::vector<std::vector<T>> backward(const std::vector<T>& upstream) {
    forward();
    std::vector<std::vector<T>> gradients;
    for (const auto& array : parameters_) gradients.emplace_back(array.size());
    std::vector<std::span<T>> targets(gradients.begin(), gradients.end());
    std::vector<T> points(points_.size());
    layer::backward<T>(context_, channel_, batch_, views(), selection_, upstream, targets,
                       {.points = points});
    gradients.push_back(points);
    return gradients;
  }

  /// The same with an operation of the user.
  std::vector<T> forward(const layer::OwnOperation<T>& operation) {
    std::vector<T> out(batch_.size() * operation.size, T{9});
    layer::forward<T>(context_, channel_, operation, batch_, views(), out);
    return out;
  }
  std::vector<std::vector<T>> backward(const layer::OwnOperation<T>& operation,
                                       const std::vector<T>& upstream) {
    std::vector<std::vector<T>> gradients;
    for (const auto& array : parameters_) gradients.emplace_back(array.size(), T{9});
    std::vector<std::span<T>> targets(gradients.begin(), gradients.end());
    std::vector<T> points(points_.size(), T{9});
    layer::backward<T>(context_, channel_, operation, batch_, views(), upstream, targets, {.points = points});
    gradients.push_back(points);
    return gradients;
  }

 private:
  layer::Arrays<const T> views() {
    views_.assign(parameters_.begin(), parameters_.end());
    return views_;
  }

  base::Context context_;
  layer::Channel channel_;
  std::vector<T> points_;
  std::vector<std::int64_t> offsets_{0};
  std::vector<std::vector<T>> parameters_;
  std::vector<std::span<const T>> views_;
  layer::Batch<T> batch_;
  std::vector<std::int32_t> selection_;
};

/// Points above the diagonal in the unit square.
inline Bars random_bars(base::RandomStream& random, std::size_t count) {
  Bars bars(count);
  for (Bar& bar : bars) {
    bar.birth = random.uniform();
    bar.death = random.uniform(bar.birth, 1);
  }
  return bars;
}

/// Parameters of moderate size, none of them zero.
inline Matrix random_parameters(base::RandomStream& random, const layer::Channel& channel) {
  Matrix arrays;
  for (const auto& shape : channel.parameters()) {
    auto& array = arrays.emplace_back(shape.size());
    for (double& value : array) {
      value = random.uniform(0.1, 1);
      if (shape.name.ends_with("sharpness")) value *= 4;
      if (shape.name.ends_with("steepness")) value *= 20;
      if (shape.name.ends_with("lambda") || shape.name.ends_with("gamma") ||
          shape.name.ends_with("directions"))
        value = random.uniform(-1, 1);
    }
  }
  return arrays;
}

}  // namespace perslay::test
