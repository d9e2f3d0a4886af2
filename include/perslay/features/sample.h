#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include <perslay/base/context.h>
#include <perslay/data/orbits.h>
#include <perslay/diagram/diagram_set.h>
#include <perslay/features/load_items.h>

/// Diagrams of some items of a source, for people to look at: as they are computed (points of `rel1` and
/// `ext1` below the diagonal), with vertices where they are known, after the request's transforms. Infinite
/// points stay.
namespace perslay::features {

/// At most `most` of `items` items, evenly spaced: floor(i items / most).
[[nodiscard]] std::vector<std::size_t> sample_rows(std::size_t items, std::size_t most);

[[nodiscard]] diagram::DiagramSet sample_diagrams(const Dataset& input, const LoadRequest& request,
                                                  std::size_t most, const base::Context& context = {});
[[nodiscard]] diagram::DiagramSet sample_diagrams(const data::OrbitSet& orbits, const LoadRequest& request,
                                                  std::size_t most, const base::Context& context = {});
/// A sample of the groups of a set that the request names, or of all if it names none.
[[nodiscard]] diagram::DiagramSet sample_diagrams(const diagram::DiagramSet& set, const LoadRequest& request,
                                                  std::size_t most);

/// A sample of whatever a path holds; see load_items.
[[nodiscard]] diagram::DiagramSet sample_diagrams(const std::filesystem::path& data,
                                                  const LoadRequest& request, std::size_t most,
                                                  const base::Context& context = {},
                                                  const LoadOptions& options = {});

}  // namespace perslay::features
