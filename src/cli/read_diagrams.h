#pragma once

#include "options.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <perslay/diagram/diagram_set.h>

namespace perslay::cli {

/// The wanted diagrams of a file: comma-separated lists; an empty list stands for all. The file must have each
/// name.
struct GroupChoice {
  std::vector<std::string> filtrations;
  std::vector<std::string> kinds;
};

/// Adds --filtration and --kinds.
void add_group_options(CLI::App& command, GroupChoice& choice);

/// Reads the chosen diagrams of a file, at least one group. Any other file, or a file without diagrams, is the
/// user's error. The session notes what a person should know about the file.
[[nodiscard]] diagram::DiagramSet read_diagrams(const std::string& path, const GroupChoice& choice,
                                                const Session& session);

/// The diagrams of a file A and perhaps of a file B.
struct TwoSets {
  diagram::DiagramSet a;
  std::optional<diagram::DiagramSet> other;  ///< Those of B, if they are not A's.

  [[nodiscard]] const diagram::DiagramSet& b() const { return other ? *other : a; }
};

/// The chosen diagrams of two files, with the same groups in the same order; an empty `path_b` stands for A
/// itself. What is missing in a .csv file, where empty diagrams leave no trace, is empty; in other files it is
/// the user's error.
[[nodiscard]] TwoSets read_diagrams(const std::string& path_a, const std::string& path_b,
                                    const GroupChoice& choice, const Session& session);

/// Writes a matrix with a row for each item of a set, and the items' labels.
void write_rows(const std::string& path, const diagram::DiagramSet& set, std::span<const std::string> columns,
                std::span<const double> values);

/// The same where columns are items too: "0", "1", ...
void write_pairs(const std::string& path, const diagram::DiagramSet& set, std::size_t columns,
                 std::span<const double> values);

}  // namespace perslay::cli
