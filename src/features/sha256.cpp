#include "sha256.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include <fmt/format.h>

namespace perslay::features {
namespace {

__extension__ using Wide = unsigned __int128;

bool is_prime(std::uint64_t number) {
  for (std::uint64_t d = 2; d * d <= number; ++d)
    if (number % d == 0) return false;
  return true;
}

/// The largest x with x^3 <= number 2^96: its last 32 bits are the fraction of the cube root.
std::uint64_t cube_root(std::uint64_t number) {
  std::uint64_t root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 34; bit > 0; bit >>= 1)
    if (const Wide tried = root | bit; tried * tried <= (Wide{number} << 96) / tried) root |= bit;
  return root;
}

/// The first 32 bits of the fractions of the cube roots of the first 64 primes.
std::array<std::uint32_t, 64> round_constants() {
  std::array<std::uint32_t, 64> constants{};
  std::uint64_t prime = 1;
  for (auto& constant : constants) {
    while (!is_prime(++prime)) continue;
    constant = static_cast<std::uint32_t>(cube_root(prime));
  }
  return constants;
}

std::uint32_t big_endian(const std::byte* at) noexcept {
  std::uint32_t word = 0;
  for (int i = 0; i < 4; ++i) word = (word << 8) | std::to_integer<std::uint32_t>(at[i]);
  return word;
}

}  // namespace

void Sha256::add_block(const std::byte* block) noexcept {
  static const auto constants = round_constants();
  std::array<std::uint32_t, 64> w;
  for (std::size_t i = 0; i < 16; ++i) w[i] = big_endian(block + 4 * i);
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t x = w[i - 15], y = w[i - 2];
    const std::uint32_t s0 = std::rotr(x, 7) ^ std::rotr(x, 18) ^ (x >> 3);
    const std::uint32_t s1 = std::rotr(y, 17) ^ std::rotr(y, 19) ^ (y >> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state_;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + constants[i] + w[i];
    const std::uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  const std::array<std::uint32_t, 8> mixed{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state_[i] += mixed[i];
}

void Sha256::update(std::span<const std::byte> bytes) noexcept {
  const std::size_t held = length_ % 64;
  length_ += bytes.size();
  if (held > 0) {
    const std::size_t taken = std::min(bytes.size(), 64 - held);
    std::copy_n(bytes.begin(), taken, pending_.begin() + static_cast<std::ptrdiff_t>(held));
    bytes = bytes.subspan(taken);
    if (held + taken < 64) return;
    add_block(pending_.data());
  }
  for (; bytes.size() >= 64; bytes = bytes.subspan(64)) add_block(bytes.data());
  std::ranges::copy(bytes, pending_.begin());
}

Sha256::Digest Sha256::finish() noexcept {
  const std::uint64_t bits = 8 * length_;
  std::array<std::byte, 72> padding{std::byte{0x80}};
  const std::size_t zeros_end = 1 + (119 - length_ % 64) % 64;
  for (std::size_t i = 0; i < 8; ++i) padding[zeros_end + i] = static_cast<std::byte>(bits >> (56 - 8 * i));
  update(std::span(padding).first(zeros_end + 8));
  Digest digest{};
  for (std::size_t i = 0; i < digest.size(); ++i)
    digest[i] = static_cast<std::uint8_t>(state_[i / 4] >> (24 - 8 * (i % 4)));
  return digest;
}

std::string hexadecimal(const Sha256::Digest& digest) {
  std::string text;
  for (const std::uint8_t byte : digest) fmt::format_to(std::back_inserter(text), "{:02x}", byte);
  return text;
}

}  // namespace perslay::features
