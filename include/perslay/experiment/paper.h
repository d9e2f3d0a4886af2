#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace perslay::experiment {

/// A mean with its standard deviation over repeats, in percent, as the paper prints it.
struct Reported {
  double mean = 0;
  std::optional<double> deviation = {};
};

/// One of the paper's eleven graph datasets: its names, and the numbers of the paper's tables 2 and 7.
struct GraphRow {
  std::string_view name;     ///< "IMDB-B"; in lower case the name of its settings.
  std::string_view archive;  ///< "IMDB-BINARY": the name of its files.
  Reported perslay;
  double perslay_max = 0;
  Reported spectral;    ///< Without diagrams.
  double extended = 0;  ///< Extended diagrams alone.
  double ordinary = 0;  ///< Ordinary diagrams alone.
  /// Competitors, as the paper reports them.
  std::optional<double> sv, retgk, fgsd, gcnn, gin;
};
[[nodiscard]] std::span<const GraphRow> graph_rows();

/// A set of orbits (table 1 of the paper).
struct OrbitRow {
  std::string_view name;
  std::size_t per_class = 0;
  Reported perslay;
  std::optional<Reported> pss, pwg, sw, pf;
};
[[nodiscard]] std::span<const OrbitRow> orbit_rows();

/// A choice of hyper-parameters (table 6 of the paper): train and test accuracy and seconds per run, for
/// MUTAG and for COLLAB.
struct HyperparameterColumn {
  enum class Group { grid, phi, op };

  Group group = Group::grid;
  std::string_view name;  ///< "none", "2x2", ..., "gaussian", "line", "triangle", "sum", "max".
  struct Run {
    double train = 0, test = 0, seconds = 0;
  };
  Run mutag, collab;
};
[[nodiscard]] std::span<const HyperparameterColumn> hyperparameter_columns();

/// Names of datasets and columns are the same in any case of letters.
[[nodiscard]] std::string lower(std::string_view text);

}  // namespace perslay::experiment
