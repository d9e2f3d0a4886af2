#include "item_steps.h"

#include <cmath>
#include <cstdint>
#include <system_error>

#include <fmt/format.h>

#include <perslay/base/chunks.h>
#include <perslay/base/error.h>

namespace perslay::features {
namespace {

using diagram::DiagramBatch;
using diagram::DiagramGroup;
using diagram::Kind;
using diagram::Point;
using diagram::Transform;

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
  ItemTransform(std::span<const Transform> transforms, bool drop_diagonal)
      : transforms_(transforms), drop_diagonal_(drop_diagonal) {}

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

  std::span<const Transform> transforms_;
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
DiagramBatch normalised(const DiagramGroup& group, const ItemTransform& transform,
                        const base::Context& context) {
  constexpr std::size_t at_a_time = 64 * base::chunk_size;
  const std::size_t items = group.diagrams.size();
  std::vector<Point> points;
  points.reserve(group.diagrams.points().size());
  std::vector<std::int64_t> offsets{0};
  for (std::size_t begin = 0; begin < items; begin += at_a_time) {
    const std::size_t some = std::min(at_a_time, items - begin);
    std::vector<DiagramBatch> pieces(base::chunk_count(some));
    base::for_chunks(context, "transforms", some, [&](std::size_t first, std::size_t count) {
      pieces[first / base::chunk_size] = transform(slice(group.diagrams, begin + first, count), group.kind);
    });
    for (const auto& piece : pieces) {
      for (const std::int64_t offset : piece.offsets().subspan(1))
        offsets.push_back(static_cast<std::int64_t>(points.size()) + offset);
      points.insert(points.end(), piece.points().begin(), piece.points().end());
    }
  }
  return {std::move(points), std::move(offsets)};
}

}  // namespace

void keep_groups(diagram::DiagramSet& set, std::span<const std::string> filtrations,
                 std::span<const Kind> kinds) {
  const auto is_asked_for = [](const auto& names, const auto& name) {
    return names.empty() || std::ranges::find(names, name) != names.end();
  };
  std::erase_if(set.groups, [&](const auto& group) {
    return !is_asked_for(filtrations, group.filtration) || !is_asked_for(kinds, group.kind);
  });
}

Claim claim_of(const std::filesystem::path& data, const io::Look& look, io::Likely io::Look::*kind,
               std::string_view one, std::string_view several) {
  std::error_code ignored;
  const bool is_folder = std::filesystem::is_directory(data, ignored);
  const auto certainty = look.*kind == io::Likely::certainly  ? Claim::certainly
                         : look.*kind == io::Likely::possibly ? Claim::possibly
                                                              : Claim::never;
  return {certainty, std::string(is_folder ? several : one), look.why};
}

std::vector<Kind> chosen_kinds(const InputKind& input, std::span<const Kind> asked) {
  if (asked.empty()) return input.default_kinds;
  std::vector<Kind> kinds;
  for (const Kind kind : asked) {
    if (!input.has(kind))
      throw base::user_error(fmt::format("The kind {} belongs to {}, not to {}.", diagram::kind_name(kind),
                                         kind_with_diagrams(kind)->plural, input.plural));
    if (std::ranges::find(kinds, kind) == kinds.end()) kinds.push_back(kind);
  }
  return kinds;
}

DiagramRequest diagram_request(const LoadRequest& request) {
  return {.filtrations = request.filtrations,
          .kinds = request.kinds,
          .essential = request.essential == "drop" ? std::string() : request.essential};
}

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

void refuse_graph_features(std::span<const ItemFeature> features, const InputKind& input) {
  for (const auto& feature : features)
    if (feature.of_graphs() || feature.is_keyed())
      throw base::user_error(
          fmt::format("{} is computed from graphs, not from {}.", feature.name, input.plural));
}

std::vector<Transform> parse_item_transforms(std::span<const std::string> names) {
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

void normalise(std::vector<DiagramGroup>& groups, std::span<const Transform> transforms, bool drop_diagonal,
               const base::Context& context) {
  const ItemTransform transform(transforms, drop_diagonal);
  for (DiagramGroup& group : groups) {
    try {
      if (transform.changes(group)) group.diagrams = normalised(group, transform, context);
    } catch (const base::Error& error) {
      if (error.fault() != base::Fault::user) throw;
      throw base::user_error(fmt::format("{}: {}", group.title(), error.what()));
    }
    group.cycles = {};
    require_finite(group);
  }
}

void add_diagram_blocks(Items& items, std::span<const ItemFeature> features, bool keep_diagrams,
                        const base::Context& context) {
  for (const auto& feature : features)
    if (!feature.of_graphs() && !feature.is_keyed() && !feature.is_fitted())
      items.blocks.push_back(diagram_block(items.groups, feature, context));
  if (!keep_diagrams) items.groups.clear();
}

}  // namespace perslay::features
