#include "text.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <perslay/base/error.h>
#include <perslay/io/atomic_file.h>
#include <perslay/io/safetensors.h>

// The format: the length of the header (8 bytes, little-endian), the header (a JSON object, padded by
// blanks), and the bytes of all tensors without a gap. The header has `dtype`, `shape` and `data_offsets` for
// each tensor by its name, and strings under `__metadata__`.
namespace perslay::io {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr std::size_t length_bytes = 8;
constexpr std::size_t largest_header = 100'000'000;  // as in the reference implementation
constexpr auto metadata_key = "__metadata__";

template <class Word>
void append_little_endian(std::string& bytes, Word word) {
  for (std::size_t i = 0; i < sizeof(Word); ++i)
    bytes += static_cast<char>(static_cast<unsigned char>(word >> (8 * i)));
}

template <class Word>
Word little_endian(const char* bytes) {
  Word word = 0;
  for (std::size_t i = 0; i < sizeof(Word); ++i)
    word |= static_cast<Word>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  return word;
}

/// The type of a tensor's elements; float32 for a tensor without elements.
bool is_double(const NamedArray& array) { return !array.doubles.empty(); }

std::size_t element_bytes(bool of_doubles) { return of_doubles ? sizeof(double) : sizeof(float); }

// ---- writing

std::string header_text(std::span<const NamedArray> arrays,
                        const std::map<std::string, std::string>& metadata) {
  ordered_json header = ordered_json::object();
  if (!metadata.empty()) header[metadata_key] = metadata;
  std::size_t begin = 0;
  for (const auto& array : arrays) {
    if (array.name == metadata_key || header.contains(array.name))
      throw base::internal_error(fmt::format("Two tensors of a file are called '{}'.", array.name));
    const std::size_t end =
        begin + (array.values.size() + array.doubles.size()) * element_bytes(is_double(array));
    header[array.name] = {
        {"dtype", is_double(array) ? "F64" : "F32"}, {"shape", array.shape}, {"data_offsets", {begin, end}}};
    begin = end;
  }
  std::string text = header.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  text.append((length_bytes - text.size() % length_bytes) % length_bytes, ' ');
  return text;
}

// ---- reading

/// The file being read, for its errors.
struct Source {
  std::string name;

  [[noreturn]] void fail(const std::string& sentence) const {
    throw base::user_error(fmt::format("{}: {}", name, sentence));
  }
};

/// Checks that the first bytes are those of a safetensors file; returns the length of its header.
std::uint64_t header_length(const Source& source, const std::string& bytes) {
  if (bytes.size() < length_bytes)
    source.fail(fmt::format("This is not a safetensors file: it has {} bytes.", bytes.size()));
  const auto length = little_endian<std::uint64_t>(bytes.data());
  if (length > largest_header || bytes.size() < length_bytes + 1 || bytes[length_bytes] != '{')
    source.fail("This is not a safetensors file.");
  return length;
}

std::string header_of(const Source& source, const std::string& bytes) {
  const auto length = header_length(source, bytes);
  if (length > bytes.size() - length_bytes)
    source.fail(fmt::format("The file is cut off: its header has {} bytes, of which {} are there.", length,
                            bytes.size() - length_bytes));
  return bytes.substr(length_bytes, length);
}

/// Refuses a header with repeated names: the parser would keep only the last.
ordered_json parse_header(const Source& source, const std::string& text) {
  std::set<std::string> names;
  std::string twice;
  const auto watch = [&](int depth, ordered_json::parse_event_t event, ordered_json& parsed) {
    if (event == ordered_json::parse_event_t::key && depth == 1 &&
        !names.insert(parsed.get<std::string>()).second)
      twice = parsed.get<std::string>();
    return true;
  };
  auto header = ordered_json::parse(text, watch, false);
  if (!header.is_object())
    source.fail("The header of the safetensors file is no JSON object; the file is damaged.");
  if (!twice.empty()) source.fail(fmt::format("The header names {} twice.", io::quoted(twice)));
  return header;
}

std::map<std::string, std::string> take_metadata(const Source& source, ordered_json& header) {
  std::map<std::string, std::string> metadata;
  const auto found = header.find(metadata_key);
  if (found == header.end()) return metadata;
  if (!found->is_object()) source.fail("The header's __metadata__ is no JSON object.");
  for (const auto& [key, value] : found->items()) {
    if (!value.is_string())
      source.fail(fmt::format("The header's __metadata__ has no text for {}.", io::quoted(key)));
    metadata[key] = value.get<std::string>();
  }
  header.erase(found);
  return metadata;
}

/// A tensor of the header: what it is and where its bytes are.
struct Entry {
  NamedArray array;  ///< Without its elements.
  bool of_doubles = false;
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// An array of whole numbers from 0 to the largest that int64 holds.
std::vector<std::int64_t> whole_numbers(const Source& source, const std::string& tensor,
                                        const ordered_json& json, const char* key) {
  const auto found = json.find(key);
  const bool whole =
      found != json.end() && found->is_array() && std::ranges::all_of(*found, [](const auto& number) {
        return number.is_number_unsigned() &&
               number.template get<std::uint64_t>() <= std::numeric_limits<std::int64_t>::max();
      });
  if (!whole)
    source.fail(fmt::format("The tensor {} lacks a list of whole numbers '{}'.", io::quoted(tensor), key));
  return found->get<std::vector<std::int64_t>>();
}

/// The number of elements of a shape; if it is too large to count, more than any file has.
std::uint64_t elements(const std::vector<std::int64_t>& shape) {
  constexpr std::uint64_t too_many = std::uint64_t{1} << 60;
  if (std::ranges::find(shape, 0) != shape.end()) return 0;
  std::uint64_t count = 1;
  for (const auto extent : shape) {
    if (static_cast<std::uint64_t>(extent) > too_many / count) return too_many;
    count *= static_cast<std::uint64_t>(extent);
  }
  return count;
}

Entry entry_of(const Source& source, const std::string& name, const ordered_json& json) {
  if (!json.is_object())
    source.fail(fmt::format("The header says nothing about the tensor {}.", io::quoted(name)));
  const std::string type = json.contains("dtype") && json["dtype"].is_string() ? json["dtype"] : "nothing";
  if (type != "F32" && type != "F64")
    source.fail(fmt::format("The tensor {} is of type {}; only F32 and F64 are read.", io::quoted(name),
                            io::quoted(type)));
  Entry entry;
  entry.of_doubles = type == "F64";
  entry.array.name = name;
  entry.array.shape = whole_numbers(source, name, json, "shape");
  const auto offsets = whole_numbers(source, name, json, "data_offsets");
  if (offsets.size() != 2 || offsets[0] > offsets[1])
    source.fail(fmt::format("The tensor {} does not say where its bytes begin and end.", io::quoted(name)));
  entry.begin = static_cast<std::size_t>(offsets[0]);
  entry.end = static_cast<std::size_t>(offsets[1]);
  const std::size_t bytes = entry.end - entry.begin;
  const std::size_t each = element_bytes(entry.of_doubles);
  if (bytes % each != 0 || bytes / each != elements(entry.array.shape))
    source.fail(fmt::format("The tensor {} has the shape [{}] but {} bytes.", io::quoted(name),
                            fmt::join(entry.array.shape, ", "), bytes));
  return entry;
}

/// Tensors lie one after the other and fill the file.
void check_places(const Source& source, std::vector<Entry>& entries, std::size_t available) {
  std::ranges::stable_sort(entries, {}, [](const Entry& entry) { return std::pair(entry.begin, entry.end); });
  std::size_t end = 0;
  for (const auto& entry : entries) {
    if (entry.begin != end)
      source.fail(fmt::format("The bytes of the tensor {} begin at {} instead of {}.",
                              io::quoted(entry.array.name), entry.begin, end));
    end = entry.end;
  }
  if (end > available)
    source.fail(fmt::format("The file is cut off: its tensors have {} bytes, of which {} are there.", end,
                            available));
  if (end < available)
    source.fail(fmt::format("The tensors have {} bytes, but {} follow the header.", end, available));
}

template <class Word, class Element>
void append_elements(const char* begin, const char* end, std::vector<Element>& elements) {
  elements.reserve(static_cast<std::size_t>(end - begin) / sizeof(Word));
  for (; begin != end; begin += sizeof(Word))
    elements.push_back(std::bit_cast<Element>(little_endian<Word>(begin)));
}

}  // namespace

void write_safetensors(const fs::path& file, std::span<const NamedArray> arrays,
                       const std::map<std::string, std::string>& metadata) {
  const std::string header = header_text(arrays, metadata);
  std::string bytes;
  append_little_endian(bytes, static_cast<std::uint64_t>(header.size()));
  bytes += header;
  for (const auto& array : arrays) {
    const std::size_t count = array.values.size() + array.doubles.size();
    if (elements(array.shape) != count || (!array.values.empty() && is_double(array)))
      throw base::internal_error(fmt::format("The tensor '{}' has the shape [{}] but {} values.", array.name,
                                             fmt::join(array.shape, ", "), count));
    for (const float value : array.values) append_little_endian(bytes, std::bit_cast<std::uint32_t>(value));
    for (const double value : array.doubles) append_little_endian(bytes, std::bit_cast<std::uint64_t>(value));
  }
  write_file(file, bytes);
}

Safetensors read_safetensors(const fs::path& file) {
  const Source source{file.string()};
  // Any other file may be large or endless, and is not read to its end.
  const Text text = load_text(file, {}, [&](const std::string& begin) { header_length(source, begin); });
  const std::string header_bytes = header_of(source, text.content);
  auto header = parse_header(source, header_bytes);

  Safetensors result;
  result.metadata = take_metadata(source, header);
  std::vector<Entry> entries;
  for (const auto& [name, json] : header.items()) entries.push_back(entry_of(source, name, json));
  const std::size_t data = length_bytes + header_bytes.size();
  check_places(source, entries, text.content.size() - data);
  for (auto& entry : entries) {
    const char* const first = text.content.data() + data + entry.begin;
    const char* const last = text.content.data() + data + entry.end;
    entry.of_doubles ? append_elements<std::uint64_t>(first, last, entry.array.doubles)
                     : append_elements<std::uint32_t>(first, last, entry.array.values);
    result.arrays.push_back(std::move(entry.array));
  }
  return result;
}

}  // namespace perslay::io
