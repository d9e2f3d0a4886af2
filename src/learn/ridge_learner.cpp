#include "ridge_learner.h"

#include "model_arrays.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

#include <perslay/base/parallel.h>
#include <perslay/base/random.h>
#include <perslay/features/kernel_blocks.h>
#include <perslay/kernel/ridge.h>
#include <perslay/learn/metrics.h>
#include <perslay/learn/ridge_pools.h>

namespace perslay::learn {
namespace {

using features::BlockPoints;
using features::FittedBlock;
using kernel::Matrix;

constexpr std::size_t rows_at_once = 64;

/// A block fitted to the training part, and the items to compare others with.
struct PreparedBlock {
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

/// 1 for the class of an item, -1 for the others, [item][class].
std::vector<double> targets_of(std::span<const int> labels, std::size_t classes) {
  std::vector<double> targets(labels.size() * classes, -1);
  for (std::size_t i = 0; i < labels.size(); ++i)
    targets[i * classes + static_cast<std::size_t>(labels[i])] = 1;
  return targets;
}

std::size_t largest(std::span<const double> scores) {
  return static_cast<std::size_t>(std::ranges::max_element(scores) - scores.begin());
}

/// The mean over pairs of different items; 1 if it is 0.
double mean_distance(std::span<const double> distances, std::size_t count) {
  const double sum = std::accumulate(distances.begin(), distances.end(), 0.0);
  const double mean = count > 1 ? sum / (static_cast<double>(count) * static_cast<double>(count - 1)) : 0;
  return mean > 0 ? mean : 1;
}

std::vector<std::size_t> places_in(std::span<const features::KernelBlock> blocks,
                                   const std::vector<std::string>& names) {
  std::vector<std::size_t> places;
  places.reserve(names.size());
  for (const auto& name : names)
    places.push_back(static_cast<std::size_t>(std::ranges::find(blocks, name, &features::KernelBlock::name) -
                                              blocks.begin()));
  return places;
}

/// exp(-gamma distances), in place.
void to_kernel(std::span<double> distances, double gamma) {
  for (double& value : distances) value = std::exp(-gamma * value);
}

class RidgeModel : public Model {
 public:
  RidgeModel(std::vector<PreparedBlock> blocks, std::vector<Member> members)
      : blocks_(std::move(blocks)), members_(std::move(members)) {
    for (const auto& block : blocks_) distances_.emplace_back(block.points);
  }

  [[nodiscard]] std::vector<float> probabilities(const Part& part,
                                                 const base::Context& context) const override {
    const std::size_t classes = part.items.classes.size();
    std::vector<BlockPoints> points;
    for (const auto& block : blocks_) points.push_back(block.fitted(part.items, part.rows, context));
    std::vector<float> result(part.rows.size() * classes);
    const std::size_t tiles = (part.rows.size() + rows_at_once - 1) / rows_at_once;
    base::parallel_for(context, "kernel ridge", tiles, [&](std::size_t tile) {
      const std::size_t first = tile * rows_at_once;
      const std::size_t count = std::min(rows_at_once, part.rows.size() - first);
      const auto scores = scores_of(points, first, count, classes);
      for (std::size_t i = 0; i < count; ++i)
        to_probabilities(std::span(scores).subspan(i * classes, classes), &result[(first + i) * classes]);
    });
    return result;
  }

  [[nodiscard]] std::vector<io::NamedArray> arrays() const override;

 private:
  /// The softmax of twice the mean score: for two classes the logistic function of their difference. Not
  /// calibrated.
  void to_probabilities(std::span<const double> scores, float* out) const {
    const double factor = 2.0 / static_cast<double>(members_.size());
    const double highest = *std::ranges::max_element(scores);
    double sum = 0;
    for (const double score : scores) sum += std::exp(factor * (score - highest));
    for (std::size_t c = 0; c < scores.size(); ++c)
      out[c] = static_cast<float>(std::exp(factor * (scores[c] - highest)) / sum);
  }

  [[nodiscard]] std::vector<double> scores_of(std::span<const BlockPoints> points, std::size_t first,
                                              std::size_t count, std::size_t classes) const {
    const std::size_t columns = blocks_.front().points.count();
    std::vector<std::vector<double>> apart(blocks_.size(), std::vector<double>(count * columns));
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      distances_[b](points[b], {first, count, columns}, apart[b]);
    std::vector<double> scores(count * classes), values(count * columns);
    for (const auto& member : members_) {
      std::ranges::fill(values, 0);
      for (const std::size_t b : member.blocks) {
        const double factor = 1 / (blocks_[b].mean * static_cast<double>(member.blocks.size()));
        for (std::size_t p = 0; p < values.size(); ++p) values[p] += factor * apart[b][p];
      }
      to_kernel(values, member.gamma);
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t c = 0; c < classes; ++c) scores[i * classes + c] += member.scores.constants[c];
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < columns; ++j)
          for (std::size_t c = 0; c < classes; ++c)
            scores[i * classes + c] += values[i * columns + j] * member.scores.coefficients[j * classes + c];
    }
    return scores;
  }

  std::vector<PreparedBlock> blocks_;
  std::vector<Member> members_;
  std::vector<features::BlockDistances> distances_;
};

// ---- files

constexpr double half_word = 4294967296.0;

void add_keyed(std::vector<io::NamedArray>& all, const std::string& prefix,
               const features::KeyedBlock& block) {
  std::vector<double> high, low;
  for (const auto key : block.keys) {
    high.push_back(static_cast<double>(key >> 32U));
    low.push_back(static_cast<double>(key & 0xFFFFFFFFU));
  }
  all.push_back(array_of(prefix + "width", std::vector{static_cast<double>(block.width)}));
  all.push_back(array_of(prefix + "keys_high", std::move(high)));
  all.push_back(array_of(prefix + "keys_low", std::move(low)));
  all.push_back(array_of(prefix + "values", block.values));
  all.push_back(array_of(prefix + "offsets", as_doubles(block.offsets)));
}

features::KeyedBlock keyed_of(const ModelArrays& arrays, const std::string& prefix, const std::string& name,
                              std::size_t items) {
  features::KeyedBlock block;
  block.name = name;
  const auto width = arrays.whole<std::size_t>(prefix + "width", 1e6);
  const auto high = arrays.whole<std::uint64_t>(prefix + "keys_high", half_word - 1);
  const auto low = arrays.whole<std::uint64_t>(prefix + "keys_low", half_word - 1);
  block.values = arrays.floats(prefix + "values");
  block.offsets = arrays.whole<std::int64_t>(prefix + "offsets");
  require(width.size() == 1 && width[0] > 0 && high.size() == low.size() &&
          block.values.size() == high.size() * width[0] && block.offsets.size() == items + 1 &&
          block.offsets.front() == 0 && block.offsets.back() == static_cast<std::int64_t>(high.size()) &&
          std::ranges::is_sorted(block.offsets));
  block.width = width[0];
  for (std::size_t i = 0; i < high.size(); ++i) block.keys.push_back(high[i] << 32U | low[i]);
  for (std::size_t i = 0; i < items; ++i) {
    const auto begin = block.keys.begin() + block.offsets[i], end = block.keys.begin() + block.offsets[i + 1];
    require(std::adjacent_find(begin, end, std::greater_equal<>{}) == end);
  }
  return block;
}

void add_block(std::vector<io::NamedArray>& all, const std::string& prefix, const PreparedBlock& block) {
  const auto& features = block.fitted.features;
  all.push_back(array_of(prefix + "mean", std::vector{block.mean}));
  all.push_back(array_of(prefix + "widths", as_doubles(features.widths)));
  all.push_back(array_of(prefix + "frames", features.frames));
  all.push_back(array_of(prefix + "means", features.means));
  all.push_back(array_of(prefix + "deviations", features.deviations));
  all.push_back(array_of(prefix + "norms", block.fitted.norms));
  all.push_back(array_of(prefix + "points", block.points.dense.values));
  for (std::size_t f = 0; f < block.points.keyed.size(); ++f)
    add_keyed(all, fmt::format("{}keyed{}.", prefix, f), block.points.keyed[f]);
}

PreparedBlock block_of(const ModelArrays& arrays, const std::string& prefix,
                       const features::KernelBlock& block, std::size_t items) {
  PreparedBlock prepared{FittedBlock::unfitted(block), 1, {block.distance}};
  auto& features = prepared.fitted.features;
  const auto& mean = arrays(prefix + "mean");
  features.widths = arrays.whole<std::size_t>(prefix + "widths");
  features.frames = arrays(prefix + "frames");
  features.means = arrays(prefix + "means");
  features.deviations = arrays(prefix + "deviations");
  prepared.fitted.norms = arrays(prefix + "norms");
  require(mean.size() == 1 && mean[0] > 0);
  prepared.mean = mean[0];
  if (features.settings.names.empty()) {
    for (std::size_t f = 0; f < block.features.size(); ++f)
      prepared.points.keyed.push_back(
          keyed_of(arrays, fmt::format("{}keyed{}.", prefix, f), block.features[f], items));
    return prepared;
  }
  auto& dense = prepared.points.dense;
  require(features.widths.size() == features.settings.names.size());
  dense.rows = items;
  dense.columns = features.columns();
  dense.values = arrays.floats(prefix + "points");
  require(dense.values.size() == dense.rows * dense.columns);
  return prepared;
}

std::vector<io::NamedArray> RidgeModel::arrays() const {
  std::vector<io::NamedArray> all;
  all.push_back(array_of("ridge.items", std::vector{static_cast<double>(blocks_.front().points.count())}));
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    add_block(all, fmt::format("ridge.block{}.", b), blocks_[b]);
  all.push_back(array_of("ridge.members", std::vector{static_cast<double>(members_.size())}));
  for (std::size_t m = 0; m < members_.size(); ++m) {
    const auto prefix = fmt::format("ridge.member{}.", m);
    all.push_back(array_of(prefix + "blocks", as_doubles(members_[m].blocks)));
    all.push_back(array_of(prefix + "gamma", std::vector{members_[m].gamma}));
    all.push_back(array_of(prefix + "coefficients", members_[m].scores.coefficients));
    all.push_back(array_of(prefix + "constants", members_[m].scores.constants));
  }
  return all;
}

// ---- learning

/// One fit while it runs.
class RidgeFit {
 public:
  RidgeFit(const RidgeSettings& settings, const RidgePool& pool, const Part& part, const FitOptions& options,
           const base::Context& context)
      : settings_(settings), part_(part), options_(options), context_(context), kinds_(blocks_of(pool)) {
    for (const auto& names : pool.kernels) kernels_.push_back(places_in(kinds_, names));
    for (const std::size_t row : part.rows) labels_.push_back(part.items.labels[row]);
    draw_judges();
  }

  Fit operator()() {
    prepare_blocks();
    judge();
    Fit fit;
    fit.history = std::move(history_);
    fit.model = make_model();
    return fit;
  }

 private:
  /// A kernel, gamma and lambda by their places, and how well they do.
  struct Candidate {
    std::size_t kernel = 0;
    double gamma = 0, lambda = 0;
    std::size_t right = 0;
    double error = 0;
  };

  [[nodiscard]] std::size_t classes() const { return part_.items.classes.size(); }
  [[nodiscard]] bool all_judge() const { return judges_.size() == labels_.size(); }

  /// Places in the training part.
  void draw_judges() {
    judges_.resize(labels_.size());
    std::iota(judges_.begin(), judges_.end(), std::size_t{0});
    if (judges_.size() <= settings_.selection) return;
    base::RandomStream random(options_.seed);
    for (std::size_t i = 0; i < settings_.selection; ++i)
      std::swap(judges_[i], judges_[i + random.below(judges_.size() - i)]);
    judges_.resize(settings_.selection);
    std::ranges::sort(judges_);
  }

  [[nodiscard]] std::vector<std::size_t> rows_of(std::span<const std::size_t> places) const {
    std::vector<std::size_t> rows;
    for (const std::size_t place : places) rows.push_back(part_.rows[place]);
    return rows;
  }

  void prepare_blocks() {
    const auto judging_rows = rows_of(judges_);
    for (const auto& kind : kinds_) {
      auto& block = blocks_.emplace_back();
      block.fitted = FittedBlock::fit(kind, part_.items, part_.rows, context_);
      block.points = block.fitted(part_.items, part_.rows, context_);
      const auto judging_points =
          all_judge() ? block.points : block.fitted(part_.items, judging_rows, context_);
      apart_.push_back(features::squared_distances(judging_points, context_));
      block.mean = mean_distance(apart_.back(), judges_.size());
    }
  }

  /// The mean of the blocks' distances between those who judge.
  [[nodiscard]] Matrix judging_distances(std::span<const std::size_t> blocks) const {
    Matrix sum(judges_.size(), judges_.size());
    for (const std::size_t b : blocks) {
      const double factor = 1 / (blocks_[b].mean * static_cast<double>(blocks.size()));
      for (std::size_t p = 0; p < sum.values.size(); ++p) sum.values[p] += factor * apart_[b][p];
    }
    return sum;
  }

  void judge() {
    std::vector<int> labels;
    for (const std::size_t place : judges_) labels.push_back(labels_[place]);
    const auto targets = targets_of(labels, classes());
    for (std::size_t k = 0; k < kernels_.size(); ++k) {
      const auto distances = judging_distances(kernels_[k]);
      for (const double gamma : settings_.gammas) {
        auto gram = distances;
        to_kernel(gram.values, gamma);
        const auto centring = kernel::Centring::fit(gram);
        gram = centring(std::move(gram));
        for (const double lambda : settings_.lambdas) {
          context_.stop_if_cancelled();
          const auto scores = kernel::left_out_scores(kernel::ridge_inverse(gram, lambda), targets);
          add_candidate({k, gamma, lambda}, labels, targets, scores);
        }
      }
    }
  }

  void add_candidate(Candidate candidate, std::span<const int> labels, std::span<const double> targets,
                     std::span<const double> scores) {
    for (std::size_t i = 0; i < labels.size(); ++i)
      if (largest(scores.subspan(i * classes(), classes())) == static_cast<std::size_t>(labels[i]))
        ++candidate.right;
    for (std::size_t p = 0; p < scores.size(); ++p) candidate.error += std::pow(scores[p] - targets[p], 2);
    candidate.error /= static_cast<double>(scores.size());
    history_.push_back({0, candidates_.size(), candidate.error,
                        static_cast<double>(candidate.right) / static_cast<double>(labels.size())});
    if (options_.report) options_.report(history_.back());
    candidates_.push_back(candidate);
  }

  std::unique_ptr<Model> make_model() {
    std::ranges::stable_sort(candidates_, {}, [](const Candidate& candidate) {
      return std::tuple(-static_cast<double>(candidate.right), candidate.error);
    });
    candidates_.resize(std::min(settings_.best, candidates_.size()));
    std::vector<Member> members;
    for (const auto& chosen : candidates_) members.push_back(learn(chosen));
    return std::make_unique<RidgeModel>(std::move(blocks_), std::move(members));
  }

  /// The regression on all of the training part.
  Member learn(const Candidate& chosen) {
    const auto& blocks = kernels_[chosen.kernel];
    auto gram = all_judge() ? judging_distances(blocks) : all_distances(blocks);
    to_kernel(gram.values, chosen.gamma);
    const auto centring = kernel::Centring::fit(gram);
    const auto targets = targets_of(labels_, classes());
    const auto coefficients = kernel::ridge_coefficients(centring(std::move(gram)), chosen.lambda, targets);
    return {blocks, chosen.gamma, kernel::without_centring(centring, coefficients)};
  }

  [[nodiscard]] Matrix all_distances(std::span<const std::size_t> blocks) const {
    const std::size_t n = labels_.size();
    Matrix sum(n, n);
    for (const std::size_t b : blocks) {
      const double factor = 1 / (blocks_[b].mean * static_cast<double>(blocks.size()));
      const features::BlockDistances distances(blocks_[b].points);
      const std::size_t tiles = (n + rows_at_once - 1) / rows_at_once;
      base::parallel_for(context_, "distances", tiles, [&](std::size_t tile) {
        const std::size_t first = tile * rows_at_once;
        const features::Tile place{first, std::min(rows_at_once, n - first),
                                   first + std::min(rows_at_once, n - first)};
        std::vector<double> lower(place.count * place.columns);
        distances(blocks_[b].points, place, lower);
        for (std::size_t i = 0; i < place.count; ++i)
          for (std::size_t j = 0; j < first + i;
               ++j) {  // each pair once, so that it is the same from both ends
            sum(first + i, j) += factor * lower[i * place.columns + j];
            sum(j, first + i) = sum(first + i, j);
          }
      });
    }
    return sum;
  }

  const RidgeSettings& settings_;
  const Part& part_;
  const FitOptions& options_;
  const base::Context& context_;
  std::vector<features::KernelBlock> kinds_;
  std::vector<std::vector<std::size_t>> kernels_;  // places in kinds_
  std::vector<int> labels_;                        // of the training part
  std::vector<std::size_t> judges_;                // places in it
  std::vector<PreparedBlock> blocks_;
  std::vector<std::vector<double>> apart_;  // between those who judge, for each block
  std::vector<Candidate> candidates_;
  std::vector<Epoch> history_;
};

class RidgeLearner : public Learner {
 public:
  explicit RidgeLearner(const Settings& settings)
      : settings_(settings.ridge), pool_(ridge_pool(settings.model)) {}

  [[nodiscard]] std::size_t steps() const noexcept override {
    return pool_.kernels.size() * settings_.gammas.size() * settings_.lambdas.size();
  }

  [[nodiscard]] Fit fit(const Part& part, const FitOptions& options,
                        const base::Context& context) const override {
    return RidgeFit(settings_, pool_, part, options, context)();
  }

  [[nodiscard]] std::unique_ptr<Model> load(const Part& part,
                                            std::span<const io::NamedArray> named) const override {
    const ModelArrays arrays(named);
    const std::size_t classes = part.items.classes.size();
    const auto items = arrays.whole<std::size_t>("ridge.items", 1e9);
    const auto count = arrays.whole<std::size_t>("ridge.members", 1e6);
    require(items.size() == 1 && items[0] > 0 && count.size() == 1 && count[0] > 0);
    std::vector<PreparedBlock> blocks;
    for (const auto& block : blocks_of(pool_))
      blocks.push_back(block_of(arrays, fmt::format("ridge.block{}.", blocks.size()), block, items[0]));
    std::vector<Member> members;
    for (std::size_t m = 0; m < count[0]; ++m) {
      const auto prefix = fmt::format("ridge.member{}.", m);
      auto& member = members.emplace_back();
      member.blocks = arrays.whole<std::size_t>(prefix + "blocks", static_cast<double>(blocks.size()) - 1);
      const auto& gamma = arrays(prefix + "gamma");
      member.scores = {arrays(prefix + "coefficients"), arrays(prefix + "constants")};
      require(!member.blocks.empty() && gamma.size() == 1 && gamma[0] > 0 &&
              member.scores.coefficients.size() == items[0] * classes &&
              member.scores.constants.size() == classes);
      member.gamma = gamma[0];
    }
    return std::make_unique<RidgeModel>(std::move(blocks), std::move(members));
  }

 private:
  RidgeSettings settings_;
  const RidgePool& pool_;
};

}  // namespace

std::unique_ptr<Learner> make_ridge_learner(const Settings& settings) {
  return std::make_unique<RidgeLearner>(settings);
}

}  // namespace perslay::learn
