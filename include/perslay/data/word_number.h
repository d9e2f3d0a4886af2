#pragma once

#include <string_view>

namespace perslay::data {

/// The node label that stands for a word: a number from -2^31 to -1, the same in every dataset. Two words may have the
/// same number, so whoever numbers words compares them.
[[nodiscard]] int number_of_word(std::string_view word);

}  // namespace perslay::data
