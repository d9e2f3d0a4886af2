#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace perslay::features {

/// The hash function SHA-256 (FIPS 180-4), of bytes that come piece by piece.
class Sha256 {
 public:
  using Digest = std::array<std::uint8_t, 32>;

  void update(std::span<const std::byte> bytes) noexcept;

  /// The digest of all bytes so far; nothing may follow.
  [[nodiscard]] Digest finish() noexcept;

 private:
  void add_block(const std::byte* block) noexcept;

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::byte, 64> pending_{};
  std::uint64_t length_ = 0;  // in bytes
};

[[nodiscard]] std::string hexadecimal(const Sha256::Digest& digest);

}  // namespace perslay::features
