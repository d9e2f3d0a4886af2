#include "commands.h"
#include "data_options.h"
#include "diagram_summary.h"
#include "options.h"
#include "output.h"

#include <algorithm>
#include <memory>
#include <variant>

#include <fmt/format.h>

#include <perslay/base/stopwatch.h>
#include <perslay/features/reading.h>

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

std::vector<std::size_t> class_sizes(const Dataset& dataset) {
  std::vector<std::size_t> sizes(dataset.classes().size());
  for (const int label : dataset.labels()) ++sizes[static_cast<std::size_t>(label)];
  return sizes;
}

/// "2 (-1: 63, 1: 125)"
std::string classes_text(const Dataset& dataset) {
  constexpr std::size_t shown = 20;
  const auto& classes = dataset.classes();
  if (classes.empty()) return "no labels";
  const auto sizes = class_sizes(dataset);
  std::string text;
  for (std::size_t c = 0; c < std::min(shown, classes.size()); ++c)
    text += fmt::format("{}{}: {}", c == 0 ? "" : ", ", classes[c], sizes[c]);
  return fmt::format("{} ({}{})", classes.size(), text, classes.size() > shown ? ", ..." : "");
}

ordered_json json_of(const std::vector<Fact>& facts) {
  auto json = ordered_json::object();
  for (const auto& fact : facts) {
    if (fact.key.empty()) continue;
    json[fact.key] = std::visit(
        [](const auto& held) -> ordered_json {
          using Held = std::decay_t<decltype(held)>;
          if constexpr (std::is_same_v<Held, std::monostate>)
            return nullptr;
          else if constexpr (std::is_same_v<Held, std::vector<Fact>>)
            return json_of(held);
          else
            return held;
        },
        fact.value);
  }
  return json;
}

ordered_json json_of(const Dataset& dataset, std::string_view count, const std::vector<Fact>& facts) {
  ordered_json json;
  if (const auto name = dataset.name(); !name.empty()) json["name"] = name;
  json[std::string(count)] = dataset.size();
  json["classes"] = dataset.classes().size();
  json["class_sizes"] = ordered_json::array();
  const auto sizes = class_sizes(dataset);
  for (std::size_t c = 0; c < sizes.size(); ++c)
    json["class_sizes"].push_back({{"name", dataset.classes()[c]}, {"size", sizes[c]}});
  if (const auto* const set = dataset.stored()) json["groups"] = SetSummary(*set).json();
  json.update(json_of(facts));
  return json;
}

std::string text_of(const Dataset& dataset, std::string_view count, const std::vector<Fact>& facts,
                    double seconds) {
  const auto name = dataset.name();
  const std::vector<std::string> items{std::string(count), fmt::format("{}", dataset.size())};
  Table table(name.empty() ? items : std::vector<std::string>{"dataset", name}, 2);
  if (!name.empty()) table.add(items);
  table.add({"classes", classes_text(dataset)});
  for (const auto& fact : facts)
    if (!fact.title.empty()) table.add({fact.title, fact.text});
  table.add({"seconds", fmt::format("{:.3f}", seconds)});
  const auto* const set = dataset.stored();
  return set == nullptr ? table.text() : fmt::format("{}\n{}", table.text(), SetSummary(*set).range_table());
}

void run(const InfoOptions& options) {
  const Session session(options.common);
  const base::Stopwatch watch;
  const auto& kind = kind_of(options.data);
  const auto dataset = read_as(kind, options.data, session.context(), [&] {
    return kind.read(options.data.data, options.data.reading, session.context());
  });
  const auto facts = dataset->facts(session.context());
  const auto count = dataset->stored() == nullptr ? kind.name : "items";
  session.note(features::reading_sentence(kind, options.data.data, *dataset));
  for (const auto& note : dataset->notes()) session.note(note);
  if (options.common.json) {
    auto json = json_of(*dataset, count, facts);
    json["read"] = reading_json(kind, dataset->size(), dataset->classes().size(), dataset->reading());
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
