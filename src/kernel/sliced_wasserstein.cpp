#include "sliced_wasserstein.h"

#include "slices.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

#include <perslay/base/parallel.h>

namespace perslay::kernel {
namespace {

using diagram::DiagramBatch;
using diagram::Point;

constexpr auto stage = "sliced Wasserstein distances";

struct Direction {
  double cosine = 0, sine = 0;

  Direction(std::size_t i, std::size_t directions) {
    const double angle =
        -std::numbers::pi / 2 + static_cast<double>(i) * (std::numbers::pi / static_cast<double>(directions));
    cosine = std::cos(angle);
    sine = std::sin(angle);
  }

  [[nodiscard]] double of_point(const Point& p) const { return p.birth * cosine + p.death * sine; }
  [[nodiscard]] double of_projection(const Point& p) const {
    return (p.birth + p.death) / 2 * (cosine + sine);
  }
};

/// The unit in which the positions of a diagram are integers: a power of two.
struct Unit {
  double length = 1;
  bool is_fine = true;  ///< Whether the unit keeps the digits of all but the smallest coordinates.
};

Unit unit_of(std::span<const Point> points) {
  if (points.empty()) return {};
  std::vector<double> sizes;
  sizes.reserve(points.size());
  for (const auto& [birth, death] : points) sizes.push_back(std::max(std::abs(birth), std::abs(death)));
  const double largest = std::ranges::max(sizes);
  if (largest == 0) return {};
  const auto low = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 10);
  std::nth_element(sizes.begin(), low, sizes.end());
  // A projection is below 2 * largest < 2^(e + 1), so the sum over all events is below 2^61. Powers of two up
  // to the 1000th have an inverse.
  const int e = std::ilogb(largest) + 1;
  const int exponent = std::min(1000, 60 - static_cast<int>(std::bit_width(2 * points.size())) - e);
  const double length = std::ldexp(1.0, -exponent);
  return {length, length <= 1e-10 * *low};
}

/// All diagrams of a batch in one direction: the events of every block in ascending order, and the sum of the
/// places of every diagram.
struct Slices {
  std::vector<std::vector<SliceEvent>> blocks;
  std::vector<std::int64_t> totals;

  explicit Slices(const DiagramBatch& batch) : blocks(block_count(batch)), totals(batch.size()) {}

  [[nodiscard]] static std::size_t block_count(const DiagramBatch& batch) {
    return (batch.size() + block_size - 1) / block_size;
  }
  [[nodiscard]] std::size_t count_in(std::size_t block) const {
    return std::min(block_size, totals.size() - block * block_size);
  }
  [[nodiscard]] SliceBlock block(std::size_t index) const {
    return {std::span(blocks[index]).first(blocks[index].size() - 1), count_in(index)};
  }
};

void slice_block(const DiagramBatch& batch, std::span<const Unit> units, const Direction& direction,
                 std::size_t block, Slices& slices, SortMemory& memory) {
  auto& events = slices.blocks[block];
  const std::size_t begin = block * block_size, end = std::min(begin + block_size, batch.size());
  const auto offset = [&](std::size_t i) { return static_cast<std::size_t>(batch.offsets()[i]); };
  const std::size_t count = 2 * (offset(end) - offset(begin));
  events.reserve(count + 1);
  events.resize(count);
  SliceEvent* next = events.data();
  for (std::size_t i = begin; i < end; ++i) {
    std::int64_t total = 0;
    const auto lane = static_cast<std::int32_t>(i - begin);
    const double unit = units[i].length, scale = 1 / unit;
    const auto add = [&](double x, std::int32_t step) {
      const auto place = static_cast<std::int64_t>(x * scale);
      *next++ = {key_of(static_cast<double>(place) * unit), place * step, lane, step};
      total += place * step;
    };
    for (const Point& p : batch[i]) {
      add(direction.of_point(p), 1);
      add(direction.of_projection(p), -1);
    }
    slices.totals[i] = total;
  }
  sort_events(events, memory);
  events.push_back(last_event);
}

/// The distances between two batches, which may be one object.
class Distances {
 public:
  Distances(std::size_t directions, const DiagramBatch& rows, const DiagramBatch& columns, Matrix& base)
      : directions_(directions), rows_(rows), columns_(columns), base_(base), same_(&rows == &columns) {
    for (std::size_t i = 0; i < rows.size(); ++i) row_units_.push_back(unit_of(rows[i]));
    for (std::size_t j = 0; j < columns.size(); ++j) column_units_.push_back(unit_of(columns[j]));
  }

  void compute(const base::Context& context) {
    const auto tiles = list_tiles();
    Slices row_slices(rows_), column_slices(same_ ? DiagramBatch() : columns_);
    for (std::size_t i = 0; i < directions_; ++i) {
      const Direction direction(i, directions_);
      slice(rows_, row_units_, direction, context, row_slices);
      if (!same_) slice(columns_, column_units_, direction, context, column_slices);
      const auto part = part_of(context, i, tiles.size());
      base::parallel_for(
          part, stage, tiles.size(), [] { return std::make_unique<SliceSums>(); },
          [&](std::size_t tile, const std::unique_ptr<SliceSums>& sums) {
            add_tile(row_slices, same_ ? row_slices : column_slices, tiles[tile], *sums);
          });
    }
    merge_coarse(context);
  }

 private:
  using Tile = std::pair<std::size_t, std::size_t>;

  static void slice(const DiagramBatch& batch, std::span<const Unit> units, const Direction& direction,
                    const base::Context& context, Slices& slices) {
    base::Context quiet = context;
    quiet.progress = nullptr;
    base::parallel_for(
        quiet, stage, slices.blocks.size(), [] { return SortMemory(); },
        [&](std::size_t block, SortMemory& memory) {
          slice_block(batch, units, direction, block, slices, memory);
        });
  }

  /// The context of one direction's share of the progress.
  [[nodiscard]] base::Context part_of(const base::Context& context, std::size_t direction,
                                      std::size_t count) const {
    base::Context part = context;
    if (context.progress)
      part.progress = [&context, this, direction, count](const base::Progress& p) {
        context.progress({p.stage, direction * count + p.done, directions_ * count});
      };
    return part;
  }

  [[nodiscard]] std::vector<Tile> list_tiles() const {
    std::vector<Tile> tiles;
    for (std::size_t a = 0; a < Slices::block_count(rows_); ++a)
      for (std::size_t b = same_ ? a : 0; b < Slices::block_count(columns_); ++b) tiles.emplace_back(a, b);
    return tiles;
  }

  void add_tile(const Slices& rows, const Slices& columns, const Tile& tile, SliceSums& sums) {
    const auto [a, b] = tile;
    const bool diagonal = same_ && a == b;
    if (diagonal)
      sweep(rows.block(a), sums);
    else
      sweep(rows.block(a), columns.block(b), sums);
    const auto& back = sums.above[diagonal ? 0 : 1];
    for (std::size_t la = 0; la < rows.count_in(a); ++la)
      for (std::size_t lb = 0; lb < columns.count_in(b); ++lb) {
        const std::size_t i = a * block_size + la, j = b * block_size + lb;
        if ((same_ && j <= i) || !is_fine(i, j)) continue;
        const double length = distance(rows.totals[i] - 2 * sums.above[0][la][lb], row_units_[i].length,
                                       columns.totals[j] - 2 * back[lb][la], column_units_[j].length);
        add(i, j, length / static_cast<double>(directions_));
      }
  }

  /// x times its unit plus y times its unit, rounded once. The units are powers of two; x and y are below 2^61.
  static double distance(std::int64_t x, double unit_x, std::int64_t y, double unit_y) {
    if (unit_x == unit_y) return static_cast<double>(x + y) * unit_x;
    return static_cast<double>(static_cast<long double>(x) * unit_x + static_cast<long double>(y) * unit_y);
  }

  void add(std::size_t i, std::size_t j, double value) {
    base_(i, j) += std::max(value, 0.0);
    if (same_) base_(j, i) = base_(i, j);
  }

  [[nodiscard]] bool is_fine(std::size_t i, std::size_t j) const {
    return row_units_[i].is_fine && column_units_[j].is_fine;
  }

  /// Adds the pairs whose positions integers cannot hold, one by one.
  void merge_coarse(const base::Context& context) {
    std::vector<Tile> pairs;
    for (std::size_t i = 0; i < rows_.size(); ++i)
      for (std::size_t j = same_ ? i + 1 : 0; j < columns_.size(); ++j)
        if (!is_fine(i, j)) pairs.emplace_back(i, j);
    if (pairs.empty()) return;
    base::parallel_for(context, stage, pairs.size(), [&](std::size_t k) {
      const auto [i, j] = pairs[k];
      add(i, j, merged_distance(rows_[i], columns_[j]));
    });
  }

  [[nodiscard]] double merged_distance(std::span<const Point> f, std::span<const Point> g) const {
    double sum = 0;
    std::vector<double> x, y;
    for (std::size_t i = 0; i < directions_; ++i) {
      const Direction direction(i, directions_);
      x.clear();
      y.clear();
      for (const Point& p : f) {
        x.push_back(direction.of_point(p));
        y.push_back(direction.of_projection(p));
      }
      for (const Point& q : g) {
        y.push_back(direction.of_point(q));
        x.push_back(direction.of_projection(q));
      }
      std::ranges::sort(x);
      std::ranges::sort(y);
      double length = 0;
      for (std::size_t k = 0; k < x.size(); ++k) length += std::abs(x[k] - y[k]);
      sum += length / static_cast<double>(directions_);
    }
    return sum;
  }

  std::size_t directions_;
  const DiagramBatch& rows_;
  const DiagramBatch& columns_;
  Matrix& base_;
  bool same_;
  std::vector<Unit> row_units_, column_units_;
};

}  // namespace

void add_sliced_wasserstein(std::size_t directions, const DiagramBatch& rows, const DiagramBatch& columns,
                            const base::Context& context, Matrix& base) {
  Distances(directions, rows, columns, base).compute(context);
}

std::size_t slice_bytes(const DiagramBatch& batch) {
  return 2 * batch.points().size() * sizeof(SliceEvent) +
         batch.size() * (sizeof(Unit) + sizeof(std::int64_t)) +
         Slices::block_count(batch) * sizeof(std::vector<SliceEvent>);
}

}  // namespace perslay::kernel
