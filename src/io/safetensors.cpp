#include "output_file.h"
#include "text.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <set>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <perslay/base/hasher.h>
#include <perslay/io/atomic_file.h>
#include <perslay/io/checksum.h>
#include <perslay/io/safetensors.h>

// The format: the length of the header (8 bytes, little-endian), the header (a JSON object, padded by
// blanks), and the bytes of all tensors without a gap. The header has `dtype`, `shape` and `data_offsets` for
// each tensor by its name, and strings under `__metadata__`; the first of them is the checksum of the file.
namespace perslay::io {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr std::size_t length_bytes = 8;
constexpr std::size_t largest_header = 100'000'000;  // as in the reference implementation
constexpr auto metadata_key = "__metadata__";
constexpr auto checksum_key = "checksum";
/// How a header with a checksum begins; the digits follow.
constexpr std::string_view checksum_mark = R"({"__metadata__":{"checksum":")";

// The bytes of numbers are taken as they are in memory.
static_assert(std::endian::native == std::endian::little);

/// The type of a tensor's elements; float32 for a tensor without elements.
bool is_double(const NamedArray& array) { return !array.doubles.empty(); }

std::size_t element_bytes(bool of_doubles) { return of_doubles ? sizeof(double) : sizeof(float); }

// ---- writing

std::string header_text(std::span<const NamedArray> arrays,
                        const std::map<std::string, std::string>& metadata) {
  if (metadata.contains(checksum_key))
    throw base::internal_error(fmt::format("The metadata '{}' are the file's own.", checksum_key));
  ordered_json header{{metadata_key, {{checksum_key, open_checksum}}}};
  header[metadata_key].update(metadata);
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

/// Checks that the first bytes of a file are those of a safetensors file; returns the length of its header.
std::uint64_t header_length(const std::string& file, const std::string& bytes) {
  if (bytes.size() < length_bytes)
    refuse("{}: This is not a safetensors file: it has {} bytes.", file, bytes.size());
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), length_bytes);
  if (length > largest_header || bytes.size() < length_bytes + 1 || bytes[length_bytes] != '{')
    refuse("{}: This is not a safetensors file.", file);
  return length;
}

std::string header_of(const std::string& file, const std::string& bytes) {
  const auto length = header_length(file, bytes);
  if (length > bytes.size() - length_bytes)
    refuse("{}: The file is cut off: its header has {} bytes, of which {} are there.", file, length,
           bytes.size() - length_bytes);
  return bytes.substr(length_bytes, length);
}

/// Refuses a header with repeated names: the parser would keep only the last.
ordered_json parse_header(const std::string& file, const std::string& text) {
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
    refuse("{}: The header of the safetensors file is no JSON object; the file is damaged.", file);
  if (!twice.empty()) refuse("{}: The header names {} twice.", file, io::quoted(twice));
  return header;
}

std::map<std::string, std::string> take_metadata(const std::string& file, ordered_json& header) {
  std::map<std::string, std::string> metadata;
  const auto found = header.find(metadata_key);
  if (found == header.end()) return metadata;
  if (!found->is_object()) refuse("{}: The header's __metadata__ is no JSON object.", file);
  for (const auto& [key, value] : found->items()) {
    if (key == checksum_key) continue;
    if (!value.is_string())
      refuse("{}: The header's __metadata__ has no text for {}.", file, io::quoted(key));
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
std::vector<std::int64_t> whole_numbers(const std::string& file, const std::string& tensor,
                                        const ordered_json& json, const char* key) {
  const auto found = json.find(key);
  const bool whole =
      found != json.end() && found->is_array() && std::ranges::all_of(*found, [](const auto& number) {
        return number.is_number_unsigned() &&
               number.template get<std::uint64_t>() <= std::numeric_limits<std::int64_t>::max();
      });
  if (!whole) refuse("{}: The tensor {} lacks a list of whole numbers '{}'.", file, io::quoted(tensor), key);
  return found->get<std::vector<std::int64_t>>();
}

Entry entry_of(const std::string& file, const std::string& name, const ordered_json& json) {
  if (!json.is_object()) refuse("{}: The header says nothing about the tensor {}.", file, io::quoted(name));
  const std::string type = json.contains("dtype") && json["dtype"].is_string() ? json["dtype"] : "nothing";
  if (type != "F32" && type != "F64")
    refuse("{}: The tensor {} is of type {}; only F32 and F64 are read.", file, io::quoted(name),
           io::quoted(type));
  Entry entry;
  entry.of_doubles = type == "F64";
  entry.array.name = name;
  entry.array.shape = whole_numbers(file, name, json, "shape");
  const auto offsets = whole_numbers(file, name, json, "data_offsets");
  if (offsets.size() != 2 || offsets[0] > offsets[1])
    refuse("{}: The tensor {} does not say where its bytes begin and end.", file, io::quoted(name));
  entry.begin = static_cast<std::size_t>(offsets[0]);
  entry.end = static_cast<std::size_t>(offsets[1]);
  const std::size_t bytes = entry.end - entry.begin;
  const std::size_t each = element_bytes(entry.of_doubles);
  if (bytes % each != 0 || bytes / each != element_count(entry.array.shape))
    refuse("{}: The tensor {} has the shape [{}] but {} bytes.", file, io::quoted(name),
           fmt::join(entry.array.shape, ", "), bytes);
  return entry;
}

/// Tensors lie one after the other and fill the file.
void check_places(const std::string& file, std::vector<Entry>& entries, std::size_t available) {
  std::ranges::stable_sort(entries, {}, [](const Entry& entry) { return std::pair(entry.begin, entry.end); });
  std::size_t end = 0;
  for (const auto& entry : entries) {
    if (entry.begin != end)
      refuse("{}: The bytes of the tensor {} begin at {} instead of {}.", file, io::quoted(entry.array.name),
             entry.begin, end);
    end = entry.end;
  }
  if (end > available)
    refuse("{}: The file is cut off: its tensors have {} bytes, of which {} are there.", file, end,
           available);
  if (end < available)
    refuse("{}: The tensors have {} bytes, but {} follow the header.", file, end, available);
}

template <class Element>
std::string_view bytes_of(const std::vector<Element>& elements) {
  return {reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(Element)};
}

template <class Element>
std::vector<Element> elements_of(std::string_view bytes) {
  std::vector<Element> elements(bytes.size() / sizeof(Element));
  std::ranges::copy(bytes, reinterpret_cast<char*>(elements.data()));
  return elements;
}

}  // namespace

void write_safetensors(const fs::path& path, std::span<const NamedArray> arrays,
                       const std::map<std::string, std::string>& metadata) {
  const std::string header = header_text(arrays, metadata);
  const std::uint64_t length = header.size();
  std::string bytes(reinterpret_cast<const char*>(&length), length_bytes);
  bytes += header;
  base::Hasher checksum;
  checksum.update(std::as_bytes(std::span(bytes)));
  for (const auto& array : arrays) {
    const std::size_t count = array.values.size() + array.doubles.size();
    if (element_count(array.shape) != count || (!array.values.empty() && is_double(array)))
      throw base::internal_error(fmt::format("The tensor '{}' has the shape [{}] but {} values.", array.name,
                                             fmt::join(array.shape, ", "), count));
    checksum.update(std::as_bytes(std::span(array.values))).update(std::as_bytes(std::span(array.doubles)));
  }
  bytes.replace(length_bytes + checksum_mark.size(), open_checksum.size(), checksum.hexadecimal());

  AtomicFile file(path);
  OutputFile partial(file);
  partial.write(bytes);
  for (const auto& array : arrays) {
    partial.write(bytes_of(array.values));
    partial.write(bytes_of(array.doubles));
  }
  partial.close();
  file.commit();
}

Safetensors read_safetensors(const fs::path& path) {
  const std::string file = path.string();
  // Any other file may be large or endless, and is not read to its end.
  const Text text = load_text(path, {}, [&](const std::string& begin) { header_length(file, begin); });
  const std::string header_bytes = header_of(file, text.content);
  Safetensors result;
  result.checked = has_checksum(path, text.content, length_bytes, checksum_mark);
  auto header = parse_header(file, header_bytes);
  result.metadata = take_metadata(file, header);
  std::vector<Entry> entries;
  for (const auto& [name, json] : header.items()) entries.push_back(entry_of(file, name, json));
  const auto data = std::string_view(text.content).substr(length_bytes + header_bytes.size());
  check_places(file, entries, data.size());
  for (auto& [array, of_doubles, begin, end] : entries) {
    const auto bytes = data.substr(begin, end - begin);
    if (of_doubles)
      array.doubles = elements_of<double>(bytes);
    else
      array.values = elements_of<float>(bytes);
    result.arrays.push_back(std::move(array));
  }
  return result;
}

}  // namespace perslay::io
