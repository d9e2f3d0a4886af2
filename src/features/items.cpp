#include <algorithm>
#include <utility>

#include <perslay/base/error.h>
#include <perslay/features/items.h>

namespace perslay::features {
namespace {

/// Appends packed rows to others.
template <class T>
void append(std::vector<T>& values, std::vector<std::int64_t>& offsets, std::span<const T> more_values,
            std::span<const std::int64_t> more_offsets) {
  for (const std::int64_t offset : more_offsets.subspan(1))
    offsets.push_back(static_cast<std::int64_t>(values.size()) + offset);
  values.insert(values.end(), more_values.begin(), more_values.end());
}

bool same_shape(const Items& a, const Items& b) {
  return a.classes == b.classes && a.labels.empty() == b.labels.empty() &&
         std::ranges::equal(
             a.groups, b.groups,
             [](const auto& x, const auto& y) { return x.filtration == y.filtration && x.kind == y.kind; }) &&
         std::ranges::equal(a.blocks, b.blocks, {}, &FeatureBlock::name, &FeatureBlock::name) &&
         std::ranges::equal(a.keyed, b.keyed, [](const auto& x, const auto& y) {
           return x.name == y.name && x.width == y.width;
         });
}

}  // namespace

void ItemsCollector::begin(const Items& piece) {
  // Reserved memory that is never touched costs nothing; growing by copies would double it.
  const auto room = [&](std::size_t of_piece) {
    const double per_item =
        static_cast<double>(of_piece) / static_cast<double>(std::max(piece.count(), std::size_t{1}));
    return static_cast<std::size_t>(1.25 * per_item * static_cast<double>(expected_));
  };
  items_.kind = piece.kind;
  items_.classes = piece.classes;
  packed_.resize(piece.groups.size());
  for (std::size_t g = 0; g < piece.groups.size(); ++g) {
    items_.groups.push_back({piece.groups[g].filtration, piece.groups[g].kind, {}, {}});
    packed_[g].points.reserve(room(piece.groups[g].diagrams.points().size()));
  }
  items_.blocks.resize(piece.blocks.size());
  for (std::size_t b = 0; b < piece.blocks.size(); ++b) {
    items_.blocks[b].name = piece.blocks[b].name;
    items_.blocks[b].values.reserve(room(piece.blocks[b].values.size()));
  }
  items_.keyed.resize(piece.keyed.size());
  for (std::size_t b = 0; b < piece.keyed.size(); ++b) {
    items_.keyed[b].name = piece.keyed[b].name;
    items_.keyed[b].width = piece.keyed[b].width;
    items_.keyed[b].keys.reserve(room(piece.keyed[b].keys.size()));
    items_.keyed[b].values.reserve(room(piece.keyed[b].values.size()));
  }
}

void ItemsCollector::add(const Items& piece) {
  if (items_.count() == 0) {
    items_ = {};
    begin(piece);
  } else if (!same_shape(items_, piece)) {
    throw base::internal_error(
        "Pieces of items to be put together differ in their groups, blocks or classes.");
  }
  for (std::size_t g = 0; g < packed_.size(); ++g)
    append(packed_[g].points, packed_[g].offsets, piece.groups[g].diagrams.points(),
           piece.groups[g].diagrams.offsets());
  for (std::size_t b = 0; b < items_.blocks.size(); ++b)
    append(items_.blocks[b].values, items_.blocks[b].offsets, std::span(piece.blocks[b].values),
           std::span(piece.blocks[b].offsets));
  for (std::size_t b = 0; b < items_.keyed.size(); ++b) {
    append(items_.keyed[b].keys, items_.keyed[b].offsets, std::span(piece.keyed[b].keys),
           std::span(piece.keyed[b].offsets));
    items_.keyed[b].values.insert(items_.keyed[b].values.end(), piece.keyed[b].values.begin(),
                                  piece.keyed[b].values.end());
  }
  items_.sizes.insert(items_.sizes.end(), piece.sizes.begin(), piece.sizes.end());
  items_.labels.insert(items_.labels.end(), piece.labels.begin(), piece.labels.end());
}

Items ItemsCollector::finish() {
  for (std::size_t g = 0; g < packed_.size(); ++g)
    items_.groups[g].diagrams = {std::move(packed_[g].points), std::move(packed_[g].offsets)};
  packed_.clear();
  return std::exchange(items_, {});
}

}  // namespace perslay::features
