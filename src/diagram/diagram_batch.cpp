#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/diagram/concatenate.h>
#include <perslay/diagram/diagram_batch.h>
#include <perslay/diagram/part_of.h>

namespace perslay::diagram {
namespace {

struct Item {
  Point point;
  VertexPair vertices;
};

bool before(const Item& a, const Item& b) {
  if (a.point.birth != b.point.birth) return a.point.birth < b.point.birth;
  if (a.point.death != b.point.death) return a.point.death < b.point.death;
  return a.vertices < b.vertices;
}

void check(std::span<const Point> points, std::span<const std::int64_t> offsets,
           std::span<const VertexPair> vertices) {
  if (offsets.empty() || offsets.front() != 0 || !std::ranges::is_sorted(offsets) ||
      offsets.back() != static_cast<std::int64_t>(points.size()))
    throw base::user_error(fmt::format(
        "The offsets of a batch of diagrams must ascend from 0 to the number of points, which is {}.",
        points.size()));
  if (!vertices.empty() && vertices.size() != points.size())
    throw base::user_error(fmt::format("A batch of diagrams has {} points but {} vertex pairs.",
                                       points.size(), vertices.size()));
  const auto bad =
      std::ranges::find_if(points, [](Point p) { return std::isnan(p.birth) || std::isnan(p.death); });
  if (bad != points.end())
    throw base::user_error(fmt::format("Point {} of a batch of diagrams is ({}, {}).", bad - points.begin(),
                                       bad->birth, bad->death));
}

/// The arrays of a batch that grows diagram by diagram.
struct Arrays {
  std::vector<Point> points;
  std::vector<std::int64_t> offsets{0};
  std::vector<VertexPair> vertices;

  void append(std::span<const Point> own, std::span<const VertexPair> ids) {
    points.insert(points.end(), own.begin(), own.end());
    vertices.insert(vertices.end(), ids.begin(), ids.end());
    offsets.push_back(static_cast<std::int64_t>(points.size()));
  }
  /// With vertices if all diagrams had them.
  [[nodiscard]] DiagramBatch finish() && {
    if (vertices.size() != points.size()) vertices.clear();
    return {std::move(points), std::move(offsets), std::move(vertices)};
  }
};

}  // namespace

void sort_points(std::span<Point> points, std::span<VertexPair> vertices) {
  if (vertices.empty()) {
    std::ranges::sort(points);
    return;
  }
  const auto item = [&](std::size_t i) { return Item{points[i], vertices[i]}; };
  std::size_t sorted = 1;
  while (sorted < points.size() && !before(item(sorted), item(sorted - 1))) ++sorted;
  if (sorted >= points.size()) return;

  std::vector<Item> items;
  items.reserve(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) items.push_back(item(i));
  std::ranges::sort(items, before);
  std::ranges::transform(items, points.begin(), &Item::point);
  std::ranges::transform(items, vertices.begin(), &Item::vertices);
}

DiagramBatch::DiagramBatch(std::vector<Point> points, std::vector<std::int64_t> offsets,
                           std::vector<VertexPair> vertices)
    : points_(std::move(points)), offsets_(std::move(offsets)), vertices_(std::move(vertices)) {
  check(points_, offsets_, vertices_);
  for (std::size_t i = 0; i < size(); ++i) {
    const auto begin = static_cast<std::size_t>(offsets_[i]);
    const auto count = static_cast<std::size_t>(offsets_[i + 1]) - begin;
    sort_points(std::span(points_).subspan(begin, count),
                has_vertices() ? std::span(vertices_).subspan(begin, count) : std::span<VertexPair>{});
  }
}

DiagramBatch::DiagramBatch(std::span<const Diagram> diagrams) {
  Arrays all;
  for (const auto& diagram : diagrams) all.append(diagram.points, diagram.vertices);
  *this = DiagramBatch(std::move(all.points), std::move(all.offsets), std::move(all.vertices));
}

DiagramBatch part_of(const DiagramBatch& batch, std::span<const std::size_t> items) {
  Arrays part;
  for (const std::size_t item : items) part.append(batch[item], batch.vertices(item));
  return std::move(part).finish();
}

DiagramBatch concatenate(std::span<const DiagramBatch* const> parts) {
  Arrays all;
  for (const DiagramBatch* const part : parts)
    for (std::size_t item = 0; item < part->size(); ++item) all.append((*part)[item], part->vertices(item));
  return std::move(all).finish();
}

}  // namespace perslay::diagram
