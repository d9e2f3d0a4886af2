#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <perslay/base/registry.h>

namespace perslay::layer {

/// What names of this module hold after their head: a size, which may be missing, then options `key=value`, all
/// separated by ':', as in `hofer:50:nu=0.05`. Options are taken one by one; those that nobody takes are an
/// error.
class NameFields {
 public:
  explicit NameFields(const base::Name& name);

  [[nodiscard]] std::string_view size() const noexcept { return size_; }

  /// The value of an option, if it is there.
  [[nodiscard]] std::optional<std::string_view> take(std::string_view key);

  /// A number among the options; a positive one; one of at least 0.
  [[nodiscard]] std::optional<double> take_number(std::string_view key);
  [[nodiscard]] std::optional<double> take_positive(std::string_view key);
  [[nodiscard]] std::optional<double> take_nonnegative(std::string_view key);

  /// Refuses options that were not taken.
  void finish() const;

 private:
  std::string_view head_;
  std::string_view size_;
  std::vector<std::pair<std::string_view, std::string_view>> options_;
};

/// The most features, ranks or cells that a name may ask for.
inline constexpr std::size_t largest_size = 1'000'000;

/// A whole number from 1 to largest_size. `what` begins the sentence otherwise: "line needs a number of lines
/// such as line:25".
[[nodiscard]] std::size_t parse_size(std::string_view text, std::string_view what);

/// Two sizes, `20x10`, whose product is at most largest_size as well.
[[nodiscard]] std::pair<std::size_t, std::size_t> parse_grid(std::string_view text, std::string_view what);

/// The same, where `10` alone stands for `10x10`.
[[nodiscard]] std::pair<std::size_t, std::size_t> parse_grid_or_square(std::string_view text,
                                                                       std::string_view what);

/// Refuses anything after the head of a name that stands alone.
void expect_alone(const base::Name& name);

}  // namespace perslay::layer
