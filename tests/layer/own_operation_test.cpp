// Operations of the user: those that are built in as well give the same, with gradients.
#include "runs.h"
#include "sentence.h"

#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include <perslay/layer/own_operation.h>

namespace perslay::test {
namespace {

using layer::Channel;
using layer::OwnOperation;
using layer::parse_operation;
using layer::parse_point_transform;
using layer::parse_weight;
using layer::Pool;

// ---- the example of docs/layer.md

using Features = std::span<const double>;
using Offsets = std::span<const std::int64_t>;

/// Calls visit(place in the output, place among the features) for every feature of every point.
template <class Visit>
void for_each_feature(std::size_t width, Offsets offsets, const Visit& visit) {
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
    for (auto p = offsets[i]; p < offsets[i + 1]; ++p)
      for (std::size_t j = 0; j < width; ++j) visit(i * width + j, static_cast<std::size_t>(p) * width + j);
}

/// log(1 + the sum of the exponentials) of every feature.
OwnOperation<double> soft_maximum(std::size_t features) {
  const auto forward = [](Features x, std::size_t width, Offsets offsets, std::span<double> out) {
    for_each_feature(width, offsets, [&](std::size_t to, std::size_t from) { out[to] += std::exp(x[from]); });
    for (double& sum : out) sum = std::log(1 + sum);
  };
  const auto backward = [=](Features x, std::size_t width, Offsets offsets, Features by_out,
                            std::span<double> by_x) {
    std::vector<double> out(by_out.size());
    forward(x, width, offsets, out);
    for_each_feature(width, offsets, [&](std::size_t to, std::size_t from) {
      by_x[from] = by_out[to] * std::exp(x[from] - out[to]);
    });
  };
  return {.size = features, .forward = forward, .backward = backward};
}

// ---- tests

/// A built-in operation once more: every number that comes out is a sum of `share` times chosen points. Ties go to the
/// first point.
template <class T>
OwnOperation<T> copy_of(const Channel& channel) {
  const auto visit = [op = channel.op](std::span<const T> x, std::size_t width, Offsets offsets,
                                       const auto& add) {
    using Type = layer::Operation::Type;
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
      for (std::size_t j = 0; j < width; ++j) {
        std::vector<std::size_t> points(static_cast<std::size_t>(offsets[i + 1] - offsets[i]));
        std::iota(points.begin(), points.end(), static_cast<std::size_t>(offsets[i]));
        const T sign = op.type == Type::min ? T{1} : T{-1};
        if (op.selects())
          std::ranges::stable_sort(points, std::less<>{},
                                   [&](std::size_t p) { return sign * x[p * width + j]; });
        const T share = op.type == Type::mean ? T{1} / static_cast<T>(points.size()) : T{1};
        for (std::size_t r = 0; r < points.size(); ++r) {
          const std::size_t rank = op.selects() ? r : 0;
          if (rank < op.width()) add((i * width + j) * op.width() + rank, points[r] * width + j, share);
        }
      }
  };
  return {.size = channel.size(),
          .forward =
              [=](std::span<const T> x, std::size_t width, Offsets offsets, std::span<T> out) {
                visit(x, width, offsets,
                      [&](std::size_t to, std::size_t from, T share) { out[to] += share * x[from]; });
              },
          .backward =
              [=](std::span<const T> x, std::size_t width, Offsets offsets, std::span<const T> by_out,
                  std::span<T> by_x) {
                visit(x, width, offsets,
                      [&](std::size_t to, std::size_t from, T share) { by_x[from] += share * by_out[to]; });
              }};
}

std::vector<Channel> channels() {
  const std::vector<std::vector<layer::Equivariant>> stacks{
      {},
      {{6, Pool::max}},
      {{5, Pool::min}, {3, Pool::sum}},
      {{4, Pool::mean}, {9, Pool::none}, {2, Pool::max}}};
  const char* const weights[] = {"grid:4x3", "power:1", "one", "constant", "gmix:3"};
  std::vector<Channel> channels;
  for (const char* phi : {"triangle:13", "betti:9", "flat:7", "entropy:9", "flat-entropy:5", "gaussian:11",
                          "gaussian:6:widths=each", "gaussian:5x7", "hofer:10:nu=0.3", "exponential:9",
                          "rational:9", "rational-hat:12", "rational-hat:12:norm=2", "line:25", "line:1",
                          "mixture:triangle:6+gaussian:2x3+line:6", "mixture:entropy+hofer+flat:4"})
    for (const auto& stack : stacks)
      for (const char* op : {"sum", "mean", "max", "min", "topk:3"})
        channels.push_back({parse_point_transform(phi), stack, parse_weight(weights[channels.size() / 5 % 5]),
                            parse_operation(op)});
  return channels;
}

/// Sizes around the block of 64 points, empty diagrams at either end and between.
std::vector<Bars> diagrams_of_many_sizes(base::RandomStream& random) {
  std::vector<Bars> diagrams;
  for (const std::size_t count : {0U, 1U, 5U, 0U, 63U, 64U, 65U, 130U, 0U})
    diagrams.push_back(random_bars(random, count));
  diagrams[2][1] = diagrams[2][0];              // a point twice
  diagrams[2][2].death = diagrams[2][2].birth;  // a point on the diagonal
  return diagrams;
}

template <class T>
void expect_near(const std::vector<T>& a, const std::vector<T>& b, double tolerance, const char* what) {
  ASSERT_EQ(a.size(), b.size());
  double scale = 1;
  for (const T value : b) scale = std::max(scale, std::abs(static_cast<double>(value)));
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], tolerance * scale) << what << ' ' << i;
}

template <class T>
void expect_same_as_built_in(double tolerance) {
  std::uint64_t item = 0;
  for (const Channel& c : channels()) {
    SCOPED_TRACE(c.name());
    base::RandomStream random(1, item++);
    const auto diagrams = diagrams_of_many_sizes(random);
    LayerRun<T> run(c, diagrams, random_parameters(random, c));
    std::vector<T> upstream(diagrams.size() * c.size());
    for (T& g : upstream) g = static_cast<T>(random.uniform(-1, 1));
    const auto own = copy_of<T>(c);
    expect_near(run.forward(own), run.forward(), tolerance, "output");
    const auto gradients = run.backward(own, upstream), expected = run.backward(upstream);
    for (std::size_t a = 0; a < expected.size(); ++a)
      expect_near(gradients[a], expected[a], tolerance, a + 1 == expected.size() ? "points" : "parameter");
    if (testing::Test::HasFailure()) return;
  }
}

TEST(OwnOperation, OnesThatAreBuiltInGiveTheSameInDouble) { expect_same_as_built_in<double>(1e-12); }

TEST(OwnOperation, OnesThatAreBuiltInGiveTheSameInSingle) { expect_same_as_built_in<float>(2e-4); }

TEST(OwnOperation, TheChannelsOwnPlaysNoPart) {
  Channel c{parse_point_transform("gaussian:4x4"), {}, parse_weight("grid:2x2"), parse_operation("sum")};
  base::RandomStream random(2);
  const auto diagrams = diagrams_of_many_sizes(random);
  const auto parameters = random_parameters(random, c);
  const auto own = soft_maximum(16);
  const auto expected = LayerRun<double>(c, diagrams, parameters).forward(own);
  c.op = parse_operation("topk:5");
  EXPECT_EQ(LayerRun<double>(c, diagrams, parameters).forward(own), expected);
}

TEST(OwnOperation, HasTheGradientsOfFiniteDifferences) {
  for (const char* phi : {"gaussian:2x2", "flat-entropy:4", "line:4", "mixture:line+gaussian:4"})
    for (const bool stacked : {false, true}) {
      const Channel c{
          parse_point_transform(phi),
          stacked ? std::vector<layer::Equivariant>{{3, Pool::max}} : std::vector<layer::Equivariant>{},
          parse_weight("gmix:2"),
          {}};
      SCOPED_TRACE(c.name());
      base::RandomStream random(3);
      std::vector<Bars> diagrams{random_bars(random, 4), {}, random_bars(random, 1)};
      auto parameters = random_parameters(random, c);
      const auto own = soft_maximum(c.features());
      const std::vector<double> ones(diagrams.size() * own.size, 1.0);
      const auto gradients = LayerRun<double>(c, diagrams, parameters).backward(own, ones);
      const auto compare = [&](double& number, double gradient) {
        const double here = number, step = 1e-5;
        const auto loss = [&](double value) {
          number = value;
          const auto out = LayerRun<double>(c, diagrams, parameters).forward(own);
          number = here;
          return std::accumulate(out.begin(), out.end(), 0.0);
        };
        EXPECT_NEAR(gradient, (loss(here + step) - loss(here - step)) / (2 * step), 1e-7);
      };
      for (std::size_t a = 0; a < parameters.size(); ++a)
        for (std::size_t i = 0; i < parameters[a].size(); ++i) compare(parameters[a][i], gradients[a][i]);
      std::size_t place = 0;
      for (Bars& bars : diagrams)
        for (Bar& bar : bars) {
          compare(bar.birth, gradients.back()[place++]);
          compare(bar.death, gradients.back()[place++]);
        }
    }
}

TEST(OwnOperation, TakesFeaturesAndWeightsOfTheCaller) {
  Channel c;
  c.phi.type = layer::PointTransform::Type::given;
  c.phi.count = 3;
  c.weight.type = layer::Weight::Type::given;
  const std::vector<double> points(10), features{1, 2, 3, 4, 5, 6, 7, 8, 9, 8, 7, 6, 5, 4, 3},
      weights{1, -1, 2, 0.5, 3};
  const std::vector<std::int64_t> offsets{0, 2, 2, 5};
  const layer::Batch<double> batch{points, offsets, features, weights};
  std::vector<double> out(9), upstream{1, 2, 3, 4, 5, 6, 7, 8, 9};
  const auto own = copy_of<double>(c);
  layer::forward<double>({}, c, own, batch, {}, out);
  EXPECT_EQ(out, (std::vector<double>{-3, -3, -3, 0, 0, 0, 33, 31.5, 30}));
  std::vector<double> by_points(10), by_features(15), by_weights(5);
  layer::backward<double>({}, c, own, batch, {}, upstream, {}, {by_points, by_features, by_weights});
  EXPECT_EQ(by_points, std::vector<double>(10));
  EXPECT_EQ(by_features, (std::vector<double>{1, 2, 3, -1, -2, -3, 14, 16, 18, 3.5, 4, 4.5, 21, 24, 27}));
  EXPECT_EQ(by_weights, (std::vector<double>{14, 32, 194, 166, 94}));
}

TEST(OwnOperation, SameBytesForAnyNumberOfThreads) {
  for (const char* phi : {"gaussian:20x20", "entropy:300"}) {
    const Channel c{parse_point_transform(phi), {}, parse_weight("grid:10x10"), parse_operation("max")};
    base::RandomStream random(4);
    std::vector<Bars> diagrams;
    for (std::size_t i = 0; i < 20; ++i) diagrams.push_back(random_bars(random, 60 + 40 * (i % 7)));
    const auto parameters = random_parameters(random, c);
    LayerRun<float> one(c, diagrams, parameters, 1), three(c, diagrams, parameters, 3);
    const auto own = copy_of<float>(c);
    const std::vector<float> upstream(diagrams.size() * c.size(), 0.5F);
    EXPECT_EQ(one.forward(own), three.forward(own));
    EXPECT_EQ(one.backward(own, upstream), three.backward(own, upstream));
  }
}

TEST(OwnOperation, MisuseIsRefused) {
  const Channel c{parse_point_transform("line:2"), {}, {}, {}};
  const std::vector<double> points{0, 1}, directions{0, 1, 1, 0}, bias{0, 0};
  const std::vector<std::int64_t> offsets{0, 1}, none;
  const std::vector<std::span<const double>> parameters{directions, bias};
  const layer::Batch<double> batch{points, offsets};
  const auto error = [&](const OwnOperation<double>& own, const layer::Batch<double>& of, std::size_t size) {
    std::vector<double> out(size);
    return sentence_of([&] { layer::forward<double>({}, c, own, of, parameters, out); });
  };
  auto own = soft_maximum(2);
  EXPECT_EQ(error(own, batch, 3), "PersLay: the output has 3 numbers, not 2.");
  EXPECT_EQ(error(own, {points, none}, 2), "PersLay: offsets must begin with 0.");
  const std::vector<std::int64_t> more{0, 2};
  EXPECT_EQ(error(own, {points, more}, 2), "PersLay: points has 2 numbers, not 4.");
  own.backward = nullptr;
  const std::vector<std::span<double>> gradients(2);
  EXPECT_EQ(sentence_of([&] { layer::backward<double>({}, c, own, batch, parameters, bias, gradients, {}); }),
            "PersLay: the gradients of an op of your own need its function `backward`.");
  own.forward = nullptr;
  EXPECT_EQ(error(own, batch, 2), "PersLay: an op of your own needs a function `forward`.");
  own = soft_maximum(0);
  EXPECT_EQ(error(own, batch, 0), "PersLay: an op of your own needs its size, from 1 on.");
}

TEST(OrderDependence, FindsOperationsThatDependOnIt) {
  const Channel c{parse_point_transform("entropy:5"), {{3, Pool::max}}, parse_weight("power:1"), {}};
  base::RandomStream random(5);
  const auto parameters = random_parameters(random, c);
  const std::vector<std::span<const double>> views(parameters.begin(), parameters.end());
  std::vector<double> points;
  for (const Bar& bar : random_bars(random, 9)) points.insert(points.end(), {bar.birth, bar.death});
  const std::vector<std::int64_t> offsets{0, 5, 5, 9}, at_once{0, 9};
  const OwnOperation<double> first_point{
      .size = 3,
      .forward = [](std::span<const double> x, std::size_t width, Offsets of, std::span<double> out) {
        for (std::size_t i = 0; i + 1 < of.size(); ++i)
          if (of[i] < of[i + 1])
            std::copy_n(x.begin() + of[i] * static_cast<std::ptrdiff_t>(width), width,
                        out.begin() + static_cast<std::ptrdiff_t>(i * width));
      }};
  const auto dependence = [&](const OwnOperation<double>& own) {
    const auto apply = [&](const layer::Batch<double>& batch) {
      std::vector<double> out(batch.size() * own.size);
      layer::forward<double>({}, c, own, batch, views, out);
      return out;
    };
    return layer::order_dependence(apply, layer::Batch<double>{points, offsets});
  };
  EXPECT_GT(dependence(first_point), 1e-3);
  EXPECT_LT(dependence(soft_maximum(3)), 1e-14);
  EXPECT_LT(dependence(copy_of<double>(c)), 1e-14);
}

TEST(OrderDependence, MovesPointsWithTheirFeaturesAndWeights) {
  const std::vector<float> points{0, 1, 2, 3, 4, 5, 6, 7}, features{0, 2, 4, 6}, weights{1, 3, 5, 7};
  const std::vector<std::int64_t> offsets{0, 3, 4};
  const layer::Batch<float> batch{points, offsets, features, weights};
  std::size_t moved = 0;
  const auto apply = [&](const layer::Batch<float>& other) {
    for (std::size_t p = 0; p < 4; ++p) {
      EXPECT_EQ(other.features[p], other.points[2 * p]);
      EXPECT_EQ(other.weights[p], other.points[2 * p + 1]);
    }
    EXPECT_EQ(other.weights[3], 7);  // alone in its diagram
    if (!std::ranges::equal(other.points, points)) ++moved;
    return std::vector<float>{other.points[0] + other.points[2] + other.points[4]};
  };
  EXPECT_EQ(layer::order_dependence(apply, batch, 20), 0);
  EXPECT_GT(moved, 10U);
}

TEST(OrderDependence, CountsWhatIsNoNumber) {
  const std::vector<double> points{0, 1, 2, 3};
  const std::vector<std::int64_t> offsets{0, 2};
  const layer::Batch<double> batch{points, offsets};
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               infinity = std::numeric_limits<double>::infinity();
  const auto dependence = [&](double first, double other) {
    return layer::order_dependence(
        [&](const layer::Batch<double>& at) {
          return std::vector<double>{at.points[0] == 0 ? first : other};
        },
        batch, 20);
  };
  EXPECT_EQ(dependence(nan, nan), 0);
  EXPECT_EQ(dependence(infinity, infinity), 0);
  EXPECT_EQ(dependence(1, nan), infinity);
  EXPECT_EQ(dependence(infinity, -infinity), infinity);
  EXPECT_EQ(dependence(1, 3), 2);
}

TEST(OrderDependence, RefusesMisuse) {
  const std::vector<double> points{0, 1, 2, 3}, three(3);
  const std::vector<std::int64_t> offsets{0, 2}, descending{0, 2, 1}, none;
  const auto error = [&](const layer::Batch<double>& batch, int trials) {
    return sentence_of([&] {
      static_cast<void>(layer::order_dependence(
          [](const layer::Batch<double>& /*batch*/) { return std::vector<double>{}; }, batch, trials));
    });
  };
  EXPECT_EQ(error({points, offsets}, 0), "The order of points needs at least one trial.");
  for (const auto* wrong : {&descending, &none})
    EXPECT_EQ(error({points, *wrong}, 1), "PersLay: offsets must begin with 0 and ascend.");
  EXPECT_EQ(error({three, offsets}, 1), "PersLay: 2 points cannot have 3 numbers, as many each.");
  EXPECT_EQ(
      layer::order_dependence([](const layer::Batch<double>& /*batch*/) { return std::vector<double>{}; },
                              layer::Batch<double>{{}, std::span(offsets).first(1)}),
      0);
}

}  // namespace
}  // namespace perslay::test
