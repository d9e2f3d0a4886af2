#include "npy_array.h"

#include "csv.h"
#include "utf8.h"

#include <algorithm>
#include <cstring>

namespace perslay::io {
namespace {

/// "f8" for "<f8".
std::string_view without_order(std::string_view type) {
  return type.substr(type.find_first_of("<>|=") == 0 ? 1 : 0);
}

}  // namespace

NpyArray::NpyArray(const Text& file) : file_(file.name), header_(parse_npy_header(file)) {
  const std::string_view name = without_order(header_.type);
  if (name.starts_with('O'))
    refuse("{}: The array holds Python objects, which are pickled; pickles can run code and are not read.",
           file_);
  if (const std::size_t bytes = character_bytes(); bytes > 0) {
    const auto length = number_in<std::uint16_t>(name.substr(1));
    if (!length || *length == 0)
      refuse("{}: The texts of type {} are empty.", file_, io::quoted(header_.type));
    type_ = Type::text;
    element_ = {.bytes = bytes * *length, .is_integer = false, .real = nullptr, .integer = nullptr};
  } else if (name == "b1") {
    type_ = Type::boolean;
    element_ = npy_element(file_, "|u1");
  } else {
    element_ = npy_element(file_, header_.type);
    type_ = element_.is_integer ? Type::integer : Type::real;
  }
  size_ = element_count(header_.shape);
  if (size_ > file.content.size())
    refuse("{}: An array of shape {} is too large for a file of {} bytes.", file_, shape_text(header_.shape),
           file.content.size());
  require_npy_size(file, header_, element_);
  data_ = file.content.data() + header_.data_begin;
}

std::size_t NpyArray::character_bytes() const {
  const std::string_view name = without_order(header_.type);
  return name.starts_with('U') ? 4 : name.starts_with('S') ? 1 : 0;
}

std::size_t NpyArray::place(std::initializer_list<std::size_t> indices) const {
  std::size_t place = 0;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const std::size_t axis = header_.fortran_order ? indices.size() - 1 - i : i;
    place = place * header_.shape[axis] + indices.begin()[axis];
  }
  return place;
}

std::string NpyArray::text(std::size_t place) const {
  const char* const from = data_ + place * element_.bytes;
  std::string all;
  if (type_ == Type::text) return characters(from);
  if (type_ != Type::integer && type_ != Type::boolean) {
    append_number(all, element_.real(from));
    return all.find_first_not_of("-0123456789") == std::string::npos ? all + ".0" : all;
  }
  const std::int64_t value = element_.integer(from);
  if (without_order(header_.type).starts_with('u'))
    append_number(all, static_cast<std::uint64_t>(value));
  else
    append_number(all, value);
  return all;
}

std::string NpyArray::characters(const char* from) const {
  const std::size_t bytes = character_bytes();
  const char* const end = from + element_.bytes;
  if (bytes == 1) {
    std::string all(from, std::find(from, end, '\0'));
    if (!is_utf8(all)) refuse("{}: The text {} is not UTF-8.", file_, io::quoted(all));
    return all;
  }
  std::string all;
  for (; from != end; from += bytes) {
    char stored[4];
    std::memcpy(stored, from, bytes);
    if (header_.type.starts_with('>')) std::reverse(stored, stored + bytes);
    std::uint32_t character = 0;
    std::memcpy(&character, stored, bytes);
    if (character == 0) break;
    if (character > 0x10FFFF || (character >= 0xD800 && character < 0xE000))
      refuse("{}: {} is no character.", file_, character);
    append_utf8(all, character);
  }
  return all;
}

}  // namespace perslay::io
