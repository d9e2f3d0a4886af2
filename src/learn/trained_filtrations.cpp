#include <algorithm>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/registry.h>
#include <perslay/diagram/transforms.h>
#include <perslay/features/item_features.h>
#include <perslay/filtration/filtration.h>
#include <perslay/filtration/heat_spectrum.h>
#include <perslay/learn/point_network_names.h>
#include <perslay/learn/trained_filtrations.h>

namespace perslay::learn {
namespace {

bool is_heat_kernel(std::string_view name) { return base::split_name(name).head == "hks"; }

/// Of a heat kernel signature whose time is trained.
void check_start(const std::string& name) {
  const auto filtration = filtration::parse_filtration(name);
  constexpr double longest = filtration::HeatSpectrum::longest_time;
  if (!(filtration.time > 0 && filtration.time <= longest) || filtration.tolerance > 0)
    throw base::user_error(fmt::format(
        "A time that is trained starts above 0 and at most at {}, without an error allowed, unlike {}.",
        longest, name));
}

/// What is computed from diagrams before anything is learned needs some that are known by then.
void check_features(const Settings& settings) {
  if (!std::ranges::all_of(settings.data.filtrations, is_learned_filtration)) return;
  for (const auto& name : settings.features.names)
    if (!features::parse_item_feature(name).of_graphs())
      throw base::user_error(fmt::format(
          "{} is computed from diagrams, and those of {} are not known before it is learned; name another "
          "filtration beside it.",
          name, settings.data.filtrations.front()));
}

}  // namespace

bool is_learned_filtration(std::string_view name) { return base::split_name(name).head == "learned"; }

std::vector<std::size_t> parse_learned_filtration(std::string_view name) {
  return parse_widths(base::split_name(name).arguments,
                      "learned needs the widths of its layers, from 1 to 65536, such as learned:16x16");
}

bool is_trained_filtration(const Settings& settings, std::string_view name) {
  if (settings.model != "network" || !settings.network.use_diagrams) return false;
  return is_learned_filtration(name) || (settings.network.train_filtration && is_heat_kernel(name));
}

bool trains_filtrations(const Settings& settings) {
  return std::ranges::any_of(settings.data.filtrations,
                             [&](const auto& name) { return is_trained_filtration(settings, name); });
}

std::optional<std::size_t> prominent_points(const DataSettings& data) {
  std::optional<std::size_t> count;
  for (const auto& name : data.transforms)
    if (const auto transform = diagram::parse_transform(name);
        transform.type == diagram::Transform::Type::prominent)
      count = std::min(count.value_or(transform.count), transform.count);
  return count;
}

void check_trained_filtrations(const Settings& settings) {
  const auto& filtrations = settings.data.filtrations;
  if (settings.model != "network") {
    const auto learned = std::ranges::find_if(filtrations, is_learned_filtration);
    if (settings.network.train_filtration || learned != filtrations.end())
      throw base::user_error(
          fmt::format("The model {} cannot train a filtration; a network can.", settings.model));
    return;
  }
  if (!settings.network.use_diagrams) return;
  if (settings.network.train_filtration && std::ranges::none_of(filtrations, is_heat_kernel))
    throw base::user_error(
        "network.train_filtration is about filtrations such as hks:10, and data.filtrations has none.");
  if (!trains_filtrations(settings)) return;
  if (settings.network.scale == Scaling::apart)
    throw base::user_error(
        "Diagrams whose filtration is trained are scaled with births and deaths together (network.scale = "
        "true) or not at all, not apart.");
  check_features(settings);
  for (const auto& name : filtrations)
    if (is_heat_kernel(name) && settings.network.train_filtration) check_start(name);
  for (const auto kind : settings.data.kinds)
    if (std::ranges::find(diagram::extended_kinds, kind) == diagram::extended_kinds.end())
      throw base::user_error(fmt::format(
          "A filtration that is trained has diagrams of the kinds ord0, rel1, ext0 and ext1, not {}.",
          diagram::kind_name(kind)));
  for (const auto& name : settings.data.transforms)
    if (diagram::parse_transform(name).type != diagram::Transform::Type::prominent)
      throw base::user_error(
          fmt::format("The only transform of diagrams whose filtration is trained is prom:K, not {}.", name));
}

}  // namespace perslay::learn
