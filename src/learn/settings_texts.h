#pragma once

#include <span>

#include <perslay/learn/built_in_settings.h>

namespace perslay::learn {

/// The texts that the build put in, by name.
[[nodiscard]] std::span<const BuiltInSettings> settings_texts();

}  // namespace perslay::learn
