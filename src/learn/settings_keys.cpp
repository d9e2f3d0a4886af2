#include "settings_keys.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/registry.h>
#include <perslay/features/input_kind.h>
#include <perslay/features/item_features.h>
#include <perslay/filtration/filtration.h>
#include <perslay/layer/initialise.h>
#include <perslay/learn/channel_choice.h>
#include <perslay/learn/models.h>
#include <perslay/learn/schedule.h>
#include <perslay/persistence/essential.h>

namespace perslay::learn {
namespace {

constexpr Bounds not_negative{.low = 0};
constexpr Bounds positive{.low = 0, .above_low = true};
constexpr Bounds part_of_one{.low = 0, .high = 1, .below_high = true};
constexpr std::int64_t million = 1'000'000;

/// "`ord0`, `rel1`".
template <class List, class Name>
std::string coded(const List& list, const Name& name) {
  std::vector<std::string> names;
  names.reserve(list.size());
  for (const auto& entry : list) names.push_back(fmt::format("`{}`", name(entry)));
  return fmt::format("{}", fmt::join(names, ", "));
}

/// What each kind of input has, as in "`alpha` (point clouds)".
template <class Describe>
std::string of_each_input(const Describe& describe) {
  std::vector<std::string> parts;
  for (const auto* const kind : features::input_kinds())
    if (!kind->is_stored()) parts.push_back(fmt::format("{} ({})", describe(*kind), kind->plural));
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string filtrations_help() {
  const auto known = of_each_input([](const auto& kind) {
    return coded(kind.filtrations->help(), [](const auto& entry) { return entry.usage; });
  });
  const auto defaults =
      of_each_input([](const auto& kind) { return fmt::format("`{}`", kind.default_filtration); });
  return fmt::format("{}. `[]`: {}; all that a diagram file has", known, defaults);
}

std::string kinds_help() {
  const auto known = of_each_input([](const auto& kind) { return coded(kind.kinds, diagram::kind_name); });
  const auto defaults =
      of_each_input([](const auto& kind) { return coded(kind.default_kinds, diagram::kind_name); });
  return fmt::format("Kinds of diagrams: {}. `[]`: {}; all of a diagram file", known, defaults);
}

/// A list of names that `check` accepts. A range of times in it stands for several names.
SettingsValue names_with_times(std::vector<std::string>& names,
                               const std::function<void(const std::string&)>& check) {
  auto value = list(names, text(check));
  value.read = [read = value.read, &names](const Given& given) {
    read(given);
    names = filtration::expand_times(names);
  };
  return value;
}

std::vector<Key> keys_of(DataSettings& data) {
  const auto filtration = [&data](const std::string& name) {
    auto names = data.filtrations;  // those before it
    names.push_back(name);
    check_filtrations(names);
  };
  const auto read_kind = [](const toml::node& node) -> std::optional<diagram::Kind> {
    if (!node.is_string()) return std::nullopt;
    return diagram::parse_kind(**node.as_string());
  };
  const auto kind_text = [](diagram::Kind kind) { return quoted_toml(diagram::kind_name(kind)); };
  static const std::string filtrations = filtrations_help(), kinds = kinds_help();
  const Form<diagram::Kind> kind{"a kind", "kinds", read_kind, kind_text};
  const auto policy = [](const std::string& words) { (void)persistence::parse_essential(words); };
  return {
      {"filtrations", names_with_times(data.filtrations, filtration), filtrations},
      {"kinds", list(data.kinds, kind), kinds},
      {"essential", one(data.essential, text(policy)),
       "What becomes of classes of `sub0`, `sup0`, `sub1` and `h0` that never die. `\"drop\"`: they are left "
       "out. `\"clip\"` (graphs): they die at the last value of the function. `\"clip:VALUE\"`: at this "
       "value",
       data.essential != DataSettings{}.essential},
      {"diagonal", one(data.drop_diagonal, word<bool>({{"\"keep\"", false}, {"\"drop\"", true}})),
       "`\"drop\"` leaves out points of `ext0` and `ext1` whose birth equals their death"},
      {"transforms", list(data.transforms, text(check_transform)),
       "Done to every item by itself, in this order: `prom:500`, `sqrt`, `clip:0:1`"}};
}

std::vector<Key> keys_of(FeatureSettings& features) {
  const auto feature = [](const std::string& name) {
    for (const auto& each : filtration::expand_times(std::span(&name, 1)))
      (void)features::parse_item_feature(each);
  };
  return {{"names", names_with_times(features.names, feature), "Such as `eigenvalues` and `deciles:hks:10`"},
          {"standardise", flag(features.standardise),
           "Shifts and scales each number to mean 0 and deviation 1, fitted on the training part"},
          {"clip", one(features.clip, number(not_negative)),
           "Cuts standardised numbers to ±clip. 0: not at all"}};
}

std::vector<Key> keys_of(ChannelSettings& channel) {
  return {{"phi", one(channel.phi, text()), "The point transformation"},
          {"equivariant", list(channel.equivariant, text(layer::parse_equivariant)),
           "Permutation-equivariant layers that follow it", !channel.equivariant.empty()},
          {"convolution", one(channel.convolution, text(layer::parse_convolution)), "The convolution",
           !channel.convolution.empty()},
          {"weight", one(channel.weight, text()), "The weight of points"},
          {"op", one(channel.op, text()), "The operation over points"}};
}

/// A short form of the paper, or a table of the parts.
ChannelSettings read_channel(const Given& given) {
  ChannelSettings channel;
  if (const auto* const paper = given.node.as_string()) {
    channel.paper = **paper;
  } else if (given.node.is_table()) {
    channel = {"", "", "one", "sum"};
    read_keys({"", keys_of(channel)}, given);
    if (channel.phi.empty())
      given.origin.fail(given.node.source(), "A channel that is not a short form of the paper needs a phi.");
  } else {
    given.needs("a short form such as \"Im(20,(10,2),10,sum)\" or a table { phi, weight, op }");
  }
  given.origin.at(given.node.source(), [&] { check_channel(channel); });
  return channel;
}

/// One channel, or a list of them.
std::vector<ChannelSettings> read_channels(const Given& given) {
  const auto* const entries = given.node.as_array();
  if (entries == nullptr) return {read_channel(given)};
  if (entries->empty()) given.needs("a channel or a list of one or more");
  std::vector<ChannelSettings> channels;
  for (const auto& entry : *entries) channels.push_back(read_channel({entry, given.key, given.origin}));
  return channels;
}

std::string channel_text(ChannelSettings channel) {
  if (!channel.paper.empty()) return quoted_toml(channel.paper);
  std::string text;
  for (const auto& key : keys_of(channel))
    if (key.written) text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", key.name, key.value.text());
  return fmt::format("{{ {} }}", text);
}

}  // namespace

std::string channel_name(const ChannelSettings& channel) {
  return channel.paper.empty() ? channel_text(channel) : channel.paper;
}

namespace {

std::string channels_text(const std::vector<ChannelSettings>& channels) {
  if (channels.size() == 1) return channel_text(channels.front());
  std::vector<std::string> texts;
  texts.reserve(channels.size());
  for (const auto& channel : channels) texts.push_back(channel_text(channel));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

/// Whether a name stands for a group of diagrams such as "hks:10 ext1", or for all of a filtration. A diagram file may
/// call its filtrations what it likes, so they are known only if a kind stands beside. A range of times is refused.
bool names_diagrams(std::string_view name) {
  const auto space = name.rfind(' ');
  const auto kinds = diagram::kind_names();
  if (space != std::string_view::npos && space > 0 &&
      std::ranges::find(kinds, name.substr(space + 1), &diagram::KindName::name) != kinds.end()) {
    const std::string filtration(name.substr(0, space));
    if (filtration.starts_with("hks:") && filtration.find("..") != std::string::npos)
      (void)filtration::parse_filtration(filtration);
    return true;
  }
  const auto* const input = features::kind_with_filtration(name);
  if (input != nullptr) input->filtrations->check(std::string(name));
  return input != nullptr;
}

/// Channels for some of the diagrams, in the order of names.
Section section_of(std::map<std::string, std::vector<ChannelSettings>>& channels) {
  Section section{"channels", {}, {}, !channels.empty()};
  const auto add = [&](std::string_view of) {
    const std::string name(of);
    const auto read = [=, &channels](const Given& given) { channels[name] = read_channels(given); };
    const auto text = [=, &channels] { return channels.contains(name) ? channels_text(channels[name]) : ""; };
    section.keys.push_back({of, {"a channel or a list", read, text}, "The channels of these diagrams"});
  };
  constexpr std::string_view kinds[] = {"ext0", "ext1", "h0", "h1", "ord0", "rel1", "sub0", "sub1", "sup0"};
  for (const auto kind : kinds) add(kind);
  for (const auto& [name, own] : channels)
    if (std::ranges::find(kinds, name) == std::end(kinds)) add(name);
  section.other = [&channels](std::string_view name, const Given& given) {
    bool known = false;
    given.origin.at(given.node.source(), [&] { known = names_diagrams(name); });
    if (known) channels[std::string(name)] = read_channels(given);
    return known;
  };
  return section;
}

Section section_of(NetworkSettings& network) {
  const bool trained = network.train_filtration || network.filtration_pace != 1;
  const SettingsValue channel{"a short form, a table or a list",
                              [&](const Given& given) {
                                network.candidates = read_channels(given);
                                network.channel = network.candidates.front();
                                if (network.candidates.size() == 1) network.candidates.clear();
                              },
                              [&] {
                                return network.candidates.empty() ? channel_text(network.channel)
                                                                  : channels_text(network.candidates);
                              }};
  const bool chooses = !network.candidates.empty() || network.choice_folds != NetworkSettings{}.choice_folds;
  const auto scale =
      word<Scaling>({{"true", Scaling::together}, {"false", Scaling::none}, {"\"apart\"", Scaling::apart}});
  return {
      "network",
      {{"channel", channel,
        "What the diagrams of each filtration and kind go through: a short form of the paper, or `{ phi = "
        "\"...\", weight = \"one\", op = \"sum\" }`, see below. Of a list, a cross-validation inside the "
        "training "
        "part chooses one"},
       {"choice_folds", one(network.choice_folds, whole(2, 1000)), "Folds of that cross-validation", chooses},
       {"convolution", one(network.convolve_points, word<bool>({{"\"op\"", false}, {"\"phi\"", true}})),
        "What convolutions of channels follow. `\"op\"`: op, as in the authors' program. `\"phi\"`: φ, "
        "before weight "
        "and op, as the paper writes it",
        network.convolve_points},
       {"diagrams", flag(network.use_diagrams), "`false`: features only"},
       {"scale", one(network.scale, scale),
        "Maps births and deaths of each filtration and kind to 0 ... 1, fitted on the training part. "
        "`true`: with one range for both, which keeps the diagonal. `\"apart\"`: with a range each, see "
        "below. `false`: not at all"},
       {"initialisation", one(network.initialisation, text(layer::parse_initialisation)),
        "`\"ours\"` or `\"authors\"`"},
       {"hidden", list(network.hidden, whole(1, 100'000)),
        "Sizes of the hidden layers after the channels. `[]`: one dense layer"},
       {"batch_norm", flag(network.batch_norm),
        "After each hidden layer. Ignored, with a note, if `hidden` is empty"},
       {"channel_norm", flag(network.channel_norm), "Batch norm of the channels' output"},
       {"input_dropout", one(network.input_dropout, number(part_of_one)),
        "Dropout of everything that enters the dense layers"},
       {"dropout", one(network.dropout, number(part_of_one)), "Dropout after each hidden layer"},
       {"train_filtration", flag(network.train_filtration),
        "Trains the times of filtrations `hks:T` together with the network", trained},
       {"filtration_pace", one(network.filtration_pace, number(positive)),
        "How fast the logarithms of these times move, as a multiple of the rate", trained},
       {"filtration_update",
        one(network.times_by_epoch, word<bool>({{"\"step\"", false}, {"\"epoch\"", true}})),
        "When they move. `\"step\"`: with all other parameters. `\"epoch\"`: once at the end of each epoch, "
        "by the mean gradient",
        network.times_by_epoch},
       {"train_features", flag(network.train_features),
        "Features `deciles:hks:T` of these filtrations follow t, too, and take part in its gradient. "
        "`false`: "
        "they stay at the start",
        network.train_features}},
      {section_of(network.channels)}};
}

std::vector<Key> keys_of(TrainingSettings& training) {
  const auto optimiser =
      word<std::string>({{"\"adam\"", "adam"}, {"\"adamw\"", "adamw"}, {"\"adam-tf\"", "adam-tf"}});
  return {{"epochs", one(training.epochs, whole(1, million)), "Passes over the training part"},
          {"batch", one(training.batch, whole(1, million)), "Items per step"},
          {"optimiser", one(training.optimiser, optimiser),
           "`\"adamw\"`: weight decay apart from the gradient. `\"adam-tf\"`: as in TensorFlow, which the "
           "authors used; `epsilon` is added before the second moment is corrected"},
          {"rate", one(training.rate, number(positive)), "The learning rate"},
          {"epsilon", one(training.epsilon, number({.low = 1e-30})),  // in single precision far less is 0
           "Keeps Adam from dividing by 0"},
          {"weight_decay", one(training.weight_decay, number(not_negative)), "Pulls the weights towards 0"},
          {"schedule", one(training.schedule, text(parse_schedule)),
           "How the rate changes: `\"constant\"`, `\"halving:20\"` (every 20 epochs; training ends after 24 "
           "halvings, when no weight moves any more), `\"one-cycle\"`, `\"cosine\"`"},
          {"average", one(training.average, number(part_of_one)),
           "Decay of the moving average of the weights. The trained network has the averages. 0: no average"},
          {"restart_from_average", flag(training.restart_from_average),
           "Begins every epoch with the moving average in place of the weights, as the authors' program did. "
           "It needs an `average`: an epoch of few steps then moves the weights by a part of what the steps "
           "were",
           training.restart_from_average},
          {"label_smoothing", one(training.label_smoothing, number(part_of_one)),
           "The part of each label that is spread over all classes"},
          {"nets", one(training.nets, whole(1, 1000)),
           "Number of networks, trained one after the other. Their probabilities are averaged"}};
}

std::vector<Key> keys_of(SvmSettings& svm) {
  return {{"costs", list(svm.costs, number(positive), false), "The costs C to choose from"},
          {"folds", one(svm.folds, whole(2, 1000)), "Folds of the cross-validation that chooses"}};
}

std::vector<Key> keys_of(RidgeSettings& ridge) {
  return {
      {"gammas", list(ridge.gammas, number(positive), false),
       "K = exp(−γ d), where d is the mean over the kernel's blocks of squared distances, each divided by "
       "its mean"},
      {"lambdas", list(ridge.lambdas, number({.low = 1e-6}), false),  // far less is lost in rounding
       "Penalties"},
      {"best", one(ridge.best, whole(1, 1000)),
       "How many candidates (kernel, γ, λ) are added up: those with the best leave-one-out accuracy on "
       "the training part, which has a closed form"},
      {"selection", one(ridge.selection, whole(10, million)),
       "At most so many training items, drawn by the seed, judge the candidates. The chosen candidates "
       "learn from all items"}};
}

/// `strict = true` of earlier versions is how everything learns now.
void read_strict(const Given& given) {
  bool strict = true;
  flag(strict).read(given);
  if (!strict)
    given.origin.fail(
        given.node.source(),
        "ridge.strict = false is no longer part of the library; everything is fitted on the training "
        "part alone.");
}

std::string_view models_in_words() {
  static const std::string words = [] {
    std::string text = "What learns.";
    for (const auto& kind : models()) text += fmt::format(" `\"{}\"`: {}", kind.form(), kind.help);
    return text;
  }();
  return words;
}

}  // namespace

void read_keys(const Section& section, const Given& given) {
  if (!given.node.is_table()) given.needs("a table");
  const auto& table = *given.node.as_table();
  std::vector<std::string_view> known;
  const auto read = [&](std::string_view name, const std::function<void(const Given&)>& reader) {
    known.push_back(name);
    const auto full = given.key.empty() ? std::string(name) : fmt::format("{}.{}", given.key, name);
    if (const auto* const node = table.get(name)) reader({*node, full, given.origin});
  };
  for (const auto& key : section.keys) read(key.name, key.value.read);
  for (const auto& inner : section.sections)
    read(inner.name, [&](const Given& found) { read_keys(inner, found); });
  const auto today = known;
  for (const auto& [name, reader] : section.former) read(name, reader);

  const toml::key* unknown = nullptr;  // the first in the text
  for (const auto& [key, node] : table) {
    if (std::ranges::find(known, key.str()) != known.end()) continue;
    if (section.other &&
        section.other(key.str(), {node, fmt::format("{}.{}", given.key, key.str()), given.origin}))
      continue;
    if (unknown == nullptr || key.source().begin < unknown->source().begin) unknown = &key;
  }
  if (unknown == nullptr) return;
  const auto place = given.key.empty() ? "the top level" : fmt::format("[{}]", given.key);
  given.origin.fail(unknown->source(),
                    fmt::format("There is no key '{}' in {}{}; there are {}.", unknown->str(), place,
                                base::suggestion(unknown->str(), today), listed(today)));
}

Section keys_of(Settings& settings) {
  const auto own = model_kind(settings).section;
  const bool svm = own == "svm" || settings.svm != SvmSettings{};
  const bool ridge = own == "ridge" || settings.ridge != RidgeSettings{};
  return {"",
          {{"name", one(settings.name, text()), "For people and results"},
           {"model", one(settings.model, text(parse_model)), models_in_words()}},
          {{"data", keys_of(settings.data)},
           {"features", keys_of(settings.features)},
           section_of(settings.network),
           {"training", keys_of(settings.training)},
           {"svm", keys_of(settings.svm), {}, svm},
           {"ridge", keys_of(settings.ridge), {}, ridge, {{"strict", read_strict}}}}};
}

}  // namespace perslay::learn
