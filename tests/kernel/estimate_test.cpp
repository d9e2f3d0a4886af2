#include "kernel/brute_force.h"
#include "pairwise.h"

#include <string>

#include <gtest/gtest.h>

#include <perslay/kernel/gram.h>

namespace perslay::test {
namespace {

using diagram::DiagramBatch;
using diagram::DiagramGroup;
using diagram::Kind;
using kernel::Estimate;
using kernel::Kernel;
using kernel::Load;
using kernel::load_of;
using kernel::parse_kernel;

/// `count` diagrams of `points` points each.
DiagramBatch equal_diagrams(std::size_t count, std::size_t points) {
  std::vector<Points> diagrams;
  for (std::size_t i = 0; i < count; ++i) {
    base::RandomStream random(40, i);
    diagrams.push_back(random_points(points, random));
  }
  return batch_of(diagrams);
}

// ---- what time grows with

Load load(const std::string& name, std::size_t diagrams, std::size_t points) {
  const auto batch = equal_diagrams(diagrams, points);
  return load_of(parse_kernel(name), batch, batch);
}

TEST(Load, GrowsWithPointsAndWithPairs) {
  for (const std::string name : {"sw", "pss:0.01", "pwg:0.1:c=1", "pf:0.1", "pf:0.1~grid:1e-3"}) {
    const auto once = load(name, 20, 300), diagrams = load(name, 40, 300), points = load(name, 20, 600);
    EXPECT_EQ(once.points, 6000) << name;
    EXPECT_EQ(diagrams.points, 12000) << name;
    EXPECT_EQ(points.points, 12000) << name;
    EXPECT_EQ(diagrams.work, 4 * once.work) << name;
    const bool quadratic = name[0] == 'p' && name.find('~') == std::string::npos;
    EXPECT_NEAR(points.work / once.work, quadratic ? 4 : 2, 0.2) << name;
  }
}

/// The blocks of a matrix take as much as the whole, its diagonal blocks counted by halves.
TEST(Load, AddsUp) {
  const auto all = equal_diagrams(40, 100);
  const auto first = equal_diagrams(15, 100), second = equal_diagrams(25, 100);
  for (const std::string name : {"sw", "pf:0.1"}) {
    const auto k = parse_kernel(name);
    EXPECT_NEAR(
        load_of(k, first, first).work + load_of(k, second, second).work + load_of(k, first, second).work,
        load_of(k, all, all).work, 1e-9 * load_of(k, all, all).work);
    EXPECT_EQ(load_of(k, first, second).points, 4000);
    EXPECT_EQ(load_of(k, first, second).work, load_of(k, second, first).work);
    EXPECT_EQ(load_of(k, first, DiagramBatch()).work, 0);
  }
}

// ---- the memory by hand

Estimate estimate_of(const std::string& name, const DiagramBatch& batch, int threads = 1) {
  base::Context context;
  context.threads = threads;
  const std::vector<Kernel> kernels{parse_kernel(name)};
  const std::vector<DiagramGroup> groups{{"f", Kind::h1, batch, {}}};
  return estimate(kernels, groups, groups, context);
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
}

TEST(Estimate, BytesOfTwoSidesAddUp) {
  const auto rows = equal_diagrams(50, 120), columns = equal_diagrams(20, 60);
  const std::vector<DiagramGroup> a{{"f", Kind::h1, rows, {}}}, b{{"f", Kind::h1, columns, {}}};
  for (const std::string name : {"sw", "pss:0.01", "pf:0.1", "pf:0.1~grid:1e-3"}) {
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
  EXPECT_EQ(estimate(kernels, groups, groups, base::Context()).bytes, estimate_of("pf:0.1", batch).bytes);
}

// ---- the time

TEST(Estimate, SecondsArePositive) {
  for (const std::string name : {"sw", "sw:200", "pss:0.01", "pwg:0.1:c=1", "pf:0.1", "pf:0.1~grid:1e-3"})
    for (const auto& batch : {equal_diagrams(1, 1), equal_diagrams(40, 30), equal_diagrams(3, 5000)}) {
      const double seconds = estimate_of(name, batch).seconds;
      EXPECT_GT(seconds, 0) << name;
      EXPECT_LT(seconds, 3600) << name;
    }
}

TEST(Estimate, OfNothing) {
  EXPECT_EQ(kernel::estimate({}, {}, {}, base::Context()).bytes, 0U);
  for (const std::string name : {"sw", "pf:0.1", "pss:0.01~grid:1e-3"}) {
    EXPECT_EQ(estimate_of(name, DiagramBatch()).bytes, 0U) << name;
    EXPECT_LT(estimate_of(name, DiagramBatch()).seconds, 1) << name;
    EXPECT_GE(estimate_of(name, equal_diagrams(5, 0)).bytes, 5 * 5 * 8U) << name;
  }
}

}  // namespace
}  // namespace perslay::test
