#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/chunks.h>
#include <perslay/base/error.h>
#include <perslay/features/item_features.h>
#include <perslay/learn/kernel_blocks.h>

namespace perslay::learn {
namespace {

using features::FeatureRows;
using features::ItemFeature;
using features::Items;
using features::KeyedBlock;
using features::Tile;
using Distance = KernelBlock::Distance;

base::Registry<KernelBlock> make_registry() {
  base::Registry<KernelBlock> registry("kernel block");
  const auto add = [&](std::string help, KernelBlock block) {
    const std::string name = block.name;
    registry.add(name, {name, std::move(help)},
                 [block = std::move(block)](base::Arguments& /*none*/) { return block; });
  };
  const std::vector<std::string> diagrams{"hks:0.1", "hks:10"};
  add("Sizes, distances and degrees of graphs.",
      {"G",
       Distance::standardised,
       {"size", "path-lengths:12", "deciles:degree", "deciles:clustering", "deciles:closeness",
        "deciles:eccentricity", "deciles:core", "degree-histogram:12"}});
  add("Spectral moments and heat kernels of graphs.",
      {"S", Distance::standardised, {"moments:48", "deciles:hks:0.1", "deciles:hks:1", "deciles:hks:10"}});
  add("Return probabilities of random walks.",
      {"R", Distance::plain, {"returns:256@0.02", "returns:256@0.2"}});
  add("Vectorizations of diagrams.",
      {"P", Distance::standardised, {"statistics", "landscape:3x12", "betti:12", "image:6x6"}, diagrams});
  add("Diagrams as sums of Gaussians.",
      {"F", Distance::rms, {"fourier:128@0.02", "fourier:128@0.06"}, diagrams});
  add("Optimal assignment of Weisfeiler-Lehman colours.", {"W", Distance::intersection, {"wl:4"}});
  add("The same from node labels.", {"WL", Distance::intersection, {"wl-labels:3"}});
  add("Node labels, alone, on edges and with degrees.", {"L", Distance::plain, {"labels"}});
  add("R for each node label.", {"RL", Distance::plain, {"label-returns:256@0.02", "label-returns:256@0.2"}});
  add("Node labels where points of diagrams are born and die.",
      {"PL", Distance::plain, {"label-pairs"}, diagrams});
  const auto add_orbits = [&](std::string name, std::string help, std::vector<std::string> features) {
    add(std::move(help), {std::move(name), Distance::standardised, std::move(features), {"alpha:radii"}});
  };
  add_orbits("A0", "Components of point clouds.",
             {"h0/quantiles:80", "h0/log/quantiles:80", "h0/statistics"});
  add_orbits("AT", "The largest loops of point clouds.", {"h1/log/top:50"});
  add_orbits("AL", "Landscapes and Betti curves of loops.",
             {"h1/landscape:4x60@0..0.15", "h1/betti:60@0..0.08"});
  add_orbits("AQ", "Projections of loops.",
             {"h1/projection-quantiles:8x40", "h1/log/projection-quantiles:8x40", "h1/statistics"});
  return registry;
}

template <class T>
void add_new(std::vector<T>& list, const std::vector<T>& more) {
  for (const auto& entry : more)
    if (std::ranges::find(list, entry) == list.end()) list.push_back(entry);
}

bool is_keyed(const KernelBlock& block) {
  const auto features = features::parse_item_features(block.features);
  const auto keyed = std::ranges::count_if(features, &ItemFeature::is_keyed);
  const bool one = features.size() == 1, all = keyed == std::ranges::ssize(features);
  if (features.empty() || (keyed > 0 && !all) ||
      (block.distance == Distance::intersection && !(all && one)) ||
      (keyed > 0 && block.distance != Distance::intersection && block.distance != Distance::plain))
    throw base::user_error(
        fmt::format("The features of the block {} do not go with its distance.", block.name));
  return all;
}

// ---- root mean squared norms

/// The widths of the parts that columns consist of: one for each feature of each diagram.
std::vector<std::size_t> part_widths(const FittedFeatures& features) {
  std::vector<std::size_t> widths;
  const auto parsed = features::parse_item_features(features.settings.names);
  for (std::size_t f = 0; f < parsed.size(); ++f) {
    const std::size_t width = parsed[f].is_ragged() ? features.widths[f] : parsed[f].width;
    widths.insert(widths.end(), width == 0 ? 0 : features.widths[f] / width, width);
  }
  return widths;
}

std::vector<double> fit_norms(const FittedFeatures& features, const FeatureRows& matrix) {
  std::vector<double> norms;
  std::size_t first = 0;
  for (const std::size_t width : part_widths(features)) {
    double sum = 0;
    for (std::size_t i = 0; i < matrix.rows; ++i)
      for (std::size_t c = first; c < first + width; ++c) {
        const double value = matrix.values[i * matrix.columns + c];
        sum += value * value;
      }
    norms.push_back(std::sqrt(sum / static_cast<double>(std::max(matrix.rows, std::size_t{1}))));
    first += width;
  }
  return norms;
}

/// Parts without a norm stay as they are.
void divide_by_norms(const FittedBlock& fitted, FeatureRows& matrix, const base::Context& context) {
  const auto widths = part_widths(fitted.features);
  if (fitted.norms.size() != widths.size())
    throw base::user_error(fmt::format("The block {} has {} norms, and {} parts.", fitted.block.name,
                                       fitted.norms.size(), widths.size()));
  base::for_chunks(context, "norms", matrix.rows, [&](std::size_t first, std::size_t count) {
    float* value = matrix.values.data() + first * matrix.columns;
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t part = 0; part < widths.size(); ++part) {
        const double norm = fitted.norms[part] > 0 ? fitted.norms[part] : 1;
        for (std::size_t c = 0; c < widths[part]; ++c, ++value)
          *value = static_cast<float>(static_cast<double>(*value) / norm);
      }
  });
}

const KeyedBlock& keyed_block(const Items& items, const std::string& name) {
  const auto canonical = features::parse_item_feature(name).name;
  const auto found = std::ranges::find(items.keyed, canonical, &KeyedBlock::name);
  if (found == items.keyed.end())
    throw base::user_error(
        fmt::format("{} is computed from graphs, and it was not when the items were loaded.", canonical));
  return *found;
}

/// |a - b|^2 from the inner product and the squared norms.
double from_product(double product, double norm_a, double norm_b) {
  return std::max(0.0, norm_a + norm_b - 2 * product);
}

/// 2 - 2K. Rows without keys are like each other and unlike all others.
double from_minima(double minima, double total_a, double total_b) {
  if (total_a == total_b) return total_a == 0 ? 0 : 2 - 2 * (minima / total_a);
  return total_a == 0 || total_b == 0 ? 2 : std::max(0.0, 2 - 2 * minima / std::sqrt(total_a * total_b));
}

}  // namespace

const base::Registry<KernelBlock>& kernel_blocks() {
  static const base::Registry<KernelBlock> registry = make_registry();
  return registry;
}

features::LoadRequest load_request(std::span<const KernelBlock> blocks) {
  features::LoadRequest request;
  for (const auto& block : blocks) {
    add_new(request.filtrations, block.filtrations);
    add_new(request.features, block.features);
  }
  const auto features = features::parse_item_features(request.features);
  request.keep_diagrams = std::ranges::any_of(features, &ItemFeature::is_fitted);
  return request;
}

FittedBlock FittedBlock::unfitted(const KernelBlock& block) {
  FittedBlock unfitted{block};
  if (is_keyed(block)) return unfitted;
  const bool standardise = block.distance == Distance::standardised;
  unfitted.features.settings = {block.features, standardise, standardise ? KernelBlock::clip : 0};
  return unfitted;
}

FittedBlock FittedBlock::fit(const KernelBlock& block, const Items& items, std::span<const std::size_t> rows,
                             const base::Context& context) {
  auto fitted = unfitted(block);
  if (is_keyed(block)) return fitted;
  fitted.features = FittedFeatures::fit(items, rows, fitted.features.settings, context);
  if (block.distance == Distance::rms)
    fitted.norms = fit_norms(fitted.features, fitted.features(items, rows, context));
  return fitted;
}

BlockPoints FittedBlock::operator()(const Items& items, std::span<const std::size_t> rows,
                                    const base::Context& context) const {
  BlockPoints points{block.distance};
  if (is_keyed(block)) {
    for (const auto& name : block.features)
      points.keyed.push_back(features::rows_of(keyed_block(items, name), rows));
    return points;
  }
  points.dense = features(items, rows, context);
  if (block.distance == Distance::rms) divide_by_norms(*this, points.dense, context);
  return points;
}

BlockDistances::BlockDistances(const BlockPoints& columns) : columns_(columns) {
  if (columns.keyed.empty()) dense_ = std::make_unique<features::DensePairs>(columns.dense);
  for (const auto& block : columns.keyed) {
    keyed_.emplace_back(block);
    own_.push_back(
        features::with_itself(block, 0, columns.count(), columns.distance == Distance::intersection));
  }
}

void BlockDistances::operator()(const BlockPoints& points, const Tile& tile, std::span<double> out) const {
  if (points.distance != columns_.distance || points.keyed.size() != keyed_.size())
    throw base::internal_error("Points of different blocks cannot be compared.");
  if (dense_) return dense_->squared_distances(points.dense, tile, out);
  const bool minima = columns_.distance == Distance::intersection;
  std::ranges::fill(out, 0);
  std::vector<double> pairs(out.size());
  for (std::size_t f = 0; f < keyed_.size(); ++f) {
    if (minima)
      keyed_[f].intersections(points.keyed[f], tile, pairs);
    else
      keyed_[f].inner_products(points.keyed[f], tile, pairs);
    const auto own_rows = features::with_itself(points.keyed[f], tile.first, tile.count, minima);
    for (std::size_t i = 0, p = 0; i < tile.count; ++i)
      for (std::size_t j = 0; j < tile.columns; ++j, ++p)
        out[p] += minima ? from_minima(pairs[p], own_rows[i], own_[f][j])
                         : from_product(pairs[p], own_rows[i], own_[f][j]);
  }
}

void add_squared_distances(const BlockPoints& points, double factor, std::span<double> matrix,
                           const base::Context& context) {
  constexpr std::size_t at_a_time = 128;
  const BlockDistances distances(points);
  const std::size_t n = points.count();
  const auto add = [&](std::size_t first, std::size_t count) {
    const Tile tile{first, count, first + count};
    std::vector<double> lower(tile.count * tile.columns);
    distances(points, tile, lower);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < first + i; ++j) {  // each pair once, so that it is the same from both ends
        double& sum = matrix[(first + i) * n + j];
        sum += factor * lower[i * tile.columns + j];
        matrix[j * n + first + i] = sum;
      }
  };
  base::for_chunks(context, "distances", n, add, at_a_time);
}

std::vector<double> squared_distances(const BlockPoints& points, const base::Context& context) {
  std::vector<double> matrix(points.count() * points.count());
  add_squared_distances(points, 1, matrix, context);
  return matrix;
}

}  // namespace perslay::learn
