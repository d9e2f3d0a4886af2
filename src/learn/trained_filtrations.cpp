#include <algorithm>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/registry.h>
#include <perslay/diagram/transforms.h>
#include <perslay/features/item_features.h>
#include <perslay/filtration/filtration.h>
#include <perslay/filtration/heat_spectrum.h>
#include <perslay/learn/models.h>
#include <perslay/learn/trained_filtrations.h>

namespace perslay::learn {
namespace {

bool is_heat_kernel(std::string_view name) { return base::split_name(name).head == "hks"; }

/// Of a heat kernel signature whose time is trained.
void check_start(const std::string& name) {
  const auto kernel = filtration::parse_filtration(name).heat_kernel.value();
  constexpr double longest = filtration::HeatSpectrum::longest_time;
  if (!(kernel.time > 0 && kernel.time <= longest) || kernel.tolerance > 0)
    throw base::user_error(fmt::format(
        "A time that is trained starts above 0 and at most at {}, without an error allowed, unlike {}.",
        longest, name));
}

}  // namespace

bool is_trained_filtration(const Settings& settings, std::string_view name) {
  return model_kind(settings).is_network && settings.network.use_diagrams &&
         settings.network.train_filtration && is_heat_kernel(name);
}

bool trains_filtrations(const Settings& settings) {
  return std::ranges::any_of(settings.data.filtrations,
                             [&](const auto& name) { return is_trained_filtration(settings, name); });
}

bool follows_trained_filtration(const Settings& settings, std::string_view feature) {
  if (!settings.network.train_features) return false;
  const auto parsed = features::parse_item_feature(feature);
  return parsed.type == features::ItemFeature::Type::deciles &&
         std::ranges::any_of(settings.data.filtrations, [&](const auto& name) {
           return is_trained_filtration(settings, name) &&
                  filtration::parse_filtration(name).name == parsed.function.name;
         });
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
  const auto& network = settings.network;
  if (!network.train_filtration && network.train_features)
    throw base::user_error("network.train_features needs network.train_filtration = true.");
  if (!network.train_filtration && network.times_by_epoch)
    throw base::user_error("network.filtration_update = \"epoch\" needs network.train_filtration = true.");
  if (!network.train_filtration) return;
  if (!model_kind(settings).is_network)
    throw base::user_error(
        fmt::format("The model {} cannot train a filtration; a network can.", settings.model));
  if (!network.use_diagrams) return;
  if (!trains_filtrations(settings))
    throw base::user_error(
        "network.train_filtration is about filtrations such as hks:10, and data.filtrations has none.");
  if (network.train_features && std::ranges::none_of(settings.features.names, [&](const auto& name) {
        return follows_trained_filtration(settings, name);
      }))
    throw base::user_error(
        fmt::format("network.train_features is about deciles of the filtrations that are trained, such as "
                    "deciles:{}, and features.names has none.",
                    *std::ranges::find_if(settings.data.filtrations, is_heat_kernel)));
  if (network.scale == Scaling::apart)
    throw base::user_error(
        "Diagrams whose filtration is trained are scaled with births and deaths together (network.scale = "
        "true) or not at all, not apart.");
  for (const auto& name : settings.data.filtrations)
    if (is_heat_kernel(name)) check_start(name);
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
