#pragma once

#include <cstddef>

#include <perslay/learn/learner.h>
#include <perslay/network/architecture.h>

/// What must hold before anything is learned; each throws the user's error if it does not.
namespace perslay::learn {

/// Items have labels of at least two classes, and no two classes have one name in files, where names are
/// UTF-8.
void require_classes(const features::Items& items);

/// Diagrams of loops that never die, computed for these settings, are not all empty.
void require_loops(const features::Items& items, const Settings& settings);

/// Learning from so many items needs no more memory than the machine has.
void require_memory(const Cost& cost, std::size_t items);

/// The bytes that training a network on batches of so many items takes, checkpoints included.
[[nodiscard]] double bytes_of_training(const network::Architecture& architecture, std::size_t batch);

/// Training a network, sensible otherwise, on batches of so many items, likewise.
void require_memory(const network::Architecture& architecture, std::size_t batch);

}  // namespace perslay::learn
