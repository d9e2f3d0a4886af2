#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

struct XXH3_state_s;  // of libxxhash

namespace perslay::base {

/// The hash XXH3 of bytes that come piece by piece, for names of cached files, fingerprints and checksums.
/// Different inputs almost certainly have different digests, but nothing protects against malice. A digest
/// depends on the bytes alone, not on how they were cut into pieces. More bytes may follow a digest.
class Hasher {
 public:
  using Digest = std::array<std::uint8_t, 16>;

  Hasher();

  /// Adds bytes as they are.
  Hasher& update(std::span<const std::byte> bytes) noexcept;

  /// Adds the bytes of a number, in the machine's order.
  template <class Number>
  requires std::is_arithmetic_v<Number> Hasher& add(const Number& number) noexcept {
    return update(std::as_bytes(std::span(&number, 1)));
  }

  /// Adds a length and then numbers, so that neighbours cannot be mistaken for each other.
  template <class Number>
  requires std::is_arithmetic_v<Number> Hasher& add(std::span<const Number> numbers) noexcept {
    add(numbers.size());
    return update(std::as_bytes(numbers));
  }
  Hasher& add(std::string_view text) noexcept { return add(std::span<const char>(text)); }

  /// The digest of 128 bits, that of `xxhsum -H2`.
  [[nodiscard]] Digest digest() const noexcept;
  /// The same as 32 hexadecimal digits.
  [[nodiscard]] std::string hexadecimal() const;
  /// The digest of 64 bits, that of `xxhsum -H3`.
  [[nodiscard]] std::uint64_t digest64() const noexcept;

 private:
  struct Free {
    void operator()(XXH3_state_s* state) const noexcept;
  };
  std::unique_ptr<XXH3_state_s, Free> state_;
};

}  // namespace perslay::base
