#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <perslay/kernel/ridge.h>
#include <perslay/learn/kernel_blocks.h>
#include <perslay/learn/learner.h>

namespace perslay::learn {

/// Turns squared distances into exp(-gamma distances).
void to_kernel(std::span<double> distances, double gamma);

/// A block fitted to the training part, and the items to compare others with.
struct RidgeBlock {
  FittedBlock fitted;
  double mean = 1;  ///< Of the squared distances that judged the candidates.
  BlockPoints points;
};

/// What one regression says: sum_j k(x, j) coefficients_j + constants.
struct Member {
  std::vector<std::size_t> blocks;  ///< Places among the blocks.
  double gamma = 1;
  kernel::PlainScores scores;
};

/// What the members say, added up.
class RidgeModel : public Model {
 public:
  RidgeModel(std::vector<RidgeBlock> blocks, std::vector<Member> members);

  /// The inverse of arrays().
  [[nodiscard]] static std::unique_ptr<RidgeModel> read(std::span<const KernelBlock> blocks,
                                                        std::size_t classes,
                                                        std::span<const io::NamedArray> arrays);

  [[nodiscard]] std::vector<float> probabilities(const Part& part,
                                                 const base::Context& context) const override;
  [[nodiscard]] std::vector<io::NamedArray> arrays() const override;

 private:
  [[nodiscard]] std::vector<double> scores_of(std::span<const BlockPoints> points, std::size_t first,
                                              std::size_t count, std::size_t classes) const;

  std::vector<RidgeBlock> blocks_;
  std::vector<Member> members_;
  std::vector<BlockDistances> distances_;
};

}  // namespace perslay::learn
