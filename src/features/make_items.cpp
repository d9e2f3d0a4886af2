#include "chunks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/error.h>
#include <perslay/diagram/transforms.h>
#include <perslay/features/cloud_diagrams.h>
#include <perslay/features/graph_diagrams.h>
#include <perslay/features/item_features.h>
#include <perslay/features/load_items.h>

namespace perslay::features {
namespace {

using diagram::DiagramBatch;
using diagram::DiagramGroup;
using diagram::Kind;
using diagram::Point;
using diagram::Transform;

// ---- what is asked for

bool is_of_clouds(Kind kind) { return kind == Kind::h0 || kind == Kind::h1; }

/// What the names stand for, each once.
template <class Parse>
auto parse_filtrations(std::vector<std::string> names, const char* otherwise, Parse&& parse) {
  if (names.empty()) names.emplace_back(otherwise);
  std::vector<decltype(parse(names.front()))> chosen;
  for (const auto& name : names) {
    auto filtration = parse(name);
    if (std::ranges::none_of(chosen, [&](const auto& other) { return other.name == filtration.name; }))
      chosen.push_back(std::move(filtration));
  }
  return chosen;
}

template <std::size_t N>
std::vector<Kind> chosen_kinds(const std::vector<Kind>& asked, const std::array<Kind, N>& otherwise) {
  if (asked.empty()) return {otherwise.begin(), otherwise.end()};
  std::vector<Kind> kinds;
  for (const Kind kind : asked)
    if (std::ranges::find(kinds, kind) == kinds.end()) kinds.push_back(kind);
  return kinds;
}

std::vector<Transform> parse_transforms(const std::vector<std::string>& names) {
  std::vector<Transform> transforms;
  for (const auto& name : names) {
    auto transform = diagram::parse_transform(name);
    if (transform.needs_fit())
      throw base::user_error(
          fmt::format("{} is fitted to many items, and items are transformed one by one before anything is "
                      "fitted; learning scales diagrams by a setting of its own.",
                      transform.name));
    if (transform.type == Transform::Type::birth_persistence)
      throw base::user_error(fmt::format(
          "{} makes points that are no longer (birth, death), which is what features and layers read.",
          transform.name));
    transforms.push_back(std::move(transform));
  }
  return transforms;
}

/// Each feature once.
std::vector<ItemFeature> parse_features(const LoadRequest& request) {
  std::vector<ItemFeature> features;
  for (auto& feature : parse_item_features(request.features))
    if (std::ranges::find(features, feature.name, &ItemFeature::name) == features.end())
      features.push_back(std::move(feature));
  if (request.keep_diagrams) return features;
  for (const auto& feature : features)
    if (feature.is_fitted())
      throw base::user_error(fmt::format("{} is fitted to diagrams, so these have to be kept{}.",
                                         feature.name,
                                         feature.type == ItemFeature::Type::vectorization
                                             ? fmt::format(", or a range given as in {}@0..1", feature.name)
                                             : ""));
  return features;
}

void refuse_graph_features(const std::vector<ItemFeature>& features, const char* source) {
  for (const auto& feature : features)
    if (feature.of_graphs() || feature.is_keyed())
      throw base::user_error(fmt::format("{} is computed from graphs, not from {}.", feature.name, source));
}

// ---- diagrams of items

/// The diagrams first ... first + count - 1 of a batch, without vertices.
DiagramBatch slice(const DiagramBatch& batch, std::size_t first, std::size_t count) {
  const auto ends = batch.offsets().subspan(first, count + 1);
  const auto points = batch.points().subspan(static_cast<std::size_t>(ends.front()),
                                             static_cast<std::size_t>(ends.back() - ends.front()));
  std::vector<std::int64_t> offsets(ends.begin(), ends.end());
  for (std::int64_t& offset : offsets) offset -= ends.front();
  return {{points.begin(), points.end()}, std::move(offsets)};
}

/// Transforms, reorders to (min, max), and drops the diagonal of ext0 and ext1 where that is asked for.
class ItemTransform {
 public:
  ItemTransform(std::vector<Transform> transforms, bool drop_diagonal)
      : transforms_(std::move(transforms)), drop_diagonal_(drop_diagonal) {}

  [[nodiscard]] bool changes(const DiagramGroup& group) const {
    return !transforms_.empty() || drops_diagonal(group.kind) || !group.diagrams.vertices().empty() ||
           std::ranges::any_of(group.diagrams.points(), [](const Point& p) { return p.birth > p.death; });
  }

  [[nodiscard]] DiagramBatch operator()(DiagramBatch batch, Kind kind) const {
    for (const auto& transform : transforms_) batch = diagram::apply(transform, batch);
    std::vector<Point> points;
    points.reserve(batch.points().size());
    std::vector<std::int64_t> offsets{0};
    for (std::size_t item = 0; item < batch.size(); ++item) {
      for (const auto& [birth, death] : batch[item])
        if (birth != death || !drops_diagonal(kind))
          points.push_back({std::min(birth, death), std::max(birth, death)});
      offsets.push_back(static_cast<std::int64_t>(points.size()));
    }
    return {std::move(points), std::move(offsets)};
  }

 private:
  [[nodiscard]] bool drops_diagonal(Kind kind) const noexcept {
    return drop_diagonal_ && (kind == Kind::ext0 || kind == Kind::ext1);
  }

  std::vector<Transform> transforms_;
  bool drop_diagonal_;
};

void require_finite(const DiagramGroup& group) {
  for (std::size_t item = 0; item < group.diagrams.size(); ++item)
    for (const auto& [birth, death] : group.diagrams[item])
      if (!std::isfinite(birth) || !std::isfinite(death))
        throw base::user_error(
            fmt::format("{}: Item {} has the point ({}, {}), and learning needs finite coordinates; leave "
                        "such points out of the diagrams or clip them, as with the transform clip:0:1.",
                        group.title(), item, birth, death));
}

/// Some chunks at a time, so that memory holds the diagrams before and after it and not a third copy.
DiagramBatch prepared(const DiagramGroup& group, const ItemTransform& transform,
                      const base::Context& context) {
  constexpr std::size_t at_a_time = 64 * chunk_size;
  const std::size_t items = group.diagrams.size();
  std::vector<Point> points;
  points.reserve(group.diagrams.points().size());
  std::vector<std::int64_t> offsets{0};
  for (std::size_t begin = 0; begin < items; begin += at_a_time) {
    const std::size_t some = std::min(at_a_time, items - begin);
    std::vector<DiagramBatch> pieces(chunk_count(some));
    for_chunks(context, "transforms", some, [&](std::size_t first, std::size_t count) {
      pieces[first / chunk_size] = transform(slice(group.diagrams, begin + first, count), group.kind);
    });
    for (const auto& piece : pieces) {
      for (const std::int64_t offset : piece.offsets().subspan(1))
        offsets.push_back(static_cast<std::int64_t>(points.size()) + offset);
      points.insert(points.end(), piece.points().begin(), piece.points().end());
    }
  }
  return {std::move(points), std::move(offsets)};
}

void prepare(std::vector<DiagramGroup>& groups, const ItemTransform& transform,
             const base::Context& context) {
  for (DiagramGroup& group : groups) {
    try {
      if (transform.changes(group)) group.diagrams = prepared(group, transform, context);
    } catch (const base::Error& error) {
      if (error.fault() != base::Fault::user) throw;
      throw base::user_error(fmt::format("{}: {}", group.title(), error.what()));
    }
    group.cycles = {};
    require_finite(group);
  }
}

/// Makes blocks of the features of diagrams that need no fit, and lets diagrams go that are not wanted.
void add_diagram_blocks(Items& items, const std::vector<ItemFeature>& features, bool keep_diagrams,
                        const base::Context& context) {
  for (const auto& feature : features)
    if (!feature.of_graphs() && !feature.is_keyed() && !feature.is_fitted())
      items.blocks.push_back(diagram_block(items.groups, feature, context));
  if (!keep_diagrams) items.groups.clear();
}

bool wants_diagrams(const LoadRequest& request, const std::vector<ItemFeature>& features) {
  return request.keep_diagrams || !std::ranges::all_of(features, &ItemFeature::of_graphs);
}

// ---- vertex functions

/// The functions of filtrations, then those whose deciles are asked for, each once.
std::vector<filtration::Filtration> functions_read(std::vector<filtration::Filtration> functions,
                                                   std::span<const ItemFeature> features) {
  for (const auto& feature : features)
    if (feature.type == ItemFeature::Type::deciles &&
        std::ranges::find(functions, feature.function.name, &filtration::Filtration::name) == functions.end())
      functions.push_back(feature.function);
  return functions;
}

/// Blocks of features of graphs, and the diagrams of filtrations. Every vertex function is computed once,
/// however many of them read it; its values live as long as somebody reads them.
void add_blocks_and_diagrams(Items& items, const data::GraphDataset& graphs,
                             std::span<const ItemFeature> features,
                             const std::vector<filtration::Filtration>& filtrations,
                             const GraphDiagramOptions& options, const base::Context& context) {
  const auto functions = functions_read(filtrations, features);
  auto values = vertex_values(graphs, functions, context);
  if (!features.empty())
    items.blocks = graph_blocks(graphs, features, given_functions(functions, values), context);
  values.resize(filtrations.size());  // the rest was for features alone
  items.groups = graph_diagrams(graphs, given_functions(filtrations, values), options, context).groups;
}

// ---- sources

/// Keeps the groups that are asked for, in the order of the request.
void choose_groups(diagram::DiagramSet& set, const LoadRequest& request) {
  std::vector<std::string> titles;
  for (const auto& group : set.groups) titles.push_back(group.title());
  const auto refuse = [&](const std::string& what) {
    throw base::user_error(
        fmt::format("There are no diagrams of {}; there are {}.", what,
                    titles.empty() ? "none at all" : fmt::format("{}", fmt::join(titles, ", "))));
  };
  if (titles.empty()) refuse("any kind");
  auto filtrations = request.filtrations;
  if (filtrations.empty())
    for (const auto& group : set.groups) filtrations.push_back(group.filtration);

  std::vector<DiagramGroup> chosen;
  std::vector<bool> taken(set.groups.size());
  const auto take = [&](const std::string& filtration, std::optional<Kind> kind) {
    bool found = false;
    for (std::size_t g = 0; g < taken.size(); ++g) {
      auto& group = set.groups[g];
      if (group.filtration != filtration || (kind && group.kind != *kind)) continue;
      found = true;
      if (!taken[g]) chosen.push_back({filtration, group.kind, std::exchange(group.diagrams, {}), {}});
      taken[g] = true;
    }
    if (!found) refuse(kind ? fmt::format("{} {}", filtration, diagram::kind_name(*kind)) : filtration);
  };
  for (const auto& filtration : filtrations) {
    if (request.kinds.empty()) take(filtration, {});
    for (const Kind kind : request.kinds) take(filtration, kind);
  }
  set.groups = std::move(chosen);
}

std::vector<ItemSize> point_counts(const diagram::DiagramSet& set) {
  std::vector<ItemSize> sizes(set.item_count());
  for (const auto& group : set.groups)
    for (std::size_t item = 0; item < sizes.size(); ++item)
      sizes[item].points += static_cast<double>(group.diagrams[item].size());
  return sizes;
}

/// Prominent points are chosen cloud by cloud if that comes first, before diagrams are packed.
std::optional<std::size_t> take_prominent(std::vector<Transform>& transforms) {
  if (transforms.empty() || transforms.front().type != Transform::Type::prominent) return std::nullopt;
  const std::size_t count = transforms.front().count;
  transforms.erase(transforms.begin());
  return count;
}

}  // namespace

Items make_items(const data::GraphDataset& graphs, const LoadRequest& request, const base::Context& context) {
  const auto features = parse_features(request);
  const ItemTransform transform(parse_transforms(request.transforms), request.drop_diagonal);
  auto filtrations = parse_filtrations(request.filtrations, "hks:10", filtration::parse_filtration);
  GraphDiagramOptions options;
  options.kinds = chosen_kinds(request.kinds, diagram::extended_kinds);
  if (const auto of_clouds = std::ranges::find_if(options.kinds, is_of_clouds);
      of_clouds != options.kinds.end())
    throw base::user_error(
        fmt::format("The kind {} belongs to point clouds, not to graphs.", diagram::kind_name(*of_clouds)));

  Items items;
  items.labels = graphs.labels;
  items.classes = graphs.classes;
  for (const auto& graph : graphs.graphs)
    items.sizes.push_back(
        {static_cast<double>(graph.vertex_count()), static_cast<double>(graph.edge_count())});
  std::vector<ItemFeature> of_graphs, keyed;
  for (const auto& feature : features)
    if (feature.of_graphs()) (feature.is_keyed() ? keyed : of_graphs).push_back(feature);
  items.keyed = keyed_blocks(graphs, keyed, context);  // before vertex values, which take memory
  if (!wants_diagrams(request, features)) filtrations.clear();
  add_blocks_and_diagrams(items, graphs, of_graphs, filtrations, options, context);
  for (const auto& feature : features)  // now, as transforms drop vertices
    if (feature.type == ItemFeature::Type::label_pairs)
      items.keyed.push_back(label_pairs_block(graphs, items.groups, feature, context));
  prepare(items.groups, transform, context);
  add_diagram_blocks(items, features, request.keep_diagrams, context);
  if (request.keep_graphs) items.graphs = std::make_shared<const ItemGraphs>(ItemGraphs{graphs.graphs});
  return items;
}

Items make_items(const data::PointCloudDataset& clouds, const LoadRequest& request,
                 const base::Context& context) {
  const auto features = parse_features(request);
  refuse_graph_features(features, "point clouds");
  auto transforms = parse_transforms(request.transforms);
  const auto filtrations = parse_filtrations(request.filtrations, "alpha", parse_cloud_filtration);
  CloudDiagramOptions options;
  options.kinds = chosen_kinds(request.kinds, std::array{Kind::h0, Kind::h1});
  options.prominent = take_prominent(transforms);
  const ItemTransform transform(std::move(transforms), request.drop_diagonal);

  Items items;
  items.labels = clouds.labels;
  items.classes = clouds.classes;
  for (std::size_t i = 0; i < clouds.size(); ++i)
    items.sizes.push_back({.points = static_cast<double>(clouds[i].size())});
  for (const auto& filtration : filtrations) {
    options.filtration = filtration;
    auto groups = cloud_diagrams(clouds, options, context).groups;
    prepare(groups, transform, context);
    std::ranges::move(groups, std::back_inserter(items.groups));
  }
  add_diagram_blocks(items, features, request.keep_diagrams, context);
  return items;
}

Items make_items(diagram::DiagramSet set, const LoadRequest& request, const base::Context& context) {
  const auto features = parse_features(request);
  refuse_graph_features(features, "diagrams");
  const ItemTransform transform(parse_transforms(request.transforms), request.drop_diagonal);
  Items items;
  items.sizes = point_counts(set);
  choose_groups(set, request);
  items.labels = std::move(set.labels);
  items.classes = std::move(set.classes);
  items.groups = std::move(set.groups);
  prepare(items.groups, transform, context);
  add_diagram_blocks(items, features, request.keep_diagrams, context);
  return items;
}

Items make_items(const data::OrbitSet& orbits, const LoadRequest& request, const base::Context& context) {
  constexpr std::size_t at_a_time = 1000;
  ItemsCollector collector(orbits.size());
  base::ProgressMeter progress(context, "orbits and their diagrams", orbits.size());
  base::Context inside = context;
  inside.progress = nullptr;
  for (std::size_t first = 0; first < orbits.size(); first += at_a_time) {
    const std::size_t count = std::min(at_a_time, orbits.size() - first);
    collector.add(make_items(data::make_orbits(orbits, first, count, inside), request, inside));
    progress(first + count);
  }
  return collector.finish();
}

}  // namespace perslay::features
