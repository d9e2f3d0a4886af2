#include <algorithm>
#include <set>
#include <string>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/network/architecture.h>
#include <perslay/network/point_convolution.h>

namespace perslay::network {
namespace {

/// How many numbers a part of the network trains, and how many it gives for an item.
struct Part {
  double weights = 0;
  double width = 0;

  void add_dense(double next) {
    weights += (width + 1) * next;
    width = next;
  }
  void add_norm() { weights += 2 * width; }
};

/// The numbers of a filter, of one plane.
double taps_of(const layer::Convolution& convolution, const layer::Image& image) {
  const auto size = static_cast<double>(convolution.size);
  return image.rows == 1 ? size : size * size;
}

Part part_of(const ChannelPlan& plan) {
  const auto& [channel, convolution, nested] = plan;
  Part part{0, static_cast<double>(channel.features()) * static_cast<double>(channel.op.width())};
  for (const auto& parameter : channel.parameters()) part.weights += static_cast<double>(parameter.size());
  if (!convolution) return part;
  const auto image = layer::image_of(channel);
  const auto ranks = static_cast<double>(channel.op.width());
  const auto filters = static_cast<double>(convolution->filters);
  part.weights += filters * ((convolution->of_points ? 1 : ranks) * taps_of(*convolution, image) + 1);
  part.width =
      filters * static_cast<double>(convolution->places(image)) * (convolution->of_points ? ranks : 1);
  return part;
}

/// The numbers of a pass: those that belong to one item of a batch, and those that belong to none.
struct Row {
  double all = 0;
  double widest = 0;   ///< What one block gives.
  double moments = 0;  ///< Of batch norms.

  void add(double width) {
    all += width;
    widest = std::max(widest, width);
  }
  void add_norm(double width) {
    add(width);
    moments += 3 * width;
  }
};

Row row_of(const Architecture& architecture, bool training) {
  Row row;
  double images = 0, width = 0;
  for (const auto& plan : architecture.channels) {
    const bool after = plan.convolution && !plan.convolution->of_points;
    images += static_cast<double>(after ? plan.perslay.size() : plan.size());
    width += static_cast<double>(plan.size());
    if (plan.perslay.op.selects()) row.all += static_cast<double>(after ? plan.perslay.size() : plan.size());
  }
  const auto features = static_cast<double>(architecture.features);
  width += features;
  const auto add_dropout = [&] {
    row.add(width);
    if (training) row.all += width;  // the mask
  };
  row.add(images + features);
  if (architecture.convolves() && !architecture.folds()) row.add(width);
  if (architecture.channel_norm) row.add_norm(width);
  if (architecture.input_dropout > 0) add_dropout();
  for (const auto next : architecture.hidden) {
    width = static_cast<double>(next);
    row.add(width);
    if (architecture.batch_norm) row.add_norm(width);
    row.add(width);  // ReLU
    if (architecture.dropout > 0) add_dropout();
  }
  row.add(static_cast<double>(architecture.outputs));
  if (training) row.all += 2 * row.widest;  // derivatives by what comes out of a block, and by what goes in
  return row;
}

/// What a convolution of points holds at a time: images and maps of some points, their derivatives, and sums of those
/// of the filters.
double numbers_of_points(const Architecture& architecture, bool training) {
  double most = 0;
  for (const auto& [channel, convolution, nested] : architecture.channels) {
    if (!convolution || !convolution->of_points || !channel.op.selects()) continue;
    const auto image = layer::image_of(channel);
    const auto numbers = static_cast<double>(image.rows) * static_cast<double>(image.columns);
    const auto filters = static_cast<double>(convolution->filters);
    const auto maps = filters * static_cast<double>(convolution->places(image));
    const auto sums = filters * (taps_of(*convolution, image) + 1) / static_cast<double>(rows_of_sum);
    const double of_point = training ? 2 * numbers + maps + 2 + sums : numbers + maps + 1;
    most = std::max(most, of_point / std::max(numbers, maps));
  }
  return most * static_cast<double>(numbers_at_once);
}

/// A dense layer over images, and its derivatives.
double folded_numbers(const Architecture& architecture) {
  if (!architecture.folds()) return 0;
  auto images = static_cast<double>(architecture.features);
  for (const auto& plan : architecture.channels)
    images += static_cast<double>(plan.convolution && plan.convolution->of_points ? plan.size()
                                                                                  : plan.perslay.size());
  return 2 * images *
         static_cast<double>(architecture.hidden.empty() ? architecture.outputs
                                                         : architecture.hidden.front());
}

}  // namespace

bool Architecture::convolves() const {
  return std::ranges::any_of(
      channels, [](const auto& plan) { return plan.convolution && !plan.convolution->of_points; });
}

double bytes_of_pass(const Architecture& architecture, std::size_t items, bool training) {
  constexpr double kept = 5;        // a number, its derivative, two moments and an average
  constexpr std::size_t sums = 64;  // a channel adds up its derivatives in so many parts
  const auto weights = weight_counts(architecture);
  double numbers = folded_numbers(architecture) + weights.all() * (training ? kept : 1);
  if (training) numbers += weights.channels * static_cast<double>(std::min(items, sums));
  const Row row = row_of(architecture, training);
  numbers += numbers_of_points(architecture, training);
  numbers += row.moments + row.all * static_cast<double>(items);
  return numbers * sizeof(float);
}

WeightCounts weight_counts(const Architecture& architecture) {
  WeightCounts counts;
  std::set<std::string> filtrations;
  for (const auto& group : architecture.times.groups) filtrations.insert(group.filtration);
  counts.times = static_cast<double>(filtrations.size());
  Part channels;
  for (const auto& plan : architecture.channels) {
    const auto part = part_of(plan);
    channels.weights += part.weights;
    channels.width += part.width;
  }
  if (architecture.channel_norm) channels.add_norm();
  counts.channels = channels.weights;
  Part dense{0, channels.width + static_cast<double>(architecture.features)};
  for (const auto next : architecture.hidden) {
    dense.add_dense(static_cast<double>(next));
    if (architecture.batch_norm) dense.add_norm();
  }
  dense.add_dense(static_cast<double>(architecture.outputs));
  counts.dense = dense.weights;
  return counts;
}

void require_sensible(const Architecture& architecture) {
  constexpr double most = 0x1p28;
  if (architecture.channels.empty() && architecture.features == 0)
    throw base::user_error("The network has nothing to read: neither diagrams nor features.");
  const auto counts = weight_counts(architecture);
  if (counts.all() > most)
    throw base::user_error(fmt::format(
        "The network would have {:.2g} weights ({:.2g} in channels, {:.2g} in dense layers); {:.2g} are "
        "allowed.",
        counts.all(), counts.channels, counts.dense, most));
}

}  // namespace perslay::network
