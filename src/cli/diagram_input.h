#pragma once

#include <string>
#include <vector>

#include <perslay/diagram/diagram_set.h>

namespace perslay::cli {

/// The diagrams of a file. Something else than a diagram file and a file without diagrams are the user's
/// errors.
[[nodiscard]] diagram::DiagramSet read_diagram_file(const std::string& path);

/// Keeps the groups of the filtrations and kinds in these comma-separated lists, or of all if a list is
/// empty. Each name must be there; `where` is the file or files, for the error.
void choose_groups(diagram::DiagramSet& set, const std::string& where,
                   const std::vector<std::string>& filtrations, const std::vector<std::string>& kinds);

}  // namespace perslay::cli
