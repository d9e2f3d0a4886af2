#pragma once

#include <vector>

#include <perslay/features/items.h>
#include <perslay/learn/model_file.h>
#include <perslay/learn/preparation.h>
#include <perslay/learn/settings.h>
#include <perslay/network/architecture.h>

namespace perslay::learn {

/// The channels that the diagrams of a group go through, side by side: those that network.channels has for the group,
/// for its filtration or for its kind, else network.channel. Channels for both its filtration and its kind are the
/// user's error.
[[nodiscard]] std::vector<ChannelSettings> channels_of(const NetworkSettings& network,
                                                       const GroupName& group);

/// The network that settings describe, for items with these groups of diagrams, features as they were fitted, and their
/// classes. Items without graphs, where a filtration is trained, are the user's error, and so are channels for a
/// filtration that the items do not have.
[[nodiscard]] network::Architecture architecture(const Settings& settings, const features::Items& items,
                                                 const FittedFeatures& features);

/// The network of a stored model, one of `model = "network"`.
[[nodiscard]] network::Architecture architecture_of(const ModelFile& model);

}  // namespace perslay::learn
