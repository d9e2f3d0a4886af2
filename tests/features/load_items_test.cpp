#include "io/temporary_folder.h"
#include "sentence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <perslay/data/generators.h>
#include <perslay/diagram/transforms.h>
#include <perslay/features/cloud_diagrams.h>
#include <perslay/features/graph_diagrams.h>
#include <perslay/features/inputs.h>
#include <perslay/features/item_features.h>
#include <perslay/features/load_items.h>
#include <perslay/filtration/filtration.h>
#include <perslay/io/diagram_file.h>
#include <perslay/io/diagram_writer.h>
#include <perslay/io/graph_dataset.h>
#include <perslay/persistence/ordinary_persistence.h>

namespace perslay::features {
namespace {

using diagram::DiagramBatch;
using diagram::DiagramSet;
using diagram::Kind;
using diagram::Point;

bool same(const Items& a, const Items& b) {
  return a.labels == b.labels && a.classes == b.classes && a.sizes == b.sizes && a.blocks == b.blocks &&
         a.keyed == b.keyed && std::ranges::equal(a.groups, b.groups, [](const auto& x, const auto& y) {
           return x.filtration == y.filtration && x.kind == y.kind &&
                  std::ranges::equal(x.diagrams.points(), y.diagrams.points()) &&
                  std::ranges::equal(x.diagrams.offsets(), y.diagrams.offsets()) &&
                  x.diagrams.vertices().empty() && y.diagrams.vertices().empty();
         });
}

DiagramSet shapes_diagrams(const data::GraphDataset& shapes, const std::vector<std::string>& names) {
  std::vector<filtration::Filtration> filtrations;
  for (const auto& name : names) filtrations.push_back(filtration::parse_filtration(name));
  return graph_diagrams(shapes, filtrations);
}

data::PointCloudDataset orbits(std::size_t per_class = 3, std::size_t points = 80) {
  const data::OrbitSet set{.per_class = per_class, .points = points};
  return data::make_orbits(set, 0, set.size());
}

TEST(MakeItems, GraphsGiveReorderedDiagramsAndBlocks) {
  const auto shapes = data::shapes_dataset(40);
  LoadRequest request;
  request.filtrations = {"hks:10", "degree", "hks:10.0"};
  request.features = {"eigenvalues", "statistics", "landscape:3x12", "deciles:degree", "statistics"};
  const Items items = make_items(shapes, request);
  EXPECT_EQ(items.count(), shapes.size());
  EXPECT_EQ(items.labels, shapes.labels);
  EXPECT_EQ(items.classes, shapes.classes);
  const auto set = shapes_diagrams(shapes, {"hks:10", "degree"});
  ASSERT_EQ(items.groups.size(), 8U);
  for (std::size_t g = 0; g < 8; ++g) {
    EXPECT_EQ(items.groups[g].filtration, set.groups[g].filtration);
    EXPECT_EQ(items.groups[g].kind, set.groups[g].kind);
    EXPECT_FALSE(items.groups[g].diagrams.has_vertices() && !items.groups[g].diagrams.points().empty());
    ASSERT_EQ(items.groups[g].diagrams.size(), shapes.size());
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      std::vector<Point> expected;
      for (const auto& [birth, death] : set.groups[g].diagrams[i])
        expected.push_back({std::min(birth, death), std::max(birth, death)});
      std::ranges::sort(expected);
      EXPECT_TRUE(std::ranges::equal(items.groups[g].diagrams[i], expected)) << g << " " << i;
    }
  }
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    EXPECT_EQ(items.sizes[i].points, shapes.graphs[i].vertex_count());
    EXPECT_EQ(items.sizes[i].edges, shapes.graphs[i].edge_count());
  }
  ASSERT_EQ(items.blocks.size(), 3U);
  EXPECT_EQ(items.blocks[0].name, "eigenvalues");
  EXPECT_EQ(items.blocks[1].name, "deciles:degree");
  EXPECT_EQ(items.blocks[2].name, "statistics");
}

/// How often each stage of work began. Reports of one stage that follow each other belong together: how many
/// there are is a matter of time.
std::map<std::string, int> stages_of(const std::function<void(const base::Context&)>& work) {
  std::map<std::string, int> stages;
  std::string last;
  base::Context context;
  context.threads = 1;
  context.progress = [&](const base::Progress& report) {
    if (report.stage != last) ++stages[std::string(report.stage)];
    last = report.stage;
  };
  work(context);
  return stages;
}

TEST(MakeItems, AVertexFunctionIsComputedOnceForDiagramsAndFeatures) {
  const auto shapes = data::shapes_dataset(3);
  const LoadRequest request{.filtrations = {"degree", "closeness", "hks:10", "core"},
                            .features = {"deciles:closeness", "deciles:degree", "eigenvalues",
                                         "deciles:hks:10", "deciles:hks:0.1", "deciles:clustering"}};
  Items items;
  const auto stages = stages_of([&](const auto& context) { items = make_items(shapes, request, context); });
  for (const auto* const stage :
       {"heat kernel signatures", "degree", "closeness", "core", "clustering", "features of graphs"})
    EXPECT_EQ(stages.contains(stage) ? stages.at(stage) : 0, 1) << stage;

  // The numbers are those of functions that are computed for one reader at a time.
  ASSERT_EQ(items.blocks.size(), request.features.size());
  for (std::size_t f = 0; f < request.features.size(); ++f) {
    const LoadRequest one{.features = {request.features[f]}, .keep_diagrams = false};
    const auto alone = make_items(shapes, one).blocks.front();
    EXPECT_EQ(items.blocks[f].name, alone.name);
    EXPECT_EQ(items.blocks[f].offsets, alone.offsets);
    ASSERT_EQ(items.blocks[f].values.size(), alone.values.size());
    for (std::size_t i = 0; i < alone.values.size(); ++i)
      EXPECT_FLOAT_EQ(items.blocks[f].values[i], alone.values[i]) << alone.name;
  }
  const auto diagrams = make_items(shapes, {.filtrations = request.filtrations});
  ASSERT_EQ(items.groups.size(), diagrams.groups.size());
  for (std::size_t g = 0; g < diagrams.groups.size(); ++g) {
    const auto own = items.groups[g].diagrams.points();
    const auto alone = diagrams.groups[g].diagrams.points();
    EXPECT_EQ(items.groups[g].title(), diagrams.groups[g].title());
    ASSERT_EQ(own.size(), alone.size());
    for (std::size_t i = 0; i < own.size(); ++i) {
      EXPECT_NEAR(own[i].birth, alone[i].birth, 1e-11);
      EXPECT_NEAR(own[i].death, alone[i].death, 1e-11);
    }
  }
}

TEST(MakeItems, FunctionsThatNobodyReadsAreNotComputed) {
  const auto shapes = data::shapes_dataset(3);
  const LoadRequest request{
      .filtrations = {"hks:10"}, .features = {"deciles:degree"}, .keep_diagrams = false};
  const auto stages = stages_of([&](const auto& context) { (void)make_items(shapes, request, context); });
  EXPECT_TRUE(stages.contains("degree"));
  EXPECT_FALSE(stages.contains("heat kernel signatures"));
  EXPECT_FALSE(stages.contains("persistence"));
}

TEST(MakeItems, TheDiagonalOfComponentsAndLoopsMayBeDropped) {
  data::GraphDataset
      dataset;  // all degrees are equal: 1 component and 6 loops on the diagonal, 1 ordinary loop
  dataset.graphs = {data::complete_graph(5), data::grid_graph(2, 2), data::path_graph(3)};
  for (const auto& graph : dataset.graphs)
    dataset.vertex_offsets.push_back(dataset.vertex_offsets.back() + graph.vertex_count());
  LoadRequest request;
  request.filtrations = {"degree"};
  const Items kept = make_items(dataset, request);
  EXPECT_EQ(kept.groups[2].diagrams[0].size(), 1U);
  EXPECT_EQ(kept.groups[3].diagrams[0].size(), 6U);
  request.drop_diagonal = true;
  const Items dropped = make_items(dataset, request);
  EXPECT_TRUE(dropped.groups[2].diagrams[0].empty());
  EXPECT_TRUE(dropped.groups[3].diagrams[0].empty());
  EXPECT_TRUE(std::ranges::equal(dropped.groups[2].diagrams[2], std::vector<Point>{{1, 2}}));
}

TEST(MakeItems, CloudsAreTransformedOneByOne) {
  const auto clouds = orbits(30);
  LoadRequest request;
  request.transforms = {"prom:20", "sqrt"};
  const Items items = make_items(clouds, request);
  const auto set = cloud_diagrams(clouds);
  ASSERT_EQ(items.groups.size(), 2U);
  for (std::size_t g = 0; g < 2; ++g) {
    const auto expected = diagram::square_root(diagram::prominent(set.groups[g].diagrams, 20));
    EXPECT_TRUE(std::ranges::equal(items.groups[g].diagrams.points(), expected.points()));
    EXPECT_TRUE(std::ranges::equal(items.groups[g].diagrams.offsets(), expected.offsets()));
  }
  EXPECT_EQ(items.sizes, std::vector<ItemSize>(150, {80}));
  EXPECT_EQ(items.labels, clouds.labels);
  // The same whether points are chosen first or, of radii, last.
  request.transforms = {"sqrt", "clip:0:1"};
  LoadRequest radii;
  radii.filtrations = {"alpha:radii"};
  const Items a = make_items(clouds, request), b = make_items(clouds, radii);
  for (std::size_t g = 0; g < 2; ++g)
    for (std::size_t p = 0; p < a.groups[g].diagrams.points().size(); ++p)
      EXPECT_NEAR(a.groups[g].diagrams.points()[p].death, b.groups[g].diagrams.points()[p].death, 1e-12);
}

TEST(MakeItems, OrbitsInPiecesAreThoseOfTheWhole) {
  const data::OrbitSet set{.per_class = 450, .points = 12};
  LoadRequest request;
  request.transforms = {"prom:5"};
  request.features = {"h1/statistics", "log/quantiles:4"};
  base::Context context;
  context.seed = 7;
  const Items whole = make_items(data::make_orbits(set, 0, set.size(), context), request, context);
  EXPECT_TRUE(same(make_items(set, request, context), whole));
  EXPECT_EQ(make_items(set, request, context).kind, &cloud_kind());
  request.keep_diagrams = false;
  const Items blocks = make_items(set, request, context);
  EXPECT_TRUE(blocks.groups.empty());
  EXPECT_EQ(blocks.blocks, whole.blocks);
  EXPECT_EQ(blocks.count(), set.size());
}

TEST(ItemsCollector, PiecesMustBeAlike) {
  LoadRequest request;
  const Items h0_and_h1 = make_items(orbits(), request);
  request.kinds = {Kind::h0};
  const Items h0 = make_items(orbits(), request);
  ItemsCollector collector(1);  // more come than expected
  collector.add(h0);
  collector.add(h0);
  EXPECT_THROW(collector.add(h0_and_h1), base::Error);
  const Items twice = collector.finish();
  ASSERT_EQ(twice.count(), 30U);
  EXPECT_TRUE(std::ranges::equal(twice.groups[0].diagrams[17], h0.groups[0].diagrams[2]));
  EXPECT_EQ(twice.labels[17], h0.labels[2]);
}

TEST(ItemsCollector, KeyedBlocksAreAppended) {
  LoadRequest request;
  request.features = {"wl:2"};
  request.keep_diagrams = false;
  const auto shapes = data::shapes_dataset(5);
  const Items whole = make_items(shapes, request);
  const auto part = [&](std::size_t first, std::size_t count) {
    data::GraphDataset some;
    some.classes = shapes.classes;
    for (std::size_t g = first; g < first + count; ++g) {
      some.graphs.push_back(shapes.graphs[g]);
      some.labels.push_back(shapes.labels[g]);
      some.vertex_offsets.push_back(some.vertex_offsets.back() + shapes.graphs[g].vertex_count());
    }
    return make_items(some, request);
  };
  ItemsCollector collector(15);
  collector.add(part(0, 4));
  collector.add(part(4, 11));
  EXPECT_TRUE(same(collector.finish(), whole));
  collector.add(whole);
  request.features = {"wl:3"};
  EXPECT_THROW(collector.add(make_items(shapes, request)), base::Error);
}

TEST(MakeItems, DiagramsOfASetAreChosenByTheRequest) {
  const auto shapes = data::shapes_dataset(5);
  const auto set = shapes_diagrams(shapes, {"hks:10", "degree"});
  const Items all = make_items(set, {});
  EXPECT_EQ(all.groups.size(), 8U);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    double points = 0;
    for (const auto& group : set.groups) points += static_cast<double>(group.diagrams[i].size());
    EXPECT_EQ(all.sizes[i], ItemSize{points});
  }
  LoadRequest request;
  request.filtrations = {"degree", "hks:10"};
  request.kinds = {Kind::ext1, Kind::ord0, Kind::ext1};
  const Items some = make_items(set, request);
  EXPECT_EQ(some.sizes, all.sizes);
  ASSERT_EQ(some.groups.size(), 4U);
  EXPECT_EQ(some.groups[0].filtration, "degree");
  EXPECT_EQ(some.groups[0].kind, Kind::ext1);
  EXPECT_EQ(some.groups[3].filtration, "hks:10");
  EXPECT_EQ(some.groups[3].kind, Kind::ord0);
  EXPECT_TRUE(std::ranges::equal(some.groups[1].diagrams.points(), all.groups[4].diagrams.points()));
  request.filtrations = {};
  EXPECT_EQ(make_items(set, request).groups.size(), 4U);
}

/// Against persistence itself.
TEST(MakeItems, ClassesThatNeverDieFollowThePolicyOfTheRequest) {
  const auto shapes = data::shapes_dataset(12);
  const auto degree = filtration::parse_filtration("degree");
  const auto values = vertex_values(shapes, std::span(&degree, 1)).front();
  LoadRequest request{.filtrations = {"degree"}, .kinds = {Kind::sub0, Kind::sup0, Kind::sub1}};
  std::vector<std::size_t> points;
  for (const std::string policy : {"drop", "clip", "clip:-2.5"}) {
    request.essential = policy;
    request.kinds.resize(policy == "drop" ? 2 : 3, Kind::sub1);
    const Items items = make_items(shapes, request);
    ASSERT_EQ(items.groups.size(), request.kinds.size());
    points.push_back(items.groups[0].diagrams.points().size());
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      const auto of_item =
          std::span(values).subspan(static_cast<std::size_t>(shapes.vertex_offsets[i]),
                                    static_cast<std::size_t>(shapes.graphs[i].vertex_count()));
      const auto diagrams = persistence::ordinary_persistence(
          shapes.graphs[i], of_item, {.essential = persistence::parse_essential(policy)});
      const std::array all{&diagrams.sub0, &diagrams.sup0, &diagrams.sub1};
      for (std::size_t g = 0; g < items.groups.size(); ++g) {
        std::vector<Point> expected;
        for (const auto& [birth, death] : all[g]->points)
          expected.push_back({std::min(birth, death), std::max(birth, death)});
        std::ranges::sort(expected);
        EXPECT_TRUE(std::ranges::equal(items.groups[g].diagrams[i], expected)) << policy << g << ' ' << i;
      }
    }
  }
  EXPECT_EQ(points[2], points[0] + shapes.size());  // each shape has one component
  EXPECT_LE(points[1], points[2]);
}

TEST(MakeItems, TheComponentOfACloudThatNeverDies) {
  LoadRequest request{.kinds = {Kind::h0}};
  const auto dropped = make_items(orbits(), request).groups[0].diagrams;
  request.essential = "clip:5";
  const auto clipped = make_items(orbits(), request).groups[0].diagrams;
  for (std::size_t i = 0; i < dropped.size(); ++i) {
    std::vector<Point> expected(dropped[i].begin(), dropped[i].end());
    expected.push_back({0, 5});
    EXPECT_TRUE(std::ranges::equal(clipped[i], expected)) << i;
  }
}

TEST(MakeItems, PoliciesThatMeanNothingAreMistakes) {
  const auto of_graphs = [](const LoadRequest& request) {
    return test::sentence_of([&] { (void)make_items(data::shapes_dataset(2), request); });
  };
  const auto of_clouds = [](const LoadRequest& request) {
    return test::sentence_of([&] { (void)make_items(orbits(1), request); });
  };
  EXPECT_EQ(of_graphs({.essential = "clip"}),
            "essential is about the ordinary kinds sub0, sup0 and sub1, and none of them is asked for.");
  EXPECT_EQ(of_graphs({.kinds = {Kind::sub0}, .essential = "keep"}),
            "essential takes drop, clip or clip:VALUE with a finite number, not 'keep'.");
  EXPECT_EQ(of_clouds({.essential = "clip"}),
            "For point clouds, essential takes drop or clip:VALUE with a positive number, not 'clip'.");
  EXPECT_EQ(of_clouds({.kinds = {Kind::h1}, .essential = "clip:1"}),
            "For point clouds, essential is about the kind h0, which is not asked for.");
}

/// They may have been computed with it.
TEST(MakeItems, StoredDiagramsStayAsTheyAre) {
  const auto set = graph_diagrams(
      data::shapes_dataset(3), std::vector{filtration::parse_filtration("degree")}, {.kinds = {Kind::sub0}});
  EXPECT_TRUE(same(make_items(set, {.essential = "clip"}), make_items(set, {})));
}

TEST(MakeItems, TheNumberOfThreadsLeavesNoTrace) {
  const auto shapes = data::shapes_dataset(40);
  LoadRequest request;
  request.filtrations = {"hks:0.1", "clustering", "eccentricity"};
  request.transforms = {"prom:7"};
  request.drop_diagonal = true;
  request.features = {"eigenvalues", "size", "deciles:hks:10", "top:3", "betti:7@0..1"};
  base::Context one, three;
  one.threads = 1;
  three.threads = 3;
  EXPECT_TRUE(same(make_items(shapes, request, one), make_items(shapes, request, three)));
  LoadRequest of_clouds;
  of_clouds.transforms = {"sqrt", "prom:9"};
  of_clouds.features = {"projection-quantiles:3x4"};
  EXPECT_TRUE(same(make_items(orbits(30), of_clouds, one), make_items(orbits(30), of_clouds, three)));
}

TEST(MakeItems, NoItemsAreLegal) {
  EXPECT_EQ(make_items(data::GraphDataset{}, {}).count(), 0U);
  LoadRequest request;
  request.transforms = {"sqrt"};
  request.features = {"statistics"};
  EXPECT_EQ(make_items(data::PointCloudDataset{}, request).groups.size(), 2U);
  EXPECT_EQ(ItemsCollector(0).finish().count(), 0U);
}

TEST(MakeItems, MistakesAreSentences) {
  const auto shapes = data::shapes_dataset(2);
  const auto of_graphs = [&](const LoadRequest& request) {
    return test::sentence_of([&] { (void)make_items(shapes, request); });
  };
  const auto with_transform = [](const char* name) {
    LoadRequest request;
    request.transforms = {name};
    return request;
  };
  EXPECT_EQ(of_graphs(with_transform("scale")),
            "scale is fitted to many items, and items are transformed one by one before anything is fitted; "
            "learning "
            "scales diagrams by a setting of its own.");
  EXPECT_EQ(of_graphs(with_transform("birth-persistence")),
            "birth-persistence makes points that are no longer (birth, death), which is what features and "
            "layers read.");
  EXPECT_NE(of_graphs(with_transform("blur")).find("There is no transform called 'blur'"), std::string::npos);
  LoadRequest request;
  request.kinds = {Kind::ord0, Kind::h1};
  EXPECT_EQ(of_graphs(request), "The kind h1 belongs to point clouds, not to graphs.");
  request = {};
  request.features = {"landscape:3x12"};
  request.keep_diagrams = false;
  EXPECT_EQ(of_graphs(request),
            "landscape:3x12 is fitted to diagrams, so these have to be kept, or a range given as in "
            "landscape:3x12@0..1.");
  request = {};
  request.features = {"eigenvalues"};
  EXPECT_EQ(test::sentence_of([&] { (void)make_items(orbits(), request); }),
            "eigenvalues is computed from graphs, not from point clouds.");
  EXPECT_EQ(test::sentence_of([&] { (void)make_items(DiagramSet{}, request); }),
            "eigenvalues is computed from graphs, not from diagrams.");
  request = {};
  request.kinds = {Kind::ext1};
  EXPECT_EQ(test::sentence_of([&] { (void)make_items(orbits(), request); }),
            "The kind ext1 belongs to graphs, not to point clouds.");

  EXPECT_EQ(test::sentence_of([&] { (void)make_items(DiagramSet{}, {}); }),
            "There are no diagrams of any kind; there are none at all.");
  const auto set = shapes_diagrams(shapes, {"degree"});
  request = {};
  request.filtrations = {"hks:10"};
  EXPECT_EQ(test::sentence_of([&] { (void)make_items(set, request); }),
            "There are no diagrams of hks:10; there are degree ord0, degree rel1, degree ext0, degree ext1.");
  request.filtrations = {"degree"};
  request.kinds = {Kind::sub0};
  EXPECT_EQ(
      test::sentence_of([&] { (void)make_items(set, request); }),
      "There are no diagrams of degree sub0; there are degree ord0, degree rel1, degree ext0, degree ext1.");

  constexpr double infinity = std::numeric_limits<double>::infinity();
  DiagramSet endless;
  endless.groups.push_back({"f", Kind::h0, DiagramBatch({{0, 1}, {0, infinity}}, {0, 1, 2}), {}});
  EXPECT_EQ(test::sentence_of([&] { (void)make_items(endless, {}); }),
            "f h0: Item 1 has the point (0, inf), and learning needs finite coordinates; leave such points "
            "out of the "
            "diagrams or clip them, as with the transform clip:0:1.");
  EXPECT_EQ(make_items(endless, with_transform("clip:0:4")).groups[0].diagrams[1][0], (Point{0, 4}));
  DiagramSet negative;
  negative.groups.push_back({"f", Kind::sub0, DiagramBatch({{-1, 1}}, {0, 1}), {}});
  EXPECT_TRUE(
      test::sentence_of([&] { (void)make_items(negative, with_transform("sqrt")); }).starts_with("f sub0: "));
}

// ---- files

TEST(LoadItems, GraphDatasetsCloudsAndDiagramFilesAreToldApart) {
  const test::TemporaryFolder folder;
  test::write_bytes(folder / "graph.txt", "source target\n0 1\n1 2\n2 0\n");
  test::write_bytes(folder / "points.csv", "0 0\n1 0\n0 1\n1 1\n");
  test::write_bytes(folder / "diagrams.csv",
                    "item,filtration,kind,birth,death\n0,mine,ord0,0,1\n1,mine,ord0,2,5\n");
  std::filesystem::create_directory(folder / "clouds");
  test::write_bytes(folder / "clouds" / "c.csv", "0 0\n0.5 0\n");
  const auto name_of = [&](const auto& path, const std::vector<std::string>& filtrations) {
    return input_kind_of(path, {.filtrations = filtrations}).name;
  };
  EXPECT_EQ(name_of(folder / "graph.txt", {}), "graphs");
  EXPECT_EQ(name_of(folder / "points.csv", {"alpha"}), "clouds");
  EXPECT_EQ(name_of(folder / "diagrams.csv", {"hks:10"}), "diagrams");
  EXPECT_EQ(name_of(folder / "clouds", {}), "clouds");

  LoadRequest request;
  EXPECT_EQ(load_items(folder / "graph.txt", request).groups[3].filtration, "hks:10");
  EXPECT_EQ(load_items(folder / "diagrams.csv", request).groups[0].diagrams[1][0], (Point{2, 5}));
  request.filtrations = {"alpha"};
  EXPECT_EQ(load_items(folder / "points.csv", request).sizes, std::vector<ItemSize>{{4}});

  const auto sentence = [&](const std::string& name, std::vector<std::string> filtrations) {
    LoadRequest asked;
    asked.filtrations = std::move(filtrations);
    return test::sentence_of([&] { (void)load_items(folder / name, asked); });
  };
  EXPECT_EQ(sentence("nothing.h5", {}), (folder / "nothing.h5").string() + " does not exist.");
  EXPECT_EQ(sentence("diagrams.csv", {"hks:10"}),
            (folder / "diagrams.csv").string() + ": There are no diagrams of hks:10; there are mine ord0.");
  EXPECT_EQ(sentence("graph.txt", {"degree", "alpha"}),
            "degree is a filtration of graphs and alpha one of point clouds; ask for one of the two.");
  EXPECT_EQ(sentence("clouds", {"degree"}), "degree is a filtration of graphs, but " +
                                                (folder / "clouds").string() +
                                                " holds point clouds, whose default is alpha.");
  io::write_tu_dataset(folder / "shapes", data::shapes_dataset(2));
  EXPECT_EQ(sentence("shapes", {"alpha"}), "alpha is a filtration of point clouds, but " +
                                               (folder / "shapes").string() +
                                               " holds graphs, whose default is hks:10.");
}

TEST(LoadItems, AFileOfDiagramsIsWorthTheDiagramsThemselves) {
  const test::TemporaryFolder folder;
  const auto shapes = data::shapes_dataset(6);
  io::write_tu_dataset(folder / "shapes", shapes);
  auto set = shapes_diagrams(shapes, {"hks:10", "degree"});
  io::write_diagrams(folder / "shapes.h5", set);
  LoadRequest request;
  request.filtrations = {"hks:10", "degree"};
  request.transforms = {"prom:4"};
  request.drop_diagonal = true;
  Items from_graphs = load_items(folder / "shapes", request);
  const Items from_file = load_items(folder / "shapes.h5", request);
  EXPECT_FALSE(same(from_graphs, from_file));
  from_graphs.sizes = from_file.sizes;
  EXPECT_TRUE(same(from_graphs, from_file));

  for (auto& group : set.groups) group.diagrams = diagram::prominent(group.diagrams, 4);
  io::write_diagrams(folder / "prominent.h5", set);
  request.transforms = {};
  Items prominent = load_items(folder / "prominent.h5", request);
  prominent.sizes = from_file.sizes;
  EXPECT_TRUE(same(prominent, from_file));
}

TEST(LoadItems, CloudsOfADiagramFileServeFiltrationsThatItLacks) {
  const test::TemporaryFolder folder;
  const auto clouds = orbits();
  const auto set = cloud_diagrams(clouds);
  io::DiagramFileLayout layout;
  layout.groups = {{"alpha", Kind::h0}, {"alpha", Kind::h1}};
  layout.classes = clouds.classes;
  layout.clouds = true;
  io::DiagramWriter writer(folder / "orbits.h5", layout);
  writer.append(set, &clouds);
  writer.finish();
  LoadRequest request;
  request.filtrations = {"alpha"};
  Items from_diagrams = load_items(folder / "orbits.h5", request);
  const Items from_clouds = make_items(clouds, request);
  EXPECT_NE(from_diagrams.sizes, from_clouds.sizes);
  EXPECT_EQ(from_diagrams.kind, &diagram_kind());
  from_diagrams.sizes = from_clouds.sizes;
  EXPECT_TRUE(same(from_diagrams, from_clouds));
  request.filtrations = {"alpha:radii"};
  const Items computed = load_items(folder / "orbits.h5", request);
  EXPECT_TRUE(same(computed, make_items(clouds, request)));
  EXPECT_EQ(computed.kind, &cloud_kind());
  io::write_diagrams(folder / "without.h5", set);
  EXPECT_EQ(test::sentence_of([&] { (void)load_items(folder / "without.h5", request); }),
            (folder / "without.h5").string() +
                ": There are no diagrams of alpha:radii; there are alpha h0, alpha h1.");
}

TEST(LoadItems, GraphsAreKeptForLearnersThatLookAtThemAgain) {
  const test::TemporaryFolder folder;
  const auto shapes = data::shapes_dataset(2);
  io::write_tu_dataset(folder / "SHAPES", shapes);
  const LoadOptions with_cache{.cache = folder / "cache", .cache_seconds = 0};
  for (int time = 0; time < 2; ++time) {  // the second time the rest comes from the cache
    const auto items =
        load_items(folder / "SHAPES", {.filtrations = {"degree"}, .keep_graphs = true}, {}, with_cache);
    ASSERT_EQ(items.groups.size(), 4U);
    EXPECT_EQ(items.kind, &graph_kind());
    EXPECT_EQ(items.groups[3].filtration, "degree");
    ASSERT_NE(items.graphs, nullptr);
    ASSERT_EQ(items.graphs->graphs.size(), 6U);
    for (std::size_t i = 0; i < 6; ++i)
      EXPECT_EQ(items.graphs->graphs[i].edge_count(), shapes.graphs[i].edge_count());
  }
  // Without a name they are the diagrams of hks:10, as ever.
  const auto unnamed = load_items(folder / "SHAPES", {.kinds = {Kind::ext1}, .keep_graphs = true});
  ASSERT_EQ(unnamed.groups.size(), 1U);
  EXPECT_EQ(unnamed.groups[0].filtration, "hks:10");
  EXPECT_EQ(load_items(folder / "SHAPES", {}).graphs, nullptr);
}

TEST(LoadItems, NotesOfTheSourceArePassedOn) {
  const test::TemporaryFolder folder;
  test::write_bytes(folder / "loops.txt", "source target\n0 1\n1 1\n1 2\n");
  std::vector<std::string> remarks;
  LoadOptions options;
  options.remark = [&](const std::string& remark) { remarks.push_back(remark); };
  (void)load_items(folder / "loops.txt", {}, {}, options);
  EXPECT_EQ(remarks, (std::vector<std::string>{"Read 1 graph without labels from " +
                                               (folder / "loops.txt").string() + "; 1 self loop dropped."}));
}

TEST(LoadItems, MutagIsKnown) {
  const char* const datasets = std::getenv("PERSLAY_DATASETS");
  if (datasets == nullptr) GTEST_SKIP() << "PERSLAY_DATASETS is not set.";
  const std::filesystem::path archive = std::filesystem::path(datasets) / "MUTAG.zip";
  if (!std::filesystem::exists(archive)) GTEST_SKIP() << "There is no MUTAG.zip in PERSLAY_DATASETS.";
  LoadRequest request;
  request.features = {"eigenvalues", "size", "deciles:hks:10"};
  const Items items = load_items(archive, request);
  ASSERT_EQ(items.count(), 188U);
  EXPECT_EQ(items.classes.size(), 2U);
  EXPECT_EQ(std::ranges::count(items.labels, 1), 125);
  for (std::size_t i = 0; i < items.count(); ++i) {
    const auto& [eigenvalues, size] = std::tie(items.blocks[0], items.blocks[1]);
    EXPECT_EQ(eigenvalues.offsets[i + 1] - eigenvalues.offsets[i],
              static_cast<std::int64_t>(items.sizes[i].points));
    EXPECT_EQ(size.values[6 * i], items.sizes[i].points);
    EXPECT_EQ(size.values[6 * i + 1], items.sizes[i].edges);
    EXPECT_EQ(size.values[6 * i + 2], 1);  // molecules are connected,
    EXPECT_EQ(size.values[6 * i + 4], 0);  // and these have no triangles
    EXPECT_EQ(items.groups[2].diagrams[i].size(), 1U);
    EXPECT_EQ(static_cast<float>(items.groups[3].diagrams[i].size()), size.values[6 * i + 3]);
  }
}

}  // namespace
}  // namespace perslay::features
