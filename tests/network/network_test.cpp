#include "../sentence.h"
#include "network/cases.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <cblas.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <perslay/network/convolution.h>
#include <perslay/network/loss.h>
#include <perslay/network/network.h>
#include <perslay/network/point_convolution.h>

namespace perslay::network {
namespace {

using test::input_of;
using test::plan;
using test::with_convolution;

struct Outcome {
  std::vector<double> outputs, gradient;
};

/// A pass and its gradient: in training if `seed` is not 0. The loss is a sum of outputs with fixed factors.
Outcome run(const Network<double>& network, const Batch<double>& input, std::uint64_t seed = 0) {
  base::RandomStream random(seed);
  const Pass pass{{}, seed == 0 ? nullptr : &random};
  Workspace<double> work;
  network.forward(input, pass, work);
  Outcome outcome{work.output().values, std::vector<double>(network.trained().size())};
  work.gradient = work.output();
  for (std::size_t i = 0; i < work.gradient.values.size(); ++i)
    work.gradient.values[i] = test::factor(i, work.gradient.values.size());
  network.backward(input, pass, work, outcome.gradient);
  return outcome;
}

double loss_of(const Network<double>& network, const Batch<double>& input, std::uint64_t seed) {
  base::RandomStream random(seed);
  Workspace<double> work;
  network.forward(input, {{}, seed == 0 ? nullptr : &random}, work);
  double sum = 0;
  const auto& values = work.output().values;
  for (std::size_t i = 0; i < values.size(); ++i) sum += test::factor(i, values.size()) * values[i];
  return sum;
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance,
                 const std::string& what) {
  ASSERT_EQ(a.size(), b.size());
  double scale = 1e-300;
  for (const double x : b) scale = std::max(scale, std::abs(x));
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance * scale) << what << ' ' << i;
}

std::vector<Architecture> architectures() {
  std::vector<Architecture> all;
  const auto add = [&](const char* first, const char* second) -> Architecture& {
    auto& architecture = all.emplace_back();
    architecture.channels = {plan(first), plan(second)};
    architecture.features = 3;
    architecture.outputs = 4;
    return architecture;
  };
  add("Im(4,(3,2),3,sum)", "Pm(5,4,3,top-2)");
  add("Im(3,(2,3),3,top-2)", "Im(4,(),0)").hidden = {5};
  auto& normed = add("Im(4,(3,2),3,sum)", "Pm(3,4,3,sum)");
  normed.hidden = {6, 5};
  normed.batch_norm = normed.channel_norm = true;
  auto& dropped = add("Im(4,(3,2),3,sum)", "Pm(3,4,3,sum)");
  dropped.hidden = {6};
  dropped.batch_norm = true;
  dropped.dropout = 0.4;
  dropped.input_dropout = 0.3;
  auto& shared = add("Im(4,(3,2),3,sum)", "Pm(3,4,3,sum)");
  for (const auto* op : {"sum", "max", "topk:2"})
    shared.channels.push_back(with_convolution(plan("gaussian:4x3", "grid:3x3", op), 2, 2, true));
  shared.channels.push_back(with_convolution(plan("triangle:5", "gmix:2", "topk:2"), 2, 3, false));
  shared.groups = {0, 1, 0, 1, 1, 0};
  auto& features = all.emplace_back();
  features.features = 3;
  features.outputs = 2;
  features.hidden = {7};
  features.input_dropout = 0.2;
  return all;
}

/// Central differences of the loss by each trained number.
TEST(Network, GradientsAreCentralDifferences) {
  for (std::size_t a = 0; const auto& architecture : architectures()) {
    auto input = input_of<double>(9);
    input.diagrams.resize(std::min<std::size_t>(architecture.channels.size(), 2));
    for (const std::uint64_t seed : {0UL, 5UL}) {
      Network<double> network(architecture, 3);
      test::move_moments(network);
      const auto gradient = run(network, input, seed).gradient;
      std::vector<double> slopes;
      constexpr double step = 1e-5;
      for (double& number : network.trained()) {
        const double before = std::exchange(number, number + step);
        const double above = loss_of(network, input, seed);
        number = before - step;
        slopes.push_back((above - loss_of(network, input, seed)) / (2 * step));
        number = before;
      }
      expect_near(gradient, slopes, 1e-7, fmt::format("architecture {} seed {}", a, seed));
    }
    ++a;
  }
}

/// A workspace goes from batch to batch: larger, smaller, without a single point, in evaluation and in
/// training.
TEST(Network, WorkspacesMayBeUsedAgain) {
  for (const auto& architecture : architectures()) {
    const Network<double> network(architecture, 3);
    Workspace<double> again;
    for (const std::size_t items : {9UL, 3UL, 2UL, 12UL})
      for (const std::uint64_t seed : {0UL, 4UL}) {
        auto input = input_of<double>(items, items);
        input.diagrams.resize(std::min<std::size_t>(architecture.channels.size(), 2));
        if (items == 2)
          for (auto& diagrams : input.diagrams) diagrams = {{}, {0, 0, 0}};
        const auto expected = run(network, input, seed);
        base::RandomStream random(seed);
        const Pass pass{{}, seed == 0 ? nullptr : &random};
        network.forward(input, pass, again);
        EXPECT_EQ(again.output().values, expected.outputs);
        again.gradient = again.output();
        for (std::size_t i = 0; i < again.gradient.values.size(); ++i)
          again.gradient.values[i] = test::factor(i, again.gradient.values.size());
        std::vector<double> gradient(network.trained().size());
        network.backward(input, pass, again, gradient);
        EXPECT_EQ(gradient, expected.gradient);
      }
  }
}

/// By its definition, with filters so large that the windows come in several blocks.
TEST(Convolution, IsItsDefinition) {
  for (const Convolution& c :
       {Convolution{5, 4, 2, 3, 2}, Convolution{70, 64, 1, 2, 30}, Convolution{1, 9, 3, 2, 4}}) {
    base::RandomStream random(1);
    std::vector<double> weights(c.filters * c.planes * c.height() * c.size), image(c.image_size()),
        maps(c.maps_size()), expected(c.maps_size());
    for (auto* numbers : {&weights, &image})
      for (double& number : *numbers) number = random.uniform(-1, 1);
    for (std::size_t f = 0; f < c.filters; ++f)
      for (std::size_t y = 0; y < c.map_rows(); ++y)
        for (std::size_t x = 0; x < c.map_columns(); ++x)
          for (std::size_t p = 0; p < c.planes; ++p)
            for (std::size_t dy = 0; dy < c.height(); ++dy)
              for (std::size_t dx = 0; dx < c.size; ++dx)
                expected[(f * c.map_rows() + y) * c.map_columns() + x] +=
                    weights[((f * c.planes + p) * c.height() + dy) * c.size + dx] *
                    image[((y + dy) * c.columns + x + dx) * c.planes + p];
    c.apply<double>(weights, image, maps);
    expect_near(maps, expected, 1e-13, "maps");
    // <u, A x> = <A^T u, x> = <w, derivative by the weights>, for random u.
    std::vector<double> u(c.maps_size()), back(c.image_size()), by_weights(weights.size());
    for (double& number : u) number = random.uniform(-1, 1);
    c.transpose<double>(weights, u, back);
    c.correlate<double>(u, image, by_weights);
    const auto dot = [](const auto& a, const auto& b) {
      return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
    };
    EXPECT_NEAR(dot(back, image), dot(u, maps), 1e-9);
    EXPECT_NEAR(dot(by_weights, weights), dot(u, maps), 1e-9);
  }
}

/// A column of equal numbers says nothing, in single precision, too.
TEST(BatchNorm, AConstantColumnBecomesItsBias) {
  Architecture architecture;
  architecture.features = 1;
  architecture.hidden = {1};
  architecture.batch_norm = true;
  Network<float> network(architecture, 1);
  network.trained()[0] = 1;
  Batch<float> input;
  input.features.resize(2048, 1);
  std::ranges::fill(input.features.values, 1000.1F);
  base::RandomStream random(1);
  Workspace<float> work;
  network.forward(input, {{}, &random}, work);
  for (const float value : work.values[2].values) EXPECT_NEAR(value, 0, 1e-2);
}

TEST(Network, FoldingTheConvolutionChangesNothing) {
  for (const auto* name : {"Im(6,(3,2),4,sum)", "Im(5,(2,3),3,top-2)", "Im(4,(),3)", "Pm(5,4,3,top-2)"})
    for (const auto& hidden : {std::vector<std::size_t>{}, std::vector<std::size_t>{5}}) {
      Architecture architecture;
      architecture.channels = {plan(name), plan(name)};
      architecture.features = 3;
      architecture.hidden = hidden;
      const auto input = input_of<double>(9);
      const auto folded = run(Network<double>(architecture, 3), input);
      architecture.fold = false;
      const auto plain = run(Network<double>(architecture, 3), input);
      expect_near(folded.outputs, plain.outputs, 1e-12, name);
      expect_near(folded.gradient, plain.gradient, 1e-11, name);
    }
}

/// Batch norm leaves columns alone that it does not norm.
TEST(Network, ChannelNormLeavesFeaturesAlone) {
  Architecture architecture;
  architecture.channels = {plan("Pm(2,2,1,sum)"), plan("Pm(2,2,1,sum)")};
  architecture.features = 3;
  architecture.outputs = 1;
  architecture.channel_norm = true;
  Network<double> network(architecture, 1);
  const auto& entries = network.trained_layout().entries();
  const auto dense = std::ranges::find(entries, "dense0.weight", [](const auto& e) { return e.array.name; });
  ASSERT_NE(dense, entries.end());
  const auto weights = dense->slot.of(network.trained());
  std::ranges::fill(weights, 0.0);
  weights.back() = 2;
  const auto input = input_of<double>(6);
  const auto outputs = run(network, input, 7).outputs;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    EXPECT_DOUBLE_EQ(outputs[i], 2 * input.features.row(i).back());
}

TEST(Network, NamesItsArraysAsModelFilesDo) {
  Architecture architecture;
  architecture.channels = {plan("Im(5,(2,2),3)"), plan("line:3", "gmix:2", "max")};
  architecture.features = 1;
  architecture.hidden = {4};
  architecture.batch_norm = architecture.channel_norm = true;
  const Network<float> network(architecture, 1);
  std::vector<std::string> names;
  for (const auto& entry : network.trained_layout().entries())
    names.push_back(fmt::format("{} {}", entry.array.name, entry.slot.size));
  EXPECT_EQ(names, (std::vector<std::string>{
                       "channel0.perslay.phi.births 6", "channel0.perslay.phi.persistences 6",
                       "channel0.perslay.phi.sharpness 1", "channel0.perslay.weight.cells 9",
                       "channel0.convolution.weight 8", "channel0.convolution.bias 2",
                       "channel1.phi.directions 6", "channel1.phi.bias 3", "channel1.weight.centres 4",
                       "channel1.weight.sharpness 4", "channel1.weight.amplitudes 2",
                       "channel_norm.weight 53", "channel_norm.bias 53", "dense0.weight 216", "dense0.bias 4",
                       "norm0.weight 4", "norm0.bias 4", "dense1.weight 8", "dense1.bias 2"}));
  names.clear();
  for (const auto& entry : network.fitted_layout().entries()) names.push_back(entry.array.name);
  EXPECT_EQ(names, (std::vector<std::string>{"channel_norm.running_mean", "channel_norm.running_var",
                                             "norm0.running_mean", "norm0.running_var"}));
}

/// What is counted before a network is made is what it has then.
TEST(Network, WeightsAreCountedBeforeTheyAreMade) {
  const ChannelPlan plans[] = {plan("Im(6,(3,2),4,top-3)"),
                               plan("Im(5,(),0)"),
                               plan("Pm(5,4,3,top-2)"),
                               plan("gaussian:4x3", "grid:5x6", "topk:3"),
                               plan("line:7", "gmix:3", "sum"),
                               with_convolution(plan("gaussian:4x3", "grid:5x6", "topk:3"), 3, 2, true),
                               with_convolution(plan("line:7", "one", "topk:2"), 4, 3, false)};
  for (const auto& own : plans)
    for (const bool norms : {false, true}) {
      Architecture architecture;
      architecture.channels = {own, plans[0]};
      architecture.features = 2;
      architecture.channel_norm = architecture.batch_norm = norms;
      if (norms) architecture.hidden = {8, 9};
      architecture.times.groups = {{0, "hks:1", 1, diagram::Kind::ord0},
                                   {1, "hks:1", 1, diagram::Kind::ext1}};
      EXPECT_EQ(weight_counts(architecture).all(),
                static_cast<double>(Network<float>(architecture, 1).trained().size()));
    }
}

/// What a step of training holds in the end.
double bytes_of(const Network<float>& network, const Workspace<float>& work) {
  std::size_t numbers =
      5 * network.trained().size() + work.gradient.values.size() + work.next_gradient.values.size();
  for (const auto& rows : work.values) numbers += rows.values.size();
  for (const auto& memory : work.memories) numbers += memory.size();
  for (const auto& selection : work.channels.selections) numbers += selection.size();
  return static_cast<double>(numbers * sizeof(float));
}

TEST(Network, ItsMemoryIsKnownBeforeItIsTaken) {
  const ChannelPlan plans[] = {plan("Im(6,(3,2),4,top-30)"), plan("Im(9,(),0)"),
                               plan("line:7", "one", "topk:90"),
                               with_convolution(plan("line:7", "one", "topk:20"), 4, 3, false),
                               with_convolution(plan("gaussian:4x3", "one", "topk:30"), 3, 2, true)};
  for (const auto& own : plans)
    for (const bool rich : {false, true}) {
      Architecture architecture;
      architecture.channels = {own};
      architecture.features = 3;
      architecture.channel_norm = architecture.batch_norm = rich;
      architecture.input_dropout = architecture.dropout = rich ? 0.5 : 0;
      if (rich) architecture.hidden = {80, 90};
      const Network<float> network(architecture, 1);
      const auto input = input_of<float>(200);
      Workspace<float> work;
      base::RandomStream random(1);
      const Pass pass{{}, &random};
      network.forward(input, pass, work);
      work.gradient = work.output();
      std::vector<float> gradient(network.trained().size());
      network.backward(input, pass, work, gradient);
      // Convolutions of points take more for a while, see allocation_test.cpp.
      const bool of_points = own.convolution && own.convolution->of_points;
      const double passing = of_points ? 4.0 * numbers_at_once * sizeof(float) : 0;
      const double estimate = bytes_of_pass(architecture, 200, true), used = bytes_of(network, work);
      EXPECT_GE(estimate, used) << own.perslay.name() << rich;
      EXPECT_LE(estimate, 1.6 * used + passing) << own.perslay.name() << rich;
      EXPECT_LT(bytes_of_pass(architecture, 200, false), used + passing);
    }
}

TEST(Network, NeedsSomethingToRead) {
  EXPECT_EQ(test::sentence_of([] { Network<float>({}, 1); }),
            "The network has nothing to read: neither diagrams nor features.");
}

TEST(Network, SeedsDecideWhereItStarts) {
  Architecture architecture;
  architecture.channels = {plan("Im(5,(2,2),3)"), plan("Im(5,(2,2),3)")};
  architecture.features = 3;
  const auto input = input_of<double>(4);
  const auto first = [&](std::uint64_t seed) {
    return run(Network<double>(architecture, seed), input).outputs;
  };
  EXPECT_EQ(first(1), first(1));
  EXPECT_NE(first(1), first(2));
}

TEST(Network, DropoutIsSeededUnbiasedAndOffAfterTraining) {
  Architecture architecture;
  architecture.features = 4000;
  architecture.outputs = 1;
  architecture.input_dropout = 0.25;
  Network<double> network(architecture, 1);
  std::ranges::fill(network.trained().first(4000), 1.0);
  Batch<double> input;
  input.features.resize(50, 4000);
  std::ranges::fill(input.features.values, 1.0);
  EXPECT_EQ(run(network, input, 5).outputs, run(network, input, 5).outputs);
  EXPECT_NE(run(network, input, 5).outputs, run(network, input, 6).outputs);
  // Each output is 4/3 times a binomial of 4000 trials at 3/4; the mean of 50 has deviation 36.5 / sqrt(50).
  double mean = 0;
  for (const double output : run(network, input, 5).outputs) mean += output / 50;
  EXPECT_NEAR(mean, 4000, 5 * 36.5 / std::sqrt(50.0));
  EXPECT_EQ(run(network, input).outputs, std::vector<double>(50, 4000));
}

/// Large enough for OpenBLAS to use the host's threads if it may.
TEST(Network, TheHostsBlasThreadsChangeNothing) {
  Architecture architecture;
  architecture.features = 700;
  architecture.hidden = {600};
  const Network<double> network(architecture, 1);
  Batch<double> input;
  input.features.resize(200, 700);
  base::RandomStream random(3);
  for (double& value : input.features.values) value = random.normal();
  const int before = openblas_get_num_threads();
  openblas_set_num_threads(1);
  const auto expected = run(network, input);
  openblas_set_num_threads(4);
  const auto found = run(network, input);
  EXPECT_EQ(openblas_get_num_threads(), 4);
  openblas_set_num_threads(before);
  EXPECT_EQ(found.outputs, expected.outputs);
  EXPECT_EQ(found.gradient, expected.gradient);
}

/// - sum over classes of target log softmax, by its definition; the gradient by central differences.
TEST(CrossEntropy, IsItsDefinition) {
  const std::vector<int> labels{2, 0, 1, 1, 0};
  const std::vector<std::size_t> places{4, 0, 3};
  for (const double smoothing : {0.0, 0.3}) {
    const CrossEntropy<double> loss(labels, smoothing);
    Rows<double> outputs, gradient, unused;
    outputs.resize(3, 3);
    outputs.values = {0.5, -1, 2, 300, 299.5, 301, -0.25, 0.75, 0.5};
    const auto by_hand = [&] {
      double sum = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        long double all = 0;
        for (const double x : outputs.row(i)) all += std::exp(static_cast<long double>(x));
        for (std::size_t c = 0; c < 3; ++c) {
          const double target =
              (c == static_cast<std::size_t>(labels[places[i]]) ? 1 - smoothing : 0) + smoothing / 3;
          sum -= target * static_cast<double>(outputs.row(i)[c] - std::log(all));
        }
      }
      return sum;
    };
    const auto value = loss(outputs, places, gradient);
    EXPECT_NEAR(value.loss, by_hand(), 1e-12);
    EXPECT_EQ(value.hits, 2);  // items 0 (class 2) and 3 (class 1)
    for (std::size_t i = 0; i < 9; ++i) {
      constexpr double step = 1e-5;
      const double before = std::exchange(outputs.values[i], outputs.values[i] + step);
      const double above = loss(outputs, places, unused).loss;
      outputs.values[i] = before - step;
      const double slope = (above - loss(outputs, places, unused).loss) / (2 * step);
      outputs.values[i] = before;
      EXPECT_NEAR(gradient.values[i], slope / 3, 1e-9) << i;  // of the mean
    }
  }
}

}  // namespace
}  // namespace perslay::network
