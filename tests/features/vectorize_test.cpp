#include <algorithm>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include <perslay/base/error.h>
#include <perslay/base/random.h>
#include <perslay/features/vectorize.h>

namespace perslay::features {
namespace {

using diagram::DiagramBatch;
using diagram::DiagramSet;
using diagram::Kind;
using diagram::Point;

UntrainedChannel untrained(const char* phi, const char* weight = "one", const char* op = "sum") {
  return {{layer::parse_point_transform(phi), {}, layer::parse_weight(weight), layer::parse_operation(op)}};
}

layer::Vectorization named(const char* name) { return layer::parse_vectorization(name); }

std::string sentence_of(const DiagramSet& set, const Vectorizer& vectorizer) {
  try {
    (void)vectorize(set, vectorizer);
  } catch (const base::Error& error) {
    EXPECT_EQ(error.fault(), base::Fault::user);
    return error.what();
  }
  return "no error";
}

/// Three items; points of rel1 lie below the diagonal.
DiagramSet two_groups() {
  DiagramSet set;
  set.groups.push_back({"f", Kind::ord0, DiagramBatch({{0, 4}, {1, 3}, {2, 4}}, {0, 2, 2, 3}), {}});
  set.groups.push_back({"g:1", Kind::rel1, DiagramBatch({{12, 10}}, {0, 0, 1, 1}), {}});
  return set;
}

TEST(VectorizeSet, GroupsStandSideBySide) {
  const auto set = two_groups();
  const auto matrix = vectorize(set, named("betti:3"));
  EXPECT_EQ(matrix.rows, 3U);
  EXPECT_EQ(matrix.columns, 6U);
  EXPECT_EQ(column_names(set, named("betti:3"), matrix.frames),
            (std::vector<std::string>{"f/ord0/t0=0", "f/ord0/t1=2", "f/ord0/t2=4", "g:1/rel1/t0=10",
                                      "g:1/rel1/t1=11", "g:1/rel1/t2=12"}));
  EXPECT_EQ(matrix.values, (std::vector<double>{1, 2, 0, 0, 0, 0,  //
                                                0, 0, 0, 1, 1, 0,  //
                                                0, 1, 0, 0, 0, 0}));
  ASSERT_EQ(matrix.frames.size(), 2U);
  EXPECT_EQ(matrix.frames[0], (layer::Frame{{0, 4}, {0, 2}, {0, 4}}));
  EXPECT_EQ(matrix.frames[1], (layer::Frame{{10, 12}, {10, 10}, {0, 2}}));
}

TEST(VectorizeSet, ARangeHoldsForAllGroups) {
  const auto matrix = vectorize(two_groups(), named("betti:2"), layer::Range{3, 10});
  EXPECT_EQ(matrix.values, (std::vector<double>{1, 0, 0, 0,  //
                                                0, 0, 0, 1,  //
                                                1, 0, 0, 0}));
  for (const auto& frame : matrix.frames) EXPECT_EQ(frame, layer::Frame::over({3, 10}));
}

TEST(VectorizeSet, FramesOfOtherDiagramsCanBeUsed) {
  const auto set = two_groups();
  const auto fitted = vectorize(set, named("betti:3"));
  EXPECT_EQ(vectorize_within(set, named("betti:3"), fitted.frames).values, fitted.values);
  const std::vector<layer::Frame> frames(2, layer::Frame::over({0, 12}));
  const auto within = vectorize_within(set, named("betti:3"), frames);
  EXPECT_EQ(within.values, vectorize(set, named("betti:3"), layer::Range{0, 12}).values);
  EXPECT_NE(within.values, fitted.values);
  EXPECT_EQ(within.frames, frames);
  EXPECT_THROW((void)vectorize_within(set, named("betti:3"), std::span(frames).first(1)), base::Error);
}

TEST(VectorizeSet, UntrainedChannelsSeeTheUnitSquare) {
  const auto set = two_groups();
  const auto vectorizer = untrained("triangle:3", "one", "topk:2");
  const auto triangles = vectorize(set, vectorizer);
  EXPECT_EQ(triangles.columns, 12U);
  EXPECT_EQ(column_names(set, vectorizer, triangles.frames).front(), "f/ord0/t0=0/k1");
  EXPECT_EQ(triangles.values, (std::vector<double>{0, 0, 0.5, 0.25, 0, 0, 0, 0, 0,   0, 0, 0,  //
                                                   0, 0, 0,   0,    0, 0, 0, 0, 0.5, 0, 0, 0,  //
                                                   0, 0, 0,   0,    0, 0, 0, 0, 0,   0, 0, 0}));
  const auto ranged = vectorize(two_groups(), untrained("triangle:3"), layer::Range{0, 8});
  EXPECT_EQ(ranged.values[1], 0);
  EXPECT_EQ(ranged.values[2 * 6 + 1], 0);
}

TEST(VectorizeSet, TheSeedAndTheInitialisationDecide) {
  const auto set = two_groups();
  const auto numbers = [&](std::uint64_t seed, layer::Initialisation initialisation) {
    auto channel = untrained("gaussian:20");
    channel.initialisation = initialisation;
    base::Context context;
    context.seed = seed;
    return vectorize(set, channel, {}, context).values;
  };
  const auto first = numbers(1, layer::Initialisation::ours);
  EXPECT_EQ(first, numbers(1, layer::Initialisation::ours));
  EXPECT_NE(first, numbers(2, layer::Initialisation::ours));
  EXPECT_NE(first, numbers(1, layer::Initialisation::authors));
}

TEST(VectorizeSet, TheOrderOfPointsAndThreadsChangeNoBit) {
  base::RandomStream random(5);
  std::vector<Point> points;
  std::vector<std::int64_t> offsets{0};
  for (std::size_t item = 0; item < 40; ++item) {
    for (std::uint64_t i = random.below(80); i > 0; --i)
      points.push_back({random.uniform(), random.uniform()});
    offsets.push_back(static_cast<std::int64_t>(points.size()));
  }
  auto reversed = points;
  for (std::size_t item = 0; item < 40; ++item)
    std::reverse(reversed.begin() + offsets[item], reversed.begin() + offsets[item + 1]);
  DiagramSet set;
  set.groups.push_back({"f", Kind::ext1, DiagramBatch(points, offsets), {}});
  DiagramSet other;
  other.groups.push_back({"f", Kind::ext1, DiagramBatch(reversed, offsets), {}});
  const std::vector<Vectorizer> vectorizers{named("landscape:3x20"), named("image:9x9"),
                                            named("hofer:13"),       named("entropy:11"),
                                            named("silhouette:20"),  untrained("rational:7", "gmix:2")};
  for (const auto& vectorizer : vectorizers) {
    base::Context two;
    two.threads = 2;
    base::Context one;
    one.threads = 1;
    EXPECT_EQ(vectorize(set, vectorizer, {}, one).values, vectorize(other, vectorizer, {}, two).values);
  }
}

TEST(VectorizeSet, EmptySetsAreLegal) {
  EXPECT_EQ(vectorize({}, named("betti:3")).rows, 0U);
  DiagramSet set;
  set.groups.push_back({"f", Kind::ord0, DiagramBatch({}, {0, 0, 0}), {}});
  const auto matrix = vectorize(set, named("image:2x2"));
  EXPECT_EQ(matrix.rows, 2U);
  EXPECT_EQ(matrix.values, std::vector<double>(8, 0));
}

TEST(VectorizeSet, MistakesAreSentences) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  auto set = two_groups();
  set.groups.push_back({"h", Kind::sub0, DiagramBatch({{0, 1}, {0.5, infinity}}, {0, 1, 1, 2}), {}});
  EXPECT_EQ(sentence_of(set, named("betti:3")),
            "h sub0: Item 2 has the point (0.5, inf), and vectorizations need finite coordinates; leave such "
            "points out of "
            "the diagrams or clip them.");
  EXPECT_EQ(sentence_of(two_groups(), untrained("line:1000000", "one", "topk:6")),
            "2 groups of diagrams with 6000000 numbers each are more than 10000000 columns.");
  DiagramSet huge;
  huge.groups.push_back({"f", Kind::ord0, DiagramBatch({{-1e308, 1e308}}, {0, 0, 1}), {}});
  EXPECT_EQ(sentence_of(huge, named("silhouette:3:power=2")),
            "f ord0: The numbers of item 1 are too large to be represented.");
}

}  // namespace
}  // namespace perslay::features
