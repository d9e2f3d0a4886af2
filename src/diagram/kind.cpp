#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/diagram/kind.h>

namespace perslay::diagram {
namespace {

constexpr std::array<std::string_view, 9> names{"ord0", "rel1", "ext0", "ext1", "sub0",
                                                "sup0", "sub1", "h0",   "h1"};

}  // namespace

std::string_view kind_name(Kind kind) { return names[static_cast<std::size_t>(kind)]; }

Kind parse_kind(std::string_view name) {
  const auto* const found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw base::user_error(
        fmt::format("There is no kind of diagram called '{}'; the known ones are ord0, rel1, ext0, ext1 "
                    "(extended), sub0, sup0, "
                    "sub1 (ordinary), h0, h1 (point clouds).",
                    name));
  return static_cast<Kind>(found - names.begin());
}

}  // namespace perslay::diagram
