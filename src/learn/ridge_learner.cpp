#include "ridge_learner.h"

#include "ridge_cost.h"
#include "ridge_fit.h"
#include "ridge_model.h"
#include "shared_ridge.h"

#include <utility>

#include <perslay/learn/model_name.h>

namespace perslay::learn {
namespace {

class RidgeLearner : public Learner {
 public:
  RidgeLearner(const Settings& settings, std::shared_ptr<RidgeMemory> memory)
      : settings_(settings.ridge), pool_(*parse_model(settings.model).pool), memory_(std::move(memory)) {}

  void expect(const features::Items& items, std::span<const Split> splits,
              const base::Context& context) override {
    if (!settings_.strict) shared_.emplace(settings_, pool_, items, splits, context);
  }

  [[nodiscard]] Cost cost_of_expecting(std::size_t items, const Protocol& protocol,
                                       int threads) const override {
    return settings_.strict ? Cost{} : cost_of_shared_ridge(settings_, pool_, items, protocol, threads);
  }

  [[nodiscard]] Cost cost_of_fit(std::size_t items) const override {
    return cost_of_ridge(settings_, pool_, items);
  }

  [[nodiscard]] std::size_t steps() const noexcept override {
    return pool_.kernels.size() * settings_.gammas.size() * settings_.lambdas.size();
  }

  [[nodiscard]] Fit fit(const Part& part, const FitOptions& options,
                        const base::Context& context) const override {
    if (shared_)
      if (auto fit = shared_->fit(part)) return *std::move(fit);
    return fit_ridge(settings_, pool_, part, options, *memory_, context);
  }

  [[nodiscard]] std::unique_ptr<Model> load(const Part& part,
                                            std::span<const io::NamedArray> arrays) const override {
    return RidgeModel::read(blocks_of(pool_), part.items.classes.size(), arrays);
  }

 private:
  RidgeSettings settings_;
  const RidgePool& pool_;
  std::shared_ptr<RidgeMemory> memory_;
  std::optional<SharedRidge> shared_;
};

}  // namespace

std::unique_ptr<Learner> make_ridge_learner(const Settings& settings, std::shared_ptr<RidgeMemory> memory) {
  return std::make_unique<RidgeLearner>(settings, std::move(memory));
}

}  // namespace perslay::learn
