#include "keyed_row.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <tuple>

#include <cblas.h>
#include <fmt/format.h>

#include <perslay/base/blas.h>
#include <perslay/base/error.h>
#include <perslay/features/pairs.h>

namespace perslay::features {
namespace {

/// c = factor * a b' for a of `rows` and b of `columns` rows with `inner` numbers each.
void multiply(double factor, const double* a, std::size_t rows, const double* b, std::size_t columns,
              std::size_t inner, double* c) {
  const auto size = [](std::size_t n) { return static_cast<blasint>(n); };
  if (rows == 0 || columns == 0) return;
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, size(rows), size(columns), size(inner), factor, a,
              size(std::max<std::size_t>(inner, 1)), b, size(std::max<std::size_t>(inner, 1)), 0.0, c,
              size(columns));
}

std::span<const std::uint64_t> keys_of(const KeyedBlock& block, std::size_t row) {
  const auto begin = static_cast<std::size_t>(block.offsets[row]);
  return std::span(block.keys).subspan(begin, static_cast<std::size_t>(block.offsets[row + 1]) - begin);
}

std::span<const float> values_of(const KeyedBlock& block, std::size_t row) {
  const auto begin = static_cast<std::size_t>(block.offsets[row]) * block.width;
  const auto end = static_cast<std::size_t>(block.offsets[row + 1]) * block.width;
  return std::span(block.values).subspan(begin, end - begin);
}

void require_width(std::size_t found, std::size_t expected) {
  if (found != expected)
    throw base::internal_error(
        fmt::format("Keyed blocks of {} and of {} numbers per key cannot be compared.", found, expected));
}

/// A key of a block and where it stands.
struct Entry {
  std::uint64_t key;
  std::uint32_t row;
  std::size_t place;  // among the keys of its block
};

/// The entries of some rows, in the order of keys, then of rows.
std::vector<Entry> sorted_entries(const KeyedBlock& block, std::size_t first, std::size_t count) {
  std::vector<Entry> entries;
  const auto begin = static_cast<std::size_t>(block.offsets[first]);
  for (std::size_t row = first; row < first + count; ++row)
    for (const std::uint64_t key : keys_of(block, row))
      entries.push_back({key, static_cast<std::uint32_t>(row - first), begin + entries.size()});
  std::ranges::sort(entries, {}, [](const Entry& e) { return std::tuple(e.key, e.row); });
  return entries;
}

}  // namespace

// ---- dense

DensePairs::DensePairs(const FeatureRows& b) : features_(b.columns), means_(b.columns) {
  for (std::size_t i = 0; i < b.values.size(); ++i) means_[i % features_] += static_cast<double>(b.values[i]);
  for (double& mean : means_) mean /= static_cast<double>(std::max(b.rows, std::size_t{1}));
  b_ = centred(b, 0, b.rows);
  for (std::size_t j = 0; j < b.rows; ++j) {
    const double* row = b_.data() + j * features_;
    norms_.push_back(std::inner_product(row, row + features_, row, 0.0));
  }
}

std::vector<double> DensePairs::centred(const FeatureRows& matrix, std::size_t first,
                                        std::size_t count) const {
  std::vector<double> rows(count * features_);
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] = static_cast<double>(matrix.values[first * features_ + i]) - means_[i % features_];
  return rows;
}

void DensePairs::squared_distances(const FeatureRows& a, const Tile& tile, std::span<double> out) const {
  const base::OneBlasThread one_thread;
  if (a.columns != features_)
    throw base::internal_error(
        fmt::format("Rows of {} and of {} features cannot be compared.", a.columns, features_));
  const auto rows = centred(a, tile.first, tile.count);
  multiply(-2, rows.data(), tile.count, b_.data(), tile.columns, features_, out.data());
  for (std::size_t i = 0; i < tile.count; ++i) {
    const double* row = rows.data() + i * features_;
    const double norm = std::inner_product(row, row + features_, row, 0.0);
    for (std::size_t j = 0; j < tile.columns; ++j) {
      double& distance = out[i * tile.columns + j];
      distance = std::max(0.0, distance + norm + norms_[j]);
    }
  }
}

// ---- keyed

KeyedPairs::KeyedPairs(const KeyedBlock& b) : items_(b.offsets.size() - 1), width_(b.width) {
  // Lists that hold more than an eighth of the items are quicker written out.
  constexpr std::size_t common_share = 8;
  const auto entries = sorted_entries(b, 0, items_);
  places_.reserve(entries.size());
  values_.reserve(entries.size() * width_);
  for (const Entry& entry : entries) {
    if (keys_.empty() || keys_.back() != entry.key) {
      keys_.push_back(entry.key);
      lists_.push_back({places_.size(), places_.size()});
    }
    ++lists_.back().end;
    places_.push_back(entry.row);
    const auto values = std::span(b.values).subspan(entry.place * width_, width_);
    values_.insert(values_.end(), values.begin(), values.end());
  }
  written_out_.resize(keys_.size());
  if (width_ != 1) return;
  for (std::size_t k = 0, common = 0; k < keys_.size(); ++k) {
    const auto [begin, end] = lists_[k];
    if ((end - begin) * common_share < items_) continue;
    written_out_[k] = ++common;
    common_.resize(common * items_);
    for (std::size_t i = begin; i < end; ++i) common_[(common - 1) * items_ + places_[i]] = values_[i];
  }
}

const KeyedPairs::List* KeyedPairs::find(std::uint64_t key) const noexcept {
  const auto found = std::ranges::lower_bound(keys_, key);
  if (found == keys_.end() || *found != key) return nullptr;
  return &lists_[static_cast<std::size_t>(found - keys_.begin())];
}

void KeyedPairs::intersections(const KeyedBlock& a, const Tile& tile, std::span<double> out) const {
  require_width(a.width, 1);
  require_width(width_, 1);
  std::vector<float> sums;
  for (std::size_t i = 0; i < tile.count; ++i) {
    sums.assign(tile.columns, 0);
    const auto keys = keys_of(a, tile.first + i);
    const auto values = values_of(a, tile.first + i);
    for (std::size_t k = 0; k < keys.size(); ++k) {
      const float value = values[k];
      const List* list = find(keys[k]);
      if (list == nullptr) continue;
      if (const std::size_t place = written_out_[static_cast<std::size_t>(list - lists_.data())]; place > 0) {
        const float* other = common_.data() + (place - 1) * items_;
        for (std::size_t j = 0; j < tile.columns; ++j) sums[j] += value < other[j] ? value : other[j];
      } else {
        for (std::size_t p = list->begin; p < list->end && places_[p] < tile.columns; ++p)
          sums[places_[p]] += std::min(value, values_[p]);
      }
    }
    std::ranges::copy(sums, out.subspan(i * tile.columns).begin());
  }
}

void KeyedPairs::inner_products(const KeyedBlock& a, const Tile& tile, std::span<double> out) const {
  const base::OneBlasThread one_thread;
  require_width(a.width, width_);
  std::ranges::fill(out, 0);
  const auto entries = sorted_entries(a, tile.first, tile.count);
  std::vector<double> of_a, of_b, products;
  for (std::size_t begin = 0, end = 0; begin < entries.size(); begin = end) {
    while (end < entries.size() && entries[end].key == entries[begin].key) ++end;
    const List* list = find(entries[begin].key);
    if (list == nullptr) continue;
    const auto places = std::span(places_).subspan(list->begin, list->end - list->begin);
    const auto columns = static_cast<std::size_t>(
        std::ranges::lower_bound(places, static_cast<std::uint32_t>(tile.columns)) - places.begin());
    of_a.clear();
    for (std::size_t e = begin; e < end; ++e) {
      const auto values = std::span(a.values).subspan(entries[e].place * width_, width_);
      of_a.insert(of_a.end(), values.begin(), values.end());
    }
    const auto values = std::span(values_).subspan(list->begin * width_, columns * width_);
    of_b.assign(values.begin(), values.end());
    products.resize((end - begin) * columns);
    multiply(1, of_a.data(), end - begin, of_b.data(), columns, width_, products.data());
    for (std::size_t e = begin; e < end; ++e)
      for (std::size_t j = 0; j < columns; ++j)
        out[entries[e].row * tile.columns + places[j]] += products[(e - begin) * columns + j];
  }
}

std::vector<double> with_itself(const KeyedBlock& block, std::size_t first, std::size_t count, bool minima) {
  std::vector<double> sums(count);
  for (std::size_t i = 0; i < count; ++i)
    for (const double value : values_of(block, first + i)) sums[i] += minima ? value : value * value;
  return sums;
}

KeyedBlock rows_of(const KeyedBlock& block, std::span<const std::size_t> rows) {
  std::vector<KeyedRow> chosen;
  for (const std::size_t row : rows) {
    const auto keys = keys_of(block, row);
    const auto values = values_of(block, row);
    chosen.push_back({{keys.begin(), keys.end()}, {values.begin(), values.end()}});
  }
  return pack_rows(block.name, block.width, std::move(chosen));
}

}  // namespace perslay::features
