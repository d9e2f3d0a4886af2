#include "npy.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/error.h>

namespace perslay::io {
namespace {

constexpr std::string_view magic = "\x93NUMPY";

[[noreturn]] void fail(const Text& file, const std::string& sentence) {
  throw base::user_error(fmt::format("{}: {}", file.name, sentence));
}

// ---- the header: a Python dictionary with the keys descr, fortran_order and shape

struct Header {
  std::string type;  // such as "<f8"
  bool fortran_order = false;
  std::vector<std::size_t> shape;
  std::size_t data_begin = 0;
};

class HeaderParser {
 public:
  HeaderParser(const Text& file, std::string_view text) : file_(file), rest_(text) {}

  Header run() {
    Header header;
    int keys = 0;
    expect('{');
    while (!take('}')) {
      const std::string key = string();
      expect(':');
      if (key == "descr")
        header.type = type();
      else if (key == "fortran_order")
        header.fortran_order = boolean();
      else if (key == "shape")
        header.shape = tuple();
      else
        damaged();
      ++keys;
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    if (keys != 3 || header.type.empty()) damaged();
    return header;
  }

 private:
  [[noreturn]] void damaged() const { fail(file_, "The header of this .npy file is damaged."); }

  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n"), rest_.size())); }
  bool take(char c) {
    skip_blanks();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!take(c)) damaged();
  }

  std::string string() {
    const char quote = take('\'') ? '\'' : '"';
    if (quote == '"') expect('"');
    const auto end = rest_.find(quote);
    if (end == std::string_view::npos) damaged();
    std::string text(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    return text;
  }

  std::string type() {
    if (take('[')) fail(file_, "The array holds records; numbers are needed.");
    return string();
  }

  bool boolean() {
    skip_blanks();
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      return value;
    }
    damaged();
  }

  std::vector<std::size_t> tuple() {
    std::vector<std::size_t> values;
    expect('(');
    while (!take(')')) {
      skip_blanks();
      std::size_t value = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
      if (error != std::errc{}) damaged();
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      (void)take('L');  // as Python 2 wrote long integers
      values.push_back(value);
      if (!take(',')) {
        expect(')');
        break;
      }
    }
    return values;
  }

  const Text& file_;
  std::string_view rest_;
};

Header parse_header(const Text& file) {
  const std::string_view bytes = file.content;
  if (!bytes.starts_with(magic)) fail(file, "This is not an .npy file: it does not start as one.");
  const auto byte = [&](std::size_t i) {
    return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i]));
  };
  const std::size_t version = bytes.size() > magic.size() ? byte(magic.size()) : 1;
  if (version < 1 || version > 3)
    fail(file,
         fmt::format("This .npy file has version {} of the format; versions 1 to 3 are read.", version));
  const std::size_t length_begin = magic.size() + 2;
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  const std::size_t begin = length_begin + length_bytes;
  std::size_t length = 0;
  if (bytes.size() >= begin)
    for (std::size_t i = 0; i < length_bytes; ++i) length |= byte(length_begin + i) << (8 * i);
  if (bytes.size() < begin || bytes.size() - begin < length)
    fail(file, fmt::format("This .npy file ends within its header, after {} bytes.", bytes.size()));
  Header header = HeaderParser(file, bytes.substr(begin, length)).run();
  header.data_begin = begin + length;
  return header;
}

// ---- the numbers

/// Converts the stored number at `from`.
using Convert = double (*)(const char* from);

template <class T, bool Swapped>
double convert(const char* from) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, from, sizeof(T));
  if constexpr (Swapped) std::reverse(bytes, bytes + sizeof(T));
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return static_cast<double>(value);
}

struct Element {
  std::size_t bytes;
  Convert convert;
};

template <class T>
Element element(bool swapped) {
  return {sizeof(T), swapped ? &convert<T, true> : &convert<T, false>};
}

Element element_of(const Text& file, const std::string& type) {
  static_assert(std::endian::native == std::endian::little);
  const bool has_order =
      !type.empty() && std::string_view("<>|=").find(type.front()) != std::string_view::npos;
  const bool swapped = type.starts_with('>');
  const std::string_view name = std::string_view(type).substr(has_order ? 1 : 0);
  if (name == "f8") return element<double>(swapped);
  if (name == "f4") return element<float>(swapped);
  if (name == "i8") return element<std::int64_t>(swapped);
  if (name == "i4") return element<std::int32_t>(swapped);
  if (name == "i2") return element<std::int16_t>(swapped);
  if (name == "i1") return element<std::int8_t>(swapped);
  if (name == "u8") return element<std::uint64_t>(swapped);
  if (name == "u4") return element<std::uint32_t>(swapped);
  if (name == "u2") return element<std::uint16_t>(swapped);
  if (name == "u1") return element<std::uint8_t>(swapped);
  fail(file, fmt::format("The array holds values of the type {}; float64, float32 and integers are read.",
                         io::quoted(type)));
}

/// The product of extents, or nothing if it is not below 2^60.
std::optional<std::size_t> element_count(const std::vector<std::size_t>& shape) {
  constexpr std::size_t limit = std::size_t{1} << 60;
  if (std::ranges::find(shape, std::size_t{0}) != shape.end()) return 0;
  std::size_t count = 1;
  for (const std::size_t n : shape) {
    if (n >= limit / count) return std::nullopt;
    count *= n;
  }
  return count;
}

/// Converts Fortran order, in which the first index runs fastest, to C order.
std::vector<double> from_fortran_order(const std::vector<double>& stored,
                                       const std::vector<std::size_t>& shape) {
  std::vector<double> values(stored.size());
  std::vector<std::size_t> index(shape.size(), 0);
  for (double& value : values) {
    std::size_t place = 0;
    for (std::size_t d = shape.size(); d-- > 0;) place = place * shape[d] + index[d];
    value = stored[place];
    for (std::size_t d = shape.size(); d-- > 0;) {
      if (++index[d] < shape[d]) break;
      index[d] = 0;
    }
  }
  return values;
}

}  // namespace

std::string shape_text(const std::vector<std::size_t>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

NpyArray parse_npy(const Text& file) {
  const Header header = parse_header(file);
  const Element element = element_of(file, header.type);
  const auto count = element_count(header.shape);
  const std::size_t available = file.content.size() - header.data_begin;
  if (!count || *count * element.bytes != available)
    fail(file, fmt::format("An array of shape {} and type '{}' needs {} bytes, but the file has {}.",
                           shape_text(header.shape), header.type,
                           count ? fmt::format("{}", *count * element.bytes) : "too many", available));
  NpyArray array{header.shape, std::vector<double>(*count)};
  const char* from = file.content.data() + header.data_begin;
  for (double& value : array.values) {
    value = element.convert(from);
    from += element.bytes;
  }
  if (header.fortran_order) array.values = from_fortran_order(array.values, array.shape);
  return array;
}

}  // namespace perslay::io
