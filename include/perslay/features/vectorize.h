#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <perslay/base/context.h>
#include <perslay/diagram/diagram_set.h>
#include <perslay/layer/initialise.h>
#include <perslay/layer/vectorization.h>

namespace perslay::features {

/// A layer with the parameters at which training would start.
struct UntrainedChannel {
  layer::Channel channel;
  layer::Initialisation initialisation = layer::Initialisation::ours;
};

using Vectorizer = std::variant<layer::Vectorization, UntrainedChannel>;

/// Numbers for each item of a set of diagrams, row by row.
struct FeatureMatrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> values;
  /// For each group of the set, the frame in which its diagrams were assumed to lie.
  std::vector<layer::Frame> frames;
};

/// Turns the diagrams of every item into numbers, those of all groups side by side.
///
/// Points are reordered to (min, max) first. Each group has its own frame: around all its diagrams or, if
/// `range` is given, that of births and deaths in this range. A named vectorization places its samples there.
/// The parameters of an untrained channel are made for the unit square, so for it the range of values is
/// scaled to [0, 1]; their random part comes from the context's seed and is the same for all groups.
///
/// A point with an infinite coordinate is an error. The result does not depend on the number of threads.
[[nodiscard]] FeatureMatrix vectorize(const diagram::DiagramSet& set, const Vectorizer& vectorizer,
                                      std::optional<layer::Range> range = {},
                                      const base::Context& context = {});

/// Turns diagrams into numbers with a given frame for each group, such as those of a fit to other diagrams.
[[nodiscard]] FeatureMatrix vectorize_within(const diagram::DiagramSet& set, const Vectorizer& vectorizer,
                                             std::span<const layer::Frame> frames,
                                             const base::Context& context = {});

/// The names of the columns: `filtration/kind/` and what layer::output_names gives, e.g.
/// "hks:10/ext1/t3=0.15/k1". `frames` and `seed` are those of the matrix.
[[nodiscard]] std::vector<std::string> column_names(const diagram::DiagramSet& set,
                                                    const Vectorizer& vectorizer,
                                                    std::span<const layer::Frame> frames,
                                                    std::uint64_t seed = 0);

}  // namespace perslay::features
