#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <perslay/experiment/paper.h>
#include <perslay/learn/settings.h>
#include <perslay/learn/splits.h>

namespace perslay::experiment {

/// One number of a table: a dataset evaluated with some settings.
struct Job {
  std::string row;            ///< The dataset, "MUTAG".
  std::string column;         ///< "paper's network", "spectral alone", "grid 10x10", ...
  std::string folder;         ///< Where its files go, e.g. "mutag/paper".
  std::string archive{};      ///< The name of the dataset's files; empty for orbits.
  std::size_t per_class = 0;  ///< Orbits of each class.
  std::size_t draws = 1;      ///< Sets of orbits to draw, each with all runs of the protocol.
  learn::Settings settings{};
  std::string variant = "perslay";
  learn::Protocol protocol{};
  std::size_t items = 0;            ///< About the size of the dataset; for the estimate.
  std::optional<Reported> paper{};  ///< The paper's number.
  std::optional<double> paper_max{};
  std::optional<double> paper_training{};  ///< Accuracy on the training part, in percent.
  std::optional<double> paper_seconds{};   ///< The time of a run on the paper's machines.
};

/// What `perslay reproduce NAME` computes.
struct Table {
  std::string name;
  std::string title;
  std::vector<Job> jobs;  ///< Row by row.
};

/// Columns of the table "figures": weights on a grid, and, with the time at the end, fixed times.
inline constexpr auto weights_column = "weights 20x20", fixed_time_prefix = "t = ";

struct Request {
  /// Fewer epochs and repeats, to see that it works, not to compare.
  bool quick = false;
  /// table-kernels: all 5000 orbits and 100 runs instead of a part of them.
  bool full = false;
  /// Ten-folds of graphs or runs of orbits, instead of the table's own number.
  std::optional<std::size_t> repeats{};
  /// Only these rows; all if empty.
  std::vector<std::string> datasets{};
  /// Only these columns; all if empty.
  std::vector<std::string> columns{};
};

/// Plans tables: "table-orbits", "table-kernels", "table-graphs", "table-ablation", "table-hyperparameters",
/// "t-optimisation", "figures", or a dataset of the paper. Any other name is the user's error, and so is a requested
/// dataset or column that is in none of the tables. Tables without remaining jobs are left out.
[[nodiscard]] std::vector<Table> plan_all(const std::vector<std::string>& names, const Request& request = {});

/// All names that plan_all() knows.
[[nodiscard]] std::vector<std::string> plan_names();

/// Estimated seconds of a job with a number of threads, loading aside, from times measured on one core of an
/// AMD EPYC: per item and epoch of networks, per pair of items and per training of kernels.
[[nodiscard]] double estimated_seconds(const Job& job, int threads);

}  // namespace perslay::experiment
