#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include <perslay/base/chunks.h>
#include <perslay/base/error.h>
#include <perslay/features/diagram_numbers.h>
#include <perslay/learn/preparation.h>

namespace perslay::learn {
namespace {

using features::Columns;
using features::DiagramNumbers;
using features::FeatureBlock;
using features::FeatureRows;
using features::ItemFeature;
using features::Items;

// ---- features

/// The source of one name's numbers: a block of the items, or their diagrams.
struct Source {
  ItemFeature feature;
  const FeatureBlock* block = nullptr;
  std::optional<DiagramNumbers> diagrams{};
};

std::span<const float> row_of(const FeatureBlock& block, std::size_t item) {
  const auto begin = static_cast<std::size_t>(block.offsets[item]);
  return std::span(block.values).subspan(begin, static_cast<std::size_t>(block.offsets[item + 1]) - begin);
}

const FeatureBlock* block_of(const Items& items, const ItemFeature& feature) {
  if (feature.is_keyed())
    throw base::user_error(fmt::format(
        "{} is keyed: its numbers have no order common to all items, and so are no columns.", feature.name));
  const auto found = std::ranges::find(items.blocks, feature.name, &FeatureBlock::name);
  if (found != items.blocks.end()) return &*found;
  if (feature.of_graphs())
    throw base::user_error(
        fmt::format("{} is computed from graphs, and it was not when the items were loaded.", feature.name));
  return nullptr;
}

/// Takes the feature's frames from `frames`, six numbers for each group that it reads.
std::vector<layer::Frame> take_frames(const ItemFeature& feature, const Items& items,
                                      std::span<const double>& frames) {
  std::vector<layer::Frame> taken;
  for (const auto& group : items.groups) {
    if (!feature.is_fitted() || !feature.reads(group)) continue;
    if (frames.size() < 6)
      throw base::user_error(
          fmt::format("{} was fitted to fewer groups of diagrams than there are.", feature.name));
    taken.push_back({{frames[0], frames[1]}, {frames[2], frames[3]}, {frames[4], frames[5]}});
    frames = frames.subspan(6);
  }
  return taken;
}

void add_frames(const ItemFeature& feature, const Items& items, std::span<const std::size_t> rows,
                std::vector<double>& frames) {
  for (const auto& group : items.groups) {
    if (!feature.is_fitted() || !feature.reads(group)) continue;
    const auto frame = features::frame_around(group, rows);
    for (const auto& range : {frame.values, frame.births, frame.persistences})
      frames.insert(frames.end(), {range.low, range.high});
  }
}

std::vector<Source> sources_of(const FittedFeatures& fitted, const Items& items) {
  std::vector<Source> sources;
  std::span<const double> frames = fitted.frames;
  for (const auto& name : fitted.settings.names) {
    Source& source = sources.emplace_back();
    source.feature = features::parse_item_feature(name);
    source.block = block_of(items, source.feature);
    if (source.block == nullptr)
      source.diagrams.emplace(source.feature, items.groups, take_frames(source.feature, items, frames));
  }
  return sources;
}

/// How many columns the rows need.
std::size_t width_of(const Source& source, std::span<const std::size_t> rows) {
  if (source.diagrams) return source.diagrams->width();
  std::size_t width = 0;
  for (const std::size_t row : rows) width = std::max(width, row_of(*source.block, row).size());
  return width;
}

void check_width(const Source& source, std::size_t width, std::span<const std::size_t> rows) {
  if (source.feature.is_ragged() || rows.empty()) return;
  if (const std::size_t found = width_of(source, rows); found != width)
    throw base::user_error(fmt::format("{} has {} numbers per item, but {} where it was fitted.",
                                       source.feature.name, found, width));
}

void write(const Source& source, std::span<const std::size_t> rows, std::size_t width,
           const Columns& columns) {
  if (source.diagrams) return source.diagrams->write(rows, columns);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto from = row_of(*source.block, rows[i]);
    std::ranges::copy(from.first(std::min(width, from.size())), columns.row(i, width).begin());
  }
}

void standardise_row(const FittedFeatures& fitted, std::span<float> row) {
  for (std::size_t c = 0; c < row.size(); ++c) {
    double value =
        fitted.deviations[c] > 0 ? (static_cast<double>(row[c]) - fitted.means[c]) / fitted.deviations[c] : 0;
    if (fitted.settings.clip > 0) value = std::clamp(value, -fitted.settings.clip, fitted.settings.clip);
    row[c] = static_cast<float>(value);
  }
}

void require_finite(const FittedFeatures& fitted, std::span<const float> row, std::size_t item) {
  const auto bad = std::ranges::find_if_not(row, [](float x) { return std::isfinite(x); });
  if (bad == row.end()) return;
  auto column = static_cast<std::size_t>(bad - row.begin());
  std::size_t name = 0;
  while (column >= fitted.widths[name]) column -= fitted.widths[name++];
  throw base::user_error(fmt::format("{}: Number {} of item {} is too large to be represented.",
                                     fitted.settings.names[name], column, item));
}

constexpr std::size_t most = 2'000'000'000;

/// A few wrong digits in a name can ask for 10^12 numbers.
void require_sensible(std::size_t rows, std::size_t columns) {
  if (columns > most / std::max(rows, std::size_t{1}))
    throw base::user_error(
        fmt::format("{} items with {} features each are more than {} numbers.", rows, columns, most));
}

/// Checks numbers that come from a file.
void require_consistent(const FittedFeatures& fitted) {
  const std::size_t moments = fitted.settings.standardise ? fitted.columns() : 0;
  if (fitted.widths.size() != fitted.settings.names.size() || fitted.means.size() != moments ||
      fitted.deviations.size() != moments ||
      std::ranges::any_of(fitted.widths, [](std::size_t width) { return width > most; }))
    throw base::user_error(
        "The names, widths, means and deviations of the fitted features do not fit together.");
}

/// The features as they are, before they are standardised.
FeatureRows raw_features(const FittedFeatures& fitted, const Items& items, std::span<const std::size_t> rows,
                         const base::Context& context) {
  const auto sources = sources_of(fitted, items);
  for (std::size_t s = 0; s < sources.size(); ++s) check_width(sources[s], fitted.widths[s], rows);
  FeatureRows matrix{rows.size(), fitted.columns(), {}};
  require_sensible(matrix.rows, matrix.columns);
  matrix.values.resize(matrix.rows * matrix.columns);
  base::for_chunks(context, "features", rows.size(), [&](std::size_t first, std::size_t count) {
    const auto values = std::span(matrix.values).subspan(first * matrix.columns, count * matrix.columns);
    Columns columns{values, matrix.columns, 0};
    for (std::size_t s = 0; s < sources.size(); ++s) {
      write(sources[s], rows.subspan(first, count), fitted.widths[s], columns);
      columns = columns.from(fitted.widths[s]);
    }
    for (std::size_t i = 0; i < count; ++i)
      require_finite(fitted, values.subspan(i * matrix.columns, matrix.columns), rows[first + i]);
  });
  return matrix;
}

/// Mean and deviation (dividing by the number of rows) of every column; a constant one has the deviation 0
/// exactly.
void fit_moments(const FeatureRows& matrix, FittedFeatures& fitted) {
  fitted.means.assign(matrix.columns, 0);
  fitted.deviations.assign(matrix.columns, 0);
  if (matrix.rows == 0) return;
  std::vector<bool> varies(matrix.columns);
  const auto count = static_cast<double>(matrix.rows);
  for (std::size_t i = 0; i < matrix.values.size(); ++i) {
    const std::size_t c = i % matrix.columns;
    fitted.means[c] += static_cast<double>(matrix.values[i]) / count;
    if (matrix.values[i] != matrix.values[c]) varies[c] = true;
  }
  for (std::size_t i = 0; i < matrix.values.size(); ++i) {
    const std::size_t c = i % matrix.columns;
    const double away = static_cast<double>(matrix.values[i]) - fitted.means[c];
    fitted.deviations[c] += away * away / count;
  }
  for (std::size_t c = 0; c < matrix.columns; ++c)
    fitted.deviations[c] = varies[c] ? std::sqrt(fitted.deviations[c]) : 0;
}

// ---- scales

/// The ranges of births and deaths of some diagrams of a group, each its own or one for both.
diagram::PlaneScale ranges_of(const diagram::DiagramBatch& diagrams, std::span<const std::size_t> rows,
                              Scaling scaling) {
  bool empty = true;
  diagram::PlaneScale scale;
  const auto widen = [&](diagram::UnitScale& range, double x) {
    range =
        empty ? diagram::UnitScale{x, x} : diagram::UnitScale{std::min(range.min, x), std::max(range.max, x)};
  };
  for (const std::size_t row : rows)
    for (const auto& [birth, death] : diagrams[row]) {
      widen(scale.births, birth);
      widen(scale.deaths, death);
      empty = false;
    }
  if (scaling == Scaling::together)
    scale.births = scale.deaths = {std::min(scale.births.min, scale.deaths.min),
                                   std::max(scale.births.max, scale.deaths.max)};
  return scale;
}

}  // namespace

std::size_t FittedFeatures::columns() const noexcept {
  return std::accumulate(widths.begin(), widths.end(), std::size_t{0});
}

FittedFeatures FittedFeatures::fit(const Items& items, std::span<const std::size_t> rows,
                                   const FeatureSettings& settings, const base::Context& context) {
  FittedFeatures fitted;
  fitted.settings = settings;
  for (const auto& feature : features::parse_item_features(settings.names))
    add_frames(feature, items, rows, fitted.frames);
  for (const auto& source : sources_of(fitted, items)) fitted.widths.push_back(width_of(source, rows));
  if (settings.standardise) fit_moments(raw_features(fitted, items, rows, context), fitted);
  return fitted;
}

FeatureRows FittedFeatures::operator()(const Items& items, std::span<const std::size_t> rows,
                                       const base::Context& context) const {
  require_consistent(*this);
  FeatureRows matrix = raw_features(*this, items, rows, context);
  if (settings.standardise)
    base::for_chunks(context, "standardisation", matrix.rows, [&](std::size_t first, std::size_t count) {
      for (std::size_t i = first; i < first + count; ++i)
        standardise_row(*this, std::span(matrix.values).subspan(i * matrix.columns, matrix.columns));
    });
  return matrix;
}

Preparation Preparation::fit(const features::Items& items, std::span<const std::size_t> rows,
                             const Settings& settings, const base::Context& context) {
  Preparation preparation;
  if (settings.network.scale != Scaling::none)
    for (const auto& group : items.groups)
      preparation.scales.push_back(ranges_of(group.diagrams, rows, settings.network.scale));
  preparation.features = FittedFeatures::fit(items, rows, settings.features, context);
  return preparation;
}

}  // namespace perslay::learn
