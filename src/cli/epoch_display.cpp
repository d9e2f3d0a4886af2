#include "epoch_display.h"

#include <fmt/format.h>

#include <perslay/learn/channel_choice.h>
#include <perslay/learn/models.h>
#include <perslay/learn/schedule.h>

namespace perslay::cli {

void EpochDisplay::show(const learn::Epoch& epoch) {
  if (quiet_ || !line_.is_due()) return;
  const auto judged = fmt::format("loss {:.4f}, accuracy {:.3f}", epoch.loss, epoch.accuracy);
  if (!model_kind(settings_).has_epochs)
    return line_.show(fmt::format("candidate {} of {}: {}", epoch.epoch + 1, steps_, judged));
  const auto& training = settings_.training;
  const auto& network = settings_.network;
  const auto choosing = epoch.choosing == 0
                            ? ""
                            : fmt::format("choosing a channel, training {} of {}, ", epoch.choosing,
                                          network.candidates.size() * choice_folds(network, items_));
  const auto net = training.nets == 1 ? "" : fmt::format("net {} of {}, ", epoch.net + 1, training.nets);
  line_.show(fmt::format("{}{}epoch {} of {}: {}", choosing, net, epoch.epoch + 1,
                         learn::effective_epochs(training), judged));
}

}  // namespace perslay::cli
