#pragma once

#include <perslay/features/items.h>

namespace perslay::learn {

/// Throws the user's error if there is nothing to learn: no labels, or one class only; or if two classes
/// have one name in files, where names are UTF-8.
void require_classes(const features::Items& items);

}  // namespace perslay::learn
