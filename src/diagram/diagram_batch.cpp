#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/diagram/diagram_batch.h>

namespace perslay::diagram {
namespace {

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

}  // namespace

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
  std::vector<Point> points;
  std::vector<VertexPair> vertices;
  std::vector<std::int64_t> offsets{0};
  for (const auto& diagram : diagrams) {
    points.insert(points.end(), diagram.points.begin(), diagram.points.end());
    vertices.insert(vertices.end(), diagram.vertices.begin(), diagram.vertices.end());
    offsets.push_back(static_cast<std::int64_t>(points.size()));
  }
  *this = DiagramBatch(std::move(points), std::move(offsets), std::move(vertices));
}

}  // namespace perslay::diagram
