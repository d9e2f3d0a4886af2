#include <perslay/learn/channel_choice.h>
#include <perslay/learn/models.h>
#include <perslay/learn/schedule.h>
#include <perslay/learn/steps_done.h>

namespace perslay::learn {

std::size_t steps_done(const Settings& settings, std::size_t items, const Epoch& epoch) {
  if (!model_kind(settings).has_epochs) return epoch.epoch + 1;
  const auto& network = settings.network;
  const auto epochs = effective_epochs(settings.training);
  const auto trainings =
      epoch.choosing > 0 ? epoch.choosing - 1 : network.candidates.size() * choice_folds(network, items);
  return (trainings * settings.training.nets + epoch.net) * epochs + epoch.epoch + 1;
}

}  // namespace perslay::learn
