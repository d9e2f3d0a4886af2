#include "learners.h"
#include "model_arrays.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/memory.h>
#include <perslay/base/parallel.h>
#include <perslay/diagram/part_of.h>
#include <perslay/kernel/bandwidth.h>
#include <perslay/kernel/gram.h>
#include <perslay/kernel/support_vectors.h>
#include <perslay/learn/metrics.h>
#include <perslay/learn/splits.h>

namespace perslay::learn {
namespace {

using kernel::Kernel;
using kernel::Matrix;
using Kernels = std::vector<Kernel>;  // one for each group, all parameters given

/// Bases of kernels between all items of a dataset, each computed once. An entry depends on its two
/// items alone, so parts of the matrix tell nothing about items outside. Thread-safe.
class BaseMatrices {
 public:
  BaseMatrices(const features::Items& items, base::Context context)
      : items_(items), context_(std::move(context)) {}

  [[nodiscard]] const features::Items& items() const noexcept { return items_; }

  /// Matrices that are asked for from now on, perhaps by several threads, are computed without reports.
  void be_silent() { context_.progress = nullptr; }

  /// Matrices that need more memory than the machine has are the user's error.
  [[nodiscard]] std::shared_ptr<const Matrix> operator()(const Kernels& kernels) {
    std::string key;
    for (const auto& kernel : kernels) key += kernel.name() + ' ';
    const std::scoped_lock lock(mutex_);
    auto& matrix = matrices_[key];
    if (matrix == nullptr) {
      require_room();
      matrix = std::make_shared<const Matrix>(kernel::base_matrix(kernels, items_.groups, context_));
    }
    return matrix;
  }

 private:
  /// Beside the bases there are the Gram matrix of a training part and its copy for libsvm.
  void require_room() const {
    const auto count = static_cast<double>(items_.count());
    const double bytes = 8 * count * count;
    const std::size_t needed = matrices_.size() + 3;
    if (bytes * static_cast<double>(needed) > base::usable_memory())
      throw base::user_error(
          fmt::format("A kernel matrix of {} items has {:.1f} GB, and {} of them are needed at a time, more "
                      "than three quarters of this machine's {:.0f} GB; take fewer items.",
                      items_.count(), bytes / 1e9, needed, base::machine_memory() / 1e9));
  }

  const features::Items& items_;
  base::Context context_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Matrix>> matrices_;
};

/// Everything between a base and the machines.
struct GramRule {
  Kernels kernels;             ///< One for each group.
  std::optional<double> rate;  ///< Of the outer map, if there is one;
  double norm = 1;             ///< otherwise what the base is divided by.

  [[nodiscard]] Matrix operator()(Matrix base) const {
    if (rate) return kernel::outer_map(std::move(base), *rate);
    for (double& value : base.values) value /= norm;
    return base;
  }
};

/// The nearest of 10^(k/8): fitted widths that hardly differ between the folds of an evaluation become equal,
/// and share their matrices.
double rounded(double width) { return std::pow(10, std::round(8 * std::log10(width)) / 8); }

std::vector<Kernels> bases_for(const Kernel& kernel, const features::Items& items,
                               std::span<const std::size_t> rows) {
  auto candidates = kernel::base_candidates(kernel, items.groups, rows);
  for (auto& kernels : candidates)
    for (auto& one : kernels) {
      if (kernel.sigma == 0 && one.sigma > 0) one.sigma = rounded(one.sigma);
      if (kernel.scale == 0 && one.scale > 0) one.scale = rounded(one.scale);
    }
  return candidates;
}

double mean_diagonal(const Matrix& gram) {
  double sum = 0;
  for (std::size_t i = 0; i < gram.rows; ++i) sum += gram(i, i);
  return gram.rows > 0 && sum > 0 ? sum / static_cast<double>(gram.rows) : 1;
}

/// A way to turn the base between the training items into a Gram matrix, for each rate to try.
std::vector<GramRule> rules_for(const Kernels& kernels, const Matrix& base) {
  const auto all = all_rows(base.rows);
  if (!kernels.front().is_distance()) return {{kernels, std::nullopt, mean_diagonal(base)}};
  std::vector<GramRule> rules;
  for (const double rate : kernel::rate_candidates(kernels.front(), base, all))
    rules.push_back({kernels, rate, 1});
  return rules;
}

/// The class of each item, from its kernel values with all training items that `rows` counts in.
int predicted(const kernel::SupportVectors& machines, const Matrix& gram, std::size_t item,
              std::span<const std::size_t> rows, std::size_t classes) {
  std::vector<double> values;
  for (const std::size_t place : machines.support) values.push_back(gram(item, rows[place]));
  const auto shares = kernel::class_shares(machines, kernel::decisions(machines, values), classes);
  return static_cast<int>(std::ranges::max_element(shares) - shares.begin());
}

/// How many items are labelled rightly by machines that have not seen them.
std::size_t right_in_folds(const kernel::TrainingGram& training, const Matrix& gram, const Splits& folds,
                           std::span<const int> labels, std::size_t classes, double cost) {
  std::size_t right = 0;
  for (std::size_t f = 0; f < folds.size(); ++f) {
    const auto fold = folds[f];
    const auto machines = training.train(fold.training, labels, cost);
    right += static_cast<std::size_t>(std::ranges::count_if(fold.test, [&](std::size_t item) {
      return predicted(machines, gram, item, fold.training, classes) == labels[item];
    }));
  }
  return right;
}

/// The diagrams of some items.
std::vector<diagram::DiagramGroup> selected(std::span<const diagram::DiagramGroup> groups,
                                            std::span<const std::size_t> rows) {
  std::vector<diagram::DiagramGroup> result;
  for (const auto& group : groups)
    result.push_back({group.filtration, group.kind, diagram::part_of(group.diagrams, rows), {}});
  return result;
}

class SvmModel : public Model {
 public:
  /// `support` are the items of the machines, of which `matrices`, if there are any, know the rows.
  SvmModel(GramRule rule, kernel::SupportVectors machines, std::vector<diagram::DiagramGroup> support,
           std::shared_ptr<BaseMatrices> matrices, std::vector<std::size_t> rows)
      : rule_(std::move(rule)),
        machines_(std::move(machines)),
        support_(std::move(support)),
        matrices_(std::move(matrices)),
        rows_(std::move(rows)) {}

  [[nodiscard]] std::vector<float> probabilities(const Part& part,
                                                 const base::Context& context) const override {
    const std::size_t classes = part.items.classes.size();
    const auto gram = rule_(base(part, context));
    std::vector<float> result(part.rows.size() * classes);
    base::parallel_for(context, "support vectors", part.rows.size(), [&](std::size_t i) {
      const std::span<const double> row(&gram.values[i * gram.columns], gram.columns);
      const auto shares = kernel::class_shares(machines_, kernel::decisions(machines_, row), classes);
      std::ranges::transform(shares, &result[i * classes], [](double s) { return static_cast<float>(s); });
    });
    return result;
  }

  [[nodiscard]] std::vector<io::NamedArray> arrays() const override {
    std::vector<io::NamedArray> all{array_of("svm.classes", as_doubles(machines_.classes)),
                                    array_of("svm.counts", as_doubles(machines_.counts)),
                                    array_of("svm.coefficients", machines_.coefficients),
                                    array_of("svm.offsets", machines_.offsets),
                                    array_of("svm.rate", std::vector{rule_.rate.value_or(0)}),
                                    array_of("svm.norm", std::vector{rule_.norm})};
    for (std::size_t g = 0; g < support_.size(); ++g) {
      const auto prefix = fmt::format("svm.group{}.", g);
      const auto& diagrams = support_[g].diagrams;
      std::vector<double> points;
      for (const auto& point : diagrams.points()) points.insert(points.end(), {point.birth, point.death});
      all.push_back(array_of(prefix + "kernel", std::vector{rule_.kernels[g].sigma, rule_.kernels[g].scale}));
      all.push_back(array_of(prefix + "points", std::move(points)));
      all.push_back(array_of(prefix + "diagrams", as_doubles(diagrams.offsets())));
    }
    return all;
  }

 private:
  /// Between the part and the support vectors.
  [[nodiscard]] Matrix base(const Part& part, const base::Context& context) const {
    if (matrices_ != nullptr && &matrices_->items() == &part.items)
      return kernel::block(*(*matrices_)(rule_.kernels), part.rows, rows_);
    auto fixed = context;
    fixed.seed = 0;  // see BaseMatrices
    return kernel::base_matrix(rule_.kernels, selected(part.items.groups, part.rows), support_, fixed);
  }

  GramRule rule_;
  kernel::SupportVectors machines_;
  std::vector<diagram::DiagramGroup> support_;
  std::shared_ptr<BaseMatrices> matrices_;
  std::vector<std::size_t> rows_;
};

class SvmLearner : public Learner {
 public:
  SvmLearner(const SvmSettings& settings, const Kernel& kernel) : settings_(settings), kernel_(kernel) {}

  /// Computes the bases of all kernels to choose from.
  void study(const features::Items& items, const base::Context& context) override {
    matrices_ = std::make_shared<BaseMatrices>(items, context);
    const auto all = all_rows(items.count());
    for (const auto& kernels : bases_for(kernel_, items, all)) (void)(*matrices_)(kernels);
    matrices_->be_silent();
  }

  /// A block of a base, the Gram matrix made of it, and that as libsvm wants it.
  [[nodiscard]] Cost cost_of_fit(std::size_t items) const override {
    return {0, 32 * static_cast<double>(items) * static_cast<double>(items)};
  }

  [[nodiscard]] Fit fit(const Part& part, const FitOptions& options,
                        const base::Context& context) const override {
    auto matrices = matrices_;
    if (matrices == nullptr || &matrices->items() != &part.items)
      matrices = std::make_shared<BaseMatrices>(part.items, context);
    const auto labels = part.labels();
    const auto all = all_rows(labels.size());

    const auto [rule, cost] = choose(part, labels, *matrices, options.seed, context);
    const auto gram = rule(kernel::block(*(*matrices)(rule.kernels), part.rows, part.rows));
    auto machines = kernel::TrainingGram(gram).train(all, labels, cost);
    std::vector<std::size_t> rows;
    for (const std::size_t place : machines.support) rows.push_back(part.rows[place]);
    Fit fit;
    fit.model = std::make_unique<SvmModel>(rule, std::move(machines), selected(part.items.groups, rows),
                                           std::move(matrices), rows);
    return fit;
  }

  [[nodiscard]] std::unique_ptr<Model> load(const Part& part,
                                            std::span<const io::NamedArray> named) const override {
    const ModelArrays arrays(named);
    const std::size_t classes = part.items.classes.size();
    kernel::SupportVectors machines;
    machines.classes = arrays.whole<int>("svm.classes", static_cast<double>(classes) - 1);
    machines.counts = arrays.whole<std::size_t>("svm.counts");
    machines.coefficients = arrays("svm.coefficients");
    machines.offsets = arrays("svm.offsets");
    const std::size_t present = machines.classes.size();
    const auto count = std::accumulate(machines.counts.begin(), machines.counts.end(), std::size_t{0});
    require(present > 0 && machines.counts.size() == present &&
            machines.coefficients.size() == (present - 1) * count &&
            machines.offsets.size() == present * (present - 1) / 2);
    machines.support = all_rows(count);

    GramRule rule;
    const auto rate = arrays("svm.rate"), norm = arrays("svm.norm");
    require(rate.size() == 1 && norm.size() == 1 && norm[0] > 0 && rate[0] >= 0);
    if (kernel_.is_distance()) rule.rate = rate[0];
    rule.norm = norm[0];
    std::vector<diagram::DiagramGroup> support;
    for (std::size_t g = 0; g < part.items.groups.size(); ++g) {
      const auto prefix = fmt::format("svm.group{}.", g);
      const auto parameters = arrays(prefix + "kernel");
      const auto coordinates = arrays(prefix + "points");
      auto offsets = arrays.whole<std::int64_t>(prefix + "diagrams");
      require(parameters.size() == 2 && coordinates.size() % 2 == 0 && offsets.size() == count + 1);
      rule.kernels.push_back(kernel_);
      rule.kernels.back().sigma = parameters[0];
      rule.kernels.back().scale = parameters[1];
      require(rule.kernels.back().is_fitted());
      std::vector<diagram::Point> points;
      for (std::size_t i = 0; i < coordinates.size(); i += 2)
        points.push_back({coordinates[i], coordinates[i + 1]});
      support.push_back({part.items.groups[g].filtration,
                         part.items.groups[g].kind,
                         diagram::DiagramBatch(std::move(points), std::move(offsets)),
                         {}});
    }
    return std::make_unique<SvmModel>(std::move(rule), std::move(machines), std::move(support), nullptr,
                                      std::vector<std::size_t>{});
  }

 private:
  struct Choice {
    GramRule rule;
    double cost = 1;
  };

  /// The best in a cross-validation inside the training part; the first of equals.
  [[nodiscard]] Choice choose(const Part& part, std::span<const int> labels, BaseMatrices& matrices,
                              std::uint64_t seed, const base::Context& context) const {
    if (labels.size() < 2)
      throw base::user_error(fmt::format(
          "Support vectors choose their cost by a cross-validation inside the training part, which "
          "needs at least 2 items and has {}.",
          labels.size()));
    Protocol protocol;
    protocol.folds = std::min(settings_.folds, labels.size());
    const Splits folds(protocol, labels, part.items.classes, seed);
    Choice best;
    std::optional<std::size_t> most;
    for (const auto& kernels : bases_for(kernel_, part.items, part.rows)) {
      const auto base = kernel::block(*matrices(kernels), part.rows, part.rows);
      for (auto& rule : rules_for(kernels, base)) {
        const auto gram = rule(base);
        const kernel::TrainingGram training(gram);
        for (const double cost : settings_.costs) {
          context.stop_if_cancelled();
          const auto right = right_in_folds(training, gram, folds, labels, part.items.classes.size(), cost);
          if (most && right <= *most) continue;
          most = right;
          best = {rule, cost};
        }
      }
    }
    return best;
  }

  SvmSettings settings_;
  Kernel kernel_;
  std::shared_ptr<BaseMatrices> matrices_;
};

}  // namespace

std::unique_ptr<Learner> make_svm_learner(const SvmSettings& settings, const kernel::Kernel& kernel) {
  return std::make_unique<SvmLearner>(settings, kernel);
}

}  // namespace perslay::learn
