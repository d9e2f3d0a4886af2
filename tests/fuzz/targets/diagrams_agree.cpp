#include "fuzz/fuzz.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include <perslay/diagram/part_of.h>
#include <perslay/io/diagram_file.h>
#include <perslay/io/diagram_writer.h>

namespace {

using namespace perslay;

/// Two groups with the same diagrams, up to 255 of them. The input gives for each point a byte, by how many items it is
/// after the one before, and its coordinates; the last item has a point in any case, as text cannot tell otherwise.
diagram::DiagramSet set_of(std::string_view bytes) {
  std::vector<diagram::Diagram> items(1);
  for (diagram::Point point{}; bytes.size() > sizeof point; bytes.remove_prefix(1 + sizeof point)) {
    std::memcpy(&point, bytes.data() + 1, sizeof point);
    if (std::isnan(point.birth) || std::isnan(point.death)) continue;
    items.resize(std::min<std::size_t>(items.size() + static_cast<unsigned char>(bytes.front()) % 4U, 255));
    items.back().points.push_back(point);
  }
  if (items.back().points.empty()) items.back().points.push_back({0, 1});
  diagram::DiagramSet set;
  for (const auto kind : {diagram::Kind::h0, diagram::Kind::h1})
    set.groups.push_back({"alpha", kind, diagram::DiagramBatch(items), {}});
  return set;
}

bool equal(const diagram::DiagramSet& a, const diagram::DiagramSet& b) {
  return std::ranges::equal(a.groups, b.groups, [](const auto& x, const auto& y) {
    return x.filtration == y.filtration && x.kind == y.kind &&
           std::ranges::equal(x.diagrams.points(), y.diagrams.points()) &&
           std::ranges::equal(x.diagrams.offsets(), y.diagrams.offsets());
  });
}

void write_in_pieces(const std::filesystem::path& path, const diagram::DiagramSet& set, std::size_t size) {
  io::DiagramFileLayout layout;
  for (const auto& group : set.groups) layout.groups.push_back({group.filtration, group.kind});
  io::DiagramWriter writer(path, layout);
  for (std::size_t begin = 0; begin < set.item_count(); begin += size) {
    std::vector<std::size_t> rows;
    for (std::size_t row = begin; row < std::min(begin + size, set.item_count()); ++row) rows.push_back(row);
    writer.append(diagram::part_of(set, rows));
  }
  writer.finish();
}

}  // namespace

/// Diagrams as text, as HDF5 written whole and as HDF5 written in pieces: all read back as they were.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto set = set_of(test::text_of(data, size).substr(1));
  const auto text = test::input_folder() / "whole.csv", whole = test::input_folder() / "whole.h5",
             pieces = test::input_folder() / "pieces.h5";
  test::reads([&] {
    io::write_diagrams(text, set);
    io::write_diagrams(whole, set);
    write_in_pieces(pieces, set, 1 + data[0] % 8U);
    for (const auto& path : {text, whole, pieces})
      test::require(equal(io::read_diagrams(path), set), "Diagrams read back as they were.");
  });
  return 0;
}
