#pragma once

#include <cstddef>

namespace perslay::bench {

/// Does `rounds` times twelve independent float32 multiply-adds on vectors of the best instruction set there
/// is, and returns how many multiply-adds of single numbers these were. Their sum goes to `sink`.
double multiply_adds(std::size_t rounds, float& sink);

}  // namespace perslay::bench
