#include "diagram_formats.h"
#include "text.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <set>
#include <utility>

#include <perslay/base/repeated.h>
#include <perslay/io/atomic_file.h>
#include <perslay/io/diagram_file.h>
#include <perslay/io/path_type.h>

namespace perslay::io {
namespace {

namespace fs = std::filesystem;

enum class Format { hdf5, csv };

std::optional<Format> format_of(const fs::path& path) {
  const std::string ending = lower_case(path.extension().string());
  if (ending == ".h5" || ending == ".hdf5") return Format::hdf5;
  if (ending == ".csv") return Format::csv;
  return std::nullopt;
}

Format require_format(const fs::path& path) {
  const auto format = format_of(path);
  if (!format) refuse("{}: The name of a diagram file ends in .h5, .hdf5 or .csv.", path.string());
  return *format;
}

/// Tells diagrams from an edge list in a .csv file, by the first line.
bool starts_like_diagrams(const fs::path& path) {
  constexpr std::string_view header = "item,";
  std::string start(header.size(), '\0');
  std::ifstream(path, std::ios::binary).read(start.data(), static_cast<std::streamsize>(start.size()));
  return start == header;
}

void check_labels(const diagram::DiagramSet& set) {
  if (const auto* const name = base::repeated(set.classes))
    refuse("A set of diagrams has two classes {}.", io::quoted(*name));
  if (set.labels.empty()) return;
  if (set.labels.size() != set.item_count())
    refuse("A set of diagrams has {} items but {} labels.", set.item_count(), set.labels.size());
  for (const int label : set.labels)
    if (label < 0 || static_cast<std::size_t>(label) >= set.classes.size())
      refuse("A set of diagrams has a label {} but {} classes.", label, set.classes.size());
}

void check_groups(const diagram::DiagramSet& set) {
  std::set<std::pair<std::string, diagram::Kind>> seen;
  for (const auto& group : set.groups) {
    const auto kind = diagram::kind_name(group.kind);
    if (!seen.emplace(group.filtration, group.kind).second)
      refuse("A set of diagrams has two groups {} {}.", group.filtration, kind);
    if (group.diagrams.size() != set.item_count())
      refuse("The group {} {} has {} diagrams but the set has {} items.", group.filtration, kind,
             group.diagrams.size(), set.item_count());
    if (group.cycles.size() != 0 && group.cycles.size() != group.diagrams.points().size())
      refuse("The group {} {} has {} points but {} cycles.", group.filtration, kind,
             group.diagrams.points().size(), group.cycles.size());
  }
}

}  // namespace

void write_diagrams(const fs::path& path, const diagram::DiagramSet& diagrams, const VertexNames& names) {
  const Format format = require_format(path);
  check_groups(diagrams);
  check_labels(diagrams);
  AtomicFile file(path);
  format == Format::hdf5 ? write_hdf5(file, diagrams) : write_csv(file, diagrams, names);
  file.commit();
}

void check_diagram_target(const fs::path& path) {
  (void)require_format(path);
  const AtomicFile would_be_written(path);
}

diagram::DiagramSet read_diagrams(const fs::path& path) {
  const Format format = require_format(path);
  require_file(path);
  return format == Format::hdf5 ? read_hdf5(path) : read_csv(path);
}

std::vector<std::string> filtrations_in(const fs::path& path) {
  if (require_format(path) == Format::hdf5) {
    require_file(path);
    return hdf5_filtrations(path);
  }
  return filtrations_of(read_diagrams(path));
}

bool is_diagram_file(const fs::path& path) {
  const auto format = format_of(path);
  return format == Format::hdf5 || (format == Format::csv && starts_like_diagrams(path));
}

bool is_hdf5_name(const fs::path& path) { return format_of(path) == Format::hdf5; }

void require_file(const fs::path& path) {
  const auto type = path_type(path);
  if (type == PathType::nothing) refuse("{}: There is no such file.", path.string());
  if (type == PathType::folder) refuse("{}: This is a folder, not a diagram file.", path.string());
}

std::vector<std::string> filtrations_of(const diagram::DiagramSet& set) {
  std::vector<std::string> names;
  for (const auto& group : set.groups)
    if (std::ranges::find(names, group.filtration) == names.end()) names.push_back(group.filtration);
  return names;
}

}  // namespace perslay::io
