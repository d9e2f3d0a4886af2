#include "ridge_learner.h"
#include "svm_learner.h"

#include <utility>

#include <perslay/learn/learner.h>

namespace perslay::learn {

MakeLearner all_learners(MakeLearner network) {
  return [network = std::move(network)](const Settings& settings) {
    if (settings.model == "network") return network(settings);
    return settings.model.starts_with("ridge") ? make_ridge_learner(settings) : make_svm_learner(settings);
  };
}

}  // namespace perslay::learn
