#include "persistence/counting_allocator.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

#include <malloc.h>

namespace {

std::atomic<std::int64_t> allocations = 0;
std::atomic<std::int64_t> live = 0;
std::atomic<std::int64_t> peak = 0;

void* counted(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  ++allocations;
  const std::int64_t now = live += static_cast<std::int64_t>(malloc_usable_size(memory));
  std::int64_t highest = peak;
  while (now > highest && !peak.compare_exchange_weak(highest, now)) {
  }
  return memory;
}

void release(void* memory) noexcept {
  if (memory != nullptr) live -= static_cast<std::int64_t>(malloc_usable_size(memory));
  std::free(memory);
}

}  // namespace

// The other forms of new and delete call these.
void* operator new(std::size_t size) { return counted(std::malloc(std::max<std::size_t>(size, 1))); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto unit = static_cast<std::size_t>(alignment);
  return counted(std::aligned_alloc(unit, std::max(size + unit - 1, unit) / unit * unit));
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }

namespace perslay::test {

std::int64_t allocation_count() { return allocations; }
std::int64_t live_bytes() { return live; }
std::int64_t peak_bytes() { return peak; }
void reset_peak() { peak = live.load(); }

}  // namespace perslay::test
