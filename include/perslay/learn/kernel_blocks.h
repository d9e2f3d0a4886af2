#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <perslay/base/context.h>
#include <perslay/base/registry.h>
#include <perslay/features/items.h>
#include <perslay/features/load_items.h>
#include <perslay/features/pairs.h>
#include <perslay/learn/preparation.h>

/// Blocks of a kernel: features that belong together and the squared distance that they define between items.
/// docs/features.md says what each holds.
namespace perslay::learn {

struct KernelBlock {
  /// How features become a squared distance.
  enum class Distance {
    standardised,  ///< Euclidean, of standardised columns cut to [-clip, clip].
    rms,           ///< Euclidean, each feature of each diagram divided by the root of its mean squared norm.
    plain,         ///< Euclidean, of features as they are; keyed ones too.
    intersection,  ///< 2 - 2K for one keyed feature, K the sum of minima, divided by that of each with
                   ///< itself.
  };

  std::string name;  ///< "G", "S", ...
  Distance distance = Distance::standardised;
  std::vector<std::string> features{};     ///< Names of item_features.h; either none or all are keyed.
  std::vector<std::string> filtrations{};  ///< Of the diagrams that they read, if they do.

  static constexpr double clip = 4;

  friend bool operator==(const KernelBlock&, const KernelBlock&) = default;
};

/// G, S, R, P, F, W for all graphs; WL, L, RL, PL for graphs with node labels; A0, AT, AL, AQ for point
/// clouds such as orbits. With their help.
[[nodiscard]] const base::Registry<KernelBlock>& kernel_blocks();

/// What has to be loaded for some blocks: their filtrations and features, each once. Diagrams are kept if
/// features are fitted to them.
[[nodiscard]] features::LoadRequest load_request(std::span<const KernelBlock> blocks);

/// Items as a block sees them, ready to be compared: a matrix, or keyed blocks, one per feature.
struct BlockPoints {
  KernelBlock::Distance distance = KernelBlock::Distance::plain;
  features::FeatureRows dense{};
  std::vector<features::KeyedBlock> keyed{};

  [[nodiscard]] std::size_t count() const noexcept {
    return keyed.empty() ? dense.rows : keyed.front().offsets.size() - 1;
  }
};

/// A block with everything that is fitted: means and deviations, norms, frames. All of it comes from the rows
/// given to `fit`, and nothing else does.
struct FittedBlock {
  KernelBlock block;
  FittedFeatures features{};    ///< Not for keyed ones.
  std::vector<double> norms{};  ///< rms: one for each feature of each diagram, in the order of columns.

  [[nodiscard]] static FittedBlock fit(const KernelBlock& block, const features::Items& items,
                                       std::span<const std::size_t> rows, const base::Context& context = {});

  /// Without the numbers that are fitted, for a model that is read from a file.
  [[nodiscard]] static FittedBlock unfitted(const KernelBlock& block);

  /// Some items, which need not be those of the fit.
  [[nodiscard]] BlockPoints operator()(const features::Items& items, std::span<const std::size_t> rows,
                                       const base::Context& context = {}) const;

  friend bool operator==(const FittedBlock&, const FittedBlock&) = default;
};

/// Squared distances from any points to those it is made with, which must live as long.
class BlockDistances {
 public:
  explicit BlockDistances(const BlockPoints& columns);

  /// The distances from rows of `points` to the columns (see Tile); `out` has tile.count * tile.columns
  /// places. On the calling thread, and thread-safe.
  void operator()(const BlockPoints& points, const features::Tile& tile, std::span<double> out) const;

 private:
  const BlockPoints& columns_;
  std::unique_ptr<features::DensePairs> dense_;
  std::vector<features::KeyedPairs> keyed_;
  std::vector<std::vector<double>> own_;  // what keyed columns have with themselves
};

/// All distances between points, row by row. Parallel; the same bytes for any number of threads.
[[nodiscard]] std::vector<double> squared_distances(const BlockPoints& points,
                                                    const base::Context& context = {});

/// Adds `factor` times the distances between points to a matrix, which is symmetric.
void add_squared_distances(const BlockPoints& points, double factor, std::span<double> matrix,
                           const base::Context& context = {});

}  // namespace perslay::learn
