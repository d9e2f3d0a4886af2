#include "estimate.h"

#include "kernel/brute_force.h"

#include <string>

#include <gtest/gtest.h>

#include <perslay/kernel/gram.h>

namespace perslay::test {
namespace {

using diagram::DiagramBatch;
using diagram::DiagramGroup;
using diagram::Kind;
using kernel::Estimate;
using kernel::extrapolate;
using kernel::Kernel;
using kernel::parse_kernel;
using kernel::Timing;

TEST(Extrapolation, IsLinearInPointsAndWork) {
  const auto timing = [](double points, double work) {
    return Timing{points, work, 3e-6 * points + 2e-9 * work};
  };
  const auto small = timing(1000, 1e6), large = timing(2000, 4e6);
  for (const auto& all : {timing(2e5, 4e10), timing(5000, 2e7), large})
    EXPECT_NEAR(extrapolate(small, large, all), all.seconds, 1e-12 * all.seconds);
  // The clock's unit does not matter.
  const auto slow = [](const Timing& fast) { return Timing{fast.points, fast.work, 60 * fast.seconds}; };
  EXPECT_NEAR(extrapolate(slow(small), slow(large), timing(2e5, 4e10)), 60 * timing(2e5, 4e10).seconds, 1e-6);
}

TEST(Extrapolation, StaysBetweenPointsAndWork) {
  const Timing all{10000, 1e8, 0};
  for (const double small_seconds : {0.0, 0.01, 0.1, 0.5, 1.0, 5.0}) {
    const double seconds = extrapolate({1000, 1e6, small_seconds}, {2000, 4e6, 1}, all);
    EXPECT_GE(seconds, 5) << small_seconds;
    EXPECT_LE(seconds, 25 * (1 + 1e-12)) << small_seconds;
  }
  EXPECT_NEAR(extrapolate({1000, 1e6, 0}, {2000, 4e6, 1}, all), 25, 1e-12);
  EXPECT_NEAR(extrapolate({1000, 1e6, 5}, {2000, 4e6, 1}, all), 5, 1e-12);
}

TEST(Extrapolation, SamplesThatTellNothingApart) {
  EXPECT_EQ(extrapolate({100, 50, 1}, {200, 100, 2}, {400, 300, 0}), 6);
  EXPECT_EQ(extrapolate({0, 20, 1}, {0, 40, 2}, {0, 80, 0}), 4);
  EXPECT_EQ(extrapolate({0, 0, 1}, {0, 0, 1}, {0, 0, 0}), 0);
}

// ---- the memory by hand

Estimate estimate_of(const std::string& name, const DiagramBatch& batch, int threads = 1) {
  base::Context context;
  context.threads = threads;
  const std::vector<Kernel> kernels{parse_kernel(name)};
  const std::vector<DiagramGroup> groups{{"f", Kind::h1, batch, {}}};
  return estimate(kernels, groups, context);
}

/// `count` diagrams of `points` points each.
DiagramBatch equal_diagrams(std::size_t count, std::size_t points) {
  std::vector<Points> diagrams;
  for (std::size_t i = 0; i < count; ++i) {
    base::RandomStream random(40, i);
    diagrams.push_back(random_points(points, random));
  }
  return batch_of(diagrams);
}

TEST(Estimate, BytesByHand) {
  constexpr std::size_t count = 50, points = 120, matrix = count * count * 8;
  const auto batch = equal_diagrams(count, points);
  const auto per_diagram = [&](const std::string& name) {
    return static_cast<double>(estimate_of(name, batch).bytes - matrix) / count;
  };
  // A point and its projection: key and place of 8 bytes, lane and step of 4.
  EXPECT_NEAR(per_diagram("sw:7"), points * 2 * 24, 100);
  // Two coordinates, the persistence and the weight; a few vectors.
  EXPECT_NEAR(per_diagram("pss:0.01"), points * 4 * 8, 200);
  EXPECT_NEAR(per_diagram("pwg:0.1:c=1"), points * 4 * 8, 200);
  EXPECT_NEAR(per_diagram("pss:0.01~rff:1000"), 1000 * 8, 200);
}

TEST(Estimate, BytesOfTwoSidesAddUp) {
  const auto rows = equal_diagrams(50, 120), columns = equal_diagrams(20, 60);
  const std::vector<DiagramGroup> a{{"f", Kind::h1, rows, {}}}, b{{"f", Kind::h1, columns, {}}};
  for (const std::string name : {"sw", "pss:0.01", "pf:0.1", "pss:0.01~rff:64", "pf:0.1~grid:1e-3"}) {
    const std::vector<Kernel> kernels{parse_kernel(name)};
    const std::size_t both = estimate(kernels, a, b, base::Context()).bytes - 50 * 20 * 8;
    const std::size_t sum =
        estimate_of(name, rows).bytes - 50 * 50 * 8 + estimate_of(name, columns).bytes - 20 * 20 * 8;
    EXPECT_NEAR(static_cast<double>(both), static_cast<double>(sum), 2) << name;
  }
}

/// Groups are computed one after the other: the largest counts.
TEST(Estimate, BytesOfGroupsAreThoseOfTheLargest) {
  const auto batch = equal_diagrams(30, 100);
  const std::vector<DiagramGroup> groups{
      {"f", Kind::h0, DiagramBatch({}, std::vector<std::int64_t>(31, 0)), {}}, {"f", Kind::h1, batch, {}}};
  const std::vector<Kernel> kernels(2, parse_kernel("pf:0.1"));
  EXPECT_EQ(estimate(kernels, groups, base::Context()).bytes, estimate_of("pf:0.1", batch).bytes);
}

// ---- the time

TEST(Estimate, SecondsArePositive) {
  for (const std::string name :
       {"sw", "sw:200", "pss:0.01", "pwg:0.1:c=1", "pf:0.1", "pss:0.01~rff:64", "pf:0.1~grid:1e-3"})
    for (const auto& batch : {equal_diagrams(1, 1), equal_diagrams(40, 30), equal_diagrams(3, 5000)}) {
      const double seconds = estimate_of(name, batch).seconds;
      EXPECT_GT(seconds, 0) << name;
      EXPECT_LT(seconds, 3600) << name;
    }
}

TEST(Estimate, OfNothing) {
  EXPECT_EQ(kernel::estimate({}, {}, base::Context()).bytes, 0U);
  for (const std::string name : {"sw", "pf:0.1", "pss:0.01~grid:1e-3"}) {
    EXPECT_EQ(estimate_of(name, DiagramBatch()).bytes, 0U) << name;
    EXPECT_LT(estimate_of(name, DiagramBatch()).seconds, 1) << name;
    EXPECT_GE(estimate_of(name, equal_diagrams(5, 0)).bytes, 5 * 5 * 8U) << name;
  }
}

}  // namespace
}  // namespace perslay::test
