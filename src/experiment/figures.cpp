#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include <perslay/data/orbits.h>
#include <perslay/experiment/figures.h>
#include <perslay/features/graph_diagrams.h>
#include <perslay/io/atomic_file.h>
#include <perslay/io/graph_dataset.h>
#include <perslay/learn/model_file.h>
#include <perslay/persistence/extended_persistence.h>
#include <perslay/report/chart.h>
#include <perslay/report/html.h>
#include <perslay/report/learned_parameters.h>

namespace perslay::experiment {
namespace {

namespace fs = std::filesystem;
using report::Axis;
using report::Chart;
using report::Position;

struct Figure {
  std::string name;  ///< Of its file.
  std::string title;
  std::string caption;
  std::size_t columns = 1;
  std::vector<Chart> charts{};
};

/// The style of a series, by its number.
const char* style_of(std::size_t series) {
  constexpr std::array styles{"a", "b", "c", "d"};
  return styles[series % styles.size()];
}

/// An axis without numbers.
Axis bare(std::string title, double low, double high) { return {std::move(title), low, high, false, {""}}; }

/// The time of "hks:T".
double time_of(const std::string& filtration) {
  return filtration::parse_filtration(filtration).heat_kernel.value().time;
}

// ---- orbits

Figure orbits(const base::Context& context) {
  constexpr std::size_t rows = 3;
  Figure figure{"orbits", "Orbits", "Three orbits of each of the five classes, 1000 points each.", 5};
  const data::OrbitSet set{rows};
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t c = 0; c < data::orbit_parameters.size(); ++c) {
      const auto orbit = data::make_orbits(set, c * rows + row, 1, context);
      Chart chart(fmt::format("r = {}", data::orbit_classes()[c]), bare("", 0, 1), bare("", 0, 1),
                  {205, 205});
      for (const auto& point : orbit.points) chart.dot({point.x, point.y}, "a", {}, 0.8);
      figure.charts.push_back(std::move(chart));
    }
  return figure;
}

// ---- sublevel and superlevel sets of a graph

struct DrawnVertex {
  double x, value;
};

/// A loop with a branch that hangs down and one that stands up.
constexpr auto drawn_vertices = std::to_array<DrawnVertex>(
    {{2.0, 0.0}, {1.0, 1.5}, {3.0, 1.8}, {2.0, 3.2}, {0.2, 0.6}, {3.9, 2.9}, {2.0, 4.0}});
constexpr auto drawn_edges =
    std::to_array<data::Edge>({{0, 1}, {0, 2}, {1, 3}, {2, 3}, {1, 4}, {2, 5}, {3, 6}});

template <class IsIn>
Chart drawn_graph(std::string title, const IsIn& is_in) {
  Chart chart(std::move(title), bare("", -0.3, 4.4), {"f", -0.4, 4.4}, {230, 240});
  const auto at = [](data::Vertex v) {
    const auto& vertex = drawn_vertices[static_cast<std::size_t>(v)];
    return Position{vertex.x, vertex.value};
  };
  for (const auto& edge : drawn_edges)
    chart.edge(at(edge.a), at(edge.b), is_in(at(edge.a).y) && is_in(at(edge.b).y) ? "b" : "");
  for (std::size_t v = 0; v < drawn_vertices.size(); ++v)
    chart.dot({drawn_vertices[v].x, drawn_vertices[v].value}, is_in(drawn_vertices[v].value) ? "a" : "hollow",
              fmt::format("vertex {}: f = {}", v, drawn_vertices[v].value), 4.5);
  return chart;
}

Figure level_sets() {
  Figure figure{
      "extended-persistence", "Extended persistence",
      "A function f on a graph, here the height. Above: sublevel sets grow until the graph is whole. "
      "Middle: superlevel sets grow back from the top. Below: the points that the two sweeps pair. "
      "ord0 is the branch that hangs down, rel1 the one that stands up, ext0 the graph from bottom "
      "to top, ext1 its loop.",
      4};
  for (const double level : {0.0, 1.5, 1.8, 3.2})
    figure.charts.push_back(drawn_graph(fmt::format("f ≤ {}", level), [=](double f) { return f <= level; }));
  for (const double level : {4.0, 2.9, 1.8, 0.0})
    figure.charts.push_back(drawn_graph(fmt::format("f ≥ {}", level), [=](double f) { return f >= level; }));
  std::vector<double> values;
  values.reserve(drawn_vertices.size());
  for (const auto& vertex : drawn_vertices) values.push_back(vertex.value);
  const auto graph = data::Graph::from_edges(static_cast<data::Vertex>(drawn_vertices.size()), drawn_edges);
  const auto diagrams = persistence::extended_persistence(graph, values);
  Chart chart("The four diagrams", {"birth", -0.4, 4.4}, {"death", -0.4, 4.4}, {420, 400});
  chart.diagonal();
  for (const auto kind : diagram::extended_kinds) {
    const auto name = diagram::kind_name(kind);
    chart.legend(name, name);
    for (const auto& point : diagrams[kind].points)
      chart.dot({point.birth, point.death}, name,
                fmt::format("{}: birth {}, death {}", name, point.birth, point.death), 5);
  }
  figure.charts.push_back(std::move(chart));
  return figure;
}

// ---- diagrams of one graph as t grows

Figure diagrams_over_time(const fs::path& archive, const base::Context& context) {
  constexpr int steps = 60;
  Figure figure{
      "diagrams-over-t", "Diagrams as t grows",
      "The four diagrams of the first graph of MUTAG for the heat kernel signature at 61 times from "
      "0.1 (faint) to 100 (strong). Points move continuously, by at most 2 |t - t'|.",
      2};
  auto dataset = io::read_graph_dataset(archive, context);
  data::GraphDataset first;
  first.graphs = {dataset.graphs.front()};
  first.vertex_offsets = {0, dataset.vertex_offsets[1]};
  std::vector<filtration::Filtration> filtrations;
  for (int i = 0; i <= steps; ++i)
    filtrations.push_back(
        filtration::parse_filtration(fmt::format("hks:{}", std::pow(10, -1 + 3.0 * i / steps))));
  const auto set = features::graph_diagrams(first, filtrations, {}, context);
  for (const auto kind : diagram::extended_kinds) {
    std::vector<double> coordinates;
    for (const auto& group : set.groups)
      if (group.kind == kind)
        for (const auto& point : group.diagrams.points())
          coordinates.insert(coordinates.end(), {point.birth, point.death});
    Chart chart(std::string(diagram::kind_name(kind)), report::axis_around("birth", coordinates),
                report::axis_around("death", coordinates), {400, 380});
    chart.diagonal();
    int step = 0;
    for (const auto& group : set.groups) {
      if (group.kind != kind) continue;
      const double time = time_of(group.filtration);
      for (const auto& point : group.diagrams.points())
        chart.dot({point.birth, point.death}, diagram::kind_name(kind),
                  fmt::format("t = {:.3g}: birth {:.4g}, death {:.4g}", time, point.birth, point.death), 2.5,
                  0.15 + 0.85 * step / steps);
      ++step;
    }
    figure.charts.push_back(std::move(chart));
  }
  return figure;
}

// ---- what was trained

Figure accuracy_over_time(const std::vector<Outcome>& outcomes) {
  Figure figure{
      "accuracy-over-t", "Accuracy for other times t",
      "Test accuracy of one ten-fold with Im(20,(),20), 100 epochs, for the heat kernel signature at "
      "each time."};
  std::map<std::string, std::vector<Position>> series;
  std::vector<double> times;
  std::vector<double> accuracies;
  for (const auto& outcome : outcomes) {
    const auto& job = outcome.job;
    if (!job.column.starts_with(fixed_time_prefix)) continue;
    const double time = time_of(job.settings.data.filtrations.front());
    series[job.row].push_back({time, 100 * outcome.accuracy.mean});
    times.push_back(time);
    accuracies.push_back(100 * outcome.accuracy.mean);
  }
  if (series.empty()) return figure;
  Chart chart("Accuracy over t", report::axis_around("t", times, true),
              report::axis_around("accuracy in %", accuracies), {640, 360});
  std::size_t next = 0;
  for (const auto& [name, points] : series) {
    const auto* style = style_of(next++);
    chart.legend(style, name);
    chart.line(points, style);
    for (const auto& point : points)
      chart.dot(point, style, fmt::format("{}, t = {:.3g}: {:.1f} %", name, point.x, point.y));
  }
  figure.charts.push_back(std::move(chart));
  return figure;
}

Figure weights(const std::vector<Outcome>& outcomes, const fs::path& folder) {
  Figure figure{
      "weights", "Weights on MUTAG",
      "The weight w on a 20x20 grid before and after training, for the four kinds; birth stands for "
      "the smaller coordinate of a point, death for the larger. The smallest weight is pale, the "
      "largest strong; orange is below zero.",
      4};
  const auto job =
      std::ranges::find(outcomes, weights_column, [](const Outcome& outcome) { return outcome.job.column; });
  if (job == outcomes.end()) return figure;
  const auto models = folder / job->job.folder / "models";
  const auto start = learn::read_model(models / "start.safetensors");
  const auto end = learn::read_model(models / "end.safetensors");
  std::vector<Chart> after;
  for (const auto& channel : report::learned_channels(&start, end)) {
    auto charts = report::weight_charts(channel);
    if (charts.size() != 2) continue;
    figure.charts.push_back(std::move(charts[0]));
    after.push_back(std::move(charts[1]));
  }
  std::ranges::move(after, std::back_inserter(figure.charts));
  return figure;
}

Figure trained_times(const std::vector<Outcome>& outcomes) {
  Figure figure{"t-optimisation", "Training t",
                "The time t of the heat kernel signature while it is trained on MUTAG, from three starts: "
                "geometric mean over the ten folds, and their range."};
  std::vector<double> values;
  std::vector<double> epochs{0, 1};  // as many as the longest training has
  for (const auto& outcome : outcomes)
    for (std::size_t e = 0; e < outcome.times.size(); ++e) {
      values.insert(values.end(), {outcome.times[e].low, outcome.times[e].high});
      if (e == epochs.size()) epochs.push_back(static_cast<double>(e));
    }
  if (values.empty()) return figure;
  Chart chart("t over epochs", {"epoch", 0, epochs.back()}, report::axis_around("t", values, true),
              {640, 380});
  std::size_t next = 0;
  for (const auto& outcome : outcomes) {
    if (outcome.times.empty()) continue;
    const auto* style = style_of(next++);
    chart.legend(style, outcome.job.column);
    chart.spreads(std::span(epochs).first(outcome.times.size()), outcome.times, style, [&](std::size_t e) {
      const auto& [mean, low, high] = outcome.times[e];
      return fmt::format("{}, after {} epochs: {:.3g} ({:.3g} … {:.3g})", outcome.job.column, e, mean, low,
                         high);
    });
  }
  figure.charts.push_back(std::move(chart));
  return figure;
}

}  // namespace

std::vector<fs::path> draw_figures(const std::vector<Outcome>& outcomes, const ReproduceOptions& options,
                                   const base::Context& context) {
  std::vector<Figure> figures{orbits(context), level_sets()};
  if (const auto mutag = dataset_in(options.data, "MUTAG"))
    figures.push_back(diagrams_over_time(*mutag, context));
  figures.push_back(accuracy_over_time(outcomes));
  figures.push_back(weights(outcomes, options.folder));
  figures.push_back(trained_times(outcomes));
  report::Page page;
  page.title = "The paper's figures";
  page.subtitle =
      "PersLay: A Neural Network Layer for Persistence Diagrams and New Graph Topological Signatures";
  std::vector<fs::path> files{options.folder / "figures.html"};
  for (const auto& figure : figures) {
    if (figure.charts.empty()) continue;
    files.push_back(options.folder / (figure.name + ".svg"));
    io::write_file(files.back(), report::svg_file(figure.charts, figure.columns));
    page.sections.push_back({figure.name, figure.title, report::figure(figure.charts, figure.caption)});
  }
  io::write_file(files.front(), page.html());
  return files;
}

}  // namespace perslay::experiment
