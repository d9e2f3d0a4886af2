#include "csv.h"
#include "diagram_formats.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <set>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <perslay/io/diagram_file.h>
#include <perslay/io/path_type.h>
#include <perslay/io/point_clouds.h>

namespace perslay::io {
namespace {

namespace fs = std::filesystem;
using data::PlanePoint;
using data::PointCloudDataset;

constexpr std::string_view labels_name = "labels.csv";

bool is_npy(const fs::path& path) { return lower_case(path.extension().string()) == ".npy"; }

bool is_cloud_name(const fs::path& path) {
  const std::string ending = lower_case(path.extension().string());
  return ending == ".csv" || ending == ".txt" || ending == ".npy";
}

void end_cloud(PointCloudDataset& clouds, const std::string& file) {
  const auto end = static_cast<std::int64_t>(clouds.points.size());
  if (end == clouds.offsets.back()) refuse("{} holds no points.", file);
  clouds.offsets.push_back(end);
}

// ---- text files

/// If the first line that holds something starts with a word, it becomes a comment.
void hide_header(Text& text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  std::size_t at = text.content.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  at = text.content.find_first_not_of(" \t\r\n", at);
  while (at != std::string::npos && (text.content[at] == '#' || text.content[at] == '%'))
    at = text.content.find_first_not_of(" \t\r\n", text.content.find('\n', at));
  if (at == std::string::npos) return;
  const auto end = std::min(text.content.find_first_of(" \t\r\n,", at), text.content.size());
  const std::string word = lower_case(text.content.substr(at, end - at));
  const bool letter = (word[0] >= 'a' && word[0] <= 'z') || word[0] == '"' || word[0] == '_';
  if (letter && !number_in<double>(word)) text.content[at] = '#';
}

PlanePoint read_row(NumberReader& reader, bool first) {
  PlanePoint point;
  std::size_t numbers = 0;
  do {
    const double value = reader.real();
    if (numbers == 0) point.x = value;
    if (numbers == 1) point.y = value;
    ++numbers;
  } while (reader.next_number());
  if (numbers != 2 && first)
    reader.fail("The row has {} number{}; only points in the plane, with two, are supported.", numbers,
                numbers == 1 ? "" : "s");
  if (numbers != 2)
    reader.fail("The row has {} number{}, but the first row has 2.", numbers, numbers == 1 ? "" : "s");
  reader.end_line();
  return point;
}

void refuse_other_formats(const Text& text) {
  const std::size_t zero = text.content.find('\0');
  if (zero != std::string::npos)
    refuse("{} is not text: byte {} of {} is zero.", text.name, zero, text.content.size());
  if (text.content.starts_with("item,filtration,"))
    refuse("{} is a diagram file; points are expected.", text.name);
}

void add_text(PointCloudDataset& clouds, Text text, const base::Context& context) {
  refuse_other_formats(text);
  hide_header(text);
  const std::size_t begin = clouds.points.size();
  NumberReader reader(text, context, NumberReader::Between::comments);
  while (reader.next_line()) clouds.points.push_back(read_row(reader, clouds.points.size() == begin));
  end_cloud(clouds, text.name);
}

// ---- .npy files

constexpr std::string_view magic = "\x93NUMPY";

/// The header: a Python dictionary with the keys descr, fortran_order and shape.
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
    if (type.is_string() && !type.get_ref<const std::string&>().empty() && order.is_boolean() &&
        shape.is_array() && std::ranges::all_of(shape, is_extent))
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

/// Converts the stored number at `from`.
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
  double (*convert)(const char* from);
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

/// The shape as Python writes it: "(3, 2)".
std::string shape_text(const std::vector<std::size_t>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

/// Reads format versions 1 to 3 with numbers of either byte order: floating point numbers of 4 or 8 bytes and
/// integers of 1 to 8 bytes.
void add_npy(PointCloudDataset& clouds, const Text& file) {
  const Header header = parse_header(file);
  const auto& shape = header.shape;
  const Element element = element_of(file, header.type);
  const std::uint64_t elements = element_count(shape);
  const std::size_t available = file.content.size() - header.data_begin;
  if (elements * element.bytes != available)
    refuse("{}: An array of shape {} and type '{}' needs {} bytes, but the file has {}.", file.name,
           shape_text(shape), header.type,
           elements < std::uint64_t{1} << 60 ? std::to_string(elements * element.bytes) : "too many",
           available);
  if (shape.size() != 2 && shape.size() != 3)
    refuse("{}: The array has the shape {}; (points, 2) or (clouds, points, 2) is expected.", file.name,
           shape_text(shape));
  if (shape.back() != 2)
    refuse(
        "{}: The rows of the array have {} number{}, its shape is {}; only points in the plane, with two, "
        "are "
        "supported.",
        file.name, shape.back(), shape.back() == 1 ? "" : "s", shape_text(shape));
  const std::size_t count = shape.size() == 3 ? shape[0] : 1;
  const std::size_t points = shape[shape.size() - 2];
  if (count == 0) refuse("{} holds no points.", file.name);
  const auto number = [&](std::size_t cloud, std::size_t row, std::size_t column) {
    // In Fortran order the first index runs fastest.
    const std::size_t place =
        header.fortran_order ? cloud + count * (row + points * column) : 2 * (cloud * points + row) + column;
    return element.convert(file.content.data() + header.data_begin + place * element.bytes);
  };
  for (std::size_t cloud = 0; cloud < count; ++cloud) {
    for (std::size_t row = 0; row < points; ++row) {
      const PlanePoint point{number(cloud, row, 0), number(cloud, row, 1)};
      if (!std::isfinite(point.x) || !std::isfinite(point.y))
        refuse("{}: Row {}{} is ({}, {}), counted from 0; coordinates must be finite.", file.name, row,
               shape.size() == 3 ? fmt::format(" of cloud {}", cloud) : "", point.x, point.y);
      clouds.points.push_back(point);
    }
    end_cloud(clouds, file.name);
  }
}

void add_file(PointCloudDataset& clouds, const fs::path& path, const base::Context& context) {
  Text text = load_text(path, context);
  if (is_npy(path))
    add_npy(clouds, text);
  else
    add_text(clouds, std::move(text), context);
}

// ---- folders

/// Whether a comes before b if runs of digits are compared as numbers.
bool natural_less(const std::string& a, const std::string& b) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto number_at = [&](const std::string& text, std::size_t begin) {
    std::size_t end = begin;
    while (end < text.size() && digit(text[end])) ++end;
    while (begin + 1 < end && text[begin] == '0') ++begin;
    return std::pair(std::string_view(text).substr(begin, end - begin), end);
  };
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (digit(a[i]) && digit(b[j])) {
      const auto [x, x_end] = number_at(a, i);
      const auto [y, y_end] = number_at(b, j);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
      i = x_end;
      j = y_end;
    } else {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i;
      ++j;
    }
  }
  if (i < a.size() || j < b.size()) return j < b.size();
  return a < b;  // they differ in leading zeros at most
}

/// The names of a folder's cloud files.
std::vector<std::string> cloud_names(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (!is_cloud_name(name) || name == labels_name || name.starts_with('.')) continue;
    const auto type = path_type(at->path());  // a link that leads nowhere is an error later
    if (type == PathType::file || type == PathType::nothing) names.push_back(name);
  }
  if (error) refuse("{} cannot be read: {}.", folder.string(), error.message());
  std::ranges::sort(names, natural_less);
  return names;
}

struct LabelledFile {
  std::string file;
  std::string label;
};

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::vector<LabelledFile> read_labels(const fs::path& folder, const base::Context& context) {
  const Text text = load_found_text(folder / labels_name, context);
  std::vector<LabelledFile> files;
  std::set<std::string> seen;
  CsvReader csv(text);
  for (bool first = true; csv.next(); first = false) {
    std::vector<std::string> fields = csv.fields();
    if (first && fields[0].starts_with("\xef\xbb\xbf")) fields[0].erase(0, 3);  // a byte order mark
    for (std::string& field : fields) field = trimmed(field);
    if (fields.size() == 1 && fields[0].empty()) continue;
    if (fields.size() != 2)
      csv.fail("The line has {} field{}; 'file,label' is expected.", fields.size(),
               fields.size() == 1 ? "" : "s");
    if (first && fields[0] == "file" && fields[1] == "label") continue;
    fields[0] = fs::path(fields[0]).lexically_normal().string();
    if (path_type(folder / fields[0]) != PathType::file)
      csv.fail("There is no file {} in the folder.", io::quoted(fields[0]));
    if (fields[1].empty()) csv.fail("The label of {} is missing.", io::quoted(fields[0]));
    if (!seen.insert(fields[0]).second) csv.fail("The file {} is named twice.", io::quoted(fields[0]));
    files.push_back({fields[0], fields[1]});
  }
  if (files.empty()) refuse("{} names no files.", text.name);
  return files;
}

/// As numbers if all are integers, otherwise in natural order.
std::vector<std::string> sorted_classes(const std::vector<LabelledFile>& files) {
  std::set<std::string> distinct;
  for (const auto& [file, label] : files) distinct.insert(label);
  std::vector<std::string> classes(distinct.begin(), distinct.end());
  const auto integer = [](const std::string& name) {
    return number_in<std::int64_t>(std::string_view(name).substr(name.starts_with('+') ? 1 : 0));
  };
  if (std::ranges::all_of(classes, [&](const auto& name) { return integer(name).has_value(); }))
    std::ranges::stable_sort(classes, {}, integer);
  else
    std::ranges::sort(classes, natural_less);
  return classes;
}

PointCloudDataset read_labelled_folder(const fs::path& folder, const base::Context& context) {
  const auto files = read_labels(folder, context);
  PointCloudDataset clouds;
  clouds.classes = sorted_classes(files);
  for (const auto& [file, label] : files) {
    add_file(clouds, folder / file, context);
    const auto place = std::ranges::find(clouds.classes, label) - clouds.classes.begin();
    clouds.labels.resize(clouds.size(), static_cast<int>(place));
  }
  std::set<std::string> named;
  for (const auto& [file, label] : files) named.insert(file);
  const auto unnamed =
      std::ranges::count_if(cloud_names(folder), [&](const auto& name) { return !named.contains(name); });
  if (unnamed > 0)
    clouds.notes.push_back(fmt::format("{} file{} of the folder {} not named in {} and left out.", unnamed,
                                       unnamed == 1 ? "" : "s", unnamed == 1 ? "is" : "are",
                                       (folder / labels_name).string()));
  return clouds;
}

PointCloudDataset read_folder(const fs::path& folder, const base::Context& context) {
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(folder / labels_name, ignored)))
    return read_labelled_folder(folder, context);
  const auto names = cloud_names(folder);
  if (names.empty()) refuse("{} has no point clouds, which end in .csv, .txt or .npy.", folder.string());
  PointCloudDataset clouds;
  for (const auto& name : names) add_file(clouds, folder / name, context);
  return clouds;
}

}  // namespace

bool is_cloud_source(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return is_npy(path);
  for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
    const fs::path name = at->path().filename();
    if (is_cloud_name(name) && lower_case(name.extension().string()) != ".txt") return true;
  }
  return false;
}

std::vector<fs::path> labelled_files(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code ignored;
  if (!fs::is_regular_file(folder / labels_name, ignored)) return paths;
  try {
    for (const auto& [file, label] : read_labels(folder, {})) paths.push_back(folder / file);
  } catch (const base::Error&) {  // said when the folder is read
    paths.clear();
  }
  return paths;
}

PointCloudDataset read_point_clouds(const fs::path& path, const base::Context& context) {
  require_path(path);
  const bool is_folder = path_type(path) == PathType::folder;
  if (is_hdf5_name(path)) return read_clouds(path);
  PointCloudDataset clouds;
  if (is_folder)
    clouds = read_folder(path, context);
  else
    add_file(clouds, path, context);
  const fs::path plain = path.has_filename() ? path : path.parent_path();
  clouds.name = is_folder ? plain.filename().string() : plain.stem().string();
  return clouds;
}

}  // namespace perslay::io
