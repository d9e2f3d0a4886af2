#include "commands.h"
#include "diagram_summary.h"
#include "options.h"
#include "output.h"
#include "stopwatch.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include <perslay/data/graph_dataset.h>
#include <perslay/io/diagram_file.h>
#include <perslay/io/graph_dataset.h>

namespace perslay::cli {
namespace {

using nlohmann::ordered_json;

struct InfoOptions {
  CommonOptions common;
  std::string data;
  bool one_based = false;
};

constexpr auto examples =
    R"(DATA is a graph dataset (a TU folder, the same inside a .zip or .tar.* archive, or an
edge list) or a diagram file (.h5, .hdf5, .csv).

Examples:
  perslay info MUTAG.zip
  perslay info shapes --json
  perslay info roads.txt --one-based
  perslay info diagrams.h5)";

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

std::string yes_or_no(bool value) { return value ? "yes" : "no"; }

std::string graphs_text(const data::GraphDataset& dataset, const data::DatasetSummary& summary, bool weighted,
                        double seconds) {
  Table table({"dataset", dataset.name}, 2);
  table.add({"graphs", fmt::format("{}", summary.graphs)});
  table.add({"classes", classes_text(dataset.labels, dataset.classes)});
  table.add({"average nodes", fmt::format("{:.3f}", summary.average_nodes)});
  table.add({"average edges", fmt::format("{:.3f}", summary.average_edges)});
  table.add({"average beta0", fmt::format("{:.3f}", summary.average_beta0)});
  table.add({"average beta1", fmt::format("{:.3f}", summary.average_beta1)});
  table.add({"largest graph", fmt::format("{} nodes", summary.largest_graph)});
  table.add({"isolated vertices", fmt::format("{}", summary.isolated_vertices)});
  table.add({"self loops dropped", fmt::format("{}", dataset.cleaning.self_loops_dropped)});
  table.add({"duplicate edges merged", fmt::format("{}", dataset.cleaning.duplicate_edges_merged)});
  table.add({"edge weights", yes_or_no(weighted)});
  table.add({"node labels",
             dataset.node_labels.empty() ? "no" : fmt::format("{} values", summary.node_label_values)});
  table.add(
      {"node attributes", dataset.attribute_count == 0 ? "no" : fmt::format("{}", dataset.attribute_count)});
  table.add({"seconds", fmt::format("{:.3f}", seconds)});
  return table.text();
}

ordered_json graphs_json(const data::GraphDataset& dataset, const data::DatasetSummary& summary,
                         bool weighted, double seconds) {
  return {{"name", dataset.name},
          {"graphs", summary.graphs},
          {"classes", summary.classes},
          {"class_sizes", classes_json(dataset.labels, dataset.classes)},
          {"avg_nodes", summary.average_nodes},
          {"avg_edges", summary.average_edges},
          {"avg_beta0", summary.average_beta0},
          {"avg_beta1", summary.average_beta1},
          {"largest_graph", summary.largest_graph},
          {"isolated_vertices", summary.isolated_vertices},
          {"self_loops_dropped", dataset.cleaning.self_loops_dropped},
          {"duplicate_edges_merged", dataset.cleaning.duplicate_edges_merged},
          {"weighted", weighted},
          {"node_label_values", summary.node_label_values},
          {"node_attributes", dataset.attribute_count},
          {"notes", dataset.notes},
          {"seconds", seconds}};
}

void describe_graphs(const InfoOptions& options, const Session& session) {
  const Stopwatch watch;
  const auto dataset =
      io::read_graph_dataset(options.data, session.context(), {.one_based = options.one_based});
  const auto summary = data::summarize(dataset, session.context());
  for (const auto& note : dataset.notes) session.note(note);
  const bool weighted = std::ranges::any_of(dataset.graphs, &data::Graph::weighted);
  if (options.common.json)
    print(graphs_json(dataset, summary, weighted, watch.seconds()));
  else
    print(graphs_text(dataset, summary, weighted, watch.seconds()));
}

void describe_diagrams(const InfoOptions& options) {
  const Stopwatch watch;
  const auto set = io::read_diagrams(options.data);
  if (options.common.json)
    print(ordered_json{{"items", set.item_count()},
                       {"classes", set.classes.size()},
                       {"class_sizes", classes_json(set.labels, set.classes)},
                       {"groups", groups_json(set)},
                       {"seconds", watch.seconds()}});
  else
    print(fmt::format("items    {}\nclasses  {}\n\n{}", set.item_count(),
                      classes_text(set.labels, set.classes), range_table(set)));
}

void run(const InfoOptions& options) {
  const Session session(options.common);
  if (io::is_diagram_file(options.data))
    describe_diagrams(options);
  else
    describe_graphs(options, session);
}

}  // namespace

void add_info(CLI::App& program, Action& chosen) {
  const auto options = std::make_shared<InfoOptions>();
  auto& command = *program.add_subcommand("info", "Say what a graph dataset or a diagram file holds");
  command.add_option("DATA", options->data, "Graph dataset or diagram file")->required()->type_name("");
  command.add_flag("--one-based", options->one_based, "Edge lists: vertices are numbered from 1");
  add_common_options(command, options->common);
  command.footer(examples);
  command.callback([&chosen, options] { chosen = [options] { run(*options); }; });
}

}  // namespace perslay::cli
