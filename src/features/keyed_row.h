#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <perslay/features/items.h>

namespace perslay::features {

/// One row of a KeyedBlock.
struct KeyedRow {
  std::vector<std::uint64_t> keys;
  std::vector<float> values;
};

/// How often each key occurs.
[[nodiscard]] inline KeyedRow count_keys(std::vector<std::uint64_t> keys) {
  std::ranges::sort(keys);
  KeyedRow row;
  for (const std::uint64_t key : keys) {
    if (row.keys.empty() || row.keys.back() != key) {
      row.keys.push_back(key);
      row.values.push_back(0);
    }
    ++row.values.back();
  }
  return row;
}

[[nodiscard]] inline KeyedBlock pack_rows(std::string name, std::size_t width, std::vector<KeyedRow> rows) {
  KeyedBlock block;
  block.name = std::move(name);
  block.width = width;
  for (auto& row : rows) {
    block.keys.insert(block.keys.end(), row.keys.begin(), row.keys.end());
    block.values.insert(block.values.end(), row.values.begin(), row.values.end());
    block.offsets.push_back(static_cast<std::int64_t>(block.keys.size()));
    row = {};
  }
  return block;
}

}  // namespace perslay::features
