#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/error.h>
#include <perslay/features/cloud_diagrams.h>
#include <perslay/features/item_features.h>
#include <perslay/learn/model_name.h>
#include <perslay/learn/settings.h>
#include <perslay/learn/trained_filtrations.h>

namespace perslay::learn {

Settings default_settings(features::Content content) {
  Settings settings;
  settings.name = "default";
  settings.data.transforms = {"prom:500"};
  settings.network.initialisation = "authors";
  settings.training.schedule = "halving:20";
  settings.training.average = 0.9;
  switch (content) {
    case features::Content::graphs:
      settings.data.filtrations = {"hks:0.1", "hks:10"};
      settings.features.names = {"eigenvalues", "deciles:hks:0.1", "deciles:hks:10"};
      break;
    case features::Content::clouds:
      settings.data.filtrations = {"alpha"};
      settings.data.transforms.emplace_back("sqrt");
      settings.network.channel = {"Pm(25,25,10,top-5)"};
      settings.training.schedule = "cosine";
      break;
    case features::Content::diagrams:
      settings.data.filtrations.clear();
      break;
  }
  return settings;
}

namespace {

/// Of the network, or of support vectors, alone.
features::LoadRequest request_of_network(const Settings& settings) {
  const auto features = features::parse_item_features(settings.features.names);
  return {.filtrations = settings.data.filtrations,
          .kinds = settings.data.kinds,
          .drop_diagonal = settings.data.drop_diagonal,
          .transforms = settings.data.transforms,
          .features = settings.features.names,
          .keep_diagrams = settings.network.use_diagrams ||
                           std::ranges::any_of(features, &features::ItemFeature::is_fitted),
          .keep_graphs = trains_filtrations(settings)};
}

/// Of both. The pool wants all diagrams of its filtrations as they are, and the network gets the same.
features::LoadRequest combined_request(const Settings& settings, features::LoadRequest pool) {
  auto request = request_of_network(settings);
  const auto groups = [](const auto& filtrations) {
    return filtrations.empty() || features::is_cloud_filtration(filtrations[0]) ? 2U : 4U;
  };
  if (request.filtrations != pool.filtrations || !request.transforms.empty() || request.drop_diagonal ||
      (!request.kinds.empty() && request.kinds.size() != groups(pool.filtrations)))
    throw base::user_error(
        fmt::format("{} reads all diagrams as they are: data.filtrations must be {}, and data.kinds, "
                    "data.diagonal and data.transforms must not be given.",
                    settings.model, fmt::join(pool.filtrations, ", ")));
  for (const auto& name : pool.features)
    if (std::ranges::find(request.features, name) == request.features.end()) request.features.push_back(name);
  request.keep_diagrams |= pool.keep_diagrams;
  return request;
}

}  // namespace

features::LoadRequest load_request(const Settings& settings) {
  check_trained_filtrations(settings);
  const auto model = parse_model(settings.model);
  if (model.pool == nullptr) return request_of_network(settings);
  auto request = features::load_request(blocks_of(*model.pool));
  return model.network ? combined_request(settings, std::move(request)) : request;
}

}  // namespace perslay::learn
