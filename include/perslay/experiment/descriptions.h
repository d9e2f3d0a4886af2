#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <perslay/base/context.h>

namespace perslay::experiment {

/// A table of the paper that describes instead of evaluating; what we find stands beside what the paper says.
struct Description {
  struct Cell {
    std::string ours;
    std::string paper;
  };
  struct Row {
    std::string dataset;
    std::vector<Cell> cells;
    std::string remark{};  ///< Why the two differ; empty if they do not.
  };

  std::string name;
  std::string title;
  std::vector<std::string> columns;
  std::vector<Row> rows;
  std::string note{};  ///< About the whole table.
};

/// The names of all descriptions.
[[nodiscard]] std::vector<std::string> description_names();

/// "table-orbits-description" (table 3 of the paper), "table-datasets" (table 4), which reads the archives in the
/// folder `data`, or "table-settings" (table 5), from the settings that are built in. `only`: the rows to make; all if
/// it is empty. A name of a row that is not there is the user's error, and so is an archive that is not.
[[nodiscard]] Description describe(const std::string& name, const std::filesystem::path& data,
                                   const std::vector<std::string>& only, const base::Context& context = {});

/// Header and rows; a cell that differs from the paper's shows both.
[[nodiscard]] std::vector<std::vector<std::string>> cells(const Description& description);
[[nodiscard]] std::string to_markdown(const Description& description);
[[nodiscard]] std::string to_json(const Description& description);

/// Writes folder/NAME.json and .md.
void write(const Description& description, const std::filesystem::path& folder);

}  // namespace perslay::experiment
