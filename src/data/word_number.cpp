#include <cstdint>
#include <cstring>

#include <perslay/base/hasher.h>
#include <perslay/data/word_number.h>

namespace perslay::data {

int number_of_word(std::string_view word) {
  const auto digest = base::Hasher().add(word).digest();
  std::uint32_t bits = 0;
  std::memcpy(&bits, digest.data(), sizeof bits);
  return -1 - static_cast<int>(bits & 0x7fffffffU);
}

}  // namespace perslay::data
