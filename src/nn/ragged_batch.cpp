#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/error.h>
#include <perslay/nn/ragged_batch.h>

namespace perslay::nn {
namespace {

void check_points(const torch::Tensor& points) {
  if (points.dim() != 2 || points.size(1) != 2)
    throw base::user_error(fmt::format("The points of a batch need the shape [N, 2], not [{}].",
                                       fmt::join(points.sizes(), ", ")));
  if (!points.is_floating_point())
    throw base::user_error("The points of a batch need a floating type such as float32.");
}

void check_offsets(const torch::Tensor& offsets, std::int64_t points) {
  if (offsets.dim() != 1 || offsets.size(0) == 0 || offsets.scalar_type() != torch::kInt64 ||
      !offsets.is_cpu())
    throw base::user_error("The offsets of a batch need one int64 more than there are diagrams, on the CPU.");
  const auto offset = offsets.accessor<std::int64_t, 1>();
  for (std::int64_t i = 0; i + 1 < offset.size(0); ++i)
    if (offset[i] > offset[i + 1])
      throw base::user_error(fmt::format("The offsets of a batch descend from {} to {} at diagram {}.",
                                         offset[i], offset[i + 1], i));
  const std::int64_t first = offset[0], last = offset[offset.size(0) - 1];
  if (first != 0 || last != points)
    throw base::user_error(
        fmt::format("The offsets of a batch of {} points need to run from 0 to {}, not from {} to {}.",
                    points, points, first, last));
}

torch::Tensor copy_points(const diagram::DiagramBatch& batch, torch::Dtype dtype) {
  const auto points = batch.points();
  static_assert(sizeof(diagram::Point) == 2 * sizeof(double));
  auto copy = torch::empty({static_cast<std::int64_t>(points.size()), 2}, torch::kFloat64);
  if (!points.empty()) std::memcpy(copy.data_ptr<double>(), points.data(), points.size_bytes());
  return copy.to(dtype);
}

torch::Tensor copy_offsets(const diagram::DiagramBatch& batch) {
  const auto offsets = batch.offsets();
  auto copy = torch::empty({static_cast<std::int64_t>(offsets.size())}, torch::kInt64);
  std::memcpy(copy.data_ptr<std::int64_t>(), offsets.data(), offsets.size_bytes());
  return copy;
}

}  // namespace

RaggedBatch::RaggedBatch(torch::Tensor points, torch::Tensor offsets)
    : points_(std::move(points)), offsets_(std::move(offsets)) {
  check_points(points_);
  check_offsets(offsets_, points_.size(0));
}

RaggedBatch::RaggedBatch(const diagram::DiagramBatch& batch, torch::Dtype dtype)
    : RaggedBatch(copy_points(batch, dtype), copy_offsets(batch)) {}

RaggedBatch RaggedBatch::to(torch::Device device) const { return {points_.to(device), offsets_}; }
RaggedBatch RaggedBatch::to(torch::Dtype dtype) const { return {points_.to(dtype), offsets_}; }

}  // namespace perslay::nn
