#pragma once

#include <span>
#include <string>
#include <string_view>

#include <perslay/learn/settings.h>

namespace perslay::learn {

/// "a, b and c".
[[nodiscard]] std::string listed(std::span<const std::string_view> words);

/// Each throws the user's error if a name of the settings means nothing.
void check_filtrations(std::span<const std::string> names);
void check_transform(std::string_view name);
void check_channel(const ChannelSettings& channel);
void check_feature(std::string_view name);

/// A TOML string.
[[nodiscard]] std::string quoted_toml(std::string_view text);

}  // namespace perslay::learn
