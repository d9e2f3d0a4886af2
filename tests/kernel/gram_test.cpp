#include "kernel/brute_force.h"
#include "sentence.h"

#include <atomic>
#include <string>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include <perslay/kernel/gram.h>

namespace perslay::test {
namespace {

using diagram::DiagramGroup;
using diagram::Kind;
using kernel::base_matrix;
using kernel::Kernel;
using kernel::Matrix;
using kernel::parse_kernel;

base::Context threads(int count) {
  base::Context context;
  context.threads = count;
  return context;
}

const std::vector<std::string> all_kernels{
    "sw:7",   "pss:0.01",           "pwg-linear:0.1:c=1",           "pwg:0.1:c=1",
    "pf:0.1", "pss:0.01~grid:1e-6", "pwg-linear:0.1:c=1~grid:1e-6", "pf:0.1~grid:1e-6"};

/// 150 diagrams make three blocks of slices, the last of which is not full.
std::vector<Points> many_diagrams() { return random_diagrams(150, 11, true, 30); }

TEST(Gram, ThreadsDoNotMatter) {
  const auto batch = batch_of(many_diagrams());
  for (const auto& name : all_kernels)
    EXPECT_TRUE(base_matrix(parse_kernel(name), batch, threads(1)) ==
                base_matrix(parse_kernel(name), batch, threads(3)))
        << name;
}

TEST(Gram, CrossMatricesAreBlocks) {
  const auto diagrams = many_diagrams();
  const auto batch = batch_of(diagrams);
  const std::span<const Points> all(diagrams);
  const auto first = batch_of(all.first(70)), second = batch_of(all.subspan(70));
  for (const auto& name : all_kernels) {
    const auto whole = base_matrix(parse_kernel(name), batch, threads(2));
    const auto cross = base_matrix(parse_kernel(name), first, second, threads(2));
    const auto back = base_matrix(parse_kernel(name), second, first, threads(2));
    std::vector<std::size_t> rows, columns;
    for (std::size_t i = 0; i < 150; ++i) (i < 70 ? rows : columns).push_back(i);
    EXPECT_TRUE(kernel::block(whole, rows, columns) == cross) << name;
    EXPECT_TRUE(kernel::block(whole, columns, rows) == back) << name;
  }
}

TEST(Gram, MatricesAreSymmetric) {
  const auto batch = batch_of(random_diagrams(30, 12, true));
  for (const auto& name : all_kernels) {
    const auto base = base_matrix(parse_kernel(name), batch, threads(1));
    for (std::size_t i = 0; i < 30; ++i)
      for (std::size_t j = 0; j < 30; ++j) EXPECT_EQ(base(i, j), base(j, i)) << name;
  }
}

/// The order of points in a diagram does not matter, nor that of diagrams.
TEST(Gram, OrderDoesNotMatter) {
  auto diagrams = random_diagrams(10, 13);
  std::vector<Matrix> before;
  for (const auto& name : all_kernels)
    before.push_back(base_matrix(parse_kernel(name), batch_of(diagrams), threads(1)));
  std::ranges::reverse(diagrams);
  for (auto& points : diagrams) std::ranges::reverse(points);
  for (std::size_t k = 0; k < all_kernels.size(); ++k) {
    const auto after = base_matrix(parse_kernel(all_kernels[k]), batch_of(diagrams), threads(1));
    for (std::size_t i = 0; i < 10; ++i)
      for (std::size_t j = 0; j < 10; ++j) EXPECT_EQ(before[k](i, j), after(9 - i, 9 - j)) << all_kernels[k];
  }
}

double smallest_eigenvalue_over_trace(const Matrix& gram) {
  const Eigen::Map<const Eigen::MatrixXd> matrix(gram.values.data(), static_cast<Eigen::Index>(gram.rows),
                                                 static_cast<Eigen::Index>(gram.columns));
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix, Eigen::EigenvaluesOnly);
  return solver.eigenvalues().minCoeff() / matrix.trace();
}

TEST(Gram, PositiveSemidefinite) {
  for (const bool both_sides : {false, true}) {
    const auto batch = batch_of(random_diagrams(60, 14, both_sides));
    for (const auto& name : all_kernels) {
      const auto k = parse_kernel(name);
      if (k.type == Kernel::Type::fisher) continue;
      const auto base = base_matrix(k, batch, threads(2));
      if (!k.is_distance()) {
        EXPECT_GE(smallest_eigenvalue_over_trace(base), -1e-10) << name;
        continue;
      }
      for (const double rate : {0.01, 1.0, 30.0})
        EXPECT_GE(smallest_eigenvalue_over_trace(outer_map(base, rate)), -1e-10) << name << ' ' << rate;
    }
  }
}

// ---- approximations

void expect_close(const std::string& name, const std::string& approximation, double tolerance) {
  const auto batch = batch_of(random_diagrams(20, 15, true));
  const auto exact = base_matrix(parse_kernel(name), batch, threads(1));
  const auto near = base_matrix(parse_kernel(name + approximation), batch, threads(1));
  for (std::size_t i = 0; i < 20; ++i)
    for (std::size_t j = 0; j < 20; ++j) {
      const double scale =
          parse_kernel(name).is_distance() ? 1 : std::sqrt(exact(i, i) * exact(j, j)) + 1e-12;
      EXPECT_NEAR(near(i, j) / scale, exact(i, j) / scale, tolerance) << name << approximation;
    }
}

TEST(Approximations, GridsKeepTheirTolerance) {
  for (const std::string name : {"pss:0.01", "pwg-linear:0.2:c=2:p=1", "pss:0.0003"}) {
    expect_close(name, "~grid:1e-3", 2e-2);
    expect_close(name, "~grid:1e-6", 2e-5);
    expect_close(name, "~grid:1e-12", 1e-10);
  }
  // The square root of a density magnifies small errors where it is small.
  expect_close("pf:0.2", "~grid:1e-6", 1e-3);
  expect_close("pf:0.2", "~grid:1e-12", 1e-6);
}

TEST(Approximations, GridsMustFitIntoMemory) {
  const std::vector<Points> wide{{{0, 1}, {1e6, 2e6}}};
  for (const std::string name : {"pss:0.0001~grid:1e-6", "pf:0.01~grid:1e-6"})
    EXPECT_NE(sentence_of([&] {
                (void)base_matrix(parse_kernel(name), batch_of(wide), threads(1));
              }).find("too narrow for ~grid"),
              std::string::npos);
}

/// The smallest and the largest parameters that names may have.
TEST(Gram, NoNumberIsInfinite) {
  const auto batch = batch_of(random_diagrams(6, 17, true));
  for (const std::string name :
       {"pss:1e-300", "pss:1e300", "pss:1e300~grid:1e-3", "sw:sigma=1e-150", "sw:sigma=1e300", "pf:1e-299",
        "pf:1e300:t=1e300", "pwg:1e-299:c=1e-300:tau=1e-150", "pwg:1e300:c=1e300:p=1e300:tau=1e300",
        "pwg-linear:1e300:c=1e-300:p=0"}) {
    const auto k = parse_kernel(name);
    auto gram = base_matrix(k, batch, threads(1));
    if (k.is_distance()) gram = outer_map(gram, k.rate().value_or(1));
    for (const double value : gram.values) EXPECT_TRUE(std::isfinite(value)) << name;
  }
}

// ---- groups

std::vector<DiagramGroup> two_groups(std::size_t count, std::uint64_t seed) {
  std::vector<DiagramGroup> groups;
  groups.push_back({"f", Kind::ord0, batch_of(random_diagrams(count, seed)), {}});
  groups.push_back({"f", Kind::ext1, batch_of(random_diagrams(count, seed + 100, true)), {}});
  return groups;
}

TEST(Groups, BasesAddUp) {
  const auto groups = two_groups(9, 20);
  const std::vector<Kernel> kernels{parse_kernel("pwg:0.1:c=1"), parse_kernel("pwg:0.3:c=2")};
  const auto both = base_matrix(kernels, groups, threads(1));
  const auto a = base_matrix(kernels[0], groups[0].diagrams, threads(1));
  const auto b = base_matrix(kernels[1], groups[1].diagrams, threads(1));
  for (std::size_t i = 0; i < both.values.size(); ++i)
    EXPECT_NEAR(both.values[i], a.values[i] + b.values[i], 1e-12);
  // The kernel of both is the product.
  const auto product = outer_map(both, 0.7), first = outer_map(a, 0.7), second = outer_map(b, 0.7);
  for (std::size_t i = 0; i < both.values.size(); ++i)
    EXPECT_NEAR(product.values[i], first.values[i] * second.values[i], 1e-14);
}

TEST(Groups, CrossMatricesAreBlocksToo) {
  const auto groups = two_groups(9, 21);
  for (const std::string name : {"sw", "pss:0.01", "pf:0.1"}) {
    const std::vector<Kernel> kernels(2, parse_kernel(name));
    const auto copy = groups;
    const auto whole = base_matrix(kernels, groups, threads(1));
    const auto cross = base_matrix(kernels, groups, copy, threads(1));
    for (std::size_t i = 0; i < 9; ++i)
      for (std::size_t j = 0; j < 9; ++j) {
        if (i != j) {
          EXPECT_EQ(whole(i, j), cross(i, j)) << name;
        }
        EXPECT_NEAR(whole(i, j), cross(i, j), 1e-12) << name;
      }
  }
}

TEST(Groups, MistakesAreSentences) {
  auto groups = two_groups(4, 22), other = groups;
  const auto mistake = [&](const std::vector<Kernel>& kernels) {
    return sentence_of([&] { (void)base_matrix(kernels, groups, other, threads(1)); });
  };
  const auto sw = parse_kernel("sw"), pf = parse_kernel("pf:1");
  EXPECT_EQ(mistake({sw}), "1 kernels do not serve 2 and 2 groups of diagrams.");
  EXPECT_EQ(mistake({sw, pf}), "The kernels sw:10 and pf:1 do not add up.");
  std::swap(other[0], other[1]);
  EXPECT_EQ(mistake({sw, sw}), "f ord0 cannot be compared with f ext1.");
  other = groups;
  const double infinity = std::numeric_limits<double>::infinity();
  other[1].diagrams = diagram::DiagramBatch({{0, infinity}}, {0, 1, 1, 1, 1});
  EXPECT_TRUE(mistake({sw, sw}).starts_with("f ext1: Item 0 has the point (0, inf)"));
  other[1].diagrams = diagram::DiagramBatch({}, {0, 0});
  EXPECT_EQ(mistake({sw, sw}), "All groups of diagrams need the same number of items.");
}

// ---- running

TEST(Gram, EmptyBatches) {
  const diagram::DiagramBatch none;
  const auto some = batch_of(random_diagrams(3, 23));
  for (const auto& name : all_kernels) {
    EXPECT_EQ(base_matrix(parse_kernel(name), none, threads(2)).values.size(), 0U) << name;
    const auto cross = base_matrix(parse_kernel(name), some, none, threads(2));
    EXPECT_EQ(cross.rows, 3U);
    EXPECT_EQ(cross.columns, 0U);
  }
}

TEST(Gram, CanBeCancelled) {
  const auto batch = batch_of(many_diagrams());
  std::atomic<bool> cancel{true};
  for (const auto& name : all_kernels) {
    auto context = threads(2);
    context.cancel = &cancel;
    try {
      (void)base_matrix(parse_kernel(name), batch, context);
      ADD_FAILURE() << name << " was not cancelled";
    } catch (const base::Error& error) {
      EXPECT_EQ(error.fault(), base::Fault::cancelled) << name;
    }
  }
}

TEST(Gram, ProgressGoesForwardToTheEnd) {
  const auto batch = batch_of(many_diagrams());
  std::size_t done = 0, total = 0;
  auto context = threads(1);
  context.progress = [&](const base::Progress& progress) {
    if (progress.stage != "sliced Wasserstein distances") return;
    EXPECT_GE(progress.done, done);
    done = progress.done;
    total = std::max(total, progress.total);
  };
  (void)base_matrix(parse_kernel("sw:5"), batch, context);
  EXPECT_EQ(total, 5 * 6U);  // directions and pairs of blocks
  EXPECT_EQ(done, total);
}

TEST(Gram, Blocks) {
  Matrix matrix(2, 3);
  for (std::size_t i = 0; i < 6; ++i) matrix.values[i] = static_cast<double>(i);
  const std::vector<std::size_t> rows{1, 0}, columns{2};
  const auto part = kernel::block(matrix, rows, columns);
  EXPECT_EQ(part.rows, 2U);
  EXPECT_EQ(part.columns, 1U);
  EXPECT_EQ(part.values, (std::vector<double>{5, 2}));
}

}  // namespace
}  // namespace perslay::test
