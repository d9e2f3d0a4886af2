#include <new>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

#include <perslay/base/hasher.h>

namespace perslay::base {

// One state serves digests of both widths.
Hasher::Hasher() : state_(XXH3_createState()) {
  if (state_ == nullptr) throw std::bad_alloc();
  XXH3_128bits_reset(state_.get());
}

void Hasher::Free::operator()(XXH3_state_s* state) const noexcept { XXH3_freeState(state); }

Hasher& Hasher::update(std::span<const std::byte> bytes) noexcept {
  XXH3_128bits_update(state_.get(), bytes.data(), bytes.size());
  return *this;
}

Hasher::Digest Hasher::digest() const noexcept {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state_.get()));
  return std::to_array(canonical.digest);
}

std::string Hasher::hexadecimal() const { return fmt::format("{:02x}", fmt::join(digest(), "")); }

std::uint64_t Hasher::digest64() const noexcept { return XXH3_64bits_digest(state_.get()); }

}  // namespace perslay::base
