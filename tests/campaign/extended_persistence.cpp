#include "campaign/families.h"
#include "persistence/cases.h"
#include "persistence/coned_complex.h"

#include <bit>

#include <fmt/format.h>

#include <perslay/persistence/extended_persistence.h>

namespace perslay::campaign {
namespace {

using test::at;
using test::Case;
using test::Vertex;

/// A few are larger.
Case draw(base::RandomStream& random) {
  const Vertex most = random.below(16) == 0 ? 40 : 12;
  const auto item = random();
  return test::draw_case(item, most, random());
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

std::string fault(const Case& c) {
  static thread_local persistence::ExtendedPersistence persistence;
  const auto expected = test::coned_persistence(c.graph, c.values);
  const auto& found = persistence.compute(c.graph, c.values, {.keep_diagonal = true});
  for (const auto& [kind, pairs] : {std::pair(diagram::Kind::ord0, &expected.ord0),
                                    {diagram::Kind::rel1, &expected.rel1},
                                    {diagram::Kind::ext0, &expected.ext0},
                                    {diagram::Kind::ext1, &expected.ext1}}) {
    const auto& diagram = found[kind];
    const auto name = diagram::kind_name(kind);
    if (test::sorted(diagram.vertices) != test::sorted(*pairs))
      return fmt::format("{} has other pairs of vertices.", name);
    for (std::size_t i = 0; i < diagram.size(); ++i)
      if (!same_bits(diagram.points[i].birth, c.values[at(diagram.vertices[i].birth)]) ||
          !same_bits(diagram.points[i].death, c.values[at(diagram.vertices[i].death)]))
        return fmt::format("Point {} of {} has not the values of its vertices.", i, name);
  }
  return {};
}

/// The graph without one vertex or one edge.
std::vector<Case> smaller(const Case& c) {
  std::vector<Case> cases;
  const auto edges = test::edges_of(c.graph);
  for (Vertex gone = 0; gone < c.graph.vertex_count(); ++gone) {
    std::vector<std::pair<Vertex, Vertex>> left;
    for (const auto& [a, b] : edges)
      if (a != gone && b != gone) left.emplace_back(a - (a > gone ? 1 : 0), b - (b > gone ? 1 : 0));
    auto values = c.values;
    values.erase(values.begin() + gone);
    cases.push_back({test::make_graph(c.graph.vertex_count() - 1, left), std::move(values)});
  }
  for (const auto& left : with_one_less(edges))
    cases.push_back({test::make_graph(c.graph.vertex_count(), left), c.values});
  return cases;
}

std::string text(const Case& c) {
  std::string lines;
  for (std::size_t v = 0; v < c.values.size(); ++v) lines += fmt::format("vertex {} {}\n", v, c.values[v]);
  for (const auto& [a, b] : test::edges_of(c.graph)) lines += fmt::format("edge {} {}\n", a, b);
  return lines;
}

}  // namespace

Family extended_persistence() {
  return family<Case>("extended-persistence", "matrix reduction of the coned complex", 40,
                      {draw, fault, smaller, text});
}

}  // namespace perslay::campaign
