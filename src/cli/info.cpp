#include "commands.h"
#include "data_options.h"
#include "diagram_summary.h"
#include "options.h"
#include "output.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <perslay/base/stopwatch.h>

namespace perslay::cli {
namespace {

using features::Dataset;
using features::Fact;
using nlohmann::ordered_json;

struct InfoOptions {
  CommonOptions common;
  DataOptions data;
};

constexpr auto examples =
    R"(
Examples:
  perslay info MUTAG.zip
  perslay info shapes --json
  perslay info roads.txt --one-based
  perslay info diagrams.h5
  perslay info points.csv --as clouds)";

std::vector<std::size_t> class_sizes(const std::vector<int>& labels, std::size_t classes) {
  std::vector<std::size_t> sizes(classes);
  for (const int label : labels) ++sizes[static_cast<std::size_t>(label)];
  return sizes;
}

ordered_json classes_json(const std::vector<int>& labels, const std::vector<std::string>& classes) {
  const auto sizes = class_sizes(labels, classes.size());
  ordered_json json = ordered_json::array();
  for (std::size_t c = 0; c < classes.size(); ++c) json.push_back({{"name", classes[c]}, {"size", sizes[c]}});
  return json;
}

/// "2 (-1: 63, 1: 125)"
std::string classes_text(const std::vector<int>& labels, const std::vector<std::string>& classes) {
  if (classes.empty()) return "no labels";
  constexpr std::size_t shown = 20;
  const auto sizes = class_sizes(labels, classes.size());
  std::string text;
  for (std::size_t c = 0; c < std::min(shown, classes.size()); ++c)
    text += fmt::format("{}{}: {}", c == 0 ? "" : ", ", classes[c], sizes[c]);
  return fmt::format("{} ({}{})", classes.size(), text, classes.size() > shown ? ", ..." : "");
}

ordered_json json_of(const Fact::Value& value);

ordered_json json_of(const std::vector<Fact>& facts) {
  auto json = ordered_json::object();
  for (const auto& fact : facts)
    if (!fact.key.empty()) json[fact.key] = json_of(fact.value);
  return json;
}

ordered_json json_of(const Fact::Value& value) {
  return std::visit(
      [](const auto& held) -> ordered_json {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, std::monostate>)
          return nullptr;
        else if constexpr (std::is_same_v<Held, Fact::Range>)
          return ordered_json::array({held.first, held.second});
        else if constexpr (std::is_same_v<Held, std::vector<Fact>>)
          return json_of(held);
        else
          return held;
      },
      value);
}

ordered_json json_of(const Dataset& dataset, std::string_view count, const std::vector<Fact>& facts) {
  ordered_json json;
  if (const auto name = dataset.name(); !name.empty()) json["name"] = name;
  json[std::string(count)] = dataset.size();
  json["classes"] = dataset.classes().size();
  json["class_sizes"] = classes_json(dataset.labels(), dataset.classes());
  if (const auto* const set = dataset.stored()) json["groups"] = SetSummary(*set).json();
  json.update(json_of(facts));
  return json;
}

std::string text_of(const Dataset& dataset, std::string_view count, const std::vector<Fact>& facts,
                    double seconds) {
  std::vector<std::pair<std::string, std::string>> rows;
  if (const auto name = dataset.name(); !name.empty()) rows.emplace_back("dataset", name);
  rows.emplace_back(count, fmt::format("{}", dataset.size()));
  rows.emplace_back("classes", classes_text(dataset.labels(), dataset.classes()));
  for (const auto& fact : facts)
    if (!fact.title.empty()) rows.emplace_back(fact.title, fact.text);
  rows.emplace_back("seconds", fmt::format("{:.3f}", seconds));
  Table table({rows.front().first, rows.front().second}, 2);
  for (const auto& [title, text] : std::span(rows).subspan(1)) table.add({title, text});
  const auto* const set = dataset.stored();
  return set == nullptr ? table.text() : fmt::format("{}\n{}", table.text(), SetSummary(*set).range_table());
}

void run(const InfoOptions& options) {
  const Session session(options.common);
  const base::Stopwatch watch;
  const auto& kind = kind_of(options.data);
  const auto dataset = kind.read(options.data.data, options.data.reading, session.context());
  const auto facts = dataset->facts(session.context());
  const auto count = dataset->stored() == nullptr ? kind.name : "items";
  for (const auto& note : dataset->notes()) session.note(note);
  if (options.common.json) {
    auto json = json_of(*dataset, count, facts);
    json["notes"] = dataset->notes();
    json["seconds"] = watch.seconds();
    return print(json);
  }
  print(text_of(*dataset, count, facts, watch.seconds()));
}

}  // namespace

void add_info(CLI::App& program, Action& chosen) {
  const auto options = std::make_shared<InfoOptions>();
  auto& command =
      *program.add_subcommand("info", "Say what a graph dataset, point clouds or a diagram file hold");
  add_data_options(command, options->data);
  add_one_based_option(command, options->data);
  add_common_options(command, options->common);
  command.footer(data_help() + examples);
  command.callback([&chosen, options] { chosen = [options] { run(*options); }; });
}

}  // namespace perslay::cli
