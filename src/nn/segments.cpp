#include "segments.h"

namespace perslay::nn {

Segments::Segments(const torch::Tensor& offsets, torch::Device device) {
  const std::int64_t size = offsets.size(0) - 1;
  begin_ = offsets.narrow(0, 0, size).to(device);
  count_ = offsets.narrow(0, 1, size).to(device) - begin_;
  diagram_ = torch::repeat_interleave(torch::arange(size, count_.options()), count_);
}

torch::Tensor Segments::sum(const torch::Tensor& rows) const {
  return torch::zeros({begin_.size(0), rows.size(1)}, rows.options()).index_add(0, diagram_, rows);
}

torch::Tensor Segments::mean(const torch::Tensor& rows) const {
  return sum(rows) / count_.clamp_min(1).unsqueeze(1);
}

torch::Tensor Segments::first(const torch::Tensor& rows, std::int64_t count, bool largest) const {
  if (rows.size(0) == 0) return torch::zeros({begin_.size(0), rows.size(1), count}, rows.options());
  // Two stable sorts, by value and then by diagram, put the rows of every diagram in order where they were.
  // (topk and max pick any of equal rows.)
  const auto by_value = std::get<1>(rows.detach().sort(/*stable=*/true, 0, largest));
  const auto by_diagram = std::get<1>(diagram_.index({by_value}).sort(/*stable=*/true, 0, false));
  const auto order = by_value.gather(0, by_diagram);

  const auto rank = torch::arange(count, begin_.options());
  const auto exists = rank.unsqueeze(0) < count_.unsqueeze(1);
  const auto place = (begin_.unsqueeze(1) + rank).clamp_max(rows.size(0) - 1);
  const auto chosen = order.index({place.flatten()});
  const auto values = rows.gather(0, chosen).reshape({begin_.size(0), count, rows.size(1)});
  return values.masked_fill(exists.unsqueeze(2).logical_not(), 0).transpose(1, 2);
}

torch::Tensor Segments::reduce(const torch::Tensor& rows, layer::Pool pool) const {
  switch (pool) {
    case layer::Pool::none:
      break;
    case layer::Pool::max:
      return first(rows, 1, true).squeeze(2);
    case layer::Pool::min:
      return first(rows, 1, false).squeeze(2);
    case layer::Pool::sum:
      return sum(rows);
    case layer::Pool::mean:
      return mean(rows);
  }
  return torch::zeros({begin_.size(0), rows.size(1)}, rows.options());
}

torch::Tensor Segments::reduce(const torch::Tensor& rows, const layer::Operation& op) const {
  using Type = layer::Operation::Type;
  const auto k = static_cast<std::int64_t>(op.k);
  switch (op.type) {
    case Type::sum:
      return sum(rows);
    case Type::mean:
      return mean(rows);
    case Type::max:
      return first(rows, 1, true).squeeze(2);
    case Type::min:
      return first(rows, 1, false).squeeze(2);
    case Type::kth:
      return first(rows, k, true).select(2, k - 1);
    case Type::topk:
      return first(rows, k, true).flatten(1);
  }
  return {};
}

torch::Tensor Segments::spread(const torch::Tensor& per_diagram) const {
  return per_diagram.index_select(0, diagram_);
}

}  // namespace perslay::nn
