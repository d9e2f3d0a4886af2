#pragma once

#include <string>
#include <vector>

#include <perslay/learn/model_file.h>
#include <perslay/report/chart.h>

namespace perslay::report {

/// One array of a channel before training (empty if unknown) and after it.
struct LearnedArray {
  std::string name;  ///< "weight.cells", "phi.births"; see layer/weight.h and layer/point_transform.h.
  std::vector<std::int64_t> shape;
  std::vector<float> before;
  std::vector<float> after;
};

/// The arrays of w and phi of one PersLay.
struct LearnedChannel {
  std::string title;  ///< "hks:10 ext1".
  std::vector<LearnedArray> arrays;
  double low = 0, high = 1;  ///< Bounds of the weight's grid.
  bool diagonal = true;      ///< false: births and deaths were scaled apart, so there is none.
};

/// The arrays of the first net, channel by channel. Channels without such arrays are left out. A weight that is
/// a mixture of Gaussians has "weight.cells" too: its values at the middles of a grid's cells.
[[nodiscard]] std::vector<LearnedChannel> learned_channels(const learn::ModelFile* before,
                                                           const learn::ModelFile& after);

/// The grids of weights before and after training, on one scale of colours: two charts for each channel that
/// has a grid, or one if the start is unknown.
[[nodiscard]] std::vector<Chart> weight_charts(const LearnedChannel& channel);

/// Positions of samples, centres and lines before and after training.
[[nodiscard]] std::vector<Chart> transform_charts(const LearnedChannel& channel);

/// Single numbers such as a width: rows of name, before, after.
[[nodiscard]] std::vector<std::vector<std::string>> single_numbers(
    const std::vector<LearnedChannel>& channels);

}  // namespace perslay::report
