#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <perslay/layer/parameters.h>

namespace perslay::network {

/// The place of an array in the flat array of all.
struct Slot {
  std::size_t begin = 0;
  std::size_t size = 0;

  template <class T>
  [[nodiscard]] std::span<T> of(std::span<T> flat) const {
    return flat.subspan(begin, size);
  }
};

/// The named arrays of a network, one after the other in one flat array: an optimiser, an average or a
/// checkpoint then makes one pass over all of them.
class Layout {
 public:
  Slot add(std::string name, std::vector<std::int64_t> shape) {
    entries_.push_back({{std::move(name), std::move(shape)}, {size_, 0}});
    auto& slot = entries_.back().slot;
    slot.size = entries_.back().array.size();
    size_ += slot.size;
    return slot;
  }

  struct Entry {
    layer::ParameterShape array;
    Slot slot;
  };
  [[nodiscard]] const std::vector<Entry>& entries() const noexcept { return entries_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  std::vector<Entry> entries_;
  std::size_t size_ = 0;
};

}  // namespace perslay::network
