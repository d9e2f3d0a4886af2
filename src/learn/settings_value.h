#pragma once

#include "names.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <toml++/toml.h>

#include <perslay/base/error.h>

namespace perslay::learn {

/// The text that is read, for its errors.
struct Origin {
  std::string name;       ///< A file or the like; empty: sentences stand alone.
  bool has_lines = true;  ///< false: the text is one line that the user did not write into a file.

  [[noreturn]] void fail(const toml::source_region& place, const std::string& sentence) const;

  /// Runs `check`, whose sentences know nothing of files.
  void at(const toml::source_region& place, const std::function<void()>& check) const;
};

/// How all values of a type and range are read and written.
template <class T>
struct Form {
  std::string one;   ///< "a number above 0"
  std::string many;  ///< "numbers above 0"
  /// Nothing if the value is none of these. A name that means nothing is the user's error.
  std::function<std::optional<T>(const toml::node&)> read;
  std::function<std::string(const T&)> text;  ///< As TOML.
};

/// A value as the text gives it.
struct Given {
  const toml::node& node;
  std::string key;  ///< "training.rate"
  const Origin& origin;

  /// "training.rate needs a number above 0, not 0."
  [[noreturn]] void needs(const std::string& wanted) const;

  template <class T>
  [[nodiscard]] T as(const Form<T>& form) const {
    std::optional<T> value;
    origin.at(node.source(), [&] { value = form.read(node); });
    if (!value) needs(form.one);
    return *std::move(value);
  }
};

/// How a variable is read from settings and written to them.
struct SettingsValue {
  std::string values;  ///< What it may be: "a number above 0".
  std::function<void(const Given&)> read;
  std::function<std::string()> text;  ///< As TOML.
};

template <class T>
SettingsValue one(T& value, const Form<T>& form) {
  return {form.one, [=, &value](const Given& given) { value = given.as(form); },
          [=, &value] { return form.text(value); }};
}

template <class T>
SettingsValue list(std::vector<T>& values, const Form<T>& form, bool may_be_empty = true) {
  const std::string wanted = (may_be_empty ? "a list of " : "a list of one or more ") + form.many;
  const auto read = [=, &values](const Given& given) {
    const auto* const entries = given.node.as_array();
    if (entries == nullptr || (entries->empty() && !may_be_empty)) given.needs(wanted);
    values.clear();
    for (const auto& entry : *entries) values.push_back(Given{entry, given.key, given.origin}.as(form));
  };
  const auto write = [=, &values] {
    std::string text;
    for (const auto& value : values) text += (text.empty() ? "" : ", ") + form.text(value);
    return '[' + text + ']';
  };
  return {wanted, read, write};
}

/// What a number may be.
struct Bounds {
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
  bool above_low = false;   ///< low itself is outside.
  bool below_high = false;  ///< high itself is outside.
};

[[nodiscard]] Form<double> number(const Bounds& bounds);
[[nodiscard]] Form<std::size_t> whole(std::int64_t low, std::int64_t high);

/// A text that `check` does not refuse by the user's error.
[[nodiscard]] Form<std::string> text(const std::function<void(const std::string&)>& check = {});

/// A TOML string.
[[nodiscard]] std::string quoted_toml(std::string_view text);

/// true, false and texts with their quotation marks; nothing for any other value.
[[nodiscard]] std::string word_of(const toml::node& node);

/// Values that have a word of TOML each: {{"true", Scaling::together}, {"\"apart\"", Scaling::apart}}.
template <class T>
Form<T> word(const std::vector<std::pair<std::string_view, T>>& words) {
  std::vector<std::string_view> names;
  names.reserve(words.size());
  for (const auto& [name, value] : words) names.push_back(name);
  const auto read = [=](const toml::node& node) -> std::optional<T> {
    for (const auto& [name, value] : words)
      if (name == word_of(node)) return value;
    return std::nullopt;
  };
  const auto text = [=](const T& value) {
    const auto found = std::ranges::find(words, value, &std::pair<std::string_view, T>::second);
    if (found == words.end())
      throw base::user_error(fmt::format("A value of the settings is none of {}.", listed(names, "or")));
    return std::string(found->first);
  };
  return {listed(names, "or"), listed(names, "or"), read, text};
}

inline SettingsValue flag(bool& value) { return one(value, word<bool>({{"true", true}, {"false", false}})); }

}  // namespace perslay::learn
