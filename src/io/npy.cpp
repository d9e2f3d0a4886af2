#include "npy.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace perslay::io {
namespace {

constexpr std::string_view magic = "\x93NUMPY";

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

NpyHeader parse_dictionary(const std::string& file, std::string_view dictionary) {
  const auto json = nlohmann::json::parse(as_json(dictionary), nullptr, false);
  if (json.is_object() && json.size() == 3 && json.contains("descr") && json.contains("fortran_order") &&
      json.contains("shape")) {
    const auto &type = json["descr"], &order = json["fortran_order"], &shape = json["shape"];
    if (type.is_array()) refuse("{}: The array holds records; numbers are needed.", file);
    const auto is_extent = [](const auto& extent) { return extent.is_number_unsigned(); };
    if (type.is_string() && !type.get_ref<const std::string&>().empty() && order.is_boolean() &&
        shape.is_array() && std::ranges::all_of(shape, is_extent))
      return {type, order, shape};
  }
  refuse("{}: The header of this .npy file is damaged.", file);
}

/// The stored number at `from`, as another type.
template <class Stored, class Number, bool Swapped>
Number convert(const char* from) {
  char bytes[sizeof(Stored)];
  std::memcpy(bytes, from, sizeof(Stored));
  if constexpr (Swapped) std::reverse(bytes, bytes + sizeof(Stored));
  Stored value;
  std::memcpy(&value, bytes, sizeof(Stored));
  return static_cast<Number>(value);
}

template <class Stored, bool Swapped>
NpyElement element() {
  NpyElement element{sizeof(Stored), std::is_integral_v<Stored>, &convert<Stored, double, Swapped>, nullptr};
  if constexpr (std::is_integral_v<Stored>) element.integer = &convert<Stored, std::int64_t, Swapped>;
  return element;
}

template <class Stored>
NpyElement element(bool swapped) {
  return swapped ? element<Stored, true>() : element<Stored, false>();
}

}  // namespace

bool is_npy_content(std::string_view bytes) { return bytes.starts_with(magic); }

NpyHeader parse_npy_header(const Text& file) {
  const std::string_view bytes = file.content;
  if (!is_npy_content(bytes)) refuse("{}: This is not an .npy file: it does not start as one.", file.name);
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
  NpyHeader header = parse_dictionary(file.name, bytes.substr(begin, length));
  header.data_begin = begin + length;
  return header;
}

NpyElement npy_element(const std::string& file, const std::string& type) {
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
  refuse("{}: The array holds values of the type {}; float64, float32 and integers are read.", file,
         io::quoted(type));
}

void require_npy_size(const Text& file, const NpyHeader& header, const NpyElement& element) {
  const std::uint64_t elements = element_count(header.shape);
  const std::size_t available = file.content.size() - header.data_begin;
  if (elements * element.bytes != available)
    refuse("{}: An array of shape {} and type '{}' needs {} bytes, but the file has {}.", file.name,
           shape_text(header.shape), header.type,
           elements < std::uint64_t{1} << 60 ? std::to_string(elements * element.bytes) : "too many",
           available);
}

std::string shape_text(const std::vector<std::size_t>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

}  // namespace perslay::io
