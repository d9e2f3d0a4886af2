#pragma once

#include "text.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace perslay::io {

/// Walks through JSON value by value. No tree is built, so memory does not grow with the text, and errors name the line
/// where they are. NaN, Infinity and -Infinity, which Python writes, count as numbers. Nothing recurses.
///
///     json.object([&](const std::string& key) {
///       if (key == "x") json.array([&] { x.push_back(json.real()); });
///       else json.skip();
///     });
class JsonReader {
 public:
  enum class Type { object, array, text, number, boolean, null };

  /// Where a value begins.
  struct Place {
    const char* at = nullptr;
    std::int64_t line = 0;
  };

  JsonReader(const Text& text, const base::Context& context);

  /// Calls `element`, which must take a value, for every element of arrays at the top, and for every other value there:
  /// for texts of one value, of a list of values, and of a value per line.
  template <class Element>
  void for_each(Element element) {
    while (!at_end()) type() == Type::array ? array(element) : element();
  }

  /// What the next value is, by its first character.
  [[nodiscard]] Type type();

  /// Takes an object. `member` is called with each key and must take the value.
  template <class Member>
  void object(Member member) {
    expect('{', "an object");
    if (take('}')) return;
    do {
      const std::string key = this->key();
      member(key);
    } while (take(','));
    expect('}', "',' or '}'");
  }

  /// Takes an array. `element` is called for each element and must take it.
  template <class Element>
  void array(Element element) {
    expect('[', "a list");
    if (take(']')) return;
    std::size_t count = 0;
    do {
      if ((++count & 0xFFFF) == 0) context_.stop_if_cancelled();
      element();
    } while (take(','));
    expect(']', "',' or ']'");
  }

  [[nodiscard]] std::string text();
  /// The characters of a number.
  [[nodiscard]] std::string_view number();
  [[nodiscard]] std::int64_t integer();
  /// A finite number.
  [[nodiscard]] double real();
  [[nodiscard]] bool boolean();
  /// Takes the next value, whatever it is.
  void skip();
  /// Takes `null` if it is next.
  [[nodiscard]] bool take_null();

  /// Where the next value begins, to come back to it.
  [[nodiscard]] Place place();
  void go_to(const Place& place) noexcept {
    at_ = place.at;
    line_ = place.line;
  }
  [[nodiscard]] std::int64_t line() const noexcept { return line_; }

  /// Throws the user's error about the current line.
  template <class... Values>
  [[noreturn]] void fail(fmt::format_string<Values...> sentence, Values&&... values) const {
    fail_at(name_, line_, sentence, std::forward<Values>(values)...);
  }

 private:
  void skip_blanks() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t'))
      line_ += *at_++ == '\n';
  }
  bool take(char c) {
    skip_blanks();
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }
  void expect(char c, const char* what) {
    if (!take(c)) [[unlikely]]
      fail_expected(what);
  }
  [[nodiscard]] bool at_end() {
    skip_blanks();
    return at_ == end_;
  }
  [[nodiscard]] std::string key();
  void word(std::string_view expected);
  void append_escape(std::string& text);
  [[nodiscard]] std::uint32_t hexadecimal();
  void digits();
  [[noreturn]] void fail_expected(const char* what) const;

  const std::string& name_;
  const base::Context& context_;
  const char* at_;
  const char* end_;
  std::int64_t line_ = 1;
};

}  // namespace perslay::io
