#include <algorithm>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/diagram/kind.h>

namespace perslay::diagram {
namespace {

using enum Kind;

constexpr std::array table{
    KindName{ord0, "ord0", "Downward branches of a graph (minimum, merge)."},
    KindName{rel1, "rel1", "Upward branches of a graph (maximum, merge)."},
    KindName{ext0, "ext0", "Components of a graph (minimum, maximum)."},
    KindName{ext1, "ext1", "Loops of a graph (maximum, minimum)."},
    KindName{sub0, "sub0", "Components of the sublevel graphs: ordinary persistence."},
    KindName{sup0, "sup0", "Components of the superlevel graphs: ordinary persistence."},
    KindName{sub1, "sub1", "Loops of the sublevel graphs: ordinary persistence."},
    KindName{h0, "h0", "Components of the alpha complex of a point cloud."},
    KindName{h1, "h1", "Loops of the alpha complex of a point cloud."}};

static_assert(std::ranges::is_sorted(table, {}, &KindName::kind) && table.back().kind == h1);

}  // namespace

std::span<const KindName> kind_names() { return table; }

std::string_view kind_name(Kind kind) { return table[static_cast<std::size_t>(kind)].name; }

Kind parse_kind(std::string_view name) {
  const auto* const found = std::ranges::find(table, name, &KindName::name);
  if (found == table.end())
    throw base::user_error(
        fmt::format("There is no kind of diagram called '{}'; the known ones are ord0, rel1, ext0, ext1 "
                    "(extended), sub0, sup0, "
                    "sub1 (ordinary), h0, h1 (point clouds).",
                    name));
  return found->kind;
}

}  // namespace perslay::diagram
