#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include <perslay/diagram/kind.h>
#include <perslay/learn/settings.h>

/// Filtrations of graphs that are part of a network: heat kernel signatures whose time is trained
/// (`train_filtration = true`).
namespace perslay::learn {

/// Whether a network with these settings computes the diagrams of this filtration anew at each step.
[[nodiscard]] bool is_trained_filtration(const Settings& settings, std::string_view name);

/// Whether there is any such filtration.
[[nodiscard]] bool trains_filtrations(const Settings& settings);

/// Whether a feature, such as deciles:hks:10, is computed with such a filtration and follows its time.
[[nodiscard]] bool follows_trained_filtration(const Settings& settings, std::string_view feature);

/// How many points of each diagram are kept, as a transform such as prom:500 says.
[[nodiscard]] std::optional<std::size_t> prominent_points(const DataSettings& data);

/// Throws the user's error unless models, filtrations, kinds and transforms go together with filtrations that
/// are trained.
void check_trained_filtrations(const Settings& settings);

}  // namespace perslay::learn
