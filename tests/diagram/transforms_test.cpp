#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include <perslay/base/error.h>
#include <perslay/base/random.h>
#include <perslay/diagram/transforms.h>

namespace perslay::diagram {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Few distinct values, so that ties of every sort occur; some diagrams are empty.
std::vector<Diagram> random_diagrams(std::uint64_t seed, bool with_vertices, bool with_infinity) {
  base::RandomStream random(seed);
  std::vector<Diagram> diagrams(random.below(6));
  for (auto& diagram : diagrams) {
    for (std::uint64_t left = random.below(30); left > 0; --left) {
      const auto coordinate = [&] {
        const auto value = random.below(7);
        return with_infinity && value == 6 ? infinity : static_cast<double>(value) / 4;
      };
      diagram.points.push_back({coordinate(), coordinate()});
      if (with_vertices)
        diagram.vertices.push_back({static_cast<int>(random.below(4)), static_cast<int>(random.below(4))});
    }
  }
  return diagrams;
}

Diagram shuffled(const Diagram& diagram, base::RandomStream& random) {
  std::vector<std::size_t> order(diagram.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  Diagram result;
  for (const std::size_t i : order) {
    result.points.push_back(diagram.points[i]);
    if (!diagram.vertices.empty()) result.vertices.push_back(diagram.vertices[i]);
  }
  return result;
}

void expect_equal(const DiagramBatch& a, const DiagramBatch& b) {
  EXPECT_TRUE(std::ranges::equal(a.points(), b.points()));
  EXPECT_TRUE(std::ranges::equal(a.offsets(), b.offsets()));
  EXPECT_TRUE(std::ranges::equal(a.vertices(), b.vertices()));
}

/// Every transform there is, with sensible arguments; scale is fitted to what it gets.
const std::vector<std::string> all_names{"prom:5", "scale",   "birth-persistence",
                                         "sqrt",   "reorder", "clip:0.25:1"};

DiagramBatch apply_named(const std::string& name, const DiagramBatch& batch) {
  std::vector<Transform> transforms{parse_transform(name)};
  return fit_and_apply(transforms, batch);
}

TEST(Transforms, DoNotDependOnTheOrderOfPoints) {
  base::RandomStream random(77);
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto diagrams = random_diagrams(seed, seed % 2 == 0, seed % 3 == 0);
    std::vector<Diagram> others;
    for (const auto& diagram : diagrams) others.push_back(shuffled(diagram, random));
    for (const auto& name : all_names) {
      SCOPED_TRACE(name);
      expect_equal(apply_named(name, DiagramBatch(diagrams)), apply_named(name, DiagramBatch(others)));
    }
  }
}

TEST(Transforms, EmptyBatchesAndDiagramsStayEmpty) {
  const DiagramBatch two_empty({}, {0, 0, 0});
  for (const auto& name : all_names) {
    EXPECT_EQ(apply_named(name, DiagramBatch()).size(), 0U) << name;
    EXPECT_EQ(apply_named(name, two_empty).size(), 2U) << name;
    EXPECT_TRUE(apply_named(name, two_empty).points().empty()) << name;
  }
}

TEST(Prominent, IsWhatSortingWouldGive) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const DiagramBatch batch(random_diagrams(seed, seed % 2 == 0, seed % 5 == 0));
    for (const std::size_t count : {0U, 1U, 3U, 10U, 100U}) {
      const auto kept = prominent(batch, count);
      ASSERT_EQ(kept.size(), batch.size());
      for (std::size_t i = 0; i < batch.size(); ++i) {
        using Key = std::tuple<double, Point, VertexPair>;
        std::vector<Key> expected;
        for (std::size_t p = 0; p < batch[i].size(); ++p) {
          const auto [birth, death] = batch[i][p];
          const double distance = birth == death ? 0 : std::abs(death - birth);
          expected.emplace_back(-distance, batch[i][p],
                                batch.vertices().empty() ? VertexPair{} : batch.vertices(i)[p]);
        }
        std::ranges::sort(expected);
        expected.resize(std::min(count, expected.size()));
        std::ranges::sort(expected, {},
                          [](const Key& key) { return std::pair(std::get<1>(key), std::get<2>(key)); });
        ASSERT_EQ(kept[i].size(), expected.size());
        for (std::size_t p = 0; p < expected.size(); ++p) {
          EXPECT_EQ(kept[i][p], std::get<1>(expected[p]));
          if (!batch.vertices().empty()) {
            EXPECT_EQ(kept.vertices(i)[p], std::get<2>(expected[p]));
          }
        }
      }
    }
  }
}

TEST(Prominent, IsIdempotentAndNested) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const DiagramBatch batch(random_diagrams(seed, true, true));
    expect_equal(prominent(prominent(batch, 4), 4), prominent(batch, 4));
    expect_equal(prominent(prominent(batch, 9), 4), prominent(batch, 4));
    expect_equal(prominent(batch, 1000), batch);
  }
}

TEST(Prominent, KeepsInfinitePointsFirst) {
  const DiagramBatch batch({{0, 100}, {1, infinity}, {-infinity, 2}, {infinity, infinity}}, {0, 4});
  const auto kept = prominent(batch, 2);
  EXPECT_EQ(kept[0][0], (Point{-infinity, 2}));
  EXPECT_EQ(kept[0][1], (Point{1, infinity}));
  EXPECT_EQ(prominent(batch, 3)[0][1], (Point{0, 100}));
}

TEST(UnitScale, MapsTheFittedSetIntoTheUnitSquareAndTouchesItsEdges) {
  base::RandomStream random(2);
  for (int repetition = 0; repetition < 200; ++repetition) {
    const double magnitude = std::pow(10.0, random.uniform(-200, 200));
    std::vector<Point> points;
    for (int i = 0; i < 20; ++i)
      points.push_back({magnitude * random.uniform(-1, 1), magnitude * random.uniform(-1, 1)});
    const DiagramBatch batch(points, {0, 7, 20});
    const auto scaled = UnitScale::fit(batch)(batch);
    double low = infinity;
    double high = -infinity;
    for (const auto& [birth, death] : scaled.points()) {
      low = std::min({low, birth, death});
      high = std::max({high, birth, death});
    }
    EXPECT_EQ(low, 0);
    EXPECT_EQ(high, 1);
  }
}

TEST(UnitScale, AppliesFittedNumbersToOtherSets) {
  const auto scale = UnitScale::fit(DiagramBatch({{1, 3}, {2, infinity}}, {0, 2}));
  EXPECT_EQ(scale.min, 1);
  EXPECT_EQ(scale.max, 3);
  const auto other =
      scale(DiagramBatch({{0, 4}, {2, 2.5}, {-infinity, infinity}}, {0, 3}, {{1, 2}, {3, 4}, {5, 6}}));
  EXPECT_TRUE(std::ranges::equal(other.points(),
                                 std::vector<Point>{{-infinity, infinity}, {-0.5, 1.5}, {0.5, 0.75}}));
  EXPECT_EQ(other.vertices()[0], (VertexPair{5, 6}));
  EXPECT_EQ(other.vertices()[2], (VertexPair{3, 4}));
}

TEST(PlaneScale, ScalesBirthsAndDeathsEachByItsOwn) {
  const PlaneScale scale{{1, 3}, {2, 10}};
  const auto scaled = scale(DiagramBatch({{1, 10}, {2, 4}, {3, 2}}, {0, 1, 3}));
  EXPECT_EQ(scaled[0][0], (Point{0, 1}));
  EXPECT_EQ(scaled[1][0], (Point{0.5, 0.25}));
  EXPECT_EQ(scaled[1][1], (Point{1, 0}));
  const DiagramBatch batch({{1, 3}, {2, 2.5}}, {0, 2});
  const auto together = PlaneScale{{1, 3}, {1, 3}}(batch), as_one = UnitScale{1, 3}(batch);
  EXPECT_TRUE(std::ranges::equal(together.points(), as_one.points()));
}

TEST(UnitScale, DegenerateRanges) {
  const DiagramBatch constant({{7, 7}, {7, 7}}, {0, 2});
  EXPECT_EQ(UnitScale::fit(constant)(constant)[0][0], (Point{0, 0}));
  const DiagramBatch only_infinite({{-infinity, infinity}}, {0, 1});
  EXPECT_EQ(UnitScale::fit(only_infinite)(only_infinite)[0][0], (Point{-infinity, infinity}));
  // A difference that no double can hold.
  const DiagramBatch huge({{-1.5e308, 1.5e308}, {0, 0}}, {0, 2});
  EXPECT_EQ(UnitScale::fit(huge)(huge)[0][0], (Point{0, 1}));
  EXPECT_EQ(UnitScale::fit(huge)(huge)[0][1], (Point{0.5, 0.5}));
}

TEST(BirthPersistence, SubtractsTheBirth) {
  const auto result =
      birth_persistence(DiagramBatch({{1, 4}, {3, 1}, {2, infinity}, {infinity, infinity}}, {0, 4}));
  EXPECT_TRUE(
      std::ranges::equal(result.points(), std::vector<Point>{{1, 3}, {2, infinity}, {3, -2}, {infinity, 0}}));
}

TEST(SquareRoot, OfEveryCoordinate) {
  const auto result = square_root(DiagramBatch({{4, 9}, {0, infinity}}, {0, 2}));
  EXPECT_TRUE(std::ranges::equal(result.points(), std::vector<Point>{{0, infinity}, {2, 3}}));
  EXPECT_THROW((void)square_root(DiagramBatch({{-1e-300, 1}}, {0, 1})), base::Error);
}

TEST(Reorder, SwapsCoordinatesTogetherWithTheirVertices) {
  const auto result = reorder(DiagramBatch({{5, 1}, {2, 3}, {4, 4}}, {0, 3}, {{50, 10}, {20, 30}, {41, 40}}));
  EXPECT_TRUE(std::ranges::equal(result.points(), std::vector<Point>{{1, 5}, {2, 3}, {4, 4}}));
  EXPECT_TRUE(std::ranges::equal(result.vertices(), std::vector<VertexPair>{{10, 50}, {20, 30}, {41, 40}}));
  expect_equal(reorder(result), result);
}

TEST(Clip, BringsEveryCoordinateIntoTheRange) {
  const auto result = clip(DiagramBatch({{-1, 0.5}, {2, infinity}, {-infinity, 0.25}}, {0, 3}), 0, 1);
  EXPECT_TRUE(std::ranges::equal(result.points(), std::vector<Point>{{0, 0.25}, {0, 0.5}, {1, 1}}));
  EXPECT_THROW((void)clip(DiagramBatch(), 1, 0), base::Error);
  EXPECT_THROW((void)clip(DiagramBatch(), std::nan(""), 0), base::Error);
}

// ---- names

std::string error_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.fault(), base::Fault::user);
    return error.what();
  }
  ADD_FAILURE() << "There was no error.";
  return "";
}

TEST(TransformNames, MeanWhatTheySay) {
  const DiagramBatch batch(random_diagrams(8, true, false));
  expect_equal(apply(parse_transform("prom:3"), batch), prominent(batch, 3));
  expect_equal(apply(parse_transform("birth-persistence"), batch), birth_persistence(batch));
  expect_equal(apply(parse_transform("sqrt"), batch), square_root(batch));
  expect_equal(apply(parse_transform("reorder"), batch), reorder(batch));
  expect_equal(apply(parse_transform("clip:-1:0.5"), batch), clip(batch, -1, 0.5));
  for (const auto& name : all_names) EXPECT_EQ(parse_transform(name).name, name);
  EXPECT_EQ(transforms().help().size(), 6U);
}

TEST(TransformNames, ScaleMustBeFittedAndIsFittedToWhatReachesIt) {
  const DiagramBatch batch({{4, 16}, {1, 9}}, {0, 2});
  EXPECT_NE(error_of([&] { (void)apply(parse_transform("scale"), batch); }).find("must be fitted"),
            std::string::npos);
  std::vector<Transform> chain{parse_transform("sqrt"), parse_transform("scale")};
  EXPECT_TRUE(chain[1].needs_fit());
  const auto result = fit_and_apply(chain, batch);
  ASSERT_TRUE(chain[1].fitted);
  EXPECT_EQ(chain[1].fitted->min, 1);
  EXPECT_EQ(chain[1].fitted->max, 4);
  EXPECT_EQ(result[0][1], (Point{1.0 / 3, 1}));
  // Once fitted it stays as it is.
  EXPECT_EQ(fit_and_apply(chain, DiagramBatch({{49, 49}}, {0, 1}))[0][0], (Point{2, 2}));
}

TEST(TransformNames, NonsenseIsRefusedInASentence) {
  for (const auto& [name, part] : std::vector<std::pair<std::string, std::string>>{
           {"prom", "prom needs a number of points, such as prom:500, not ''."},
           {"prom:-1", "not '-1'"},
           {"prom:0", "not '0'"},
           {"prom:2.5", "not '2.5'"},
           {"prom:99999999999999999999", "not '99999999999999999999'"},
           {"clip:1", "clip needs two numbers"},
           {"clip:1:0", "not '1:0'"},
           {"clip:0:inf", "not 'inf'"},
           {"sqrt:2", "sqrt stands alone, without ':2'."},
           {"scale:", "scale stands alone"},
           {"square", "There is no transform called 'square'; the known ones are prom:K, scale"}})
    EXPECT_NE(error_of([&name = name] { (void)parse_transform(name); }).find(part), std::string::npos)
        << name;
}

}  // namespace
}  // namespace perslay::diagram
