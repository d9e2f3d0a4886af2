#include "combined_learner.h"
#include "network_learner.h"
#include "ridge_learner.h"
#include "svm_learner.h"

#include <memory>
#include <utility>

#include <perslay/learn/learner.h>
#include <perslay/learn/model_name.h>

namespace perslay::learn {

MakeLearner all_learners() {
  return [memory = std::make_shared<RidgeMemory>()](const Settings& settings) {
    const auto model = parse_model(settings.model);
    if (model.kernel) return make_svm_learner(settings);
    if (!model.network) return make_ridge_learner(settings, memory);
    Settings of_network = settings;
    of_network.model = "network";
    if (model.pool == nullptr) return make_network_learner(of_network);
    return make_combined_learner(make_ridge_learner(settings, memory), make_network_learner(of_network));
  };
}

}  // namespace perslay::learn
