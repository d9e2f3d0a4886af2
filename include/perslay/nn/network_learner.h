#pragma once

#include <memory>
#include <span>
#include <vector>

#include <perslay/learn/learner.h>

namespace perslay::nn {

struct ItemSpectra;

/// Trains the classifier of settings.network as settings.training says; `model = "network"`.
///
/// All randomness (initial parameters, order of items, dropout) comes from (seed, net, epoch), so a
/// checkpoint holds no generator, and what was killed and taken up again ends with the same bytes. It tells
/// libtorch to use one thread: parallelism is over folds, and over the diagrams of a batch inside PersLay.
class NetworkLearner : public learn::Learner {
 public:
  explicit NetworkLearner(learn::Settings settings);
  ~NetworkLearner() override;

  /// Computes the spectra of all graphs if heat kernel signatures are trained.
  void expect(const features::Items& items, std::span<const learn::Split> splits,
              const base::Context& context) override;

  [[nodiscard]] std::size_t steps() const noexcept override { return epochs_ * settings_.training.nets; }

  [[nodiscard]] learn::Fit fit(const learn::Part& training, const learn::FitOptions& options,
                               const base::Context& context) const override;
  [[nodiscard]] std::unique_ptr<learn::Model> load(const learn::Part& part,
                                                   std::span<const io::NamedArray> arrays) const override;

 private:
  learn::Settings settings_;
  std::size_t epochs_;  // of each net
  std::unique_ptr<const ItemSpectra> spectra_;
};

}  // namespace perslay::nn
