#include <algorithm>

#include <perslay/diagram/diagram.h>

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
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i] = items[i].point;
    vertices[i] = items[i].vertices;
  }
}

}  // namespace perslay::diagram
