#include "names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/registry.h>
#include <perslay/learn/settings.h>

namespace perslay::learn {
namespace {

std::string list(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  quoted.reserve(texts.size());
  for (const auto& text : texts) quoted.push_back(quoted_toml(text));
  return fmt::format("[{}]", fmt::join(quoted, ", "));
}

std::string list(const std::vector<diagram::Kind>& kinds) {
  std::vector<std::string> names;
  names.reserve(kinds.size());
  for (const auto kind : kinds) names.emplace_back(diagram::kind_name(kind));
  return list(names);
}

std::string list(const std::vector<double>& numbers) {
  std::vector<std::string> texts;
  texts.reserve(numbers.size());
  for (const double number : numbers) texts.push_back(base::shortest(number));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

std::string channel_text(const ChannelSettings& channel) {
  if (!channel.paper.empty()) return quoted_toml(channel.paper);
  return fmt::format("{{ phi = {}, weight = {}, op = {} }}", quoted_toml(channel.phi),
                     quoted_toml(channel.weight), quoted_toml(channel.op));
}

}  // namespace

std::string quoted_toml(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      quoted += fmt::format("\\{}", c);
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      quoted += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
    else
      quoted += c;
  }
  return quoted + '"';
}

std::string to_toml(const Settings& settings) {
  std::string text;
  const auto line = [&text](std::string_view key, const std::string& value) {
    text += fmt::format("{} = {}\n", key, value);
  };
  const auto flag = [&](std::string_view key, bool value) { line(key, value ? "true" : "false"); };
  const auto number = [&](std::string_view key, double value) { line(key, base::shortest(value)); };
  const auto count = [&](std::string_view key, std::size_t value) { line(key, fmt::format("{}", value)); };
  const auto section = [&text](std::string_view name) { text += fmt::format("\n[{}]\n", name); };

  line("name", quoted_toml(settings.name));
  line("model", quoted_toml(settings.model));

  section("data");
  line("filtrations", list(settings.data.filtrations));
  line("kinds", list(settings.data.kinds));
  line("diagonal", settings.data.drop_diagonal ? "\"drop\"" : "\"keep\"");
  line("transforms", list(settings.data.transforms));

  section("features");
  line("names", list(settings.features.names));
  flag("standardise", settings.features.standardise);
  number("clip", settings.features.clip);

  const auto& network = settings.network;
  section("network");
  line("channel", channel_text(network.channel));
  flag("diagrams", network.use_diagrams);
  if (network.scale == Scaling::apart)
    line("scale", "\"apart\"");
  else
    flag("scale", network.scale == Scaling::together);
  line("initialisation", quoted_toml(network.initialisation));
  line("hidden", fmt::format("[{}]", fmt::join(network.hidden, ", ")));
  flag("batch_norm", network.batch_norm);
  flag("channel_norm", network.channel_norm);
  number("input_dropout", network.input_dropout);
  number("dropout", network.dropout);
  if (network.train_filtration || network.filtration_pace != 1) {
    flag("train_filtration", network.train_filtration);
    number("filtration_pace", network.filtration_pace);
  }
  if (!network.channels.empty()) section("network.channels");
  for (const auto& [kind, channel] : network.channels) line(kind, channel_text(channel));

  const auto& training = settings.training;
  section("training");
  count("epochs", training.epochs);
  count("batch", training.batch);
  line("optimiser", quoted_toml(training.optimiser));
  number("rate", training.rate);
  number("epsilon", training.epsilon);
  number("weight_decay", training.weight_decay);
  line("schedule", quoted_toml(training.schedule));
  number("average", training.average);
  if (training.restart_from_average) flag("restart_from_average", true);  // as texts of before have it
  number("label_smoothing", training.label_smoothing);
  count("nets", training.nets);

  if (settings.model.starts_with("svm") || settings.svm != SvmSettings{}) {
    section("svm");
    line("costs", list(settings.svm.costs));
    count("folds", settings.svm.folds);
  }
  if (settings.model.starts_with("ridge") || settings.ridge != RidgeSettings{}) {
    section("ridge");
    line("gammas", list(settings.ridge.gammas));
    line("lambdas", list(settings.ridge.lambdas));
    count("best", settings.ridge.best);
    count("selection", settings.ridge.selection);
    flag("strict", settings.ridge.strict);
  }
  return text;
}

}  // namespace perslay::learn
