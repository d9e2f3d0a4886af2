#include "class_labels.h"
#include "columns.h"
#include "compressed.h"
#include "diagram_formats.h"
#include "file_collection.h"
#include "npy.h"
#include "unsupported.h"

#include <algorithm>
#include <cmath>

#include <fmt/ranges.h>

#include <perslay/io/diagram_file.h>
#include <perslay/io/path_type.h>
#include <perslay/io/point_clouds.h>

namespace perslay::io {
namespace {

namespace fs = std::filesystem;
using data::PlanePoint;
using data::PointCloudDataset;

bool is_npy(const fs::path& path) { return lower_case(path.extension().string()) == ".npy"; }

bool is_cloud_name(const std::string& name) {
  const std::string ending = lower_case(fs::path(without_compression(name)).extension().string());
  return ending == ".csv" || ending == ".tsv" || ending == ".txt" || ending == ".npy";
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
    reader.fail("The row has {} number{}; only points in the plane, with two, are supported{}.", numbers,
                numbers == 1 ? "" : "s",
                numbers == 3 ? "; if the first one counts the points, a header such as id,x,y says so" : "");
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

/// Which columns hold the points.
PointColumns columns_of(const Text& text, const ColumnSample& sample) {
  const auto& names = sample.names;
  if (names.size() == 2) return {0, 1};
  const auto named = named_coordinates(names);
  const PointColumns columns = named.value_or(PointColumns{1, 2});
  const std::size_t other = 3 - columns.x - columns.y;
  if (names.size() != 3 || !names_index(names[other]))
    refuse(
        "{}: The columns are {}; points in the plane have two, x and y, and perhaps an index, as in id,x,y.",
        text.name, fmt::join(names, ", "));
  return columns;
}

double coordinate(const ColumnReader& reader, std::size_t column) {
  const auto field = reader.fields()[column];
  const auto number = number_of(field);
  if (!number) reader.fail("{} is not a number.", io::quoted(field));
  if (!std::isfinite(*number)) reader.fail("{} is not a finite number.", io::quoted(field));
  return *number;
}

/// Points below a header with an index, or between semicolons.
void add_columns(PointCloudDataset& clouds, const Text& text, const ColumnSample& sample,
                 const base::Context& context) {
  const auto [x, y] = columns_of(text, sample);
  ColumnReader reader(text, context);
  if (sample.header == ColumnSample::Header::yes) (void)reader.next();
  while (reader.next()) {
    if (reader.fields().size() != sample.names.size())
      reader.fail("The row has {} fields, but the first row has {}.", reader.fields().size(),
                  sample.names.size());
    clouds.points.push_back({coordinate(reader, x), coordinate(reader, y)});
  }
}

void add_text(PointCloudDataset& clouds, Text text, const base::Context& context) {
  refuse_other_formats(text);
  const auto sample = sample_columns(text);
  const bool wide_header = sample.header == ColumnSample::Header::yes && sample.names.size() > 2;
  if (wide_header || sample.separator == ';') {
    add_columns(clouds, text, sample, context);
    return end_cloud(clouds, text.name);
  }
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

void add_file(PointCloudDataset& clouds, Text text, const base::Context& context) {
  text = unpacked(std::move(text), {}, context);
  const std::string name = without_compression(text.name);
  refuse_unsupported(name, std::string_view(text.content).substr(0, 4096));
  if (is_npy(name))
    add_npy(clouds, text);
  else
    add_text(clouds, std::move(text), context);
}

// ---- folders

FileCollection cloud_files(const fs::path& folder, const base::Context& context) {
  return folder_files(folder, is_cloud_name, context);
}

PointCloudDataset read_labelled_folder(const FileCollection& files, const base::Context& context) {
  const auto named = read_labels(files);
  PointCloudDataset clouds;
  std::vector<std::string> labels;
  for (const auto& [file, label] : named) {
    add_file(clouds, files.load(file), context);
    labels.resize(clouds.size(), label);
  }
  set_classes(clouds, std::move(labels), labels_file, fmt::format("{}/{}", files.where, labels_file),
              "clouds");
  if (auto note = unnamed_note(files, named)) clouds.notes.push_back(*std::move(note));
  return clouds;
}

PointCloudDataset read_folder(const fs::path& folder, const base::Context& context) {
  const auto files = cloud_files(folder, context);
  if (files.labelled) return read_labelled_folder(files, context);
  if (files.names.empty())
    refuse("{} has no point clouds, which end in .csv, .tsv, .txt or .npy.", folder.string());
  PointCloudDataset clouds;
  for (const auto& name : files.names) add_file(clouds, files.load(name), context);
  return clouds;
}

}  // namespace

std::vector<fs::path> labelled_files(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code ignored;
  if (!fs::is_regular_file(folder / labels_file, ignored)) return paths;
  try {
    for (const auto& file : item_files(cloud_files(folder, {}))) paths.push_back(folder / file);
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
    add_file(clouds, load_text(path, context), context);
  const fs::path plain = path.has_filename() ? path : path.parent_path();
  clouds.name = is_folder ? plain.filename().string() : plain.stem().string();
  return clouds;
}

}  // namespace perslay::io
