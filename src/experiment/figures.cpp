#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/data/orbits.h>
#include <perslay/experiment/figures.h>
#include <perslay/features/graph_diagrams.h>
#include <perslay/io/atomic_file.h>
#include <perslay/io/graph_dataset.h>
#include <perslay/io/path_type.h>
#include <perslay/learn/architecture.h>
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

/// The intervals of the diagrams along both sweeps: up through the sublevel graphs, then down through the
/// superlevel graphs.
Chart intervals(const persistence::ExtendedDiagrams& diagrams, std::vector<double> levels) {
  std::ranges::sort(levels);
  Axis sweeps = bare("", -0.5, 2 * static_cast<double>(levels.size()) - 0.5);
  sweeps.names.clear();
  for (const double level : levels) sweeps.names.push_back(fmt::format("f ≤ {}", level));
  for (std::size_t i = levels.size(); i-- > 0;) sweeps.names.push_back(fmt::format("f ≥ {}", levels[i]));
  const auto place = [&](double value, bool comes_down) {
    const auto up = std::ranges::lower_bound(levels, value) - levels.begin();
    return static_cast<double>(comes_down ? std::ssize(sweeps.names) - 1 - up : up);
  };
  struct Interval {
    diagram::Kind kind;
    diagram::Point point;
  };
  std::vector<Interval> rows;
  Axis kinds = bare("", -0.7, 0);
  kinds.names.clear();
  using enum diagram::Kind;
  for (const auto kind : {ext1, rel1, ord0, ext0})  // upwards
    for (const auto& point : diagrams[kind].points) {
      rows.push_back({kind, point});
      kinds.names.emplace_back(diagram::kind_name(kind));
    }
  kinds.high = static_cast<double>(rows.size()) - 0.3;
  Chart chart("Their intervals", sweeps, kinds, {500, 320});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& [kind, point] = rows[i];
    const auto row = static_cast<double>(i);
    chart.bar({place(point.birth, kind == rel1), row - 0.12}, {place(point.death, kind != ord0), row + 0.12},
              diagram::kind_name(kind),
              fmt::format("{}: from {} to {}", diagram::kind_name(kind), point.birth, point.death));
  }
  return chart;
}

Figure level_sets() {
  Figure figure{
      "extended-persistence", "Extended persistence",
      "A function f on a graph, here the height. Above: sublevel sets grow until the graph is whole. "
      "Middle: superlevel sets grow back from the top. Below: the intervals between the levels that "
      "the two sweeps pair, and the same as points. ord0 is the branch that hangs down, rel1 the one that "
      "stands up, ext0 the graph from bottom "
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
  figure.charts.push_back(intervals(diagrams, values));
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

// ---- the network of a model

/// The folder of the models whose weights are drawn; empty if they are not among the outcomes.
fs::path weights_models(const std::vector<Outcome>& outcomes, const fs::path& folder) {
  const auto job =
      std::ranges::find(outcomes, weights_column, [](const Outcome& outcome) { return outcome.job.column; });
  return job == outcomes.end() ? fs::path() : folder / job->job.folder / "models";
}

/// A part of a network: lines of text, of which the first is its name.
struct Box {
  Position middle;
  std::vector<std::string> lines;
};

/// Boxes and arrows between them; a unit is a pixel.
class BoxChart {
 public:
  static constexpr double width = 160;

  BoxChart(std::string title, double right, double high)
      : chart_(std::move(title), bare("", 0, right), bare("", 0, high), {right + 72, high + 72}) {}

  void add(const Box& box) {
    const auto& [x, y] = box.middle;
    const double half = height(box) / 2;
    chart_.bar({x - width / 2, y - half}, {x + width / 2, y + half}, "box", "");
    for (std::size_t i = 0; i < box.lines.size(); ++i)
      chart_.text({x, y + half - line * (static_cast<double>(i) + 1)}, box.lines[i],
                  i == 0 ? "middle" : "note middle");
  }
  /// An arrow from the right side of a box to the left side of another, `rise` above its middle.
  void connect(const Box& from, const Box& to, double rise = 0) {
    chart_.arrow({from.middle.x + width / 2, from.middle.y},
                 {to.middle.x - width / 2 - 1, to.middle.y + rise});
  }
  void dot(const Box& box, std::string_view style) {
    chart_.dot({box.middle.x - width / 2 + 14, box.middle.y}, style, {}, 4.5);
  }
  [[nodiscard]] static double height(const Box& box) {
    return line * (static_cast<double>(box.lines.size()) + 0.5);
  }
  [[nodiscard]] Chart chart() && { return std::move(chart_); }

 private:
  static constexpr double line = 17;

  Chart chart_;
};

std::vector<std::string> lines_of(const network::ChannelPlan& plan) {
  const auto& channel = plan.perslay;
  std::vector<std::string> lines{"PersLay", channel.phi.name()};
  for (const auto& layer : channel.equivariant) lines.push_back(fmt::format("equivariant, {}", layer.size));
  const auto filters =
      plan.convolution
          ? fmt::format("{0} filters of {2}x{1}", plan.convolution->filters, plan.convolution->size,
                        layer::image_of(channel).rows == 1 ? 1 : plan.convolution->size)
          : "";
  const bool of_points = plan.convolution && plan.convolution->of_points;
  if (of_points) lines.push_back(filters);
  lines.push_back(fmt::format("weight {}", channel.weight.name()));
  lines.push_back(fmt::format("{}: {} numbers", channel.op.name(), of_points ? plan.size() : channel.size()));
  if (plan.convolution && !of_points) lines.push_back(fmt::format("{}: {}", filters, plan.size()));
  return lines;
}

Figure architecture(const std::vector<Outcome>& outcomes, const fs::path& folder) {
  Figure figure{"architecture", "The network", ""};
  const auto models = weights_models(outcomes, folder);
  if (models.empty()) return figure;
  const auto model = learn::read_model(models / "start.safetensors");
  const auto plan = learn::architecture_of(model);

  constexpr double step = 200;
  constexpr double row_height = 112;
  const auto rows = static_cast<double>(plan.channels.size() + (plan.features > 0 ? 1 : 0));
  const double high = rows * row_height;
  const auto column = [=](std::size_t i) { return step * (static_cast<double>(i) + 0.5); };
  const auto row = [=](std::size_t i) { return high - row_height * (static_cast<double>(i) + 0.5); };
  BoxChart chart(model.settings.name, column(4 + plan.hidden.size()) - step / 2, high);

  std::size_t width = plan.features;
  for (const auto& channel : plan.channels) width += channel.size();
  std::vector<Box> trunk{{{column(2), high / 2}, {"side by side", fmt::format("{} numbers", width)}}};
  if (plan.channel_norm) trunk.back().lines.emplace_back("channels: batch norm");
  for (const auto size : plan.hidden) {
    trunk.push_back({{column(2 + trunk.size()), high / 2}, {fmt::format("dense: {} numbers", size)}});
    if (plan.batch_norm) trunk.back().lines.emplace_back("batch norm");
    trunk.back().lines.emplace_back("ReLU");
  }
  trunk.push_back({{column(2 + trunk.size()), high / 2},
                   {fmt::format("dense: {} numbers", plan.outputs),
                    fmt::format("classes {}", fmt::join(model.classes, ", "))}});

  // Arrows end at different heights, in the order of rows.
  const auto join = [&](const Box& box) {
    chart.connect(box, trunk.front(),
                  (box.middle.y - high / 2) / high * (BoxChart::height(trunk.front()) - 8));
  };
  for (std::size_t i = 0; i < plan.channels.size(); ++i) {
    const auto& group = model.groups[plan.group_of(i)];
    const auto kind = diagram::kind_name(group.kind);
    const Box diagrams{{column(0), row(i)}, {std::string(kind), group.filtration}};
    const Box channel{{column(1), row(i)}, lines_of(plan.channels[i])};
    chart.connect(diagrams, channel);
    join(channel);
    chart.add(diagrams);
    chart.dot(diagrams, kind);
    chart.add(channel);
  }
  if (plan.features > 0) {
    const auto& fitted = model.preparation.features;
    Box features{{column(1), row(plan.channels.size())}, {fmt::format("{} features", plan.features)}};
    for (std::size_t i = 0; i < fitted.settings.names.size(); ++i)
      features.lines.push_back(fmt::format("{}: {}", fitted.settings.names[i], fitted.widths[i]));
    if (fitted.settings.standardise) features.lines.emplace_back("standardised");
    join(features);
    chart.add(features);
  }
  for (std::size_t i = 0; i < trunk.size(); ++i) {
    if (i > 0) chart.connect(trunk[i - 1], trunk[i]);
    chart.add(trunk[i]);
  }
  const auto counts = network::weight_counts(plan);
  figure.caption = fmt::format(
      "The network of the weights below: a PersLay for each kind of diagrams, side by side with the "
      "features, "
      "then a dense layer. It trains {} numbers, {} of them in the channels.",
      counts.all(), counts.channels);
  figure.charts.push_back(std::move(chart).chart());
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
  const auto models = weights_models(outcomes, folder);
  if (models.empty()) return figure;
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
  figures.push_back(architecture(outcomes, options.folder));
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
    io::require_no_link(files.back());
    io::write_file(files.back(), report::svg_file(figure.charts, figure.columns));
    page.sections.push_back({figure.name, figure.title, report::figure(figure.charts, figure.caption)});
  }
  io::require_no_link(files.front());
  io::write_file(files.front(), page.html());
  return files;
}

}  // namespace perslay::experiment
