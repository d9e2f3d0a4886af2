#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

#include <gtest/gtest.h>

#include <perslay/base/error.h>

namespace perslay::test {

/// Flips each bit of every `step`-th byte, and clears the eight bytes from there on. Of long runs of zeros, which only
/// fill space, the beginning has to do. `content_of(bytes)` reads a file of such bytes: it must give what it gives for
/// the bytes as they are, or blame the user.
template <class Read>
void expect_mutations_noticed(const std::string& bytes, std::size_t step, Read content_of) {
  const auto expected = content_of(bytes);
  std::size_t refused = 0, places = 0;
  const auto expect_noticed = [&](const std::string& mutated, std::size_t place) {
    try {
      EXPECT_TRUE(content_of(mutated) == expected) << "byte " << place;
    } catch (const base::Error& error) {
      EXPECT_EQ(error.fault(), base::Fault::user) << error.what();
      ++refused;
    }
  };
  const std::string filling(64, '\0');
  for (std::size_t place = 0; place < bytes.size(); place += step) {
    if (place >= 64 && bytes.compare(place - 64, 128, filling + filling) == 0) continue;
    ++places;
    for (unsigned bit = 0; bit < 8; ++bit) {
      auto mutated = bytes;
      mutated[place] = static_cast<char>(static_cast<unsigned char>(mutated[place]) ^ (1U << bit));
      expect_noticed(mutated, place);
    }
    auto cleared = bytes;
    const auto begin = cleared.begin() + static_cast<std::ptrdiff_t>(place);
    std::fill_n(begin, std::min<std::size_t>(8, bytes.size() - place), '\0');
    if (cleared != bytes) expect_noticed(cleared, place);
  }
  EXPECT_GT(refused, places) << "The mutations were hardly looked at.";
}

}  // namespace perslay::test
