#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <perslay/base/context.h>
#include <perslay/features/items.h>

namespace perslay::features {

/// Which numbers stand beside the diagrams, by name, and what is done to them.
struct FeatureSettings {
  std::vector<std::string> names{};
  bool standardise = false;  ///< To mean 0 and deviation 1 on the training part; constant columns become 0.
  double clip = 0;           ///< Standardised values are cut to [-clip, clip]; 0 for not at all.

  friend bool operator==(const FeatureSettings&, const FeatureSettings&) = default;
};

/// Rows of numbers for a learner.
struct FeatureRows {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<float> values;  ///< Row by row.
};

/// Features with everything that has to be fitted: the width of ragged blocks (shorter rows are filled with
/// zeros, longer ones cut), the frames of diagram vectorizations, means and deviations. All of it comes from
/// the rows given to `fit`, and nothing else does.
///
/// A feature is taken from the items' block of its name; if there is none, and it is one of diagrams, it is
/// computed from the items' groups. Columns are in the order of names, within a name in that of groups.
struct FittedFeatures {
  FeatureSettings settings;
  std::vector<std::size_t> widths;  ///< Columns of each name.
  /// For each fitted vectorization and each group that it reads, in the order of columns: low and high of
  /// layer::Frame::values, births and persistences.
  std::vector<double> frames;
  std::vector<double> means;  ///< One per column, if standardised.
  std::vector<double> deviations;

  [[nodiscard]] static FittedFeatures fit(const Items& items, std::span<const std::size_t> rows,
                                          const FeatureSettings& settings, const base::Context& context = {});

  [[nodiscard]] std::size_t columns() const noexcept;

  /// The features of some items; they need not be those of the fit. The same bytes for any number of threads,
  /// and for a row whatever the others are.
  [[nodiscard]] FeatureRows operator()(const Items& items, std::span<const std::size_t> rows,
                                       const base::Context& context = {}) const;

  friend bool operator==(const FittedFeatures&, const FittedFeatures&) = default;
};

}  // namespace perslay::features
