#include "diagram_formats.h"
#include "hdf5_format.h"
#include "hdf5_writer.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace perslay::io {
namespace {

using diagram::DiagramGroup;
using diagram::DiagramSet;

std::vector<std::string> filtrations_in_order(const DiagramSet& set) {
  std::vector<std::string> names;
  for (const auto& group : set.groups)
    if (std::ranges::find(names, group.filtration) == names.end()) names.push_back(group.filtration);
  return names;
}

void write_group(const Hdf5Writer& writer, const hdf5::Group& target, const DiagramGroup& group) {
  const auto points = group.diagrams.points();
  const auto offsets = group.diagrams.offsets();
  writer.write_rows(target.get(), "points", float64(), points.data(), {points.size(), 2});
  writer.write_rows(target.get(), "offsets", int64(), offsets.data(), {offsets.size()});
  if (group.diagrams.has_vertices()) {
    const auto vertices = group.diagrams.vertices();
    writer.write_rows(target.get(), "vertices", int32(), vertices.data(), {vertices.size(), 2});
  }
  if (group.cycles.size() > 0) {
    const auto& [vertices, ends] = group.cycles;
    writer.write_rows(target.get(), "cycles", int32(), vertices.data(), {vertices.size()});
    writer.write_rows(target.get(), "cycle_offsets", int64(), ends.data(), {ends.size()});
  }
}

}  // namespace

void write_hdf5(const AtomicFile& target, const DiagramSet& set) {
  const hdf5::QuietErrors quiet;
  Hdf5Writer writer(target);
  if (!set.labels.empty()) {
    const std::vector<std::int32_t> labels(set.labels.begin(), set.labels.end());
    writer.write_rows(writer.root(), "labels", int32(), labels.data(), {labels.size()});
  }
  if (!set.classes.empty()) writer.write_strings(writer.root(), "classes", set.classes);
  for (const auto& filtration : filtrations_in_order(set)) {
    const auto parent = writer.create_filtration(filtration);
    for (const auto& group : set.groups)
      if (group.filtration == filtration)
        write_group(writer, writer.create_group(parent.get(), std::string(diagram::kind_name(group.kind))),
                    group);
  }
  writer.flush();
}

}  // namespace perslay::io
