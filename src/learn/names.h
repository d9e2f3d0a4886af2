#pragma once

#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <string_view>

#include <perslay/layer/channel.h>
#include <perslay/learn/settings.h>

namespace perslay::learn {

/// "a, b and c".
template <class Words>
std::string listed(const Words& words, std::string_view last = "and") {
  std::string text;
  std::size_t left = std::size(words);
  for (const std::string_view word : words)
    (text += word) += --left == 0 ? "" : left > 1 ? ", " : ' ' + std::string(last) + ' ';
  return text;
}

/// Each throws the user's error if a name of the settings means nothing.
void check_filtrations(std::span<const std::string> names);
void check_transform(std::string_view name);
void check_channel(const ChannelSettings& channel);

/// The PersLay of a channel that is no short form.
[[nodiscard]] layer::Channel layer_channel(const ChannelSettings& channel);

/// The text as JSON files keep it: what is not UTF-8 becomes U+FFFD.
[[nodiscard]] std::string valid_utf8(const std::string& text);

}  // namespace perslay::learn
