#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <perslay/base/name.h>

namespace perslay::base {

/// " (did you mean 'info'?)", or nothing if no known word is near `word`: within three letters, and half of
/// its own, inserted, deleted or replaced.
[[nodiscard]] std::string suggestion(std::string_view word, std::span<const std::string_view> known);

/// What help texts show of one entry of a registry.
struct NameHelp {
  std::string usage;  ///< For example "hks:T".
  std::string text;   ///< One line.
};

namespace detail {
[[noreturn]] void fail_unknown_name(std::string_view family, std::string_view name,
                                    std::span<const NameHelp> known);
}  // namespace detail

/// The names of one family (filtrations, point transformations, ...) with their help: what the command line,
/// settings files and bindings know of it.
class NameTable {
 public:
  virtual ~NameTable() = default;

  /// Whether the head of `name` is one of the table's.
  [[nodiscard]] bool knows(std::string_view name) const {
    return std::ranges::find(heads_, split_name(name).head) != heads_.end();
  }

  /// Throws the user's error if `name` means nothing.
  virtual void check(std::string_view name) const = 0;

  /// The singular noun of the family, e.g. "filtration".
  [[nodiscard]] const std::string& family() const noexcept { return family_; }
  [[nodiscard]] std::span<const NameHelp> help() const noexcept { return help_; }

 protected:
  explicit NameTable(std::string family) : family_(std::move(family)) {}
  NameTable(const NameTable&) = default;
  NameTable(NameTable&&) = default;
  NameTable& operator=(const NameTable&) = default;
  NameTable& operator=(NameTable&&) = default;

  std::string family_;
  std::vector<std::string> heads_;
  std::vector<NameHelp> help_;
};

/// The table that gives meaning to the names of a family.
template <class Value>
class Registry final : public NameTable {
 public:
  /// Makes the value from the arguments of a name. Arguments that it does not take are refused for it.
  using Make = std::function<Value(Arguments&)>;

  /// `family` is the singular noun used in errors, e.g. "filtration".
  explicit Registry(std::string family) : NameTable(std::move(family)) {}

  Registry& add(std::string head, NameHelp help, Make make) {
    heads_.push_back(std::move(head));
    help_.push_back(std::move(help));
    makers_.push_back(std::move(make));
    return *this;
  }

  /// The value that `name` stands for; an unknown name is an error that lists the known ones.
  [[nodiscard]] Value make(std::string_view name) const {
    Arguments arguments(name);
    const auto found = std::ranges::find(heads_, arguments.head());
    if (found == heads_.end()) detail::fail_unknown_name(family_, name, help_);
    Value value = makers_[static_cast<std::size_t>(found - heads_.begin())](arguments);
    arguments.finish();
    return value;
  }

  void check(std::string_view name) const override { static_cast<void>(make(name)); }

 private:
  std::vector<Make> makers_;
};

}  // namespace perslay::base
