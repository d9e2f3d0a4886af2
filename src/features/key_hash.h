#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

#include <perslay/base/random.h>

namespace perslay::features {

/// A key of 64 bits for a sequence of numbers, the same in every program and dataset. Different sequences of
/// a set of k have the same key with a probability of about k^2 / 2^65: 3e-8 for a million. It is no
/// base::Hasher because model files hold these keys, so they must never change.
class KeyBuilder {
 public:
  constexpr KeyBuilder& add(std::integral auto number) noexcept {
    state_ = base::mix_bits(state_ ^ static_cast<std::uint64_t>(number)) + 0x9E3779B97F4A7C15ULL;
    return *this;
  }
  constexpr KeyBuilder& add(std::string_view text) noexcept {
    add(text.size());
    for (const char c : text) add(static_cast<unsigned char>(c));
    return *this;
  }
  [[nodiscard]] constexpr std::uint64_t value() const noexcept { return base::mix_bits(state_); }

 private:
  std::uint64_t state_ = 0;
};

template <class... Parts>
[[nodiscard]] constexpr std::uint64_t key_of(const Parts&... parts) noexcept {
  KeyBuilder hash;
  (hash.add(parts), ...);
  return hash.value();
}

}  // namespace perslay::features
