#include "json_reader.h"

#include "utf8.h"

#include <cmath>

namespace perslay::io {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

JsonReader::JsonReader(const Text& text, const base::Context& context)
    : name_(text.name), context_(context), at_(text.content.data()), end_(at_ + text.content.size()) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.content.starts_with(byte_order_mark)) at_ += byte_order_mark.size();
}

JsonReader::Type JsonReader::type() {
  skip_blanks();
  switch (at_ == end_ ? '\0' : *at_) {
    case '{':
      return Type::object;
    case '[':
      return Type::array;
    case '"':
      return Type::text;
    case 't':
    case 'f':
      return Type::boolean;
    case 'n':
      return Type::null;
    default:
      if (at_ != end_ && (is_digit(*at_) || *at_ == '-' || *at_ == 'N' || *at_ == 'I')) return Type::number;
      fail_expected("a value");
  }
}

std::string JsonReader::key() {
  skip_blanks();
  if (at_ == end_ || *at_ != '"') fail_expected("a key in quotes");
  std::string name = text();
  expect(':', "':'");
  return name;
}

std::string JsonReader::text() {
  expect('"', "a text in quotes");
  std::string all;
  while (true) {
    const char* const begin = at_;
    while (at_ != end_ && *at_ != '"' && *at_ != '\\' && static_cast<unsigned char>(*at_) >= ' ') ++at_;
    all.append(begin, at_);
    if (at_ == end_) fail("A text that opens with a quote is never closed.");
    const char c = *at_++;
    if (c == '"') break;
    if (c != '\\') fail("The byte {} stands in a text; it should be escaped.", static_cast<int>(c));
    append_escape(all);
  }
  if (!is_utf8(all)) fail("The text {} is not UTF-8.", io::quoted(all));
  return all;
}

void JsonReader::append_escape(std::string& text) {
  constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
  const char c = at_ == end_ ? '\0' : *at_++;
  if (const auto which = letters.find(c); which != std::string_view::npos && c != '\0') {
    text += meanings[which];
    return;
  }
  if (c != 'u') fail("A backslash in a text is followed by none of the letters of JSON.");
  std::uint32_t code = hexadecimal();
  // Characters beyond 16 bits are written as two halves.
  if (code >= 0xD800 && code < 0xDC00 && end_ - at_ >= 2 && at_[0] == '\\' && at_[1] == 'u') {
    at_ += 2;
    const std::uint32_t low = hexadecimal();
    code = low >= 0xDC00 && low < 0xE000 ? 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00) : 0xD800;
  }
  if (code >= 0xD800 && code < 0xE000) fail("A text holds half of a character: \\u{:04x}.", code);
  append_utf8(text, code);
}

std::uint32_t JsonReader::hexadecimal() {
  std::uint32_t code = 0;
  const char* const stop = end_ - at_ < 4 ? end_ : at_ + 4;
  const auto [end, error] = std::from_chars(at_, stop, code, 16);
  if (error != std::errc{} || end != at_ + 4) fail("Four hexadecimal digits are expected after \\u.");
  at_ = end;
  return code;
}

void JsonReader::digits() {
  if (at_ == end_ || !is_digit(*at_)) fail_expected("a digit");
  while (at_ != end_ && is_digit(*at_)) ++at_;
}

std::string_view JsonReader::number() {
  if (type() != Type::number) fail_expected("a number");
  const char* const begin = at_;
  if (*at_ == '-') ++at_;
  if (at_ != end_ && *at_ == 'I') {
    word("Infinity");
  } else if (*begin == 'N') {
    word("NaN");
  } else {
    const char* const first = at_;
    digits();
    if (*first == '0' && at_ - first > 1) fail("{} is not a number of JSON.", io::quoted({begin, at_}));
    if (at_ != end_ && *at_ == '.') {
      ++at_;
      digits();
    }
    if (at_ != end_ && (*at_ == 'e' || *at_ == 'E')) {
      ++at_;
      if (at_ != end_ && (*at_ == '+' || *at_ == '-')) ++at_;
      digits();
    }
  }
  return {begin, at_};
}

std::int64_t JsonReader::integer() {
  const std::string_view digits = number();
  const auto value = number_in<std::int64_t>(digits);
  if (value) [[likely]]
    return *value;
  const bool whole = digits.find_first_not_of("-0123456789") == std::string_view::npos;
  fail("{} is {}.", io::quoted(digits), whole ? "too large an integer" : "not an integer");
}

double JsonReader::real() {
  const std::string_view digits = number();
  const auto value = number_in<double>(digits);
  if (!value && is_digit(digits.back()))
    fail("{} is outside the range of double precision.", io::quoted(digits));
  if (!value || !std::isfinite(*value)) fail("{} is not a finite number.", io::quoted(digits));
  return *value;
}

bool JsonReader::boolean() {
  if (type() != Type::boolean) fail_expected("true or false");
  const bool value = *at_ == 't';
  word(value ? "true" : "false");
  return value;
}

bool JsonReader::take_null() {
  if (type() != Type::null) return false;
  word("null");
  return true;
}

void JsonReader::skip() {
  std::string open;  // the brackets around the next value
  do {
    switch (type()) {
      case Type::object:
        ++at_;
        if (take('}')) break;
        open += '}';
        (void)key();
        continue;
      case Type::array:
        ++at_;
        if (take(']')) break;
        open += ']';
        continue;
      case Type::text:
        (void)text();
        break;
      case Type::number:
        (void)number();
        break;
      case Type::boolean:
        (void)boolean();
        break;
      case Type::null:
        (void)take_null();
        break;
    }
    while (!open.empty() && !take(',')) {
      expect(open.back(), open.back() == '}' ? "',' or '}'" : "',' or ']'");
      open.pop_back();
    }
    if (!open.empty() && open.back() == '}') (void)key();
  } while (!open.empty());
}

JsonReader::Place JsonReader::place() {
  skip_blanks();
  return {at_, line_};
}

void JsonReader::word(std::string_view expected) {
  const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
  if (!rest.starts_with(expected)) fail_expected("a value");
  at_ += expected.size();
}

void JsonReader::fail_expected(const char* what) const {
  if (at_ == end_) fail("The text ends where {} is expected.", what);
  const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
  fail("{} stands where {} is expected.", io::quoted(rest.substr(0, rest.find_first_of(" \t\r\n,:]}", 1))),
       what);
}

}  // namespace perslay::io
