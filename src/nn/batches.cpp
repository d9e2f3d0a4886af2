#include "batches.h"

#include <algorithm>

namespace perslay::nn {
namespace {

/// x -> factor (x - origin), as diagram::UnitScale has it.
struct Affine {
  double origin = 0;
  double factor = 1;

  float operator()(double x) const noexcept { return static_cast<float>((x - origin) * factor); }
};

Affine affine(const learn::Preparation& preparation, std::size_t group) {
  if (preparation.scales.empty()) return {};
  const auto& scale = preparation.scales[group];
  return {scale.min, scale.max > scale.min ? 1 / (scale.max - scale.min) : 0};
}

/// The diagrams of some items.
RaggedBatch gather(const diagram::DiagramBatch& diagrams, const learn::Part& part,
                   std::span<const std::size_t> places, Affine scale) {
  const auto offsets = torch::empty({static_cast<std::int64_t>(places.size()) + 1}, torch::kInt64);
  auto* offset = offsets.data_ptr<std::int64_t>();
  offset[0] = 0;
  for (std::size_t i = 0; i < places.size(); ++i)
    offset[i + 1] = offset[i] + static_cast<std::int64_t>(diagrams[part.rows[places[i]]].size());
  const auto points = torch::empty({offset[places.size()], 2});
  auto* out = points.data_ptr<float>();
  for (const auto place : places)
    for (const auto& point : diagrams[part.rows[place]]) {
      *out++ = scale(point.birth);
      *out++ = scale(point.death);
    }
  return {points, offsets};
}

}  // namespace

Batches::Batches(const learn::Part& part, const learn::NetworkSettings& network, const base::Context& context)
    : part_(part),
      groups_(network.use_diagrams ? part.items.groups.size() : 0),
      features_(part.preparation.features(part.items, part.rows, context)) {}

ClassifierInput Batches::input(std::span<const std::size_t> places) const {
  ClassifierInput input;
  for (std::size_t g = 0; g < groups_; ++g)
    input.diagrams.push_back(
        gather(part_.items.groups[g].diagrams, part_, places, affine(part_.preparation, g)));
  const auto columns = features_.columns;
  input.features =
      torch::empty({static_cast<std::int64_t>(places.size()), static_cast<std::int64_t>(columns)});
  auto* out = input.features.data_ptr<float>();
  for (const auto place : places) {
    const auto row = features_.values.begin() + static_cast<std::ptrdiff_t>(place * columns);
    out = std::copy_n(row, columns, out);
  }
  return input;
}

torch::Tensor Batches::labels(std::span<const std::size_t> places) const {
  const auto labels = torch::empty({static_cast<std::int64_t>(places.size())}, torch::kInt64);
  std::transform(places.begin(), places.end(), labels.data_ptr<std::int64_t>(),
                 [&](std::size_t place) { return part_.items.labels[part_.rows[place]]; });
  return labels;
}

ClassifierShape Batches::shape() const {
  ClassifierShape shape;
  for (std::size_t g = 0; g < groups_; ++g) shape.groups.push_back(part_.items.groups[g].kind);
  shape.features = static_cast<std::int64_t>(features_.columns);
  shape.classes = static_cast<std::int64_t>(part_.items.classes.size());
  return shape;
}

}  // namespace perslay::nn
