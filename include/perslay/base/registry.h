#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perslay::base {

/// A name as users write it, `head:arguments`, for example `hks:10` or `gaussian:20x20`.
struct Name {
  std::string_view head;
  std::string_view arguments;  ///< What follows the first ':'; empty if there is none.
  bool has_arguments = false;  ///< Tells `degree` from `degree:`.
};

[[nodiscard]] Name split_name(std::string_view name);

/// A finite number, the whole of `text`. `what` names it in the error: "hks needs a time such as hks:10, not
/// 'ten'."
[[nodiscard]] double parse_number(std::string_view text, std::string_view what);

/// The number as names write it: the shortest form that reads back as the same, "1e-6" rather than "1e-06".
[[nodiscard]] std::string shortest(double number);

/// " (did you mean 'info'?)", or nothing if no known word is near `word`: within three letters, and half of
/// its own, inserted, deleted or replaced.
[[nodiscard]] std::string suggestion(std::string_view word, std::span<const std::string_view> known);

/// How one entry of a registry presents itself to people.
struct NameHelp {
  std::string usage;  ///< For example "hks:T".
  std::string text;   ///< One line.
};

namespace detail {
[[noreturn]] void fail_unknown_name(std::string_view family, std::string_view name,
                                    std::span<const NameHelp> known);
}  // namespace detail

/// The table that gives meaning to one family of names (filtrations, point transformations, ...). The command
/// line, settings files and bindings look names up here, and their help text comes from here.
template <class Value>
class Registry {
 public:
  using Make = std::function<Value(const Name&)>;

  /// `family` is the singular noun used in errors, e.g. "filtration".
  explicit Registry(std::string family) : family_(std::move(family)) {}

  Registry& add(std::string head, NameHelp help, Make make) {
    heads_.push_back(std::move(head));
    help_.push_back(std::move(help));
    makers_.push_back(std::move(make));
    return *this;
  }

  /// The value that `name` stands for; an unknown name is an error that lists the known ones.
  [[nodiscard]] Value make(std::string_view name) const {
    const Name parts = split_name(name);
    for (std::size_t i = 0; i < heads_.size(); ++i)
      if (heads_[i] == parts.head) return makers_[i](parts);
    detail::fail_unknown_name(family_, name, help_);
  }

  [[nodiscard]] std::span<const NameHelp> help() const noexcept { return help_; }

 private:
  std::string family_;
  std::vector<std::string> heads_;
  std::vector<NameHelp> help_;
  std::vector<Make> makers_;
};

}  // namespace perslay::base
