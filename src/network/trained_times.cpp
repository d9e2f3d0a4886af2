#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/parallel.h>
#include <perslay/base/quantiles.h>
#include <perslay/network/trained_times.h>

namespace perslay::network {
namespace {

constexpr double longest = filtration::HeatSpectrum::longest_time;

void check(const TrainedGroup& group) {
  if (!(group.time > 0 && group.time <= longest))
    throw base::user_error(fmt::format("A time that is trained starts above 0 and at most at {}, not at {}.",
                                       longest, group.time));
}

/// The signatures at the time of a source.
std::span<const double> at_time(const std::vector<double>& numbers, std::size_t source, std::size_t sources) {
  const std::size_t vertices = numbers.size() / sources;
  return std::span(numbers).subspan(source * vertices, vertices);
}

double number(std::span<const double> of_vertices, std::int64_t vertex) {
  return of_vertices[static_cast<std::size_t>(vertex)];
}

}  // namespace

template <class T>
TrainedTimes<T>::TrainedTimes(TrainedTimesOptions options, Layout& layout) : options_(std::move(options)) {
  std::map<std::string, std::size_t> known;
  for (std::size_t g = 0; g < options_.groups.size(); ++g) {
    const auto& group = options_.groups[g];
    check(group);
    const auto [place, is_new] = known.emplace(group.filtration, sources_.size());
    if (is_new) sources_.push_back({group.time, {}, {}, {{}, options_.drop_diagonal, options_.prominent, 0}});
    sources_[place->second].groups.push_back(g);
    sources_[place->second].persistence.kinds.push_back(group.kind);
  }
  for (std::size_t q = 0; q < options_.quantiles.size(); ++q)
    sources_[known.at(options_.quantiles[q].filtration)].quantiles.push_back(q);
  shifts_ = layout.add("filtrations.heat.shift", {static_cast<std::int64_t>(sources_.size())});
  scales_.assign(options_.groups.size(), {0, 1});
  anchors_.resize(options_.groups.size());
}

template <class T>
double TrainedTimes<T>::time(const Source& source, T shift) const {
  return std::min(source.start * std::exp(options_.pace * static_cast<double>(shift)), longest);
}

template <class T>
std::vector<double> TrainedTimes<T>::times(std::span<const T> trained) const {
  std::vector<double> now;
  for (std::size_t s = 0; s < sources_.size(); ++s) now.push_back(time(sources_[s], shifts_.of(trained)[s]));
  return now;
}

template <class T>
void TrainedTimes<T>::forward(std::span<const T> trained, const GraphBatch& batch, const Pass& pass,
                              Memory& memory, std::vector<PackedDiagrams<T>>& diagrams,
                              Rows<T>& features) const {
  const auto now = times(trained);
  memory.signatures = heat_signatures(now, batch, pass.context);
  if (pass.training()) memory.anchors = heat_signatures(now, anchor_graphs_, pass.context);
  memory.diagrams.resize(options_.groups.size());
  memory.quantile_slopes.resize(options_.quantiles.size());
  for (std::size_t s = 0; s < sources_.size(); ++s) {
    for (const auto q : sources_[s].quantiles) add_quantiles(s, q, batch, pass, memory, features);
    const auto values = at_time(memory.signatures.values, s, sources_.size());
    auto found = persistence::vertex_diagrams(values, batch.graphs, sources_[s].persistence, pass.context);
    for (std::size_t k = 0; k < found.size(); ++k) {
      const auto group = sources_[s].groups[k];
      const auto range = scale_of(s, group, memory, pass).range;
      auto& out = diagrams[options_.groups[group].place];
      out.points.clear();
      for (const auto& [birth, death] : found[k].vertices)
        for (const auto vertex : {birth, death})
          out.points.push_back(
              static_cast<T>(options_.scale ? range(number(values, vertex)) : number(values, vertex)));
      out.offsets = found[k].offsets;
      memory.diagrams[group] = std::move(found[k]);
    }
  }
}

template <class T>
typename TrainedTimes<T>::Scale TrainedTimes<T>::scale_of(std::size_t source, std::size_t group,
                                                          const Memory& memory, const Pass& pass) const {
  if (!pass.training() || !anchors_[group]) return {scales_[group], 0, 0};
  const auto& [low, high] = *anchors_[group];
  const auto values = at_time(memory.anchors.values, source, sources_.size());
  const auto slopes = at_time(memory.anchors.derivatives, source, sources_.size());
  if (values[high] <= values[low]) return {{values[low], values[low]}, 0, 0};
  return {{values[low], values[high]}, slopes[low], slopes[high]};
}

/// Quantiles of each graph and their derivatives by t: those of the two vertices between which a quantile lies.
template <class T>
void TrainedTimes<T>::add_quantiles(std::size_t source, std::size_t quantiles, const GraphBatch& batch,
                                    const Pass& pass, Memory& memory, Rows<T>& features) const {
  const auto& of = options_.quantiles[quantiles];
  const auto offsets = batch.vertex_offsets();
  const auto values = at_time(memory.signatures.values, source, sources_.size());
  const auto slopes = at_time(memory.signatures.derivatives, source, sources_.size());
  auto& slope_rows = memory.quantile_slopes[quantiles];
  slope_rows.resize(batch.size(), of.count);
  base::parallel_for(pass.context, "quantiles", batch.size(), [&](std::size_t graph) {
    std::vector<std::int64_t> vertices(static_cast<std::size_t>(offsets[graph + 1] - offsets[graph]));
    std::iota(vertices.begin(), vertices.end(), offsets[graph]);
    std::ranges::sort(vertices, {}, [&](std::int64_t v) { return std::pair(number(values, v), v); });
    for (std::size_t i = 0; i < of.count; ++i) {
      double value = 0, slope = 0;  // of a graph without vertices
      if (!vertices.empty()) {
        const auto [below, above, part] = base::quantile_place(i, of.count, vertices.size());
        value = std::lerp(number(values, vertices[below]), number(values, vertices[above]), part);
        slope = std::lerp(number(slopes, vertices[below]), number(slopes, vertices[above]), part);
      }
      if (!of.means.empty()) {
        value = of.deviations[i] > 0 ? (value - of.means[i]) / of.deviations[i] : 0;
        const bool moves = of.deviations[i] > 0 && (of.clip == 0 || std::abs(value) < of.clip);
        slope = moves ? slope / of.deviations[i] : 0;
        if (of.clip > 0) value = std::clamp(value, -of.clip, of.clip);
      }
      features.row(graph)[of.column + i] = static_cast<T>(value);
      slope_rows.row(graph)[i] = slope;
    }
  });
}

// A point x = (v - min) / (max - min) moves with v, min and max, and each of them with t.
template <class T>
double TrainedTimes<T>::by_time_of_diagrams(std::size_t source, const Memory& memory, const Pass& pass,
                                            std::span<const std::vector<T>> by_points) const {
  const auto values = at_time(memory.signatures.values, source, sources_.size());
  const auto slopes = at_time(memory.signatures.derivatives, source, sources_.size());
  double by_time = 0;
  for (const auto group : sources_[source].groups) {
    const auto scale = scale_of(source, group, memory, pass);
    const double range = options_.scale ? scale.range.max - scale.range.min : 1;
    if (range == 0) continue;
    const auto& upstream = by_points[options_.groups[group].place];
    std::size_t i = 0;
    for (const auto& [birth, death] : memory.diagrams[group].vertices)
      for (const auto vertex : {birth, death}) {
        double slope = number(slopes, vertex);
        if (options_.scale) {
          const double x = (number(values, vertex) - scale.range.min) / range;
          slope = (slope - (1 - x) * scale.min_slope - x * scale.max_slope) / range;
        }
        by_time += static_cast<double>(upstream[i++]) * slope;
      }
  }
  return by_time;
}

template <class T>
void TrainedTimes<T>::backward(std::span<const T> trained, const Memory& memory, const Pass& pass,
                               std::span<const std::vector<T>> by_points, const Rows<T>& by_features,
                               std::size_t first_feature, std::span<T> gradient) const {
  for (std::size_t s = 0; s < sources_.size(); ++s) {
    double by_time = by_time_of_diagrams(s, memory, pass, by_points);
    for (const auto q : sources_[s].quantiles) {
      const auto& slopes = memory.quantile_slopes[q];
      const std::size_t first = first_feature + options_.quantiles[q].column;
      for (std::size_t graph = 0; graph < slopes.count; ++graph)
        for (std::size_t i = 0; i < slopes.width; ++i)
          by_time += static_cast<double>(by_features.row(graph)[first + i]) * slopes.row(graph)[i];
    }
    const auto shift = static_cast<double>(shifts_.of(trained)[s]);
    const double free_time = sources_[s].start * std::exp(options_.pace * shift);
    shifts_.of(gradient)[s] = static_cast<T>(free_time > longest ? 0 : by_time * options_.pace * free_time);
  }
}

template <class T>
void TrainedTimes<T>::fit_scales(std::span<const T> trained, const GraphBatch& training,
                                 const base::Context& context) {
  if (!options_.scale) return;
  anchor_graphs_ = {};
  const auto signatures = heat_signatures(times(trained), training, context);
  for (std::size_t s = 0; s < sources_.size(); ++s) {
    const auto values = at_time(signatures.values, s, sources_.size());
    const auto extremes =
        persistence::extreme_vertices(values, training.graphs, sources_[s].persistence, context);
    for (std::size_t k = 0; k < extremes.size(); ++k) {
      const auto group = sources_[s].groups[k];
      const auto& [low, high] = extremes[k];
      anchors_[group].reset();
      if (low < 0) continue;
      scales_[group] = {number(values, low), number(values, high)};
      const auto anchor = add_anchor(training, low);
      anchors_[group] = {anchor, add_anchor(training, high)};
    }
  }
}

template <class T>
std::size_t TrainedTimes<T>::add_anchor(const GraphBatch& training, std::int64_t vertex) {
  const auto offsets = training.vertex_offsets();
  const auto graph =
      static_cast<std::size_t>(std::ranges::upper_bound(offsets, vertex) - offsets.begin()) - 1;
  const auto own = vertex - offsets[graph];
  const auto begin = static_cast<std::size_t>(anchor_graphs_.vertex_offsets().back());
  const auto* spectrum = training.spectra.empty() ? nullptr : training.spectra[graph].get();
  if (spectrum == nullptr) {
    anchor_graphs_.graphs.push_back(training.graphs[graph]);
    anchor_graphs_.spectra.emplace_back();
    return begin + static_cast<std::size_t>(own);
  }
  anchor_graphs_.graphs.push_back(data::Graph::from_edges(1, {}));
  anchor_graphs_.spectra.push_back(
      std::make_shared<const filtration::HeatSpectrum>(spectrum->at(static_cast<data::Vertex>(own))));
  return begin;
}

template class TrainedTimes<float>;
template class TrainedTimes<double>;

}  // namespace perslay::network
