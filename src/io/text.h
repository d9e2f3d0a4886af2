#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <perslay/base/context.h>

namespace perslay::io {

/// The whole of a text file, and its name in errors: its path, or ARCHIVE:MEMBER.
struct Text {
  std::string name;
  std::string content;
};

/// Reads a file whole. Works on pipes too. `check_beginning` is shown the first bytes (a few megabytes, or
/// all) before the others are read, and may throw.
[[nodiscard]] Text load_text(const std::filesystem::path& path, const base::Context& context = {},
                             const std::function<void(const std::string&)>& check_beginning = {});

/// Likewise, for a file that was found rather than named: it must be a regular one, since a pipe or a device may never
/// end.
[[nodiscard]] Text load_found_text(const std::filesystem::path& path, const base::Context& context = {});

/// An upper bound of the number of lines.
[[nodiscard]] std::size_t line_bound(const Text& text);

/// `bytes` as a sentence may show them: in quotes, cut if long, with unprintable bytes escaped.
[[nodiscard]] std::string quoted(std::string_view bytes);

/// Letters of ASCII become small.
[[nodiscard]] std::string lower_case(std::string text);

/// The number that all of `text` stands for, if it is one.
template <class Number>
[[nodiscard]] std::optional<Number> number_in(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The number of elements of an array of this shape; 2^60, more than any file has, if there are more.
template <class Extent>
[[nodiscard]] std::uint64_t element_count(const std::vector<Extent>& shape) {
  constexpr std::uint64_t most = std::uint64_t{1} << 60;
  if (std::ranges::find(shape, Extent{0}) != shape.end()) return 0;
  std::uint64_t count = 1;
  for (const Extent extent : shape) {
    if (static_cast<std::uint64_t>(extent) > most / count) return most;
    count *= static_cast<std::uint64_t>(extent);
  }
  return count;
}

/// Throws the user's error with this sentence.
template <class... Values>
[[noreturn]] void refuse(fmt::format_string<Values...> sentence, Values&&... values) {
  throw base::user_error(fmt::format(sentence, std::forward<Values>(values)...));
}

/// Throws the user's error "file:line: sentence".
template <class... Values>
[[noreturn]] void fail_at(const std::string& file, std::int64_t line, fmt::format_string<Values...> sentence,
                          Values&&... values) {
  refuse("{}:{}: {}", file, line, fmt::format(sentence, std::forward<Values>(values)...));
}

/// Walks through a text line by line and number by number. Lines end in LF or CRLF, the last one need not;
/// numbers are separated by blanks, one comma, or both. Everything is inline because readers spend their time
/// here.
///
///     while (reader.next_line()) {
///       a = reader.integer();
///       reader.next_number();
///       b = reader.integer();
///       reader.end_line();
///     }
class NumberReader {
 public:
  /// What may stand between the lines of numbers: nothing (empty lines only at the end of the file), or empty
  /// lines and comments, which start with '#' or '%'.
  enum class Between { nothing, comments };

  NumberReader(const Text& text, const base::Context& context, Between between = Between::nothing);

  /// Moves to the next line that holds something; false at the end of the text.
  bool next_line() {
    while (at_ != end_) {
      ++line_;
      if ((line_ & 0xFFFF) == 0) context_.stop_if_cancelled();  // about every megabyte
      skip_blanks();
      const bool empty = at_end_of_line();
      if (!empty && !(between_ == Between::comments && (*at_ == '#' || *at_ == '%'))) return true;
      if (between_ == Between::nothing) {
        require_nothing_more();
        return false;
      }
      at_ = std::find(at_, end_, '\n');
      if (at_ != end_) ++at_;
    }
    return false;
  }

  /// Moves over the separator; false if the line holds no further number.
  bool next_number() {
    skip_blanks();
    if (at_ != end_ && *at_ == ',') {
      ++at_;
      skip_blanks();
      if (at_end_of_line()) fail("A number is missing after the last comma.");
    }
    return !at_end_of_line();
  }

  std::int64_t integer() {
    std::int64_t value = 0;
    const auto [stop, error] = std::from_chars(at_, end_, value);
    if (error != std::errc{} || !ends_number(stop)) [[unlikely]]
      fail_integer();
    at_ = stop;
    return value;
  }

  /// The number of a vertex: an integer, the largest of 64 bits if it is larger.
  std::int64_t vertex_number() {
    std::int64_t value = 0;
    const auto [stop, error] = std::from_chars(at_, end_, value);
    if (error == std::errc::result_out_of_range && *at_ != '-')
      value = std::numeric_limits<std::int64_t>::max();
    if (error == std::errc::invalid_argument || !ends_number(stop)) [[unlikely]]
      fail_vertex_number();
    at_ = stop;
    return value;
  }

  /// A finite number.
  double real();
  /// The same as it is written.
  std::string_view real_text() {
    const char* const begin = at_;
    (void)real();
    return {begin, static_cast<std::size_t>(at_ - begin)};
  }

  /// Leaves the line; anything more on it is an error.
  void end_line() {
    skip_blanks();
    if (!at_end_of_line()) [[unlikely]]
      fail_surplus();
    if (at_ != end_) ++at_;
  }

  /// The number of the current line, counted from 1.
  [[nodiscard]] std::int64_t line() const noexcept { return line_; }

  /// Throws the user's error about the current line.
  template <class... Values>
  [[noreturn]] void fail(fmt::format_string<Values...> sentence, Values&&... values) const {
    fail_at(name_, line_, sentence, std::forward<Values>(values)...);
  }

 private:
  static bool is_blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\r'; }
  [[nodiscard]] bool at_end_of_line() const noexcept { return at_ == end_ || *at_ == '\n'; }
  [[nodiscard]] bool ends_number(const char* p) const noexcept {
    return p == end_ || *p == '\n' || *p == ',' || is_blank(*p);
  }
  void skip_blanks() noexcept {
    while (at_ != end_ && is_blank(*at_)) ++at_;
  }
  void require_nothing_more() const;
  [[nodiscard]] std::string_view token() const noexcept;
  [[noreturn]] void fail_integer() const;
  [[noreturn]] void fail_vertex_number() const;
  [[noreturn]] void fail_real(const char* reason) const;
  [[noreturn]] void fail_surplus() const;

  const std::string& name_;
  const base::Context& context_;
  Between between_;
  const char* at_;
  const char* end_;
  std::int64_t line_ = 0;
};

}  // namespace perslay::io
