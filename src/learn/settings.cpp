#include "names.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <toml++/toml.h>

#include <perslay/base/error.h>
#include <perslay/base/registry.h>
#include <perslay/features/cloud_diagrams.h>
#include <perslay/features/item_features.h>
#include <perslay/layer/initialise.h>
#include <perslay/learn/model_name.h>
#include <perslay/learn/schedule.h>
#include <perslay/learn/settings.h>

namespace perslay::learn {
namespace {

constexpr std::array<std::string_view, 4> variant_names{"perslay", "features-only", "extended-only",
                                                        "ordinary-only"};

/// The text while it is read, for its errors.
struct Origin {
  std::string name;
  bool has_lines = true;  ///< false: the text is one line that the user did not write into a file.

  [[noreturn]] void fail(const toml::source_region& place, const std::string& sentence) const {
    throw base::user_error(has_lines ? fmt::format("{}:{}: {}", name, place.begin.line, sentence)
                                     : fmt::format("{}: {}", name, sentence));
  }

  /// Runs `check`, whose sentences know nothing of files.
  void at(const toml::source_region& place, const std::function<void()>& check) const {
    try {
      check();
    } catch (const base::Error& error) {
      if (error.fault() != base::Fault::user) throw;
      fail(place, error.what());
    }
  }
};

/// What a number may be.
struct Bounds {
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
  bool above_low = false;   ///< low itself is outside.
  bool below_high = false;  ///< high itself is outside.

  [[nodiscard]] bool hold(double number) const {
    return (above_low ? number > low : number >= low) && (below_high ? number < high : number <= high);
  }

  /// "from 0 to below 1"
  [[nodiscard]] std::string text() const {
    std::string words = fmt::format("{} {}", above_low ? "above" : "from", low);
    if (std::isinf(high)) return words + (above_low ? "" : " on");
    return words + fmt::format(" to {}{}", below_high ? "below " : "", high);
  }
};

constexpr Bounds positive{.low = 0, .above_low = true};
constexpr Bounds part_of_one{.low = 0, .high = 1, .below_high = true};

/// A value as a sentence shows it.
std::string shown(const toml::node& node) {
  if (node.is_floating_point()) return base::shortest(**node.as_floating_point());
  std::ostringstream stream;
  node.visit([&stream](const auto& value) { stream << value; });
  std::string text = stream.str();
  std::ranges::replace(text, '\n', ' ');
  return text.size() > 60 ? text.substr(0, 60) + "..." : text;
}

/// One table of the file. Each key is asked for once, and only those that are there change a value; what
/// nobody asked for is unknown.
class Section {
 public:
  Section(const Origin& origin, const toml::table& table, std::string name)
      : origin_(origin), table_(table), name_(std::move(name)) {}

  void text(std::string_view key, std::string& value) {
    if (const auto* node = find(key)) value = string_of(*node, key);
  }

  void flag(std::string_view key, bool& value) {
    const auto* const node = find(key);
    if (node == nullptr) return;
    if (!node->is_boolean()) wrong(*node, key, "true or false");
    value = **node->as_boolean();
  }

  void number(std::string_view key, double& value, const Bounds& bounds) {
    if (const auto* node = find(key)) value = number_of(*node, key, bounds);
  }

  void numbers(std::string_view key, std::vector<double>& values, const Bounds& bounds) {
    each(key, values, "a list of numbers",
         [&](const toml::node& node) { return number_of(node, key, bounds); });
  }

  void count(std::string_view key, std::size_t& value, std::int64_t low, std::int64_t high) {
    if (const auto* node = find(key)) value = count_of(*node, key, low, high);
  }

  void counts(std::string_view key, std::vector<std::size_t>& values, std::int64_t high) {
    each(key, values, "a list of whole numbers",
         [&](const toml::node& node) { return count_of(node, key, 1, high); });
  }

  void texts(std::string_view key, std::vector<std::string>& values) {
    each(key, values, "a list of texts", [&](const toml::node& node) { return string_of(node, key); });
  }

  /// Reads the list and checks every entry on its own line.
  void texts(std::string_view key, std::vector<std::string>& values,
             const std::function<void(const std::string&)>& check) {
    each(key, values, "a list of texts", [&](const toml::node& node) {
      auto text = string_of(node, key);
      origin_.at(node.source(), [&] { check(text); });
      return text;
    });
  }

  /// Runs `check` if the key is there; its sentence is about the line of the key.
  void check(std::string_view key, const std::function<void()>& check) const {
    if (const auto* const node = table_.get(key)) origin_.at(node->source(), check);
  }

  /// Reads what is there in its own way: `read(node)`.
  void other(std::string_view key, const std::function<void(const toml::node&)>& read) {
    if (const auto* const node = find(key)) read(*node);
  }

  void section(std::string_view key, const std::function<void(Section&)>& read) {
    const auto* const node = find(key);
    if (node == nullptr) return;
    if (!node->is_table()) wrong(*node, key, "a table");
    Section inner(origin_, *node->as_table(), full(key));
    read(inner);
    inner.finish();
  }

  [[nodiscard]] const toml::table& table() const { return table_; }
  [[nodiscard]] const Origin& origin() const { return origin_; }

  /// Complains about the first key that nobody asked for.
  void finish() const {
    const toml::key* unknown = nullptr;
    for (const auto& [key, node] : table_)
      if (std::ranges::find(known_, key.str()) == known_.end() &&
          (unknown == nullptr || key.source().begin < unknown->source().begin))
        unknown = &key;
    if (unknown == nullptr) return;
    const std::string place = name_.empty() ? "the top level" : fmt::format("[{}]", name_);
    origin_.fail(unknown->source(),
                 fmt::format("There is no key '{}' in {}{}; there are {}.", unknown->str(), place,
                             base::suggestion(unknown->str(), known_), listed(known_)));
  }

  [[noreturn]] void wrong(const toml::node& node, std::string_view key, const std::string& wanted) const {
    origin_.fail(node.source(), fmt::format("{} needs {}, not {}.", full(key), wanted, shown(node)));
  }

 private:
  const toml::node* find(std::string_view key) {
    known_.push_back(key);
    return table_.get(key);
  }

  [[nodiscard]] std::string full(std::string_view key) const {
    return name_.empty() ? std::string(key) : fmt::format("{}.{}", name_, key);
  }

  [[nodiscard]] std::string string_of(const toml::node& node, std::string_view key) const {
    if (!node.is_string()) wrong(node, key, "a text in quotation marks");
    return **node.as_string();
  }

  [[nodiscard]] double number_of(const toml::node& node, std::string_view key, const Bounds& bounds) const {
    const auto given = node.is_number() ? node.value<double>() : std::nullopt;
    if (!given || !std::isfinite(*given) || !bounds.hold(*given))
      wrong(node, key, fmt::format("a number {}", bounds.text()));
    return *given;
  }

  [[nodiscard]] std::size_t count_of(const toml::node& node, std::string_view key, std::int64_t low,
                                     std::int64_t high) const {
    const auto given = node.is_integer() ? **node.as_integer() : low - 1;
    if (given < low || given > high) wrong(node, key, fmt::format("a whole number from {} to {}", low, high));
    return static_cast<std::size_t>(given);
  }

  template <class Value, class Read>
  void each(std::string_view key, std::vector<Value>& values, const std::string& wanted, Read&& read) {
    const auto* const node = find(key);
    if (node == nullptr) return;
    if (!node->is_array()) wrong(*node, key, wanted);
    values.clear();
    for (const auto& entry : *node->as_array()) values.push_back(read(entry));
  }

  const Origin& origin_;
  const toml::table& table_;
  std::string name_;
  std::vector<std::string_view> known_;
};

// ---- the sections

/// Extended and ordinary kinds belong to graphs, h0 and h1 to clouds.
void check_kinds(const DataSettings& data) {
  for (const auto kind : data.kinds) {
    if (std::ranges::count(data.kinds, kind) > 1)
      throw base::user_error(fmt::format("The kind {} stands there twice.", diagram::kind_name(kind)));
    const bool of_cloud = kind == diagram::Kind::h0 || kind == diagram::Kind::h1;
    if (!data.filtrations.empty() && of_cloud != features::is_cloud_filtration(data.filtrations.front()))
      throw base::user_error(fmt::format("The filtration {} has no diagrams of the kind {}.",
                                         data.filtrations.front(), diagram::kind_name(kind)));
  }
}

void read_data(Section& section, DataSettings& data) {
  section.texts("filtrations", data.filtrations);
  section.check("filtrations", [&] { check_filtrations(data.filtrations); });
  if (section.table().contains("kinds")) data.kinds.clear();
  std::vector<std::string> kinds;
  section.texts("kinds", kinds, [&](const auto& name) { data.kinds.push_back(diagram::parse_kind(name)); });
  section.check(section.table().contains("kinds") ? "kinds" : "filtrations", [&] { check_kinds(data); });
  std::string diagonal = data.drop_diagonal ? "drop" : "keep";
  section.text("diagonal", diagonal);
  section.check("diagonal", [&] {
    if (diagonal != "keep" && diagonal != "drop")
      throw base::user_error(fmt::format("data.diagonal is \"keep\" or \"drop\", not \"{}\".", diagonal));
  });
  data.drop_diagonal = diagonal == "drop";
  section.texts("transforms", data.transforms, [](const auto& name) { check_transform(name); });
}

void read_features(Section& section, features::FeatureSettings& features) {
  section.texts("names", features.names, [](const auto& name) { check_feature(name); });
  section.flag("standardise", features.standardise);
  section.number("clip", features.clip, {.low = 0});
}

/// A short form of the paper, or a table with phi, weight and op.
ChannelSettings channel_of(const Section& parent, const toml::node& node, std::string_view key) {
  ChannelSettings channel;
  if (node.is_string()) {
    channel.paper = **node.as_string();
  } else if (node.is_table()) {
    channel.weight = "one";
    channel.op = "sum";
    Section section(parent.origin(), *node.as_table(), std::string(key));
    section.text("phi", channel.phi);
    section.text("weight", channel.weight);
    section.text("op", channel.op);
    section.finish();
    if (channel.phi.empty())
      parent.origin().fail(node.source(), "A channel that is no short form of the paper needs a phi.");
  } else {
    parent.wrong(node, key, "a short form such as \"Im(20,(10,2),10,sum)\" or a table { phi, weight, op }");
  }
  parent.origin().at(node.source(), [&] { check_channel(channel); });
  return channel;
}

void read_channels(Section& section, std::map<std::string, ChannelSettings>& channels) {
  for (const auto& [key, node] : section.table()) {
    const std::string kind(key.str());
    section.origin().at(key.source(), [&] { (void)diagram::parse_kind(kind); });
    section.other(key.str(),
                  [&](const toml::node& given) { channels[kind] = channel_of(section, given, kind); });
  }
}

Scaling scaling_of(const Section& section, const toml::node& node) {
  if (node.is_boolean()) return **node.as_boolean() ? Scaling::together : Scaling::none;
  if (!node.is_string() || **node.as_string() != "apart")
    section.wrong(node, "scale", "true, false or \"apart\"");
  return Scaling::apart;
}

void read_network(Section& section, NetworkSettings& network) {
  section.other("channel", [&](const auto& node) { network.channel = channel_of(section, node, "channel"); });
  section.section("channels", [&](Section& inner) { read_channels(inner, network.channels); });
  section.flag("diagrams", network.use_diagrams);
  section.other("scale", [&](const auto& node) { network.scale = scaling_of(section, node); });
  section.text("initialisation", network.initialisation);
  section.check("initialisation", [&] { (void)layer::parse_initialisation(network.initialisation); });
  section.counts("hidden", network.hidden, 100'000);
  section.flag("batch_norm", network.batch_norm);
  section.flag("channel_norm", network.channel_norm);
  section.number("input_dropout", network.input_dropout, part_of_one);
  section.number("dropout", network.dropout, part_of_one);
  section.flag("train_filtration", network.train_filtration);
  section.number("filtration_pace", network.filtration_pace, positive);
}

void read_training(Section& section, TrainingSettings& training) {
  constexpr std::int64_t million = 1'000'000;
  section.count("epochs", training.epochs, 1, million);
  section.count("batch", training.batch, 1, million);
  section.text("optimiser", training.optimiser);
  section.check("optimiser", [&] {
    if (training.optimiser != "adam" && training.optimiser != "adamw" && training.optimiser != "adam-tf")
      throw base::user_error(fmt::format(
          "There is no optimiser called '{}'; there are adam, adamw and adam-tf.", training.optimiser));
  });
  section.number("rate", training.rate, positive);
  section.number("epsilon", training.epsilon, {.low = 1e-30});  // in single precision far less is 0
  section.number("weight_decay", training.weight_decay, {.low = 0});
  section.text("schedule", training.schedule);
  section.check("schedule", [&] { (void)parse_schedule(training.schedule); });
  section.number("average", training.average, part_of_one);
  section.flag("restart_from_average", training.restart_from_average);
  section.number("label_smoothing", training.label_smoothing, part_of_one);
  section.count("nets", training.nets, 1, 1000);
}

void read_svm(Section& section, SvmSettings& svm) {
  section.numbers("costs", svm.costs, positive);
  section.check("costs", [&] {
    if (svm.costs.empty()) throw base::user_error("svm.costs needs at least one number.");
  });
  section.count("folds", svm.folds, 2, 1000);
}

void read_ridge(Section& section, RidgeSettings& ridge) {
  section.numbers("gammas", ridge.gammas, positive);
  section.numbers("lambdas", ridge.lambdas, {.low = 1e-6});  // far less is lost in rounding
  for (const auto& [key, numbers] : {std::pair{"gammas", &ridge.gammas}, {"lambdas", &ridge.lambdas}})
    section.check(key, [key = key, numbers = numbers] {
      if (numbers->empty()) throw base::user_error(fmt::format("ridge.{} needs at least one number.", key));
    });
  section.count("best", ridge.best, 1, 1000);
  section.count("selection", ridge.selection, 10, 1'000'000);
  section.flag("strict", ridge.strict);
}

/// Changes what the table names.
void apply(const Origin& origin, const toml::table& table, Settings& settings) {
  Section root(origin, table, "");
  root.text("name", settings.name);
  root.text("model", settings.model);
  root.check("model", [&] { (void)parse_model(settings.model); });
  root.section("data", [&](Section& section) { read_data(section, settings.data); });
  root.section("features", [&](Section& section) { read_features(section, settings.features); });
  root.section("network", [&](Section& section) { read_network(section, settings.network); });
  root.section("training", [&](Section& section) { read_training(section, settings.training); });
  root.section("svm", [&](Section& section) { read_svm(section, settings.svm); });
  root.section("ridge", [&](Section& section) { read_ridge(section, settings.ridge); });
  root.finish();
}

toml::table parse(const Origin& origin, std::string_view text) {
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    std::string reason(error.description());
    while (reason.ends_with('.')) reason.pop_back();
    origin.fail(error.source(), fmt::format("This is no TOML: {}.", reason));
  }
}

/// Models that are no network, alone or beside another, choose their own features.
void refuse_features(const Origin& origin, const toml::table& table, const Settings& settings) {
  if (parse_model(settings.model).network || settings.features.names.empty()) return;
  origin.fail(
      table.get("features")->source(),
      fmt::format("The model {} takes no features by name; features.names must be empty.", settings.model));
}

bool is_toml(const std::string& text) {
  try {
    (void)toml::parse(text);
    return true;
  } catch (const toml::parse_error&) {
    return false;
  }
}

}  // namespace

Settings read_settings(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::error_code ignored;
  if (!stream || std::filesystem::is_directory(file, ignored))
    throw base::user_error(fmt::format("{}: The settings file cannot be read.", file.string()));
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  return parse_settings(text, file.string());
}

Settings parse_settings(std::string_view toml, const std::string& source) {
  const Origin origin{source};
  Settings settings;
  const auto table = parse(origin, toml);
  apply(origin, table, settings);
  if (parse_model(settings.model).network) return settings;
  refuse_features(origin, table, settings);
  return with_model(settings, settings.model);
}

Settings with_override(Settings settings, const std::string& assignment) {
  const Origin origin{fmt::format("'{}'", assignment), false};
  const auto equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == assignment.size())
    throw base::user_error(fmt::format(
        "A setting is changed by key=value, such as training.epochs=20, not by '{}'.", assignment));
  std::string text = assignment;
  if (!is_toml(text))
    text = fmt::format("{}={}", assignment.substr(0, equals), quoted_toml(assignment.substr(equals + 1)));
  const auto before = settings.model;
  const auto table = parse(origin, text);
  apply(origin, table, settings);
  if (settings.model == before) {
    if (parse_model(before).network) return settings;
    refuse_features(origin, table, settings);
  }
  const auto model = std::exchange(settings.model, before);
  const auto data = settings.data;
  settings = with_model(std::move(settings), model);
  if (const auto* const given = table.get("data"); given != nullptr && settings.data != data)
    origin.fail(
        given->source(),
        fmt::format("The model {} reads what its pool names; data are not to be changed.", settings.model));
  return settings;
}

bool names_model(const std::string& assignment) {
  auto key = assignment.substr(0, assignment.find('='));
  std::erase_if(key, [](char c) { return c == ' ' || c == '\t'; });
  return key == "model";
}

Settings with_model(Settings settings, const std::string& model) {
  const bool was_network = parse_model(settings.model).network;
  const auto& filtrations = settings.data.filtrations;
  settings.model = with_pool(model, !filtrations.empty() && features::is_cloud_filtration(filtrations[0]));
  const auto parsed = parse_model(settings.model);
  bool diagrams = true;
  if (parsed.pool != nullptr) {
    const auto request = features::load_request(blocks_of(*parsed.pool));
    settings.data = {};
    settings.data.filtrations = request.filtrations;
    diagrams = request.keep_diagrams;
  }
  if (parsed.network && !was_network) {
    if (!settings.network.use_diagrams && parsed.pool == nullptr) settings.data = {};  // those of a pool
    settings.network.scale = Scaling::together;
    settings.network.use_diagrams = true;
  }
  if (parsed.network) return settings;
  settings.features = {};
  settings.network.scale = Scaling::none;
  settings.network.use_diagrams = diagrams;
  return settings;
}

Settings variant(Settings settings, std::string_view name) {
  if (std::ranges::find(variant_names, name) == variant_names.end())
    throw base::user_error(fmt::format("There is no variant called '{}'{}; there are {}.", name,
                                       base::suggestion(name, variant_names), listed(variant_names)));
  if (name == "perslay") return settings;
  if (parse_model(settings.model).pool != nullptr)
    throw base::user_error(
        fmt::format("The model {} has no variants; another pool says what it reads, such as "
                    "ridge:diagrams-only or ridge:no-topology.",
                    settings.model));
  if (name == "features-only") {
    std::erase_if(settings.features.names,
                  [](const auto& feature) { return !features::parse_item_feature(feature).of_graphs(); });
    if (settings.features.names.empty())
      throw base::user_error(
          "The variant features-only has nothing to learn from: the settings name no features of graphs.");
    settings.network.use_diagrams = false;
    return settings;
  }
  if (!settings.network.use_diagrams)
    throw base::user_error(
        fmt::format("The variant {} has nothing to learn from: the settings use no diagrams.", name));
  settings.features.names.clear();
  if (name == "ordinary-only") {
    if (!settings.data.filtrations.empty() &&
        features::is_cloud_filtration(settings.data.filtrations.front()))
      throw base::user_error(
          "The variant ordinary-only is about graphs; diagrams of point clouds are ordinary.");
    settings.data.kinds = {diagram::Kind::sub0};
  }
  return settings;
}

std::span<const std::string_view> variants() { return variant_names; }

}  // namespace perslay::learn
