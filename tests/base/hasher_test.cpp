#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <perslay/base/hasher.h>

namespace perslay::base {
namespace {

struct Known {
  std::string text, digest;
  std::uint64_t digest64;
};

// By xxhsum 0.8.1 (-H2 and -H3), at lengths on both sides of the borders within XXH3.
const std::vector<Known> known{
    {"", "99aa06d3014798d86001c324468d497f", 0x2d06800538d394c2},
    {"abc", "06b05ab6733a618578af5f94892f3950", 0x78af5f94892f3950},
    {std::string(16, 'a'), "ff9f5054066830d0245750ddc4828d15", 0x13ba5039476cd10a},
    {std::string(240, 'a'), "0163721cdafde206ea57d24533760a39", 0x993c46d96a01b5c6},
    {std::string(1000, 'a'), "b01da365eddaa29cb3e7af627147db7c", 0xb3e7af627147db7c},
    {std::string(100'000, 'a'), "819d5302938c790308f809ef04c54838", 0x08f809ef04c54838}};

TEST(Hasher, IsXxh3HoweverTheBytesAreCut) {
  for (const auto& [text, digest, digest64] : known)
    for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{256}, text.size() + 1}) {
      Hasher hash;
      for (std::size_t at = 0; at < text.size(); at += piece)
        hash.update(std::as_bytes(std::span(text).subspan(at, std::min(piece, text.size() - at))));
      EXPECT_EQ(hash.hexadecimal(), digest) << text.size() << " by " << piece;
      EXPECT_EQ(hash.digest64(), digest64) << text.size() << " by " << piece;
    }
}

TEST(Hasher, ADigestEndsNothing) {
  Hasher asked, quiet;
  asked.add(1);
  (void)asked.digest();
  EXPECT_EQ(asked.add(2).digest(), quiet.add(1).add(2).digest());
}

TEST(Hasher, NeighboursAreNotMistakenForEachOther) {
  const auto of = [](std::string_view a, std::string_view b) { return Hasher().add(a).add(b).digest64(); };
  EXPECT_NE(of("ab", "c"), of("a", "bc"));
  const std::vector<double> two{1, 2}, none;
  EXPECT_NE(Hasher().add(std::span(two)).add(std::span(none)).digest64(),
            Hasher().add(std::span(none)).add(std::span(two)).digest64());
}

}  // namespace
}  // namespace perslay::base
