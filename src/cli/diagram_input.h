#pragma once

#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include <perslay/diagram/diagram_set.h>

namespace perslay::cli {

/// Which diagrams of a file are wanted: comma-separated lists, of which an empty one stands for all. Each
/// name must be there.
struct GroupChoice {
  std::vector<std::string> filtrations;
  std::vector<std::string> kinds;
};

/// --filtration and --kinds.
void add_group_options(CLI::App& command, GroupChoice& choice);

/// The chosen diagrams of a file, at least one group of them. Something else than a diagram file and a file
/// without diagrams are the user's errors.
[[nodiscard]] diagram::DiagramSet read_diagrams(const std::string& path, const GroupChoice& choice);

/// Those of two files, with the same groups in the same order. What is missing in a .csv file, where empty
/// diagrams leave no trace, is empty; in other files it is the user's error.
[[nodiscard]] std::pair<diagram::DiagramSet, diagram::DiagramSet> read_diagrams(const std::string& path_a,
                                                                                const std::string& path_b,
                                                                                const GroupChoice& choice);

/// "0", "1", ...: how the columns of matrices between items are called.
[[nodiscard]] std::vector<std::string> numbers_of_items(std::size_t count);

}  // namespace perslay::cli
