#include "npy.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace perslay::io {
namespace {

constexpr std::string_view magic = "\x93NUMPY";

// ---- the header: a Python dictionary with the keys descr, fortran_order and shape

struct Header {
  std::string type;  // such as "<f8"
  bool fortran_order = false;
  std::vector<std::size_t> shape;
  std::size_t data_begin = 0;
};

/// The dictionary in the words of JSON.
std::string as_json(std::string_view dictionary) {
  std::string json;
  bool in_text = false;
  for (const char c : dictionary) {
    if (c == '\'' || c == '"') {
      in_text = !in_text;
      json += '"';
    } else if (in_text) {
      json += c;
    } else if (c == ')' || c == '}') {
      // A comma may follow the last element.
      while (json.ends_with(' ') || json.ends_with('\n')) json.pop_back();
      if (json.ends_with(',')) json.pop_back();
      json += c == ')' ? ']' : c;
    } else if (c != 'L') {  // Python 2 wrote it behind long integers
      json += c == '(' ? '[' : c == 'T' ? 't' : c == 'F' ? 'f' : c;
    }
  }
  return json;
}

Header parse_dictionary(const std::string& file, std::string_view dictionary) {
  const auto json = nlohmann::json::parse(as_json(dictionary), nullptr, false);
  if (json.is_object() && json.size() == 3 && json.contains("descr") && json.contains("fortran_order") &&
      json.contains("shape")) {
    const auto &type = json["descr"], &order = json["fortran_order"], &shape = json["shape"];
    if (type.is_array()) refuse("{}: The array holds records; numbers are needed.", file);
    const auto is_extent = [](const auto& extent) { return extent.is_number_unsigned(); };
    if (type.is_string() && type != "" && order.is_boolean() && shape.is_array() &&
        std::ranges::all_of(shape, is_extent))
      return {type, order, shape};
  }
  refuse("{}: The header of this .npy file is damaged.", file);
}

Header parse_header(const Text& file) {
  const std::string_view bytes = file.content;
  if (!bytes.starts_with(magic)) refuse("{}: This is not an .npy file: it does not start as one.", file.name);
  const auto byte = [&](std::size_t i) {
    return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i]));
  };
  const std::size_t version = bytes.size() > magic.size() ? byte(magic.size()) : 1;
  if (version < 1 || version > 3)
    refuse("{}: This .npy file has version {} of the format; versions 1 to 3 are read.", file.name, version);
  const std::size_t length_begin = magic.size() + 2;
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  const std::size_t begin = length_begin + length_bytes;
  std::size_t length = 0;
  if (bytes.size() >= begin)
    for (std::size_t i = 0; i < length_bytes; ++i) length |= byte(length_begin + i) << (8 * i);
  if (bytes.size() < begin || bytes.size() - begin < length)
    refuse("{}: This .npy file ends within its header, after {} bytes.", file.name, bytes.size());
  Header header = parse_dictionary(file.name, bytes.substr(begin, length));
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
  const bool has_order = std::string_view("<>|=").find(type.front()) != std::string_view::npos;
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
  refuse("{}: The array holds values of the type {}; float64, float32 and integers are read.", file.name,
         io::quoted(type));
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
  const std::uint64_t count = element_count(header.shape);
  const std::size_t available = file.content.size() - header.data_begin;
  if (count * element.bytes != available)
    refuse("{}: An array of shape {} and type '{}' needs {} bytes, but the file has {}.", file.name,
           shape_text(header.shape), header.type,
           count < std::uint64_t{1} << 60 ? std::to_string(count * element.bytes) : "too many", available);
  NpyArray array{header.shape, std::vector<double>(count)};
  const char* from = file.content.data() + header.data_begin;
  for (double& value : array.values) {
    value = element.convert(from);
    from += element.bytes;
  }
  if (header.fortran_order) array.values = from_fortran_order(array.values, array.shape);
  return array;
}

}  // namespace perslay::io
