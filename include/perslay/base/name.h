#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Names as users write them: `head`, `head:argument`, `head:argument:key=value`, for example `hks:10`,
/// `gaussian:20x20` or `hofer:50:nu=0.05`. They mean the same on the command line, in files and in Python.
namespace perslay::base {

/// A name split at its first ':'.
struct Name {
  std::string_view head;
  std::string_view arguments;  ///< What follows the first ':'; empty if there is none.
  bool has_arguments = false;  ///< Tells `degree` from `degree:`.
};

[[nodiscard]] Name split_name(std::string_view name);

/// The text before the first `separator`, and what follows it if there is one.
[[nodiscard]] std::pair<std::string_view, std::optional<std::string_view>> split_once(
    std::string_view text, std::string_view separator);

// ---- values in names. `wanted` begins the sentence of a refusal: "hks needs a time such as hks:10" becomes
// "hks needs a time such as hks:10, not 'ten'."

/// The smallest positive number and the largest one below 1, for bounds that are not themselves allowed.
inline constexpr double above_zero = std::numeric_limits<double>::denorm_min();
inline constexpr double below_one = 1 - std::numeric_limits<double>::epsilon() / 2;
inline constexpr double unbounded = std::numeric_limits<double>::max();

/// A number from `low` to `high`, the whole of `text`. -0 is read as 0. Infinities and NaN are refused.
[[nodiscard]] double parse_number(std::string_view text, std::string_view wanted, double low = -unbounded,
                                  double high = unbounded);

/// The most features, places or cells that a name may ask for.
inline constexpr std::size_t largest_size = 1'000'000;

/// A whole number from 1 to `largest`.
[[nodiscard]] std::size_t parse_size(std::string_view text, std::string_view wanted,
                                     std::size_t largest = largest_size);

/// Two sizes, `20x10`, whose product is at most largest_size as well.
[[nodiscard]] std::pair<std::size_t, std::size_t> parse_grid(std::string_view text, std::string_view wanted);

/// Two sizes, `20x10`, where `10` alone stands for `10x10`; their product is at most largest_size.
[[nodiscard]] std::pair<std::size_t, std::size_t> parse_grid_or_square(std::string_view text,
                                                                       std::string_view wanted);

/// The number as names write it: the shortest form that reads back as the same, "1e-6" rather than "1e-06".
[[nodiscard]] std::string shortest(double number);

/// What follows the head of a name. A reader takes the fields that it knows, then finish() refuses the rest:
///
///     base::Arguments arguments("hofer:50:nu=0.05");
///     const auto count = parse_size(arguments.first(), "hofer needs a number of centres such as hofer:50");
///     const auto nu = arguments.take_number("nu", above_zero).value_or(0.1);
///     arguments.finish();
///
/// Fields are separated by ':'. The first may be a plain value, all others are `key=value`. The views that it
/// gives out point into the name.
class Arguments {
 public:
  explicit Arguments(std::string_view name) : name_(split_name(name)) {}

  [[nodiscard]] std::string_view head() const noexcept { return name_.head; }

  /// Takes everything after the first ':' as it stands; for arguments that are no fields, such as paths.
  [[nodiscard]] std::string_view text();
  /// Whether there is a first field without a key: `pss:0.1`, and also `pss:`.
  [[nodiscard]] bool has_first();
  /// Takes the first field without a key; empty if there is none.
  [[nodiscard]] std::string_view first();
  /// Takes the first field as a number from `low` to `high`; `what` names it in a refusal.
  [[nodiscard]] std::optional<double> first_number(std::string_view what, double low = -unbounded,
                                                   double high = unbounded);

  /// Takes the value of `key`, if it is there.
  [[nodiscard]] std::optional<std::string_view> take(std::string_view key);
  /// Takes the value of `key` as a number from `low` to `high`, if it is there.
  [[nodiscard]] std::optional<double> take_number(std::string_view key, double low = -unbounded,
                                                  double high = unbounded);

  /// Refuses fields that nobody took; if nobody asked for any, the name stands alone.
  void finish();

 private:
  void split();
  [[nodiscard]] double number(std::string_view text, std::string_view what, double low, double high) const;

  Name name_;
  bool asked_ = false;  // for a field or the text
  bool split_ = false;
  std::optional<std::string_view> first_;
  std::vector<std::pair<std::string_view, std::string_view>> options_;
};

}  // namespace perslay::base
