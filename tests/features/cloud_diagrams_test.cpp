#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <perslay/base/error.h>
#include <perslay/data/orbits.h>
#include <perslay/diagram/transforms.h>
#include <perslay/features/cloud_diagrams.h>

namespace perslay::features {
namespace {

using data::PlanePoint;
using diagram::Kind;
using diagram::Point;

data::PointCloudDataset clouds_of(const std::vector<std::vector<PlanePoint>>& clouds) {
  data::PointCloudDataset dataset;
  for (const auto& cloud : clouds) {
    dataset.points.insert(dataset.points.end(), cloud.begin(), cloud.end());
    dataset.offsets.push_back(static_cast<std::int64_t>(dataset.points.size()));
  }
  return dataset;
}

bool same(const diagram::DiagramSet& a, const diagram::DiagramSet& b) {
  return a.labels == b.labels && a.classes == b.classes &&
         std::ranges::equal(a.groups, b.groups, [](const auto& x, const auto& y) {
           return x.filtration == y.filtration && x.kind == y.kind &&
                  std::ranges::equal(x.diagrams.points(), y.diagrams.points()) &&
                  std::ranges::equal(x.diagrams.offsets(), y.diagrams.offsets());
         });
}

TEST(CloudDiagrams, OfCloudsThatCanBeDrawn) {
  // The corners of a square of side 2, one of them twice; a single point; two points at distance 6.
  const auto clouds = clouds_of({{{0, 0}, {2, 0}, {2, 2}, {0, 2}, {2, 0}}, {{5, 5}}, {{0, 0}, {0, 6}}});
  std::int64_t duplicates = -1;
  const auto set = cloud_diagrams(clouds, {}, {}, &duplicates);
  EXPECT_EQ(duplicates, 1);
  ASSERT_EQ(set.groups.size(), 2U);
  EXPECT_EQ(set.groups[0].filtration, "alpha");
  EXPECT_EQ(set.groups[0].kind, Kind::h0);
  EXPECT_EQ(set.groups[1].kind, Kind::h1);
  const auto& h0 = set.groups[0].diagrams;
  const auto& h1 = set.groups[1].diagrams;
  EXPECT_TRUE(std::ranges::equal(h0[0], std::vector<Point>{{0, 1}, {0, 1}, {0, 1}}));
  EXPECT_TRUE(std::ranges::equal(h1[0], std::vector<Point>{{1, 2}}));
  EXPECT_TRUE(h0[1].empty());
  EXPECT_TRUE(h1[1].empty());
  EXPECT_TRUE(std::ranges::equal(h0[2], std::vector<Point>{{0, 9}}));
  EXPECT_TRUE(h1[2].empty());
}

TEST(CloudDiagrams, RadiiAndChosenKinds) {
  const auto clouds = clouds_of({{{0, 0}, {2, 0}, {2, 2}, {0, 2}}});
  const auto set = cloud_diagrams(
      clouds, {.filtration = parse_cloud_filtration("alpha:radii"), .kinds = {Kind::h1}, .prominent = {}});
  ASSERT_EQ(set.groups.size(), 1U);
  EXPECT_EQ(set.groups[0].filtration, "alpha:radii");
  EXPECT_EQ(set.groups[0].kind, Kind::h1);
  EXPECT_EQ(set.groups[0].diagrams[0][0].birth, 1);
  EXPECT_DOUBLE_EQ(set.groups[0].diagrams[0][0].death, std::sqrt(2.0));
}

TEST(CloudDiagrams, TheNumberOfThreadsLeavesNoTrace) {
  const data::OrbitSet orbits{.per_class = 10, .points = 120};
  const auto clouds = data::make_orbits(orbits, 0, orbits.size());
  base::Context one;
  one.threads = 1;
  base::Context three;
  three.threads = 3;
  const auto set = cloud_diagrams(clouds, {}, one);
  EXPECT_TRUE(same(set, cloud_diagrams(clouds, {}, three)));
  EXPECT_EQ(set.labels, clouds.labels);
  EXPECT_EQ(set.classes, clouds.classes);
  // Distinct points are all joined in the end.
  for (std::size_t i = 0; i < clouds.size(); ++i) EXPECT_EQ(set.groups[0].diagrams[i].size(), 119U);
}

TEST(CloudDiagrams, ProminentPointsAreThoseOfTheWhole) {
  const data::OrbitSet orbits{.per_class = 3, .points = 200};
  const auto clouds = data::make_orbits(orbits, 0, orbits.size());
  auto expected = cloud_diagrams(clouds);
  for (auto& group : expected.groups) group.diagrams = diagram::prominent(group.diagrams, 40);
  CloudDiagramOptions options;
  options.prominent = 40;
  EXPECT_TRUE(same(cloud_diagrams(clouds, options), expected));
}

TEST(CloudDiagrams, WrongRequestsAndCloudsAreRefused) {
  const auto sentence_of = [](const auto& body) -> std::string {
    try {
      body();
    } catch (const base::Error& error) {
      EXPECT_EQ(error.fault(), base::Fault::user);
      return error.what();
    }
    return "";
  };
  const auto bad = clouds_of({{{0, 0}}, {{0, 0}, {1, std::numeric_limits<double>::infinity()}}});
  const auto sentence = sentence_of([&] { (void)cloud_diagrams(bad); });
  EXPECT_TRUE(sentence.starts_with("Cloud 1: Row 1 ")) << sentence;
  EXPECT_THROW(
      (void)cloud_diagrams(clouds_of({}), {.filtration = {}, .kinds = {Kind::ext1}, .prominent = {}}),
      base::Error);
  EXPECT_EQ(cloud_diagrams(clouds_of({})).item_count(), 0U);
  EXPECT_NE(sentence_of([] { (void)parse_cloud_filtration("alpha:3"); }).find("not with ':3'"),
            std::string::npos);
  EXPECT_NE(sentence_of([] { (void)parse_cloud_filtration("hks:3"); }).find("the known ones are alpha"),
            std::string::npos);
}

}  // namespace
}  // namespace perslay::features
