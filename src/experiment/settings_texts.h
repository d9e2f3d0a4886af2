#pragma once

#include <span>

#include <perslay/experiment/built_in_settings.h>

namespace perslay::experiment {

/// The texts that the build put in, by name.
[[nodiscard]] std::span<const BuiltInSettings> settings_texts();

}  // namespace perslay::experiment
