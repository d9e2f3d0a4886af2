#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <perslay/base/error.h>
#include <perslay/data/generators.h>
#include <perslay/features/graph_diagrams.h>
#include <perslay/filtration/heat_kernel_signature.h>

namespace perslay::features {
namespace {

using diagram::Kind;

std::vector<filtration::Filtration> named(const std::vector<std::string>& names) {
  std::vector<filtration::Filtration> result;
  for (const auto& name : names) result.push_back(filtration::parse_filtration(name));
  return result;
}

bool same(const diagram::DiagramSet& a, const diagram::DiagramSet& b) {
  return std::ranges::equal(a.groups, b.groups, [](const auto& x, const auto& y) {
    return x.filtration == y.filtration && x.kind == y.kind &&
           std::ranges::equal(x.diagrams.points(), y.diagrams.points()) &&
           std::ranges::equal(x.diagrams.offsets(), y.diagrams.offsets()) &&
           std::ranges::equal(x.diagrams.vertices(), y.diagrams.vertices()) &&
           x.cycles.vertices == y.cycles.vertices && x.cycles.offsets == y.cycles.offsets;
  });
}

TEST(GraphDiagrams, OneGroupPerFiltrationAndKind) {
  const auto shapes = data::shapes_dataset(5);
  const auto filtrations = named({"hks:10", "degree"});
  const auto set = graph_diagrams(shapes, filtrations, {.kinds = {Kind::ext1, Kind::ord0}});
  ASSERT_EQ(set.groups.size(), 4U);
  EXPECT_EQ(set.groups[0].filtration, "hks:10");
  EXPECT_EQ(set.groups[0].kind, Kind::ext1);
  EXPECT_EQ(set.groups[3].filtration, "degree");
  EXPECT_EQ(set.groups[3].kind, Kind::ord0);
  EXPECT_EQ(set.labels, shapes.labels);
  for (const auto& group : set.groups) EXPECT_EQ(group.diagrams.size(), shapes.size());
}

TEST(GraphDiagrams, CountsAreTheBettiNumbers) {
  const auto shapes = data::shapes_dataset(10);
  const auto set = graph_diagrams(shapes, named({"hks:10"}));
  for (std::size_t g = 0; g < shapes.size(); ++g) {
    EXPECT_EQ(static_cast<std::int64_t>(set.groups[2].diagrams[g].size()),
              data::component_count(shapes.graphs[g]));
    EXPECT_EQ(static_cast<std::int64_t>(set.groups[3].diagrams[g].size()),
              data::cycle_rank(shapes.graphs[g]));
  }
}

TEST(GraphDiagrams, GivenFunctionsAreLikeNamedOnes) {
  const auto shapes = data::shapes_dataset(5);
  const auto filtrations = named({"hks:10", "degree"});
  const auto values = vertex_values(shapes, filtrations);
  const std::vector<GivenFunction> functions{{"hks:10", values[0]}, {"degree", values[1]}};
  const GraphDiagramOptions options{.kinds = {Kind::ext1, Kind::sub0}, .essential = {}, .cycles = true};
  const auto given = graph_diagrams(shapes, functions, options);
  EXPECT_TRUE(same(given, graph_diagrams(shapes, filtrations, options)));
  EXPECT_EQ(given.labels, shapes.labels);
}

TEST(GraphDiagrams, KindsOfPointCloudsAreAFault) {
  const auto shapes = data::shapes_dataset(1);
  for (const Kind kind : {Kind::h0, Kind::h1})
    EXPECT_THROW((void)graph_diagrams(shapes, named({"degree"}), {.kinds = {kind}}), base::Error);
}

TEST(GraphDiagrams, TheNumberOfThreadsLeavesNoTrace) {
  const auto shapes = data::shapes_dataset(20);
  const auto filtrations = named({"hks:0.1", "hks:10", "closeness", "degree"});
  const GraphDiagramOptions options{
      .kinds = {Kind::ord0, Kind::rel1, Kind::ext0, Kind::ext1, Kind::sub0, Kind::sup0},
      .essential = {},
      .keep_diagonal = false,
      .cycles = true};
  base::Context one;
  one.threads = 1;
  base::Context three;
  three.threads = 3;
  EXPECT_TRUE(same(graph_diagrams(shapes, filtrations, options, one),
                   graph_diagrams(shapes, filtrations, options, three)));
}

TEST(GraphDiagrams, CyclesStandBesideTheirPoints) {
  const auto shapes = data::shapes_dataset(8);
  const auto set =
      graph_diagrams(shapes, named({"degree"}), {.kinds = {Kind::ext1}, .essential = {}, .cycles = true});
  const auto& group = set.groups.front();
  ASSERT_EQ(group.cycles.size(), group.diagrams.points().size());
  std::size_t point = 0;
  for (std::size_t g = 0; g < shapes.size(); ++g) {
    const data::Graph& graph = shapes.graphs[g];
    for (const auto& ids : group.diagrams.vertices(g)) {
      const auto begin = group.cycles.vertices.begin() + group.cycles.offsets[point];
      const auto end = group.cycles.vertices.begin() + group.cycles.offsets[point + 1];
      const auto by_value = [&](int a, int b) {
        return std::pair(graph.degree(a), a) < std::pair(graph.degree(b), b);
      };
      EXPECT_EQ(*std::min_element(begin, end, by_value), ids.death);
      EXPECT_EQ(*std::max_element(begin, end, by_value), ids.birth);
      ++point;
    }
  }
}

TEST(VertexValues, HeatKernelsOfSeveralTimesAreTheSingleOnes) {
  const auto shapes = data::shapes_dataset(4);
  const auto values = vertex_values(shapes, named({"hks:10", "degree", "hks:0.1"}));
  for (std::size_t g = 0; g < shapes.size(); ++g) {
    const auto begin = static_cast<std::size_t>(shapes.vertex_offsets[g]);
    for (const auto& [place, time] : {std::pair<std::size_t, double>{0, 10}, {2, 0.1}}) {
      const auto expected = filtration::heat_kernel_signature(shapes.graphs[g], std::vector{time});
      for (std::size_t v = 0; v < expected.size(); ++v)
        EXPECT_NEAR(values[place][begin + v], expected[v], 2e-13) << g << " " << v;
    }
    for (int v = 0; v < shapes.graphs[g].vertex_count(); ++v)
      EXPECT_EQ(values[1][begin + static_cast<std::size_t>(v)], shapes.graphs[g].degree(v));
  }
}

TEST(VertexValues, ComeFromAFileWithOneLinePerVertex) {
  const auto path = std::filesystem::temp_directory_path() / "perslay_vertex_values_test.txt";
  const auto shapes = data::shapes_dataset(1);
  const auto count = shapes.vertex_offsets.back();
  {
    std::ofstream file(path);
    for (std::int64_t i = 0; i < count; ++i) file << 0.5 * static_cast<double>(i) << "\n";
  }
  const auto values = vertex_values(shapes, named({"file:" + path.string()}));
  EXPECT_EQ(values[0][7], 3.5);
  { std::ofstream(path) << "1\n2\n"; }
  EXPECT_THROW((void)vertex_values(shapes, named({"file:" + path.string()})), base::Error);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace perslay::features
