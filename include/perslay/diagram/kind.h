#pragma once

#include <array>
#include <span>
#include <string_view>

namespace perslay::diagram {

/// What a diagram's points stand for.
///
/// Extended persistence of a graph (the paper, section 2.1):
///  - ord0: downward branches, (minimum, merge), birth <= death;
///  - rel1: upward branches, (maximum, merge), birth >= death;
///  - ext0: connected components, (minimum, maximum), birth <= death;
///  - ext1: loops, (maximum, minimum), birth >= death.
/// Ordinary persistence: sub0 and sub1 are components and loops of the sublevel graphs, sup0 components of
/// the superlevel graphs (birth >= death). Alpha complex of points: h0 and h1.
enum class Kind { ord0, rel1, ext0, ext1, sub0, sup0, sub1, h0, h1 };

inline constexpr std::array extended_kinds{Kind::ord0, Kind::rel1, Kind::ext0, Kind::ext1};
inline constexpr std::array ordinary_kinds{Kind::sub0, Kind::sup0, Kind::sub1};

/// A kind, its name and what its points are.
struct KindName {
  Kind kind;
  std::string_view name;
  std::string_view help;
};

/// All kinds, in their order.
[[nodiscard]] std::span<const KindName> kind_names();

/// The kind's name in files and on the command line, e.g. "ext1".
[[nodiscard]] std::string_view kind_name(Kind kind);

/// The inverse of kind_name; an unknown name is an error that lists the known ones.
[[nodiscard]] Kind parse_kind(std::string_view name);

}  // namespace perslay::diagram
