#include "learners.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/error.h>
#include <perslay/base/name.h>
#include <perslay/features/inputs.h>
#include <perslay/features/item_features.h>
#include <perslay/learn/kernel_blocks.h>
#include <perslay/learn/models.h>
#include <perslay/learn/ridge_pools.h>
#include <perslay/learn/trained_filtrations.h>

namespace perslay::learn {
namespace {

using Memory = std::shared_ptr<RidgeMemory>;

void check_kernel(std::string_view argument) {
  if (argument.empty()) throw base::user_error("svm needs the name of a kernel such as svm:sw.");
  (void)kernel::parse_kernel(argument);
}

std::unique_ptr<Learner> make_network(const Settings& settings) {
  return settings.network.candidates.empty() ? make_network_learner(settings) : make_channel_choice(settings);
}

// ---- ridge

void check_pool(std::string_view argument) { (void)ridge_pool(argument); }

std::string default_pool(const features::InputKind& input) {
  const auto found = std::ranges::find(ridge_pools(), &input, &RidgePool::default_of);
  return found == ridge_pools().end() ? default_pool(features::graph_kind()) : found->name;
}

std::vector<base::NameHelp> pool_help() {
  std::vector<base::NameHelp> help;
  for (const auto& pool : ridge_pools()) help.push_back({pool.name, pool.help});
  return help;
}

features::LoadRequest data_of_pool(std::string_view argument) {
  return load_request(blocks_of(ridge_pool(argument)));
}

std::unique_ptr<Learner> make_ridge(const Settings& settings, std::string_view argument,
                                    const Memory& memory) {
  return make_ridge_learner(settings.ridge, ridge_pool(argument), memory);
}

std::unique_ptr<Learner> make_ridge_and_network(const Settings& settings, std::string_view argument,
                                                const Memory& memory) {
  Settings of_network = settings;
  of_network.model = "network";
  return make_combined_learner(make_ridge(settings, argument, memory), make_network(of_network));
}

// ---- the table

constexpr std::array table{
    ModelKind{.head = "network",
              .help = "The paper's network, or another of PersLay channels.",
              .section = "network",
              .takes_features = true,
              .has_epochs = true,
              .is_network = true,
              .make = [](const Settings& settings, std::string_view /*argument*/,
                         const Memory& /*memory*/) { return make_network(settings); }},
    ModelKind{.head = "svm",
              .placeholder = "KERNEL",
              .help = "Support vectors on a kernel between diagrams, such as svm:sw.",
              .section = "svm",
              .check = check_kernel,
              .make =
                  [](const Settings& settings, std::string_view argument, const Memory& /*memory*/) {
                    return make_svm_learner(settings.svm, kernel::parse_kernel(argument));
                  }},
    ModelKind{.head = "ridge",
              .placeholder = "POOL",
              .help = "Kernel ridge on blocks of features.",
              .section = "ridge",
              .check = check_pool,
              .default_argument = default_pool,
              .arguments = pool_help,
              .own_data = data_of_pool,
              .make = make_ridge},
    ModelKind{.head = "ridge",
              .placeholder = "POOL",
              .ending = "+mlp",
              .help = "Kernel ridge and a network; their probabilities are averaged.",
              .section = "ridge",
              .takes_features = true,
              .has_epochs = true,
              .check = check_pool,
              .default_argument = default_pool,
              .own_data = data_of_pool,
              .make = make_ridge_and_network}};

/// A name that is one of this kind, without the ending.
std::optional<base::Name> matched(const ModelKind& kind, std::string_view name) {
  if (!name.ends_with(kind.ending)) return std::nullopt;
  const auto parts = base::split_name(name.substr(0, name.size() - kind.ending.size()));
  if (parts.head != kind.head || (parts.has_arguments && kind.placeholder.empty())) return std::nullopt;
  return parts;
}

/// Of the kinds that match, the one with the longest ending.
const ModelKind* kind_of(std::string_view name) {
  const ModelKind* best = nullptr;
  for (const auto& kind : table)
    if (matched(kind, name) && (best == nullptr || kind.ending.size() > best->ending.size())) best = &kind;
  return best;
}

/// What [data] and [features] ask for.
features::LoadRequest request_of_settings(const Settings& settings) {
  const auto features = features::parse_item_features(settings.features.names);
  return {.filtrations = settings.data.filtrations,
          .kinds = settings.data.kinds,
          .essential = settings.data.essential,
          .drop_diagonal = settings.data.drop_diagonal,
          .transforms = settings.data.transforms,
          .features = settings.features.names,
          .keep_diagrams = settings.network.use_diagrams ||
                           std::ranges::any_of(features, &features::ItemFeature::is_fitted),
          .keep_graphs = trains_filtrations(settings)};
}

/// The same beside a model that wants all diagrams of its filtrations as they are.
features::LoadRequest joint_request(const Settings& settings, const features::LoadRequest& own) {
  auto request = request_of_settings(settings);
  const auto* const input = features::kind_of_filtrations(own.filtrations);
  const std::size_t all_kinds = input == nullptr ? 0 : input->default_kinds.size();
  if (request.filtrations != own.filtrations || !request.transforms.empty() || request.drop_diagonal ||
      request.essential != own.essential || (!request.kinds.empty() && request.kinds.size() != all_kinds))
    throw base::user_error(
        fmt::format("{} reads all diagrams as they are: data.filtrations must be {}, and data.kinds, "
                    "data.essential, data.diagonal and data.transforms must not be given.",
                    settings.model, fmt::join(own.filtrations, ", ")));
  for (const auto& name : own.features)
    if (std::ranges::find(request.features, name) == request.features.end()) request.features.push_back(name);
  request.keep_diagrams |= own.keep_diagrams;
  return request;
}

}  // namespace

std::string ModelKind::form() const {
  return fmt::format("{}{}{}{}", head, placeholder.empty() ? "" : ":", placeholder, ending);
}

std::span<const ModelKind> models() { return table; }

std::vector<base::NameHelp> model_help() {
  std::vector<base::NameHelp> all;
  for (const auto& kind : table) {
    if (kind.arguments == nullptr) {
      all.push_back({kind.form(), std::string(kind.help)});
      continue;
    }
    all.push_back({std::string(kind.head),
                   fmt::format("{0} Alone it is {1}:{2} for {3}, else {1}:{4}.", kind.help, kind.head,
                               kind.default_argument(features::cloud_kind()), features::cloud_kind().name,
                               kind.default_argument(features::graph_kind()))});
    for (const auto& [argument, help] : kind.arguments())
      all.push_back(
          {fmt::format("{}:{}{}", kind.head, argument, kind.ending), fmt::format("{} {}", kind.help, help)});
  }
  return all;
}

ModelName parse_model(std::string_view name) {
  const auto* const kind = kind_of(name);
  if (kind == nullptr) {
    std::vector<std::string> forms;
    forms.reserve(table.size());
    for (const auto& known : table) forms.push_back(known.form());
    throw base::user_error(
        fmt::format("There is no model called '{}'; there are {}.", name, fmt::join(forms, ", ")));
  }
  const auto parts = *matched(*kind, name);
  const bool by_default = !parts.has_arguments && kind->default_argument != nullptr;
  std::string argument =
      by_default ? kind->default_argument(features::graph_kind()) : std::string(parts.arguments);
  if (kind->check != nullptr) kind->check(argument);
  return {*kind, std::move(argument)};
}

const ModelKind& model_kind(const Settings& settings) { return parse_model(settings.model).kind; }

std::string with_default_argument(const std::string& name, const features::InputKind& input) {
  const auto* const kind = kind_of(name);
  if (kind == nullptr || kind->default_argument == nullptr || matched(*kind, name)->has_arguments)
    return name;
  return fmt::format("{}:{}{}", kind->head, kind->default_argument(input), kind->ending);
}

MakeLearner all_learners() {
  return [memory = std::make_shared<RidgeMemory>()](const Settings& settings) {
    const auto [kind, argument] = parse_model(settings.model);
    return kind.make(settings, argument, memory);
  };
}

features::LoadRequest load_request(const Settings& settings) {
  check_trained_filtrations(settings);
  const auto [kind, argument] = parse_model(settings.model);
  if (kind.own_data == nullptr) return request_of_settings(settings);
  auto own = kind.own_data(argument);
  return kind.takes_features ? joint_request(settings, own) : own;
}

Settings with_model(Settings settings, const std::string& model) {
  const bool took_features = model_kind(settings).takes_features;
  const auto* const input = features::kind_of_filtrations(settings.data.filtrations);
  settings.model = with_default_argument(model, input == nullptr ? features::graph_kind() : *input);
  const auto [kind, argument] = parse_model(settings.model);
  bool reads_diagrams = true;
  if (kind.own_data != nullptr) {
    const auto own = kind.own_data(argument);
    settings.data = {};
    settings.data.filtrations = own.filtrations;
    reads_diagrams = own.keep_diagrams;
  }
  if (kind.takes_features && took_features) return settings;
  if (kind.takes_features) {  // what the model before left out
    if (!settings.network.use_diagrams && kind.own_data == nullptr) settings.data = {};
    settings.network.scale = Scaling::together;
    settings.network.use_diagrams = true;
  } else {
    settings.features = {};
    settings.network.scale = Scaling::none;
    settings.network.use_diagrams = reads_diagrams;
  }
  return settings;
}

}  // namespace perslay::learn
