#include "epoch_display.h"

#include <fmt/format.h>

#include <perslay/learn/channel_choice.h>
#include <perslay/learn/models.h>
#include <perslay/learn/schedule.h>
#include <perslay/learn/steps_done.h>

namespace perslay::cli {

void EpochDisplay::show(const learn::Epoch& epoch) {
  const auto done = learn::steps_done(settings_, items_, epoch);
  if (!pace_) pace_.emplace(done);
  if (quiet_ || !line_.is_due()) return;
  const auto how =
      fmt::format("loss {:.4f}, accuracy {:.3f}{}", epoch.loss, epoch.accuracy, pace_->left(done, steps_));
  if (!model_kind(settings_).has_epochs)
    return StatusLine::show(fmt::format("candidate {} of {}: {}", epoch.epoch + 1, steps_, how));
  const auto& training = settings_.training;
  const auto& network = settings_.network;
  const auto choosing = epoch.choosing == 0
                            ? ""
                            : fmt::format("choosing a channel, training {} of {}, ", epoch.choosing,
                                          network.candidates.size() * choice_folds(network, items_));
  const auto net = training.nets == 1 ? "" : fmt::format("net {} of {}, ", epoch.net + 1, training.nets);
  StatusLine::show(fmt::format("{}{}epoch {} of {}: {}", choosing, net, epoch.epoch + 1,
                               learn::effective_epochs(training), how));
}

}  // namespace perslay::cli
