#include "csv.h"
#include "diagram_formats.h"
#include "npy.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

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

/// Reads format versions 1 to 3 with numbers of either byte order: floating point numbers of 4 or 8 bytes and
/// integers of 1 to 8 bytes.
void add_npy(PointCloudDataset& clouds, const Text& file) {
  const NpyHeader header = parse_npy_header(file);
  const auto& shape = header.shape;
  const NpyElement element = npy_element(file.name, header.type);
  require_npy_size(file, header, element);
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
    return element.real(file.content.data() + header.data_begin + place * element.bytes);
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
  const Text text = load_text(folder / labels_name, context);
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
