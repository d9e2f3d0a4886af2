#include "learners.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace perslay::learn {
namespace {

constexpr auto of_ridge = [](const io::NamedArray& array) { return array.name.starts_with("ridge."); };

class CombinedModel : public Model {
 public:
  CombinedModel(std::unique_ptr<Model> ridge, std::unique_ptr<Model> network)
      : ridge_(std::move(ridge)), network_(std::move(network)) {}

  [[nodiscard]] std::vector<float> probabilities(const Part& part,
                                                 const base::Context& context) const override {
    auto mean = ridge_->probabilities(part, context);
    const auto other = network_->probabilities(part, context);
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] = (mean[i] + other[i]) / 2;
    return mean;
  }

  [[nodiscard]] std::vector<io::NamedArray> arrays() const override {
    auto all = ridge_->arrays();
    std::ranges::move(network_->arrays(), std::back_inserter(all));
    return all;
  }

 private:
  std::unique_ptr<Model> ridge_, network_;
};

class CombinedLearner : public Learner {
 public:
  CombinedLearner(std::unique_ptr<Learner> ridge, std::unique_ptr<Learner> network)
      : ridge_(std::move(ridge)), network_(std::move(network)) {}

  void study(const features::Items& items, const base::Context& context) override {
    ridge_->study(items, context);
    network_->study(items, context);
  }

  [[nodiscard]] Cost cost_of_fit(std::size_t items) const override { return ridge_->cost_of_fit(items); }

  [[nodiscard]] std::size_t steps(std::size_t items) const noexcept override {
    return network_->steps(items);
  }

  /// Reports and the history are those of the network.
  [[nodiscard]] Fit fit(const Part& training, const FitOptions& options,
                        const base::Context& context) const override {
    FitOptions silent = options;
    silent.report = nullptr;
    auto ridge = ridge_->fit(training, silent, context);
    auto fit = network_->fit(training, options, context);
    fit.model = std::make_unique<CombinedModel>(std::move(ridge.model), std::move(fit.model));
    return fit;
  }

  [[nodiscard]] std::unique_ptr<Model> load(const Part& part,
                                            std::span<const io::NamedArray> arrays) const override {
    std::vector<io::NamedArray> ridge, network;
    std::ranges::copy_if(arrays, std::back_inserter(ridge), of_ridge);
    std::ranges::remove_copy_if(arrays, std::back_inserter(network), of_ridge);
    return std::make_unique<CombinedModel>(ridge_->load(part, ridge), network_->load(part, network));
  }

 private:
  std::unique_ptr<Learner> ridge_, network_;
};

}  // namespace

std::unique_ptr<Learner> make_combined_learner(std::unique_ptr<Learner> ridge,
                                               std::unique_ptr<Learner> network) {
  return std::make_unique<CombinedLearner>(std::move(ridge), std::move(network));
}

}  // namespace perslay::learn
