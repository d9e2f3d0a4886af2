#pragma once

#include <cstddef>

#include <perslay/features/items.h>
#include <perslay/learn/model_file.h>
#include <perslay/learn/settings.h>
#include <perslay/network/architecture.h>

namespace perslay::learn {

/// The network that settings describe, for items with these groups of diagrams, `features` numbers beside
/// them, and their classes. Items without graphs, where a filtration is trained, are the user's error.
[[nodiscard]] network::Architecture architecture(const Settings& settings, const features::Items& items,
                                                 std::size_t features);

/// The network of a stored model, one of `model = "network"`.
[[nodiscard]] network::Architecture architecture_of(const ModelFile& model);

}  // namespace perslay::learn
