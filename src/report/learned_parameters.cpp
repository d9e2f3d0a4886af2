#include <algorithm>
#include <span>

#include <fmt/format.h>

#include <perslay/layer/channel.h>
#include <perslay/layer/perslay.h>
#include <perslay/learn/architecture.h>
#include <perslay/report/html.h>
#include <perslay/report/learned_parameters.h>

namespace perslay::report {
namespace {

/// The array of a name; nothing if there is none in single precision.
const io::NamedArray* find(const learn::ModelFile* model, const std::string& name) {
  if (model == nullptr) return nullptr;
  const auto found = std::ranges::find(model->arrays, name, &io::NamedArray::name);
  return found == model->arrays.end() || found->values.empty() ? nullptr : &*found;
}

/// The cells along each axis on which a mixture of Gaussians is shown.
constexpr std::size_t shown_cells = 20;

const LearnedArray* find(const LearnedChannel& channel, const std::string& name) {
  const auto found = std::ranges::find(channel.arrays, name, &LearnedArray::name);
  return found == channel.arrays.end() ? nullptr : &*found;
}

/// The weight at the middle of every cell between the channel's bounds.
std::vector<float> cells_of(const layer::Weight& weight, const LearnedChannel& channel, bool after) {
  std::vector<std::span<const float>> arrays;
  for (const auto& parameter : weight.parameters()) {
    const auto* array = find(channel, "weight." + parameter.name);
    if (array == nullptr || array->shape != parameter.shape) return {};
    arrays.emplace_back(after ? array->after : array->before);
    if (arrays.back().empty()) return {};
  }
  const auto middle = [&](std::size_t i) {
    const double place = (static_cast<double>(i) + 0.5) / static_cast<double>(shown_cells);
    return static_cast<float>(channel.low + (channel.high - channel.low) * place);
  };
  // Diagrams of one point with the feature 1 give its weight.
  std::vector<float> points;
  std::vector<std::int64_t> offsets{0};
  for (std::size_t b = 0; b < shown_cells; ++b)
    for (std::size_t d = 0; d < shown_cells; ++d) {
      points.insert(points.end(), {middle(b), middle(d)});
      offsets.push_back(static_cast<std::int64_t>(offsets.size()));
    }
  const std::vector<float> ones(shown_cells * shown_cells, 1);
  layer::Channel layer;
  layer.phi.type = layer::PointTransform::Type::given;
  layer.phi.count = 1;
  layer.weight = weight;
  std::vector<float> weights(ones.size());
  layer::forward<float>({}, layer, {points, offsets, ones, {}}, arrays, weights);
  return weights;
}

/// Adds the cells of a mixture of Gaussians, within the unit square or, if diagrams are not scaled to it,
/// around the centres.
void add_cells(const layer::Weight& weight, bool scaled, LearnedChannel& channel) {
  const auto* centres = find(channel, "weight.centres");
  if (weight.type != layer::Weight::Type::gmix || centres == nullptr) return;
  std::vector<double> places;
  for (const auto* numbers : {&centres->before, &centres->after})
    places.insert(places.end(), numbers->begin(), numbers->end());
  const auto axis = scaled ? Axis{"", 0, 1} : axis_around("", places);
  channel.low = axis.low;
  channel.high = axis.high;
  auto after = cells_of(weight, channel, true);
  if (after.empty()) return;
  const auto side = static_cast<std::int64_t>(shown_cells);
  channel.arrays.push_back(
      {"weight.cells", {side, side}, cells_of(weight, channel, false), std::move(after)});
}

bool is_single(const LearnedArray& array) { return array.after.size() == 1; }

std::string number(float x) { return short_number(static_cast<double>(x)); }

/// "0.52, was 1"
std::string change(const LearnedArray& array, std::size_t i) {
  return number(array.after[i]) + (array.before.empty() ? "" : ", was " + number(array.before[i]));
}

/// The strength of a weight's colour, from the smallest to the largest weight before and after training;
/// negative weights have another colour.
double strength(const LearnedArray& array, float value) {
  const auto [low, high] = std::ranges::minmax(array.after);
  const auto [start_low, start_high] =
      array.before.empty() ? std::ranges::minmax_result<float>{low, high} : std::ranges::minmax(array.before);
  const float least = std::min(low, start_low);
  const float most = std::max(high, start_high);
  if (least < 0) return static_cast<double>(value / std::max(-least, most));
  return least == most ? 0.5 : 0.05 + 0.95 * static_cast<double>((value - least) / (most - least));
}

Chart weight_chart(const LearnedChannel& channel, const LearnedArray& cells, const std::vector<float>& values,
                   const std::string& when) {
  const double low = channel.low, high = channel.high;
  Chart chart(channel.title + when, {"birth", low, high}, {"death", low, high}, {260, 260});
  const auto births = static_cast<std::size_t>(cells.shape[0]);
  const auto deaths = static_cast<std::size_t>(cells.shape[1]);
  const auto edge = [&](std::size_t i, std::size_t count) {
    return low + (high - low) * static_cast<double>(i) / static_cast<double>(count);
  };
  for (std::size_t b = 0; b < births; ++b)
    for (std::size_t d = 0; d < deaths; ++d) {
      const float value = values[b * deaths + d];
      const Position from{edge(b, births), edge(d, deaths)}, to{edge(b + 1, births), edge(d + 1, deaths)};
      chart.cell(from, to, strength(cells, value),
                 fmt::format("births {} to {}, deaths {} to {}: weight {}", short_number(from.x),
                             short_number(to.x), short_number(from.y), short_number(to.y), number(value)));
    }
  if (channel.diagonal) chart.diagonal();
  return chart;
}

std::vector<double> coordinates(const LearnedArray& array, std::size_t axis, std::size_t width) {
  std::vector<double> values;
  for (const auto* numbers : {&array.before, &array.after})
    for (std::size_t i = axis; i < numbers->size(); i += width)
      values.push_back(static_cast<double>((*numbers)[i]));
  return values;
}

/// One number for each feature: a row of dots before and one after.
Chart strip(const LearnedChannel& channel, const LearnedArray& array) {
  Chart chart(fmt::format("{}: {}", channel.title, array.name.substr(4)),
              axis_around("", coordinates(array, 0, 1)), {"", -0.6, 1.6, false, {"after", "before"}},
              {420, 150});
  for (std::size_t i = 0; i < array.before.size(); ++i)
    chart.dot({static_cast<double>(array.before[i]), 1}, "faint",
              fmt::format("{}: {}", i, number(array.before[i])));
  for (std::size_t i = 0; i < array.after.size(); ++i)
    chart.dot({static_cast<double>(array.after[i]), 0}, "a", fmt::format("{}: {}", i, change(array, i)));
  return chart;
}

/// Two numbers for each feature: their path.
Chart scatter(const LearnedChannel& channel, const LearnedArray& array) {
  Chart chart(fmt::format("{}: {}", channel.title, array.name.substr(4)),
              axis_around("first", coordinates(array, 0, 2)), axis_around("second", coordinates(array, 1, 2)),
              {300, 300});
  const auto at = [](const std::vector<float>& values, std::size_t i) {
    return Position{static_cast<double>(values[2 * i]), static_cast<double>(values[2 * i + 1])};
  };
  if (!array.before.empty()) {
    chart.legend("faint", "before");
    chart.legend("a", "after");
  }
  for (std::size_t i = 0; i < array.after.size() / 2; ++i) {
    if (!array.before.empty()) {
      chart.line(std::vector{at(array.before, i), at(array.after, i)}, "faint");
      chart.dot(at(array.before, i), "faint", fmt::format("{} before training", i), 2.5);
    }
    chart.dot(at(array.after, i), "a",
              fmt::format("{}: ({}; {})", i, change(array, 2 * i), change(array, 2 * i + 1)));
  }
  return chart;
}

}  // namespace

std::vector<LearnedChannel> learned_channels(const learn::ModelFile* before, const learn::ModelFile& after) {
  // Channels in the paper's short form have their PersLay under this name, beside a convolution.
  constexpr std::string_view of_paper = "perslay.";
  std::vector<LearnedChannel> channels;
  const auto plan = learn::architecture_of(after);
  for (std::size_t i = 0; i < plan.channels.size(); ++i) {
    const auto prefix = fmt::format("net0.channel{}.", i);
    const auto& group = after.groups[plan.group_of(i)];
    const auto& weight = plan.channels[i].perslay.weight;
    LearnedChannel channel;
    channel.title = fmt::format("{} {}", group.filtration, diagram::kind_name(group.kind));
    if (std::ranges::count(plan.groups, plan.group_of(i)) > 1)
      channel.title += fmt::format(", {}", plan.channels[i].perslay.phi.name());
    channel.diagonal = after.settings.network.scale != learn::Scaling::apart;
    channel.low = weight.low;
    channel.high = weight.high;
    for (const auto& array : after.arrays) {
      if (!array.name.starts_with(prefix) || array.values.empty()) continue;
      auto name = array.name.substr(prefix.size());
      if (name.starts_with(of_paper)) name.erase(0, of_paper.size());
      if (!name.starts_with("weight.") && !name.starts_with("phi.")) continue;
      const auto* old = find(before, array.name);
      const bool same = old != nullptr && old->shape == array.shape;
      channel.arrays.push_back({name, array.shape, same ? old->values : std::vector<float>(), array.values});
    }
    add_cells(weight, after.settings.network.scale != learn::Scaling::none, channel);
    if (!channel.arrays.empty()) channels.push_back(std::move(channel));
  }
  return channels;
}

std::vector<Chart> weight_charts(const LearnedChannel& channel) {
  std::vector<Chart> charts;
  for (const auto& array : channel.arrays) {
    if (array.name != "weight.cells" || array.shape.size() != 2) continue;
    if (!array.before.empty()) charts.push_back(weight_chart(channel, array, array.before, ", before"));
    charts.push_back(weight_chart(channel, array, array.after, array.before.empty() ? "" : ", after"));
  }
  return charts;
}

std::vector<Chart> transform_charts(const LearnedChannel& channel) {
  std::vector<Chart> charts;
  for (const auto& array : channel.arrays) {
    if (!array.name.starts_with("phi.") || is_single(array)) continue;
    if (array.shape.size() == 1) charts.push_back(strip(channel, array));
    if (array.shape.size() == 2 && array.shape[1] == 2) charts.push_back(scatter(channel, array));
  }
  return charts;
}

std::vector<std::vector<std::string>> single_numbers(const std::vector<LearnedChannel>& channels) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& channel : channels)
    for (const auto& array : channel.arrays)
      if (is_single(array))
        rows.push_back({fmt::format("{}: {}", channel.title, array.name),
                        array.before.empty() ? "" : number(array.before[0]), number(array.after[0])});
  return rows;
}

}  // namespace perslay::report
