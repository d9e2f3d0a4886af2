#include "names.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/features/item_features.h>
#include <perslay/filtration/filtration.h>
#include <perslay/learn/architecture.h>
#include <perslay/learn/channel_choice.h>
#include <perslay/learn/trained_filtrations.h>

namespace perslay::learn {
namespace {

network::ChannelPlan plan_of(const ChannelSettings& settings, bool convolve_points) {
  network::ChannelPlan plan;
  plan.nested = !settings.paper.empty() || !settings.convolution.empty();
  if (!settings.paper.empty()) {
    auto [channel, convolution] = layer::parse_paper_channel(settings.paper);
    plan.perslay = std::move(channel);
    plan.convolution = convolution;
  } else {
    plan.perslay = layer_channel(settings);
    if (!settings.convolution.empty()) plan.convolution = layer::parse_convolution(settings.convolution);
  }
  if (plan.convolution) plan.convolution->of_points = convolve_points;
  return plan;
}

std::string title(const GroupName& group) {
  return fmt::format("{} {}", group.filtration, diagram::kind_name(group.kind));
}

/// "hks:10 ext1" for "hks:10.0 ext1". Diagram files may call their filtrations what they like: other names stay.
std::string canonical(const std::string& name) {
  const auto filtration = name.substr(0, name.find(' '));
  if (base::split_name(filtration).head != "hks") return name;
  try {
    return filtration::parse_filtration(filtration).name + name.substr(filtration.size());
  } catch (const base::Error&) {
    return name;
  }
}

/// The filtration that the name of some diagrams begins with; none if it is a kind.
std::string_view filtration_in(std::string_view name) {
  const auto kinds = diagram::kind_names();
  const auto is_kind = [&](std::string_view text) {
    return std::ranges::find(kinds, text, &diagram::KindName::name) != kinds.end();
  };
  if (is_kind(name)) return {};
  const auto space = name.rfind(' ');
  return space != std::string_view::npos && is_kind(name.substr(space + 1)) ? name.substr(0, space) : name;
}

/// Channels for diagrams that nobody computes are a slip of the pen. Kinds may be missing: variants leave some out.
void check_filtrations_of(const NetworkSettings& network, const features::Items& items) {
  for (const auto& [name, channels] : network.channels) {
    const auto wanted = filtration_in(name);
    if (wanted.empty() || std::ranges::any_of(items.groups, [&](const auto& group) {
          return canonical(group.filtration) == canonical(std::string(wanted));
        }))
      continue;
    std::vector<std::string> there;
    for (const auto& group : items.groups)
      if (std::ranges::find(there, group.filtration) == there.end()) there.push_back(group.filtration);
    throw base::user_error(fmt::format(
        "[network.channels] has a channel for '{}', but the diagrams are of {}.", name, listed(there)));
  }
}

/// The columns of a feature that follows a trained time, as they are standardised.
network::TrainedQuantiles quantiles_of(const FittedFeatures& features, std::size_t name) {
  const auto feature = features::parse_item_feature(features.settings.names[name]);
  const auto& widths = features.widths;
  network::TrainedQuantiles quantiles;
  quantiles.filtration = feature.function.name;
  quantiles.column =
      std::accumulate(widths.begin(), widths.begin() + static_cast<std::ptrdiff_t>(name), std::size_t{0});
  quantiles.count = widths[name];
  if (!features.settings.standardise) return quantiles;
  const auto own = [&](const std::vector<double>& moments) {
    const auto begin = moments.begin() + static_cast<std::ptrdiff_t>(quantiles.column);
    return std::vector(begin, begin + static_cast<std::ptrdiff_t>(quantiles.count));
  };
  quantiles.means = own(features.means);
  quantiles.deviations = own(features.deviations);
  quantiles.clip = features.settings.clip;
  return quantiles;
}

network::TrainedTimesOptions trained_times(const Settings& settings, const features::Items& items,
                                           const FittedFeatures& features) {
  network::TrainedTimesOptions times;
  for (std::size_t g = 0; g < items.groups.size(); ++g) {
    const auto& [filtration, kind, diagrams, cycles] = items.groups[g];
    if (is_trained_filtration(settings, filtration))
      times.groups.push_back(
          {g, filtration, filtration::parse_filtration(filtration).heat_kernel->time, kind});
  }
  times.scale = settings.network.scale != Scaling::none;
  times.pace = settings.network.filtration_pace;
  times.drop_diagonal = settings.data.drop_diagonal;
  times.prominent = prominent_points(settings.data);
  for (std::size_t name = 0; name < features.settings.names.size(); ++name)
    if (follows_trained_filtration(settings, features.settings.names[name]))
      times.quantiles.push_back(quantiles_of(features, name));
  return times;
}

}  // namespace

std::vector<ChannelSettings> channels_of(const NetworkSettings& network, const GroupName& group) {
  const auto find = [&](const std::string& wanted) {
    const std::pair<const std::string, std::vector<ChannelSettings>>* found = nullptr;
    for (const auto& own : network.channels) {
      if (canonical(own.first) != canonical(wanted)) continue;
      if (found != nullptr)
        throw base::user_error(
            fmt::format("[network.channels] has channels for '{}' and for '{}', which are the same diagrams.",
                        found->first, own.first));
      found = &own;
    }
    return found == nullptr ? nullptr : &found->second;
  };
  const std::string kind(diagram::kind_name(group.kind));
  if (const auto* const own = find(title(group))) return *own;
  const auto* const of_filtration = find(group.filtration);
  const auto* const of_kind = find(kind);
  if (of_filtration != nullptr && of_kind != nullptr)
    throw base::user_error(
        fmt::format("[network.channels] has channels for '{0}' and for '{1}', and '{2}' is both; say which "
                    "it has by \"{2}\" = ...",
                    group.filtration, kind, title(group)));
  if (of_filtration != nullptr) return *of_filtration;
  return of_kind != nullptr ? *of_kind : std::vector{network.channel};
}

network::Architecture architecture(const Settings& settings, const features::Items& items,
                                   const FittedFeatures& features) {
  const auto& network = settings.network;
  network::Architecture architecture;
  if (network.use_diagrams) {
    check_filtrations_of(network, items);
    for (std::size_t g = 0; g < items.groups.size(); ++g)
      for (const auto& channel : channels_of(network, {items.groups[g].filtration, items.groups[g].kind})) {
        architecture.channels.push_back(plan_of(channel, network.convolve_points));
        architecture.groups.push_back(g);
      }
    architecture.times = trained_times(settings, items, features);
  }
  if (!architecture.times.groups.empty() && items.graphs == nullptr)
    throw base::user_error("A filtration is to be trained, but the items came without their graphs.");
  architecture.features = features.columns();
  architecture.outputs = items.classes.size();
  architecture.hidden = network.hidden;
  architecture.batch_norm = network.batch_norm;
  architecture.channel_norm = network.channel_norm;
  architecture.input_dropout = network.input_dropout;
  architecture.dropout = network.dropout;
  architecture.initialisation = layer::parse_initialisation(network.initialisation);
  return architecture;
}

network::Architecture architecture_of(const ModelFile& model) {
  features::Items items;
  items.classes = model.classes;
  items.graphs = std::make_shared<const features::ItemGraphs>();
  items.groups.reserve(model.groups.size());
  for (const auto& [filtration, kind] : model.groups) items.groups.push_back({filtration, kind, {}, {}});
  return architecture(with_chosen_channel(model), items, model.preparation.features);
}

}  // namespace perslay::learn
