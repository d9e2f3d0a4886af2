#include "layer/cases.h"
#include "sentence.h"

#include <gtest/gtest.h>

#include <perslay/diagram/diagram_batch.h>

namespace perslay::test {
namespace {

using layer::Channel;
using layer::parse_operation;
using layer::parse_point_transform;
using layer::parse_weight;
using layer::Pool;

/// Sizes around the block of 64 points, empty diagrams at either end and between.
std::vector<Bars> diagrams_of_many_sizes(base::RandomStream& random) {
  std::vector<Bars> diagrams;
  for (const std::size_t count : {0U, 1U, 2U, 0U, 5U, 63U, 64U, 65U, 130U, 0U})
    diagrams.push_back(random_bars(random, count));
  diagrams[4][1] = diagrams[4][0];              // a point twice
  diagrams[4][2].death = diagrams[4][2].birth;  // a point on the diagonal
  return diagrams;
}

double scale_of(double value) { return std::max(1.0, std::abs(value)); }

TEST(PersLay, EqualsItsDefinition) {
  std::uint64_t item = 0;
  for (const Channel& c : all_channels()) {
    SCOPED_TRACE(c.name());
    base::RandomStream random(1, item++);
    const auto diagrams = diagrams_of_many_sizes(random);
    const auto parameters = random_parameters(random, c);
    const auto out = LayerRun<double>(c, diagrams, parameters).forward();
    for (std::size_t i = 0; i < diagrams.size(); ++i) {
      const auto expected = brute_perslay(c, diagrams[i], parameters);
      for (std::size_t j = 0; j < expected.size(); ++j)
        ASSERT_NEAR(out[i * expected.size() + j], expected[j], 1e-12 * scale_of(expected[j]))
            << "diagram " << i << " feature " << j;
    }
  }
}

TEST(PersLay, SinglePrecisionFollowsDouble) {
  std::uint64_t item = 0;
  for (const Channel& c : all_channels()) {
    SCOPED_TRACE(c.name());
    base::RandomStream random(2, item++);
    auto diagrams = diagrams_of_many_sizes(random);
    // Both precisions must see the same numbers: otherwise a point may change its cell.
    for (auto& bars : diagrams)
      for (Bar& bar : bars) bar = {static_cast<float>(bar.birth), static_cast<float>(bar.death)};
    auto parameters = random_parameters(random, c);
    for (auto& array : parameters)
      for (double& value : array) value = static_cast<float>(value);
    const auto single = LayerRun<float>(c, diagrams, parameters).forward();
    for (std::size_t i = 0; i < diagrams.size(); ++i) {
      const auto expected = brute_perslay(c, diagrams[i], parameters);
      // Sums of up to 130 terms of size about 1, and stacks of them.
      for (std::size_t j = 0; j < expected.size(); ++j)
        ASSERT_NEAR(
            single[i * expected.size() + j], expected[j],
            2e-4 * std::max(1.0, std::abs(expected[j]) + static_cast<double>(diagrams[i].size()) / 10))
            << "diagram " << i << " feature " << j;
    }
  }
}

TEST(PersLay, GradientsAreThoseOfItsDefinition) {
  std::uint64_t item = 0;
  std::size_t compared = 0, skipped = 0;
  for (const Channel& c : all_channels()) {
    if (c.features() > 50) continue;  // 400 Gaussians tell no more than 35
    SCOPED_TRACE(c.name());
    base::RandomStream random(3, item++);
    std::vector<Bars> diagrams{random_bars(random, 3), {}, random_bars(random, 1), random_bars(random, 9)};
    auto parameters = random_parameters(random, c);
    std::vector<double> upstream(diagrams.size() * c.size());
    for (double& g : upstream) g = random.uniform(-1, 1);
    const auto gradients = LayerRun<double>(c, diagrams, parameters).backward(upstream);
    const auto compare = [&](double& coordinate, double gradient, const std::string& what) {
      const double here = coordinate;
      double expected = 0;
      const bool smooth = derivative(
          [&](double h) {
            coordinate = here + h;
            return loss(c, diagrams, parameters, upstream);
          },
          expected);
      coordinate = here;
      if (!smooth) return void(++skipped);
      ++compared;
      EXPECT_NEAR(gradient, expected, 2e-7 * scale_of(expected)) << what;
    };
    const auto shapes = c.parameters();
    for (std::size_t a = 0; a < parameters.size(); ++a)
      for (std::size_t i = 0; i < parameters[a].size(); ++i)
        compare(parameters[a][i], gradients[a][i], shapes[a].name + "[" + std::to_string(i) + "]");
    std::size_t place = 0;
    for (Bars& bars : diagrams)
      for (Bar& bar : bars) {
        compare(bar.birth, gradients.back()[place], "birth " + std::to_string(place / 2));
        compare(bar.death, gradients.back()[place + 1], "death " + std::to_string(place / 2));
        place += 2;
      }
    if (HasFailure()) return;
  }
  EXPECT_GT(compared, 30'000u);
  EXPECT_LT(skipped, compared / 20);
}

TEST(PersLay, SameBytesForAnyNumberOfThreads) {
  for (const Channel& c :
       {channel("gaussian:20x20", "grid:10x10"),
        channel("line:25", "grid:10x10", "topk:5", {{25, Pool::max}}), channel("gaussian:300", "gmix:2"),
        channel("triangle:300", "one", "topk:4", {{70, Pool::sum}})}) {
    SCOPED_TRACE(c.name());
    base::RandomStream random(4, 0);
    std::vector<Bars> diagrams;
    for (std::size_t i = 0; i < 60; ++i) diagrams.push_back(random_bars(random, 200 + 40 * (i % 7)));
    const auto parameters = random_parameters(random, c);
    std::vector<float> upstream(diagrams.size() * c.size());
    for (float& g : upstream) g = static_cast<float>(random.uniform(-1, 1));
    LayerRun<float> one(c, diagrams, parameters, 1), three(c, diagrams, parameters, 3);
    EXPECT_EQ(one.forward(), three.forward());
    EXPECT_EQ(one.backward(upstream), three.backward(upstream));
  }
}

/// Working memory is reused; nothing of what an earlier diagram left there may be read.
TEST(PersLay, LeftoversInMemoryDoNotMatter) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::uint64_t item = 0;
  for (const Channel& c : all_channels()) {
    SCOPED_TRACE(c.name());
    base::RandomStream random(10, item++);
    const std::vector<Bars> large{random_bars(random, 200)},
        small{random_bars(random, 3), random_bars(random, 70)};
    const auto parameters = random_parameters(random, c);
    Matrix poison = parameters;
    for (auto& array : poison) std::ranges::fill(array, nan);
    LayerRun<double> run(c, small, parameters);
    const std::vector<double> upstream(small.size() * c.size(), 1.0);
    const auto before = run.backward(upstream);
    LayerRun<double>(c, large, poison).backward(std::vector<double>(c.size(), nan));
    const auto after = run.backward(upstream);
    for (const auto& array : after)
      for (const double g : array) ASSERT_TRUE(std::isfinite(g));
    ASSERT_EQ(before, after);
  }
}

TEST(PersLay, OrderOfThePointsThatGoIntoABatchChangesNoBit) {
  for (const Channel& c :
       {channel("gaussian:9x9", "grid:5x5"), channel("line:9", "power:1", "topk:3", {{7, Pool::max}}),
        channel("entropy:9", "one", "mean")}) {
    SCOPED_TRACE(c.name());
    base::RandomStream random(5, 0);
    diagram::Diagram diagram, shuffled;
    for (const Bar& bar : random_bars(random, 100)) diagram.points.push_back({bar.birth, bar.death});
    diagram.points[7] = diagram.points[3];
    shuffled = diagram;
    for (std::size_t i = shuffled.points.size(); i > 1; --i)
      std::swap(shuffled.points[i - 1], shuffled.points[random.below(i)]);
    ASSERT_NE(diagram.points, shuffled.points);
    const auto run = [&](const diagram::Diagram& one) {
      const diagram::DiagramBatch batch(std::span(&one, 1));
      Bars bars;
      for (const auto& point : batch.points()) bars.push_back({point.birth, point.death});
      base::RandomStream fixed(6, 0);
      LayerRun<float> layer(c, {bars}, random_parameters(fixed, c));
      return std::pair(layer.forward(), layer.backward(std::vector<float>(c.size(), 1.0F)));
    };
    EXPECT_EQ(run(diagram), run(shuffled));
  }
}

TEST(PersLay, OneDiagramOfAHundredThousandPoints) {
  for (const Channel& c :
       {channel("gaussian:8x8", "grid:10x10"), channel("line:5", "grid:3x3", "topk:5", {{4, Pool::max}}),
        channel("triangle:10", "power:1", "mean"), channel("gaussian:5", "one", "sum", {{3, Pool::mean}})}) {
    SCOPED_TRACE(c.name());
    base::RandomStream random(7, 0);
    const std::vector<Bars> diagrams{random_bars(random, 100'000)};
    const auto parameters = random_parameters(random, c);
    const auto expected = brute_perslay(c, diagrams[0], parameters);
    const auto exact = LayerRun<double>(c, diagrams, parameters).forward();
    const auto single = LayerRun<float>(c, diagrams, parameters).forward();
    for (std::size_t j = 0; j < expected.size(); ++j) {
      EXPECT_NEAR(exact[j], expected[j], 1e-11 * std::max(1.0, std::abs(expected[j])));
      EXPECT_NEAR(single[j], expected[j], 1e-4 * std::max(1.0, std::abs(expected[j])));
    }
    // The result is linear in the weight's constant or cells, all positive here: by Euler, their derivatives
    // times themselves add up to it.
    const auto gradients =
        LayerRun<double>(c, diagrams, parameters).backward(std::vector<double>(c.size(), 1.0));
    if (!c.weight.parameters().empty()) {
      double sum = 0, euler = 0;
      for (const double value : expected) sum += value;
      const std::size_t last = parameters.size() - 1;
      for (std::size_t i = 0; i < parameters[last].size(); ++i)
        euler += parameters[last][i] * gradients[last][i];
      EXPECT_NEAR(euler, sum, 1e-10 * std::abs(sum));
    }
    for (const auto& array : gradients)
      for (const double g : array) ASSERT_TRUE(std::isfinite(g));
  }
}

TEST(PersLay, PointsOnCellBordersBelongToTheUpperCellAndOutsideOnesToTheBorder) {
  layer::Weight weight = parse_weight("grid:4x4:low=0:high=1");
  const Channel c{parse_point_transform("line:1"), {}, weight, parse_operation("sum")};
  Matrix parameters{{0, 0}, {1}, std::vector<double>(16)};
  for (std::size_t i = 0; i < 16; ++i) parameters[2][i] = static_cast<double>(i);
  const auto cell = [&](double birth, double death) {
    return LayerRun<double>(c, {{{birth, death}}}, parameters).forward()[0];
  };
  EXPECT_EQ(cell(0, 0), 0);
  EXPECT_EQ(cell(0.25, 0.5), 4 * 1 + 2);
  EXPECT_EQ(cell(std::nextafter(0.25, 0), 0.5), 2);
  EXPECT_EQ(cell(1, 1), 15);
  EXPECT_EQ(cell(-7, 1e300), 3);
}

TEST(PersLay, TiesGoToTheFirstPoint) {
  const Channel c = channel("line:1", "one", "topk:2");
  LayerRun<double> run(c, {{{1, 5}, {2, 5}, {3, 5}, {0, 4}}}, {{0, 1}, {0}});
  EXPECT_EQ(run.forward(), (std::vector<double>{5, 5}));
  EXPECT_EQ(run.backward({1, 10}).back(), (std::vector<double>{0, 1, 0, 10, 0, 0, 0, 0}));
}

TEST(PersLay, SelectionsOfOtherDiagramsAreRefused) {
  const Channel c = channel("line:1", "one", "max");
  const std::vector<double> points{0, 1, 2, 5, 1, 3}, direction{0, 1}, bias{0}, upstream{1, 1};
  const std::vector<std::int64_t> offsets{0, 2, 3};
  const std::vector<std::span<const double>> parameters{direction, bias};
  const auto backward = [&](const std::vector<std::int32_t>& selection) {
    std::vector<double> gradient(6);
    const std::vector<std::span<double>> none(2);
    layer::backward<double>({}, c, {points, offsets}, parameters, selection, upstream, none,
                            {.points = gradient});
    return gradient;
  };
  EXPECT_EQ(backward({1, 0}), (std::vector<double>{0, 0, 0, 1, 0, 1}));
  EXPECT_EQ(backward({-1, 0}), (std::vector<double>{0, 0, 0, 0, 0, 1}));
  for (const std::int32_t wrong : {-2, 1, 100'000'000}) EXPECT_THROW(backward({1, wrong}), base::Error);
}

TEST(PersLay, LongListsKeepTiesInOrder) {
  const Channel c = channel("line:1", "one", "topk:150");
  Bars bars;
  for (int i = 0; i < 200; ++i) bars.push_back({static_cast<double>(i), static_cast<double>(i % 4)});
  std::vector<double> upstream(150), expected(400, 0.0);
  for (std::size_t r = 0; r < 150; ++r) upstream[r] = static_cast<double>(r + 1);
  std::size_t rank = 0;
  for (std::size_t death = 4; death-- > 0;)
    for (std::size_t i = death; i < 200 && rank < 150; i += 4) expected[2 * i + 1] = upstream[rank++];
  LayerRun<double> run(c, {bars}, {{0, 1}, {0}});
  EXPECT_EQ(run.backward(upstream).back(), expected);
}

TEST(PersLay, MissingPlacesAreZeroEvenAmongNegativeValues) {
  const Channel c = channel("line:1", "one", "topk:3");
  LayerRun<double> run(c, {{{-1, -2}}, {}}, {{1, 1}, {0}});
  EXPECT_EQ(run.forward(), (std::vector<double>{-3, 0, 0, 0, 0, 0}));
  const Channel least = channel("line:1", "one", "min");
  EXPECT_EQ(LayerRun<double>(least, {{{1, 2}}, {}}, {{1, 1}, {0}}).forward(), (std::vector<double>{3, 0}));
}

TEST(PersLay, HoferIsZeroOnTheDiagonalWithoutNaN) {
  const Channel c = channel("hofer:4:nu=0.1");
  base::RandomStream random(8, 0);
  const auto parameters = random_parameters(random, c);
  LayerRun<double> run(c, {{{0.5, 0.5}, {0.5, 0.4}, {0.5, 0.5 + 1e-16}, {0, 5e-324}}}, parameters);
  for (const double value : run.forward()) EXPECT_TRUE(value >= 0 && value < 4);
  LayerRun<double> diagonal(c, {{{0.5, 0.5}}}, parameters);
  EXPECT_EQ(diagonal.forward(), std::vector<double>(4, 0.0));
  for (const auto& array : run.backward({1, 1, 1, 1}))
    for (const double g : array) EXPECT_TRUE(std::isfinite(g));
}

TEST(PersLay, GivenFeaturesAndWeightsAreReducedTheSameWay) {
  base::RandomStream random(9, 0);
  const auto diagrams = diagrams_of_many_sizes(random);
  for (const char* op : operations)
    for (const bool stacked : {false, true}) {
      Channel known = channel("triangle:5", "power:1", op);
      if (stacked) known.equivariant = {{3, Pool::max}};
      SCOPED_TRACE(known.name());
      auto parameters = random_parameters(random, known);
      std::vector<double> features, given_weights;
      for (const Bars& bars : diagrams) {
        ArrayWalk phi_arrays(parameters);
        for (const auto& row : brute_phi(known.phi, bars, phi_arrays))
          features.insert(features.end(), row.begin(), row.end());
        const Matrix constant{parameters.back()};
        ArrayWalk weight_arrays(constant);
        const auto w = brute_weights(known.weight, bars, weight_arrays);
        given_weights.insert(given_weights.end(), w.begin(), w.end());
      }
      Channel given = known;
      given.phi = {.type = layer::PointTransform::Type::given, .count = 5};
      given.weight = {.type = layer::Weight::Type::given};
      Matrix rest(parameters.begin() + 1, parameters.end() - 1);
      LayerRun<double> run(given, diagrams, rest);
      run.batch().features = features;
      run.batch().weights = given_weights;
      const auto out = run.forward();
      const auto expected = LayerRun<double>(known, diagrams, parameters).forward();
      for (std::size_t i = 0; i < out.size(); ++i)
        EXPECT_NEAR(out[i], expected[i], 1e-12 * scale_of(expected[i]));
    }
}

/// Features that are given may be anything.
TEST(PersLay, ValuesThatAreNotNumbersAreNeverChosenAndNeverHidden) {
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               infinite = std::numeric_limits<double>::infinity();
  const auto run = [](const char* op, const std::vector<double>& values) {
    Channel c{{.type = layer::PointTransform::Type::given, .count = 1},
              {},
              parse_weight("one"),
              parse_operation(op)};
    LayerRun<double> layer(c, {Bars(values.size(), Bar{0, 1})}, {});
    layer.batch().features = values;
    return layer.forward();
  };
  const std::vector<double> mixed{0.5, 8, 3, 2, 1, 1, 1, 1, nan};
  EXPECT_EQ(run("max", mixed), (std::vector<double>{8}));
  EXPECT_EQ(run("topk:2", mixed), (std::vector<double>{8, 3}));
  EXPECT_EQ(run("topk:3", mixed), (std::vector<double>{8, 3, 2}));
  EXPECT_EQ(run("topk:6", mixed), (std::vector<double>{8, 3, 2, 1, 1, 1}));
  EXPECT_TRUE(std::isnan(run("max", {nan, nan})[0]));
  EXPECT_TRUE(std::isnan(run("max", {-infinite})[0]));  // an overflow is not a missing point
  EXPECT_TRUE(std::isnan(run("topk:3", {1, nan})[1]));
  EXPECT_EQ(run("topk:3", {1, nan})[2], 0);
  EXPECT_TRUE(std::isnan(run("sum", mixed)[0]));
}

TEST(PersLay, ParametersThatAreNotNumbersShow) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const char* phi : {"gaussian:1", "gaussian:1x1", "exponential:1", "line:1", "rational:1"}) {
    SCOPED_TRACE(phi);
    const Channel c = channel(phi);
    Matrix parameters;
    for (const auto& shape : c.parameters()) parameters.emplace_back(shape.size(), nan);
    EXPECT_TRUE(std::isnan(LayerRun<double>(c, {{{0.2, 0.7}}}, parameters).forward()[0]));
    EXPECT_TRUE(std::isnan(LayerRun<float>(c, {{{0.2, 0.7}}}, parameters).forward()[0]));
  }
}

TEST(PersLay, MoreRanksThanPointsCostNothing) {
  const Channel c = channel("triangle:1000", "one", "kth:1000000");
  base::RandomStream random(13, 0);
  EXPECT_EQ(LayerRun<double>(c, {random_bars(random, 3)}, random_parameters(random, c)).forward(),
            std::vector<double>(1000, 0.0));
}

TEST(PersLay, InfinitePointsGetASentence) {
  const Channel c = channel("line:1");
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(sentence_of([&] {
              LayerRun<double>(c, {{{0, 1}}, {{0, 1}, {0.5, infinite}}}, {{1, 1}, {0}}).forward();
            }),
            "PersLay: point 1 of diagram 1 is (0.5, inf); drop or clip points that are not finite.");
}

TEST(PersLay, GridsWithoutCellsGetASentence) {
  for (auto [low, high] :
       {std::pair(0.0, 1e-310), std::pair(-1.7e308, 1.7e308), std::pair(1.0, 1.0), std::pair(1.0, 0.0)}) {
    Channel c = channel("line:1", "grid:3x3");
    c.weight.low = low;
    c.weight.high = high;
    EXPECT_EQ(sentence_of([&] {
                LayerRun<double>(c, {{{0, 1}}}, {{1, 1}, {0}, std::vector<double>(9, 1.0)}).forward();
              }).substr(0, 29),
              "PersLay: a grid of 3 x 3 cell");
  }
  Channel close =
      channel("line:1", "grid:3x3:low=0.1:high=0.1000000001");  // the same number in single precision
  EXPECT_NE(sentence_of([&] {
              LayerRun<float>(close, {{{0.1, 0.2}}}, {{1, 1}, {0}, std::vector<double>(9, 1.0)}).forward();
            }),
            "no error");
  Channel none = channel("line:1", "one", "kth:1");
  none.op.k = 0;
  EXPECT_NE(sentence_of([&] { LayerRun<double>(none, {{{0, 1}}}, {{1, 1}, {0}}).forward(); }), "no error");
}

TEST(PersLay, WrongSizesGetASentence) {
  const Channel c = channel("line:2");
  EXPECT_EQ(sentence_of([&] {
              LayerRun<double>(c, {{{0, 1}}}, {{1, 0}, {0}}).forward();
            }),
            "PersLay: phi.directions has 2 numbers, not 4.");
  EXPECT_EQ(sentence_of([&] {
              LayerRun<double>(c, {{{0, 1}}}, {{1, 0, 1, 0}}).forward();
            }).substr(0, 9),
            "PersLay: ");
  Channel mixed = channel("mixture:triangle+line:4");
  mixed.phi.parts[0].count = 3;
  EXPECT_EQ(sentence_of([&] {
              LayerRun<double>(mixed, {{{0, 1}}}, {{0, 0}, {1, 2, 3}, std::vector<double>(8), {1, 2, 3, 4}})
                  .forward();
            }),
            "PersLay: the parts of a mixture must have the same size, but triangle:3 has 3 features and "
            "line:4 has 4.");
}

}  // namespace
}  // namespace perslay::test
