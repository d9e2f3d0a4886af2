#include "commands.h"
#include "diagram_summary.h"
#include "options.h"
#include "output.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/stopwatch.h>
#include <perslay/data/graph_dataset.h>
#include <perslay/io/diagram_file.h>
#include <perslay/io/graph_dataset.h>
#include <perslay/io/point_clouds.h>

namespace perslay::cli {
namespace {

using nlohmann::ordered_json;

struct InfoOptions {
  CommonOptions common;
  std::string data;
  bool one_based = false;
  bool clouds = false;
};

constexpr auto examples =
    R"(DATA is a graph dataset (a TU folder, the same inside a .zip or .tar.* archive, or an
edge list), point clouds (an .npy file, a folder of .csv, .txt and .npy files or, with --clouds, a text
file with two numbers per line) or a diagram file (.h5, .hdf5, .csv).

Examples:
  perslay info MUTAG.zip
  perslay info shapes --json
  perslay info roads.txt --one-based
  perslay info diagrams.h5
  perslay info points.csv --clouds)";

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
  const base::Stopwatch watch;
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

/// What can be said about point clouds in a few lines.
struct CloudSummary {
  [[nodiscard]] double average() const {
    return clouds == 0 ? 0 : static_cast<double>(points) / static_cast<double>(clouds);
  }
  /// "1000" or "12 to 40, 23.500 on average"
  [[nodiscard]] std::string points_per_cloud() const {
    return smallest == largest ? fmt::format("{}", largest)
                               : fmt::format("{} to {}, {:.3f} on average", smallest, largest, average());
  }

  using Range = std::pair<double, double>;
  static constexpr Range nothing{std::numeric_limits<double>::infinity(),
                                 -std::numeric_limits<double>::infinity()};

  std::size_t clouds = 0;
  std::size_t points = 0;
  std::size_t smallest = 0;
  std::size_t largest = 0;
  Range x = nothing;
  Range y = nothing;
};

CloudSummary summarize(const data::PointCloudDataset& clouds) {
  CloudSummary summary;
  summary.clouds = clouds.size();
  summary.points = clouds.points.size();
  for (std::size_t i = 0; i < clouds.size(); ++i) {
    const std::size_t size = clouds[i].size();
    summary.smallest = i == 0 ? size : std::min(summary.smallest, size);
    summary.largest = std::max(summary.largest, size);
  }
  const auto extend = [](CloudSummary::Range& range, double value) {
    range = {std::min(range.first, value), std::max(range.second, value)};
  };
  for (const auto& [x, y] : clouds.points) {
    extend(summary.x, x);
    extend(summary.y, y);
  }
  return summary;
}

ordered_json range_json(const CloudSummary::Range& range) {
  return range.first <= range.second ? ordered_json::array({range.first, range.second})
                                     : ordered_json(nullptr);
}

std::string range_text(const CloudSummary::Range& range) {
  return range.first <= range.second ? fmt::format("{:.6g} .. {:.6g}", range.first, range.second) : "-";
}

std::string clouds_text(const data::PointCloudDataset& clouds, double seconds) {
  const auto summary = summarize(clouds);
  Table table({"dataset", clouds.name}, 2);
  table.add({"clouds", fmt::format("{}", summary.clouds)});
  table.add({"classes", classes_text(clouds.labels, clouds.classes)});
  table.add({"points", fmt::format("{}", summary.points)});
  table.add({"points per cloud", summary.points_per_cloud()});
  table.add({"x", range_text(summary.x)});
  table.add({"y", range_text(summary.y)});
  table.add({"seconds", fmt::format("{:.3f}", seconds)});
  return table.text();
}

ordered_json clouds_json(const data::PointCloudDataset& clouds) {
  const auto summary = summarize(clouds);
  return {{"clouds", summary.clouds},         {"points", summary.points},
          {"avg_points", summary.average()},  {"smallest_cloud", summary.smallest},
          {"largest_cloud", summary.largest}, {"x", range_json(summary.x)},
          {"y", range_json(summary.y)}};
}

void describe_clouds(const InfoOptions& options, const Session& session) {
  const base::Stopwatch watch;
  const auto clouds = io::read_point_clouds(options.data, session.context());
  for (const auto& note : clouds.notes) session.note(note);
  if (!options.common.json) return print(clouds_text(clouds, watch.seconds()));
  ordered_json json{{"name", clouds.name},
                    {"classes", clouds.classes.size()},
                    {"class_sizes", classes_json(clouds.labels, clouds.classes)}};
  json.update(clouds_json(clouds));
  json["notes"] = clouds.notes;
  json["seconds"] = watch.seconds();
  print(json);
}

void describe_diagrams(const InfoOptions& options) {
  const base::Stopwatch watch;
  const auto set = io::read_diagrams(options.data);
  std::optional<data::PointCloudDataset> clouds;
  if (io::has_clouds(options.data)) clouds = io::read_clouds(options.data);
  if (options.common.json) {
    ordered_json json{{"items", set.item_count()},
                      {"classes", set.classes.size()},
                      {"class_sizes", classes_json(set.labels, set.classes)},
                      {"groups", SetSummary(set).json()}};
    if (clouds) json["clouds"] = clouds_json(*clouds);
    json["seconds"] = watch.seconds();
    print(json);
    return;
  }
  Table table({"items", fmt::format("{}", set.item_count())}, 2);
  table.add({"classes", classes_text(set.labels, set.classes)});
  if (clouds) table.add({"clouds", fmt::format("of {} points", summarize(*clouds).points_per_cloud())});
  print(fmt::format("{}\n{}", table.text(), SetSummary(set).range_table()));
}

void run(const InfoOptions& options) {
  const Session session(options.common);
  const bool diagrams = !options.clouds && io::is_diagram_file(options.data);
  if (diagrams)
    describe_diagrams(options);
  else if (options.clouds || io::cloud_content(options.data) == io::CloudContent::certainly)
    describe_clouds(options, session);
  else
    describe_graphs(options, session);
}

}  // namespace

void add_info(CLI::App& program, Action& chosen) {
  const auto options = std::make_shared<InfoOptions>();
  auto& command =
      *program.add_subcommand("info", "Say what a graph dataset, point clouds or a diagram file hold");
  command.add_option("DATA", options->data, "Graph dataset, point clouds or diagram file")
      ->required()
      ->type_name("");
  command.add_flag("--one-based", options->one_based, "Edge lists: vertices are numbered from 1");
  command.add_flag("--clouds", options->clouds, "Read DATA as point clouds");
  add_common_options(command, options->common);
  command.footer(examples);
  command.callback([&chosen, options] { chosen = [options] { run(*options); }; });
}

}  // namespace perslay::cli
