#pragma once

#include <algorithm>
#include <cstddef>
#include <new>
#include <span>

#include <hwy/aligned_allocator.h>

namespace perslay::layer {

/// Rows of features are padded to whole vectors of at most 32 bytes, whatever the instruction set in use, so
/// that layouts do not depend on it. (With 64 bytes, 20 features would be padded to 32.)
template <class T>
inline constexpr std::size_t lanes = 32 / sizeof(T);

template <class T>
constexpr std::size_t padded(std::size_t count) {
  return (count + lanes<T> - 1) / lanes<T> * lanes<T>;
}

/// Memory for vectors that grows and never shrinks; contents are lost when it grows.
template <class T>
class AlignedBuffer {
 public:
  std::span<T> take(std::size_t count) {
    if (count > capacity_) {
      memory_.reset();
      capacity_ = 0;
      const std::size_t wanted = std::max<std::size_t>(count, 64);
      memory_ = hwy::AllocateAligned<T>(wanted);
      if (!memory_) throw std::bad_alloc();
      capacity_ = wanted;
    }
    return {memory_.get(), count};
  }

  /// What was taken last, or more.
  [[nodiscard]] std::span<T> view() const noexcept { return {memory_.get(), capacity_}; }

  std::span<T> take_zeros(std::size_t count) {
    const auto values = take(count);
    std::ranges::fill(values, T{0});
    return values;
  }

 private:
  hwy::AlignedFreeUniquePtr<T[]> memory_;
  std::size_t capacity_ = 0;
};

}  // namespace perslay::layer
