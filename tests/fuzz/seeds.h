#pragma once

#include <map>
#include <string>
#include <vector>

namespace perslay::test {

/// Inputs by the name of the fuzz target.
using Inputs = std::map<std::string, std::vector<std::string>>;

/// Good inputs to begin with, mostly written by the library's own writers.
[[nodiscard]] Inputs seeds();

/// Words that inputs of a target are made of, for those that are text.
[[nodiscard]] Inputs words();

}  // namespace perslay::test
