#include "io/temporary_folder.h"
#include "sentence.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <ranges>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <perslay/base/random.h>
#include <perslay/data/generators.h>
#include <perslay/features/item_features.h>
#include <perslay/features/vectorize.h>
#include <perslay/filtration/heat_kernel_signature.h>

namespace perslay::features {
namespace {

using data::Graph;
using data::Vertex;
using diagram::DiagramBatch;
using diagram::DiagramGroup;
using diagram::Kind;
using diagram::Point;

/// numpy.quantile with its default method, written as its documentation has it.
double numpy_quantile(std::vector<double> values, double q) {
  std::ranges::sort(values);
  const double place = q * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(std::floor(place)),
             high = static_cast<std::size_t>(std::ceil(place));
  return values[low] + (values[high] - values[low]) * (place - std::floor(place));
}

std::vector<double> row_of(const FeatureBlock& block, std::size_t item) {
  return {block.values.begin() + block.offsets[item], block.values.begin() + block.offsets[item + 1]};
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected,
                 const std::string& what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], 2e-6 * std::max(1.0, std::abs(expected[i]))) << what << " " << i;
}

// ---- names

TEST(FeatureNames, AreCanonical) {
  const std::map<std::string, std::string> names{
      {"eigenvalues", "eigenvalues"},
      {"spectrum:020", "spectrum:20"},
      {"deciles:hks:10.0", "deciles:hks:10"},
      {"deciles:file:/some/where.txt", "deciles:file:/some/where.txt"},
      {"deciles:clustering", "deciles:clustering"},
      {"h1/landscape:4x60@0..0.15", "h1/landscape:4x60@0..0.15"},
      {"betti:60@0..0.080", "betti:60@0..0.08"},
      {"betti:60@-1e-3..1", "betti:60@-0.001..1"},
      {"image:6", "image:6x6"},
      {"image:6x6:power=2.0@0..1", "image:6x6:power=2@0..1"},
      {"h1/log/top:50", "h1/log/top:50"},
      {"log/projection-quantiles:8x40", "log/projection-quantiles:8x40"},
      {"ext1/statistics", "ext1/statistics"},
      {"deciles:core", "deciles:core"},
      {"path-lengths:012", "path-lengths:12"},
      {"returns:256@0.10", "returns:256@0.1"},
      {"ext1/fourier:128@2e-2", "ext1/fourier:128@0.02"},
      {"wl:4", "wl:4"},
      {"ext1/label-pairs", "ext1/label-pairs"}};
  for (const auto& [written, canonical] : names) {
    EXPECT_EQ(parse_item_feature(written).name, canonical);
    EXPECT_EQ(parse_item_feature(canonical).name, canonical);
  }
}

TEST(FeatureNames, SayWhatIsComputed) {
  const auto landscape = parse_item_feature("h1/landscape:4x60@0..0.15");
  EXPECT_EQ(landscape.kind, Kind::h1);
  EXPECT_EQ(landscape.range, (layer::Range{0, 0.15}));
  EXPECT_EQ(landscape.width, 240U);
  EXPECT_FALSE(landscape.is_fitted());
  EXPECT_TRUE(parse_item_feature("landscape:4x60").is_fitted());
  EXPECT_TRUE(parse_item_feature("eigenvalues").is_ragged());
  EXPECT_TRUE(parse_item_feature("deciles:degree").of_graphs());
  EXPECT_FALSE(parse_item_feature("statistics").of_graphs());
  const auto projections = parse_item_feature("h1/log/projection-quantiles:8x40");
  EXPECT_TRUE(projections.log);
  EXPECT_EQ(projections.count, 8U);
  EXPECT_EQ(projections.width, 320U);
  EXPECT_TRUE(projections.reads({"alpha", Kind::h1, {}, {}}));
  EXPECT_FALSE(projections.reads({"alpha", Kind::h0, {}, {}}));
}

TEST(FeatureNames, EveryNameHasHelp) {
  for (const auto& help : item_features().help()) EXPECT_TRUE(help.text.ends_with('.')) << help.usage;
  EXPECT_EQ(item_features().help().size(), 19U + layer::vectorization_help().size());
}

TEST(FeatureNames, MistakesAreSentences) {
  const std::map<std::string, std::string> sentences{
      {"eigenvalues:3", "eigenvalues stands alone, without ':3'."},
      {"size:", "size stands alone, without ':'."},
      {"spectrum", "spectrum needs a number of quantiles such as spectrum:20, not ''."},
      {"spectrum:0", "spectrum needs a number of quantiles such as spectrum:20, not '0'."},
      {"spectrum:1000000000",
       "spectrum needs a number of quantiles such as spectrum:20, of at most 1000000, not '1000000000'."},
      {"spectrum:-1", "spectrum needs a number of quantiles such as spectrum:20, not '-1'."},
      {"spectrum-histogram:ten",
       "spectrum-histogram needs a number of bins such as spectrum-histogram:20, not 'ten'."},
      {"degree-histogram:2000000",
       "degree-histogram needs a number of bins such as degree-histogram:10, of at most "
       "1000000, not '2000000'."},
      {"deciles", "deciles needs a function of vertices such as deciles:hks:10."},
      {"deciles:hks", "hks needs a time of at least 0, such as hks:10, not ''."},
      {"quantiles:1.5", "quantiles needs a number of quantiles such as quantiles:80, not '1.5'."},
      {"top:", "top needs a number of points such as top:50, not ''."},
      {"projection-quantiles:8",
       "projection-quantiles needs a number of lines and of quantiles such as projection-quantiles:8x40, not "
       "'8'."},
      {"projection-quantiles:8x",
       "projection-quantiles needs a number of lines and of quantiles such as projection-quantiles:8x40, not "
       "'8x'."},
      {"betti:60@0", "A range is written as two numbers, the lower first, such as @0..0.15, not '@0'."},
      {"betti:60@1..0", "A range is written as two numbers, the lower first, such as @0..0.15, not '@1..0'."},
      {"betti:60@0..x", "A range is written as two numbers, the lower first, such as @0..0.15, not 'x'."},
      {"betti:60@-1e308..1e308", "The range @-1e308..1e308 is too long or too short to compute with."},
      {"fourier:128",
       "fourier needs an even number of features and a width such as fourier:128@0.02, not '128'."},
      {"fourier:127@1",
       "fourier needs an even number of features and a width such as fourier:128@0.02, not '127@1'."},
      {"returns:2@0",
       "returns needs an even number of features and a width such as returns:256@0.2, not '0'."},
      {"label-returns:2@x",
       "label-returns needs an even number of features and a width such as label-returns:256@0.2, not 'x'."},
      {"wl:0", "wl needs a number of levels such as wl:4, not '0'."},
      {"ext1/labels", "labels describes graphs, not diagrams, and takes no prefix, as in 'ext1/labels'."},
      {"log/fourier:2@1", "log/ goes with quantiles, top and projection-quantiles, not with fourier:2@1."},
      {"h1/eigenvalues",
       "eigenvalues describes graphs, not diagrams, and takes no prefix, as in 'h1/eigenvalues'."},
      {"log/betti:60", "log/ goes with quantiles, top and projection-quantiles, not with betti:60."},
      {"log/h1/top:5",
       "A feature has a kind and then log before its name, as in h1/log/top:50, not 'log/h1/top:5'."},
      {"h0/h1/top:5",
       "A feature has a kind and then log before its name, as in h1/log/top:50, not 'h0/h1/top:5'."}};
  for (const auto& [name, sentence] : sentences)
    EXPECT_EQ(test::sentence_of([&] { (void)parse_item_feature(name); }), sentence);
  const auto unknown = test::sentence_of([] { (void)parse_item_feature("wavelets:3"); });
  EXPECT_TRUE(
      unknown.starts_with("There is no feature called 'wavelets:3'; the known ones are eigenvalues, "))
      << unknown;
  EXPECT_NE(unknown.find("landscape:KxN[@A..B]"), std::string::npos) << unknown;
  EXPECT_NE(test::sentence_of([] { (void)parse_item_feature("h7/top:3"); }).find("'h7'"), std::string::npos);
  EXPECT_NE(test::sentence_of([] { (void)parse_item_feature("landscape:4"); }).find("landscape:5x60"),
            std::string::npos);
}

// ---- graphs

/// Graphs of all sorts: without vertices, with one, without edges, with several components.
data::GraphDataset graphs() {
  base::RandomStream random(11);
  data::GraphDataset dataset;
  dataset.graphs = {Graph(),
                    Graph::from_edges(1, {}),
                    Graph::from_edges(4, {}),
                    data::path_graph(5),
                    data::cycle_graph(6),
                    data::complete_graph(7),
                    data::random_graph(30, 0.05, random),
                    data::random_graph(25, 0.3, random),
                    data::preferential_attachment_graph(40, 2, random)};
  for (const auto& graph : dataset.graphs)
    dataset.vertex_offsets.push_back(dataset.vertex_offsets.back() + graph.vertex_count());
  return dataset;
}

std::vector<FeatureBlock> blocks_of(const data::GraphDataset& dataset, const std::vector<std::string>& names,
                                    int threads = 0) {
  base::Context context;
  context.threads = threads;
  const auto features = parse_item_features(names);
  std::vector<filtration::Filtration> functions;
  for (const auto& feature : features)
    if (feature.type == ItemFeature::Type::deciles) functions.push_back(feature.function);
  const auto values = vertex_values(dataset, functions, context);
  return graph_blocks(dataset, features, given_functions(functions, values), context);
}

TEST(GraphFeatures, FeaturesOfAnotherFamilyAreAFault) {
  const auto dataset = graphs();
  for (const auto* const name : {"statistics", "top:3", "wl:2"})
    EXPECT_THROW((void)blocks_of(dataset, {name}), base::Error) << name;
  for (const auto* const name : {"size", "deciles:degree", "statistics"})
    EXPECT_THROW((void)keyed_blocks(dataset, parse_item_features(std::vector<std::string>{name})),
                 base::Error)
        << name;
}

TEST(GraphFeatures, EigenvaluesDescendAndKeepTheTraces) {
  const auto dataset = graphs();
  const auto block = blocks_of(dataset, {"eigenvalues"}).front();
  for (std::size_t g = 0; g < dataset.size(); ++g) {
    const Graph& graph = dataset.graphs[g];
    const auto eigenvalues = row_of(block, g);
    ASSERT_EQ(eigenvalues.size(), static_cast<std::size_t>(graph.vertex_count()));
    EXPECT_TRUE(std::ranges::is_sorted(eigenvalues, std::greater{}));
    // trace L = vertices that are not isolated; trace L^2 = the same + sum over ordered edges 1/(d_v d_w).
    double trace = 0, square = 0, sum = 0, squares = 0;
    for (Vertex v = 0; v < graph.vertex_count(); ++v) {
      trace += graph.degree(v) > 0 ? 1 : 0;
      for (const Vertex w : graph.neighbours(v)) square += 1.0 / (graph.degree(v) * graph.degree(w));
    }
    for (const double x : eigenvalues) {
      sum += x;
      squares += x * x;
    }
    EXPECT_NEAR(sum, trace, 1e-5) << g;
    EXPECT_NEAR(squares, trace + square, 1e-5) << g;
    EXPECT_EQ(std::ranges::count(eigenvalues, 0.0), data::component_count(graph)) << g;
  }
}

TEST(GraphFeatures, SpectrumIsQuantilesAndFractionsOfEigenvalues) {
  const auto dataset = graphs();
  const auto blocks = blocks_of(dataset, {"spectrum:7", "spectrum:1", "spectrum-histogram:5"});
  for (std::size_t g = 0; g < dataset.size(); ++g) {
    const auto eigenvalues = filtration::laplacian_eigenvalues(dataset.graphs[g]);
    std::vector<double> quantiles(7), histogram(5), median(1);
    if (!eigenvalues.empty()) {
      for (std::size_t i = 0; i < 7; ++i)
        quantiles[i] = numpy_quantile(eigenvalues, static_cast<double>(i) / 6);
      median[0] = numpy_quantile(eigenvalues, 0.5);
      for (std::size_t bin = 0; bin < 5; ++bin) {
        const double low = 0.4 * static_cast<double>(bin);
        const auto inside = std::ranges::count_if(
            eigenvalues, [&](double x) { return x >= low && (bin == 4 || x < low + 0.4); });
        histogram[bin] = static_cast<double>(inside) / static_cast<double>(eigenvalues.size());
      }
    }
    expect_near(row_of(blocks[0], g), quantiles, "spectrum");
    expect_near(row_of(blocks[1], g), median, "median");
    expect_near(row_of(blocks[2], g), histogram, "histogram");
  }
}

TEST(GraphFeatures, DecilesAreQuantilesOfTheFunction) {
  const auto dataset = graphs();
  const auto blocks = blocks_of(dataset, {"deciles:hks:10", "size", "deciles:degree"});
  for (std::size_t g = 0; g < dataset.size(); ++g) {
    const Graph& graph = dataset.graphs[g];
    std::vector<double> degrees;
    for (Vertex v = 0; v < graph.vertex_count(); ++v) degrees.push_back(graph.degree(v));
    const auto heat = filtration::heat_kernel_signature(graph, std::vector{10.0});
    for (const auto& [block, values] : {std::pair{&blocks[0], heat}, {&blocks[2], degrees}}) {
      std::vector<double> expected(11);
      for (std::size_t i = 0; i < 11 && !values.empty(); ++i)
        expected[i] = numpy_quantile(values, static_cast<double>(i) / 10);
      expect_near(row_of(*block, g), expected, block->name);
    }
  }
}

TEST(GraphFeatures, SizesOfGraphsThatAreKnown) {
  const auto blocks = blocks_of(graphs(), {"size"});
  EXPECT_EQ(row_of(blocks[0], 0), (std::vector<double>{0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(row_of(blocks[0], 1), (std::vector<double>{1, 0, 1, 0, 0, 0}));
  EXPECT_EQ(row_of(blocks[0], 2), (std::vector<double>{4, 0, 4, 0, 0, 0}));
  expect_near(row_of(blocks[0], 3), {5, 4, 1, 0, 0, 0.4}, "path");
  expect_near(row_of(blocks[0], 4), {6, 6, 1, 1, 0, 0.4}, "cycle");
  expect_near(row_of(blocks[0], 5), {7, 21, 1, 15, 35, 1}, "complete graph");
}

TEST(GraphFeatures, DegreeHistogramsEndWithAllLargerDegrees) {
  const auto dataset = graphs();
  const auto block = blocks_of(dataset, {"degree-histogram:3"}).front();
  EXPECT_EQ(row_of(block, 0), (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(row_of(block, 2), (std::vector<double>{1, 0, 0}));
  expect_near(row_of(block, 3), {0, 0.4, 0.6}, "path");
  EXPECT_EQ(row_of(block, 5), (std::vector<double>{0, 0, 1}));
}

TEST(GraphFeatures, TheNumberOfThreadsLeavesNoTrace) {
  const auto dataset = data::shapes_dataset(30);
  const std::vector<std::string> names{
      "eigenvalues", "deciles:hks:0.1",   "deciles:eccentricity", "spectrum:9",
      "size",        "deciles:closeness", "deciles:clustering",   "degree-histogram:8"};
  EXPECT_EQ(blocks_of(dataset, names, 1), blocks_of(dataset, names, 3));
}

// ---- diagrams

/// Two groups of ten items; the first and the last item of h0 and the third of h1 are empty.
std::vector<DiagramGroup> groups() {
  base::RandomStream random(5);
  std::vector<DiagramGroup> made;
  for (const Kind kind : {Kind::h0, Kind::h1}) {
    std::vector<Point> points;
    std::vector<std::int64_t> offsets{0};
    for (std::size_t item = 0; item < 10; ++item) {
      const bool empty = kind == Kind::h0 ? item == 0 || item == 9 : item == 3;
      for (std::uint64_t i = empty ? 0 : 1 + random.below(30); i > 0; --i) {
        const double birth = random.uniform();
        points.push_back({birth, birth + random.uniform()});
      }
      offsets.push_back(static_cast<std::int64_t>(points.size()));
    }
    made.push_back({"alpha", kind, DiagramBatch(points, offsets), {}});
  }
  return made;
}

/// What `of_diagram` says, for all diagrams of each item one after the other.
template <class OfDiagram>
void expect_numbers(const std::string& name, OfDiagram&& of_diagram) {
  const auto diagrams = groups();
  const auto feature = parse_item_feature(name);
  const auto block = diagram_block(diagrams, feature);
  EXPECT_EQ(block.name, name);
  ASSERT_EQ(block.offsets.size(), 11U);
  for (std::size_t item = 0; item < 10; ++item) {
    std::vector<double> expected;
    for (const auto& group : diagrams) {
      if (feature.kind && *feature.kind != group.kind) continue;
      const auto numbers =
          of_diagram(std::vector<Point>(group.diagrams[item].begin(), group.diagrams[item].end()));
      expected.insert(expected.end(), numbers.begin(), numbers.end());
    }
    expect_near(row_of(block, item), expected, name);
  }
}

std::vector<double> births(const std::vector<Point>& points) {
  std::vector<double> values;
  for (const auto& point : points) values.push_back(point.birth);
  return values;
}
std::vector<double> deaths(const std::vector<Point>& points) {
  std::vector<double> values;
  for (const auto& point : points) values.push_back(point.death);
  return values;
}
std::vector<double> persistences(const std::vector<Point>& points) {
  std::vector<double> values;
  for (const auto& point : points) values.push_back(point.death - point.birth);
  return values;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}
/// The root of the mean square less the square of the mean.
double deviation(const std::vector<double>& values) {
  std::vector<double> squares;
  for (const double x : values) squares.push_back(x * x);
  return std::sqrt(std::max(0.0, mean(squares) - mean(values) * mean(values)));
}

TEST(DiagramFeatures, Statistics) {
  expect_numbers("statistics", [](const std::vector<Point>& points) -> std::vector<double> {
    if (points.empty()) return std::vector<double>(12, 0);
    const auto y = persistences(points);
    const double total = mean(y) * static_cast<double>(y.size());
    double squares = 0, entropy = std::log(total);
    for (const double x : y) {
      squares += x * x;
      entropy -= x * std::log(x) / total;  // - sum (x/T) log (x/T) = log T - sum x log x / T
    }
    return {static_cast<double>(points.size()),
            total,
            squares,
            std::ranges::max(y),
            mean(births(points)),
            deviation(births(points)),
            mean(deaths(points)),
            deviation(deaths(points)),
            mean(y),
            deviation(y),
            entropy,
            (mean(births(points)) + mean(deaths(points))) / 2};
  });
}

TEST(DiagramFeatures, StatisticsOfPointsOnTheDiagonalAreFinite) {
  const std::vector<DiagramGroup> diagonal{{"f", Kind::ext0, DiagramBatch({{2, 2}, {2, 2}}, {0, 2}), {}}};
  EXPECT_EQ(row_of(diagram_block(diagonal, parse_item_feature("statistics")), 0),
            (std::vector<double>{2, 0, 0, 0, 2, 0, 2, 0, 0, 0, 0, 2}));
}

TEST(DiagramFeatures, QuantilesOfPersistences) {
  for (const bool log : {false, true})
    expect_numbers(log ? "h0/log/quantiles:8" : "h0/quantiles:8", [log](std::vector<Point> points) {
      if (points.empty()) points = {{0, 0}};
      auto values = persistences(points);
      if (log)
        for (double& x : values) x = std::log(x + 1e-3);
      std::vector<double> numbers;
      for (std::size_t i = 0; i < 8; ++i)
        numbers.push_back(numpy_quantile(values, static_cast<double>(i) / 7));
      return numbers;
    });
}

TEST(DiagramFeatures, TopPointsByPersistence) {
  for (const bool log : {false, true})
    expect_numbers(log ? "log/top:12" : "top:12", [log](std::vector<Point> points) {
      std::ranges::sort(points, std::greater{}, [](const Point& p) { return p.death - p.birth; });
      points.resize(12);
      std::vector<double> numbers;
      for (const auto& [birth, death] : points) {
        numbers.push_back(log ? std::log(death - birth + 1e-3) : death - birth);
        numbers.push_back(birth);
      }
      return numbers;
    });
}

TEST(DiagramFeatures, QuantilesOfProjections) {
  for (const bool log : {false, true})
    expect_numbers(log ? "h1/log/projection-quantiles:4x5" : "h1/projection-quantiles:4x5",
                   [log](std::vector<Point> points) {
                     if (points.empty()) points = {{0, 0}};
                     std::vector<double> numbers;
                     for (int line = 0; line < 4; ++line) {
                       const double angle = -std::numbers::pi / 2 + line * std::numbers::pi / 4;
                       std::vector<double> values;
                       for (const auto& [b, d] : points) {
                         const double x = log ? std::log(b + 1e-3) : b, y = log ? std::log(d - b + 1e-3) : d;
                         values.push_back(x * std::cos(angle) + y * std::sin(angle));
                       }
                       for (int i = 0; i < 5; ++i) numbers.push_back(numpy_quantile(values, i / 4.0));
                     }
                     return numbers;
                   });
}

TEST(DiagramFeatures, VectorizationsInARangeAreThoseOfTheWholeSet) {
  diagram::DiagramSet set;
  set.groups = groups();
  for (const std::string name : {"landscape:3x9", "betti:12", "image:4x3", "entropy:5", "silhouette:6"}) {
    const auto expected = vectorize(set, layer::parse_vectorization(name), layer::Range{0.25, 1.5});
    const auto block = diagram_block(set.groups, parse_item_feature(name + "@0.25..1.5"));
    const std::size_t width = expected.columns;
    for (std::size_t item = 0; item < 10; ++item)
      expect_near(row_of(block, item),
                  {expected.values.begin() + static_cast<std::ptrdiff_t>(item * width),
                   expected.values.begin() + static_cast<std::ptrdiff_t>((item + 1) * width)},
                  name);
  }
}

TEST(DiagramFeatures, MistakesAreSentences) {
  const auto diagrams = groups();
  EXPECT_EQ(test::sentence_of([&] { (void)diagram_block(diagrams, parse_item_feature("ext1/top:3")); }),
            "ext1/top:3 reads diagrams of the kind ext1, and there are none.");
  EXPECT_EQ(test::sentence_of([&] { (void)diagram_block({}, parse_item_feature("top:3")); }),
            "top:3 reads diagrams, and there are none.");
  const std::vector<DiagramGroup> negative{{"f", Kind::ord0, DiagramBatch({{1, 2}, {-2, 3}}, {0, 1, 2}), {}}};
  EXPECT_EQ(
      test::sentence_of(
          [&] { (void)diagram_block(negative, parse_item_feature("log/projection-quantiles:2x2")); }),
      "log/projection-quantiles:2x2 takes logarithms of births, and f ord0 of item 1 has the birth -2.");
}

}  // namespace
}  // namespace perslay::features
