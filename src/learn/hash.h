#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include <perslay/base/random.h>

namespace perslay::learn {

/// 64 bits that change, all but certainly, if anything does that was added.
class Hash {
 public:
  void add(std::uint64_t word) noexcept { state_ = base::mix_bits(state_ ^ word) + 0x9E3779B97F4A7C15ULL; }
  void add(double number) noexcept { add(std::bit_cast<std::uint64_t>(number)); }
  void add(std::string_view text) noexcept {
    add(std::uint64_t{text.size()});
    for (const char c : text) add(std::uint64_t{static_cast<unsigned char>(c)});
  }
  [[nodiscard]] std::uint64_t value() const noexcept { return state_; }

 private:
  std::uint64_t state_ = 0;
};

}  // namespace perslay::learn
