#pragma once

#include "start.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <perslay/base/registry.h>
#include <perslay/layer/weight.h>

namespace perslay::layer {

struct WeightArray {
  std::string_view name;
  std::vector<std::int64_t> (*shape)(const Weight&);
  std::vector<double> (*first_values)(const Weight&, const Start&);
};

/// A name of a weight. What the weight computes is in weighting.cpp.
struct WeightEntry {
  Weight::Type type;
  std::string_view head;
  base::NameHelp help;
  void (*read)(base::Arguments&, Weight&);
  std::string (*name)(const Weight&);
  std::vector<WeightArray> arrays;
};

/// The first entry of a type. Types may have several names.
[[nodiscard]] const WeightEntry& entry_of(Weight::Type type);

}  // namespace perslay::layer
