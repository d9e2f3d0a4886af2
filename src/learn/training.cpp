#include "requirements.h"

#include <utility>

#include <perslay/learn/metrics.h>
#include <perslay/learn/splits.h>
#include <perslay/learn/training.h>

namespace perslay::learn {

Trained train(const features::Items& items, const Settings& settings, const MakeLearner& make_learner,
              const FitOptions& options, const base::Context& context) {
  require_classes(items);
  require_loops(items, settings);
  const auto rows = all_rows(items.count());

  Trained trained;
  auto& model = trained.model;
  model = model_for(items, settings, options.seed);
  model.preparation = Preparation::fit(items, rows, settings, context);
  const Part part{items, rows, model.preparation};
  const auto learner = make_learner(settings);
  require_memory(learner->cost_of_fit(rows.size()), rows.size());
  auto fit = learner->fit(part, options, context);
  trained.history = std::move(fit.history);
  const auto probabilities =
      removing_checkpoint_on_failure(options, [&] { return fit.model->probabilities(part, context); });
  trained.accuracy = accuracy(items.labels, most_probable(probabilities, items.classes.size()));
  model.arrays = fit.model->arrays();
  return trained;
}

}  // namespace perslay::learn
