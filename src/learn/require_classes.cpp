#include "require_classes.h"

#include <algorithm>

#include <perslay/base/error.h>

namespace perslay::learn {

void require_classes(const features::Items& items) {
  if (items.labels.empty()) throw base::user_error("The data have no labels, so there is nothing to learn.");
  if (std::ranges::all_of(items.labels, [&](int label) { return label == items.labels.front(); }))
    throw base::user_error("All items are of one class, so there is nothing to learn.");
}

}  // namespace perslay::learn
