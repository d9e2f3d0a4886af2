#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <perslay/base/context.h>
#include <perslay/diagram/transforms.h>
#include <perslay/features/items.h>
#include <perslay/learn/settings.h>

namespace perslay::learn {

/// Features with everything fitted: the width of ragged blocks (shorter rows are filled with zeros, longer ones
/// cut), the frames of diagram vectorizations, means and deviations. All of it comes from the rows given to
/// `fit`, and nothing else does.
///
/// A feature comes from the items' block of its name. If there is none, a feature of diagrams is computed from
/// the items' groups. Columns are in the order of names and, within a name, of groups.
struct FittedFeatures {
  FeatureSettings settings;
  std::vector<std::size_t> widths;  ///< Columns of each name.
  /// For each fitted vectorization and each group that it reads, in the order of columns: low and high of
  /// layer::Frame::values, births and persistences.
  std::vector<double> frames;
  std::vector<double> means;  ///< One per column, if standardised.
  std::vector<double> deviations;

  [[nodiscard]] static FittedFeatures fit(const features::Items& items, std::span<const std::size_t> rows,
                                          const FeatureSettings& settings, const base::Context& context = {});

  [[nodiscard]] std::size_t columns() const noexcept;

  /// The features of some items, which need not be those of the fit. The bytes of a row depend neither on the
  /// number of threads nor on the other rows.
  [[nodiscard]] features::FeatureRows operator()(const features::Items& items,
                                                 std::span<const std::size_t> rows,
                                                 const base::Context& context = {}) const;

  friend bool operator==(const FittedFeatures&, const FittedFeatures&) = default;
};

/// Everything that is fitted before learning, on the training part alone, and stored with the model.
struct Preparation {
  std::vector<diagram::PlaneScale> scales;  ///< One per group of Items; empty if nothing is scaled.
  FittedFeatures features;

  [[nodiscard]] static Preparation fit(const features::Items& items, std::span<const std::size_t> rows,
                                       const Settings& settings, const base::Context& context = {});
};

}  // namespace perslay::learn
