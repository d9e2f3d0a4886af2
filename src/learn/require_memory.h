#pragma once

#include <cstddef>

#include <perslay/learn/learner.h>

namespace perslay::learn {

/// Throws the user's error if learning from so many items needs more memory than the machine has.
void require_memory(const Cost& cost, std::size_t items);

}  // namespace perslay::learn
