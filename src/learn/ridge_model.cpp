#include "ridge_model.h"

#include "model_arrays.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include <fmt/format.h>

#include <perslay/base/chunks.h>

namespace perslay::learn {
namespace {

constexpr double half_word = 4294967296.0;

void add_keyed(std::vector<io::NamedArray>& all, const std::string& prefix,
               const features::KeyedBlock& block) {
  std::vector<double> high, low;
  for (const auto key : block.keys) {
    high.push_back(static_cast<double>(key >> 32U));
    low.push_back(static_cast<double>(key & 0xFFFFFFFFU));
  }
  all.push_back(array_of(prefix + "width", std::vector{static_cast<double>(block.width)}));
  all.push_back(array_of(prefix + "keys_high", std::move(high)));
  all.push_back(array_of(prefix + "keys_low", std::move(low)));
  all.push_back(array_of(prefix + "values", block.values));
  all.push_back(array_of(prefix + "offsets", as_doubles(block.offsets)));
}

features::KeyedBlock keyed_of(const ModelArrays& arrays, const std::string& prefix, const std::string& name,
                              std::size_t items) {
  features::KeyedBlock block;
  block.name = name;
  const auto width = arrays.whole<std::size_t>(prefix + "width", 1e6);
  const auto high = arrays.whole<std::uint64_t>(prefix + "keys_high", half_word - 1);
  const auto low = arrays.whole<std::uint64_t>(prefix + "keys_low", half_word - 1);
  block.values = arrays.floats(prefix + "values");
  block.offsets = arrays.whole<std::int64_t>(prefix + "offsets");
  require(width.size() == 1 && width[0] > 0 && high.size() == low.size() &&
          block.values.size() == high.size() * width[0] && block.offsets.size() == items + 1 &&
          block.offsets.front() == 0 && block.offsets.back() == static_cast<std::int64_t>(high.size()) &&
          std::ranges::is_sorted(block.offsets));
  block.width = width[0];
  for (std::size_t i = 0; i < high.size(); ++i) block.keys.push_back(high[i] << 32U | low[i]);
  for (std::size_t i = 0; i < items; ++i) {
    const auto begin = block.keys.begin() + block.offsets[i], end = block.keys.begin() + block.offsets[i + 1];
    require(std::adjacent_find(begin, end, std::greater_equal<>{}) == end);
  }
  return block;
}

void add_block(std::vector<io::NamedArray>& all, const std::string& prefix, const RidgeBlock& block) {
  const auto& features = block.fitted.features;
  all.push_back(array_of(prefix + "mean", std::vector{block.mean}));
  all.push_back(array_of(prefix + "widths", as_doubles(features.widths)));
  all.push_back(array_of(prefix + "frames", features.frames));
  all.push_back(array_of(prefix + "means", features.means));
  all.push_back(array_of(prefix + "deviations", features.deviations));
  all.push_back(array_of(prefix + "norms", block.fitted.norms));
  all.push_back(array_of(prefix + "points", block.points.dense.values));
  for (std::size_t f = 0; f < block.points.keyed.size(); ++f)
    add_keyed(all, fmt::format("{}keyed{}.", prefix, f), block.points.keyed[f]);
}

RidgeBlock block_of(const ModelArrays& arrays, const std::string& prefix, const KernelBlock& block,
                    std::size_t items) {
  RidgeBlock made{FittedBlock::unfitted(block), 1, {block.distance}};
  auto& features = made.fitted.features;
  const auto& mean = arrays(prefix + "mean");
  features.widths = arrays.whole<std::size_t>(prefix + "widths");
  features.frames = arrays(prefix + "frames");
  features.means = arrays(prefix + "means");
  features.deviations = arrays(prefix + "deviations");
  made.fitted.norms = arrays(prefix + "norms");
  require(mean.size() == 1 && mean[0] > 0);
  made.mean = mean[0];
  if (features.settings.names.empty()) {
    for (std::size_t f = 0; f < block.features.size(); ++f)
      made.points.keyed.push_back(
          keyed_of(arrays, fmt::format("{}keyed{}.", prefix, f), block.features[f], items));
    return made;
  }
  auto& dense = made.points.dense;
  require(features.widths.size() == features.settings.names.size());
  dense.rows = items;
  dense.columns = features.columns();
  dense.values = arrays.floats(prefix + "points");
  require(dense.values.size() == dense.rows * dense.columns);
  return made;
}

/// The softmax of twice the mean score: for two classes the logistic function of their difference. Not
/// calibrated. `sums` are scores of one item, added up over `members`.
void to_probabilities(std::span<const double> sums, std::size_t members, float* out) {
  const double factor = 2.0 / static_cast<double>(members);
  const double highest = *std::ranges::max_element(sums);
  double sum = 0;
  for (const double score : sums) sum += std::exp(factor * (score - highest));
  for (std::size_t c = 0; c < sums.size(); ++c)
    out[c] = static_cast<float>(std::exp(factor * (sums[c] - highest)) / sum);
}

}  // namespace

void to_kernel(std::span<double> distances, double gamma) {
  for (double& value : distances) value = std::exp(-gamma * value);
}

RidgeModel::RidgeModel(std::vector<RidgeBlock> blocks, std::vector<Member> members)
    : blocks_(std::move(blocks)), members_(std::move(members)) {
  distances_.reserve(blocks_.size());
  for (const auto& block : blocks_) distances_.emplace_back(block.points);
}

std::vector<float> RidgeModel::probabilities(const Part& part, const base::Context& context) const {
  const std::size_t classes = part.items.classes.size();
  std::vector<BlockPoints> points;
  for (const auto& block : blocks_) points.push_back(block.fitted(part.items, part.rows, context));
  std::vector<float> result(part.rows.size() * classes);
  base::for_chunks(context, "kernel ridge", part.rows.size(), [&](std::size_t first, std::size_t count) {
    const auto scores = scores_of(points, first, count, classes);
    for (std::size_t i = 0; i < count; ++i)
      to_probabilities(std::span(scores).subspan(i * classes, classes), members_.size(),
                       &result[(first + i) * classes]);
  });
  return result;
}

std::vector<double> RidgeModel::scores_of(std::span<const BlockPoints> points, std::size_t first,
                                          std::size_t count, std::size_t classes) const {
  const std::size_t columns = blocks_.front().points.count();
  std::vector<std::vector<double>> apart(blocks_.size(), std::vector<double>(count * columns));
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    distances_[b](points[b], {first, count, columns}, apart[b]);
  std::vector<double> scores(count * classes), values(count * columns);
  for (const auto& member : members_) {
    std::ranges::fill(values, 0);
    for (const std::size_t b : member.blocks) {
      const double factor = 1 / (blocks_[b].mean * static_cast<double>(member.blocks.size()));
      for (std::size_t p = 0; p < values.size(); ++p) values[p] += factor * apart[b][p];
    }
    to_kernel(values, member.gamma);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t c = 0; c < classes; ++c) scores[i * classes + c] += member.scores.constants[c];
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < columns; ++j)
        for (std::size_t c = 0; c < classes; ++c)
          scores[i * classes + c] += values[i * columns + j] * member.scores.coefficients[j * classes + c];
  }
  return scores;
}

std::vector<io::NamedArray> RidgeModel::arrays() const {
  std::vector<io::NamedArray> all;
  all.push_back(array_of("ridge.items", std::vector{static_cast<double>(blocks_.front().points.count())}));
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    add_block(all, fmt::format("ridge.block{}.", b), blocks_[b]);
  all.push_back(array_of("ridge.members", std::vector{static_cast<double>(members_.size())}));
  for (std::size_t m = 0; m < members_.size(); ++m) {
    const auto prefix = fmt::format("ridge.member{}.", m);
    all.push_back(array_of(prefix + "blocks", as_doubles(members_[m].blocks)));
    all.push_back(array_of(prefix + "gamma", std::vector{members_[m].gamma}));
    all.push_back(array_of(prefix + "coefficients", members_[m].scores.coefficients));
    all.push_back(array_of(prefix + "constants", members_[m].scores.constants));
  }
  return all;
}

std::unique_ptr<RidgeModel> RidgeModel::read(std::span<const KernelBlock> kinds, std::size_t classes,
                                             std::span<const io::NamedArray> named) {
  const ModelArrays arrays(named);
  const auto items = arrays.whole<std::size_t>("ridge.items", 1e9);
  const auto count = arrays.whole<std::size_t>("ridge.members", 1e6);
  require(items.size() == 1 && items[0] > 0 && count.size() == 1 && count[0] > 0);
  std::vector<RidgeBlock> blocks;
  for (const auto& block : kinds)
    blocks.push_back(block_of(arrays, fmt::format("ridge.block{}.", blocks.size()), block, items[0]));
  std::vector<Member> members;
  for (std::size_t m = 0; m < count[0]; ++m) {
    const auto prefix = fmt::format("ridge.member{}.", m);
    auto& member = members.emplace_back();
    member.blocks = arrays.whole<std::size_t>(prefix + "blocks", static_cast<double>(blocks.size()) - 1);
    const auto& gamma = arrays(prefix + "gamma");
    member.scores = {arrays(prefix + "coefficients"), arrays(prefix + "constants")};
    require(!member.blocks.empty() && gamma.size() == 1 && gamma[0] > 0 &&
            member.scores.coefficients.size() == items[0] * classes &&
            member.scores.constants.size() == classes);
    member.gamma = gamma[0];
  }
  return std::make_unique<RidgeModel>(std::move(blocks), std::move(members));
}

}  // namespace perslay::learn
