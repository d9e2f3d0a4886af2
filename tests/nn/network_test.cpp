// Whole networks of the library, in float64, against libtorch's autograd of the same network: every setting
// of the folder `experiments` that is a network, in training and in evaluation.
#include "../../src/learn/network_data.h"
#include "network/cases.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <perslay/data/generators.h>
#include <perslay/data/orbits.h>
#include <perslay/features/load_items.h>
#include <perslay/learn/built_in_settings.h>
#include <perslay/learn/models.h>
#include <perslay/learn/optimiser.h>
#include <perslay/learn/preparation.h>
#include <perslay/network/loss.h>
#include <perslay/network/network.h>
#include <perslay/nn/extended_persistence.h>
#include <perslay/nn/heat_kernel.h>
#include <perslay/nn/plain.h>

namespace perslay::nn {
namespace {

using network::Network;

torch::Tensor tensor(std::span<const double> numbers, const std::vector<std::int64_t>& shape) {
  return torch::tensor(std::vector<double>(numbers.begin(), numbers.end()), torch::kFloat64).view(shape);
}

/// The network as libtorch computes it: plain tensor operations, and autograd for its gradients.
class Autograd {
 public:
  Autograd(const Network<double>& ours, const network::Batch<double>& input) : ours_(ours), input_(input) {
    for (const auto& [array, slot] : ours.trained_layout().entries())
      arrays_.insert(array.name, tensor(slot.of(ours.trained()), array.shape).requires_grad_());
    for (const auto& [array, slot] : ours.fitted_layout().entries())
      fitted_.insert(array.name, tensor(slot.of(ours.fitted()), array.shape));
  }

  /// [B, outputs]; `random` as ours has it: null in evaluation.
  torch::Tensor forward(base::RandomStream* random) {
    const auto& plan = ours_.architecture();
    const auto items = static_cast<std::int64_t>(input_.items());
    std::vector<torch::Tensor> parts;
    for (std::size_t c = 0; c < plan.channels.size(); ++c) parts.push_back(channel(c));
    if (plan.channel_norm && !parts.empty()) parts = {norm("channel_norm", torch::cat(parts, 1), random)};
    parts.push_back(
        trained_features.defined()
            ? trained_features
            : tensor(input_.features.values, {items, static_cast<std::int64_t>(input_.features.width)}));
    auto x = drop(torch::cat(parts, 1), plan.input_dropout, random);
    for (std::size_t i = 0; i <= plan.hidden.size(); ++i) {
      if (i > 0) x = drop(torch::relu(x), plan.dropout, random);
      const auto name = fmt::format("dense{}", i);
      x = torch::addmm(arrays_[name + ".bias"], x, arrays_[name + ".weight"].t());
      if (plan.batch_norm && i < plan.hidden.size()) x = norm(fmt::format("norm{}", i), x, random);
    }
    return x;
  }

  /// All gradients in our order.
  [[nodiscard]] std::vector<double> gradient() const {
    std::vector<double> all;
    for (const auto& item : arrays_) {
      const auto own = item.value().grad();
      const auto flat = own.defined() ? own.contiguous() : torch::zeros_like(item.value());
      all.insert(all.end(), flat.data_ptr<double>(), flat.data_ptr<double>() + flat.numel());
    }
    return all;
  }

  torch::OrderedDict<std::string, torch::Tensor> arrays_, fitted_;
  std::vector<RaggedBatch> trained_diagrams;  // of trained times, instead of those of the input
  torch::Tensor trained_features;             // likewise

 private:
  torch::Tensor channel(std::size_t c) {
    const auto& [perslay, convolution, nested] = ours_.architecture().channels[c];
    std::vector<torch::Tensor> own;
    for (const auto& array : perslay.parameters())
      own.push_back(arrays_[fmt::format("channel{}.{}{}", c, nested ? "perslay." : "", array.name)]);
    const auto group = ours_.architecture().group_of(c);
    const auto& [points, offsets] = input_.diagrams[group];
    const auto batch = trained_diagrams.empty()
                           ? RaggedBatch(tensor(points, {-1, 2}), torch::tensor(offsets, torch::kInt64))
                           : trained_diagrams[group];
    if (convolution && convolution->of_points) return point_convolution(c, batch, own);
    const auto values = plain_forward(perslay, batch, own, {});
    return convolution ? convolved(c, values) : values;
  }

  /// The convolution of a channel, over rows of features.
  torch::Tensor convolved(std::size_t c, const torch::Tensor& values) {
    const auto [rows, columns] = layer::image_of(ours_.architecture().channels[c].perslay);
    const auto image =
        values.view({values.size(0), static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns),
                     values.size(1) / static_cast<std::int64_t>(rows * columns)});
    return torch::conv2d(image.permute({0, 3, 1, 2}), arrays_[fmt::format("channel{}.convolution.weight", c)],
                         arrays_[fmt::format("channel{}.convolution.bias", c)])
        .flatten(1);
  }

  /// op({ w(p) (K * phi(p) + b) }) as it is written: phi and w of every point as of a diagram of its own.
  torch::Tensor point_convolution(std::size_t c, const RaggedBatch& batch,
                                  const std::vector<torch::Tensor>& own) {
    const auto& perslay = ours_.architecture().channels[c].perslay;
    const auto count = batch.points().size(0);
    const RaggedBatch each(batch.points(), torch::arange(count + 1));
    auto phi = perslay, weight = perslay;
    phi.weight = {};
    phi.op = weight.op = {};
    weight.equivariant.clear();
    weight.phi = {.type = layer::PointTransform::Type::given, .count = 1};
    const auto of_weight = static_cast<std::ptrdiff_t>(weight.parameters().size());
    const auto features = plain_forward(phi, each, {own.begin(), own.end() - of_weight}, {});
    const auto weights = plain_forward(weight, each, {own.end() - of_weight, own.end()},
                                       {torch::ones({count, 1}, torch::kFloat64), {}});
    const auto maps = weights * convolved(c, features);
    layer::Channel choice;
    choice.phi = {.type = layer::PointTransform::Type::given,
                  .count = static_cast<std::size_t>(maps.size(1))};
    choice.op = perslay.op;
    return plain_forward(choice, batch, {}, {maps, {}});
  }

  torch::Tensor norm(const std::string& name, const torch::Tensor& x, base::RandomStream* random) {
    return torch::batch_norm(x, arrays_[name + ".weight"], arrays_[name + ".bias"],
                             fitted_[name + ".running_mean"], fitted_[name + ".running_var"],
                             random != nullptr, 0.1, 1e-5, false);
  }

  /// The masks that dropout draws, by their contract: two numbers from each draw, low bits first.
  static torch::Tensor drop(const torch::Tensor& x, double rate, base::RandomStream* random) {
    if (random == nullptr || rate == 0) return x;
    std::vector<double> mask(static_cast<std::size_t>(x.numel()));
    for (std::size_t i = 0; i < mask.size(); i += 2) {
      const auto bits = (*random)();
      for (std::size_t j = 0; j < 2 && i + j < mask.size(); ++j) {
        const double draw = static_cast<double>((bits >> (32 * j)) & 0xffffffff) * 0x1p-32;
        mask[i + j] = draw < std::floor(rate * 0x1p32) * 0x1p-32 ? 0 : 1 / (1 - rate);
      }
    }
    return x * torch::tensor(mask, torch::kFloat64).view(x.sizes());
  }

  const Network<double>& ours_;
  const network::Batch<double>& input_;
};

void expect_near(std::span<const double> a, std::span<const double> b, const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  double scale = 1e-300;
  for (const double x : b) scale = std::max(scale, std::abs(x));
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]) / scale);
  EXPECT_LE(worst, 1e-11) << what;
}

/// Compares outputs, loss, gradients and running moments of a batch; `seed` 0 means evaluation.
void compare(Network<double>& ours, const network::Batch<double>& input, const std::vector<int>& labels,
             double smoothing, std::uint64_t seed, const std::string& what) {
  base::RandomStream our_random(seed), their_random(seed);
  const network::Pass pass{{}, seed == 0 ? nullptr : &our_random};
  network::Workspace<double> work;
  ours.forward(input, pass, work);
  const auto outputs = work.output().values;
  std::vector<std::size_t> places(labels.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
  const auto value = network::CrossEntropy<double>(labels, smoothing)(work.output(), places, work.gradient);
  std::vector<double> gradient(ours.trained().size());
  ours.backward(input, pass, work, gradient);

  Autograd theirs(ours, input);
  const auto logits = theirs.forward(seed == 0 ? nullptr : &their_random);
  const auto loss = torch::nn::functional::cross_entropy(
      logits, torch::tensor(labels, torch::kInt64),
      torch::nn::functional::CrossEntropyFuncOptions().label_smoothing(smoothing));
  loss.backward();
  const auto flat = logits.detach().contiguous();
  expect_near(outputs, {flat.data_ptr<double>(), outputs.size()}, what + ": outputs");
  EXPECT_NEAR(value.loss / static_cast<double>(labels.size()), loss.item<double>(), 1e-12) << what;
  expect_near(gradient, theirs.gradient(), what + ": gradient");
  if (seed == 0) return;
  ours.fit_moments(work);
  for (const auto& [array, slot] : ours.fitted_layout().entries()) {
    const auto moments = theirs.fitted_[array.name];
    expect_near(slot.of(std::span<const double>(ours.fitted())), {moments.data_ptr<double>(), slot.size},
                what + ": " + array.name);
  }
}

network::Batch<double> in_doubles(const network::Batch<float>& input) {
  network::Batch<double> wide;
  for (const auto& [points, offsets] : input.diagrams)
    wide.diagrams.push_back({{points.begin(), points.end()}, offsets});
  wide.features.resize(input.features.count, input.features.width);
  std::ranges::copy(input.features.values, wide.features.values.begin());
  return wide;
}

features::Items items_for(const learn::Settings& settings) {
  auto request = learn::load_request(settings);
  const auto& filtrations = settings.data.filtrations;
  if (!filtrations.empty() && filtrations.front().starts_with("alpha"))
    return features::make_items(data::OrbitSet{.per_class = 3, .points = 60}, request);
  auto shapes = data::shapes_dataset(5);
  shapes.graphs[1] = data::Graph::from_edges(1, {});  // no loop, and no edge
  shapes.vertex_offsets = {0};
  for (const auto& graph : shapes.graphs)
    shapes.vertex_offsets.push_back(shapes.vertex_offsets.back() + graph.vertex_count());
  return features::make_items(shapes, request);
}

/// Every network among the settings, on a few items of its kind.
TEST(NetworkAgainstAutograd, AllBuiltInSettings) {
  std::size_t networks = 0;
  for (const auto& [name, toml] : learn::built_in_settings()) {
    auto settings = learn::built_in(name);
    if (settings.model.starts_with("svm") || settings.model.find("network") == std::string::npos) {
      if (settings.model.find("+mlp") == std::string::npos) continue;
      settings.model = "network";
    }
    ++networks;
    const auto items = items_for(settings);
    std::vector<std::size_t> rows(items.count());
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
    const auto preparation = learn::Preparation::fit(items, rows, settings);
    const learn::NetworkData inputs({items, rows, preparation}, settings, {});
    network::Batch<float> single;
    inputs.fill(rows, single);
    const auto input = in_doubles(single);
    const std::vector<int> labels(inputs.labels().begin(), inputs.labels().end());
    Network<double> ours(inputs.architecture(), 7);
    test::move_moments(ours);
    for (const std::uint64_t seed : {0UL, 3UL})
      compare(ours, input, labels, settings.training.label_smoothing, seed,
              fmt::format("{} ({})", name, seed == 0 ? "evaluation" : "training"));
  }
  EXPECT_GE(networks, 13U + 3);
}

/// Every phi, weight and operation, alone and with convolutions, norms, dropout and smoothing around it.
TEST(NetworkAgainstAutograd, ManyArchitectures) {
  using test::plan;
  const std::vector<network::ChannelPlan> plans{
      plan("Im(4,(3,2),3,sum)"),
      plan("Im(3,(2,2),3,top-2)"),
      plan("Pm(5,4,3,top-2)"),
      plan("triangle:6", "power:1", "topk:2"),
      plan("betti:5", "grid:3x3", "sum"),
      plan("flat:5", "gmix:2", "mean"),
      plan("entropy:5", "one", "sum"),
      plan("flat-entropy:5", "grid:2x3", "max"),
      plan("gaussian:5", "power:2", "min"),
      plan("gaussian:4x3", "gmix:3", "sum"),
      plan("gaussian:4x3", "grid:3x2", "max"),
      plan("hofer:4", "constant", "sum"),
      plan("exponential:4", "grid:3x3", "kth:2"),
      plan("rational:4", "power:1", "mean"),
      plan("rational-hat:4", "gmix:2", "sum"),
      plan("line:5", "grid:2x2", "topk:3"),
      plan("mixture:triangle+gaussian+line:4", "power:1", "sum"),
  };
  const auto input = test::input_of<double>(12);
  const std::vector<int> labels{0, 1, 2, 0, 1, 2, 2, 2, 1, 2, 1, 0};
  for (std::size_t i = 0; i < plans.size(); ++i)
    for (int variant = 0; variant < 4; ++variant) {
      network::Architecture architecture;
      architecture.channels = {plans[i], plans[(i + 5) % plans.size()]};
      architecture.features = 3;
      architecture.outputs = 3;
      if (variant > 0) architecture.hidden = {6, 5};
      architecture.batch_norm = variant > 1;
      architecture.channel_norm = variant == 3;
      architecture.dropout = variant == 2 ? 0.5 : 0;
      architecture.input_dropout = variant == 3 ? 0.25 : 0;
      Network<double> ours(architecture, 5 + i);
      test::move_moments(ours);
      for (const std::uint64_t seed : {0UL, 9UL})
        compare(ours, input, labels, variant == 1 ? 0.1 : 0, seed,
                fmt::format("channel {}, variant {}, seed {}", i, variant, seed));
    }
}

/// A convolution that is a part of phi, with every kind of operation, upon grids, rows and equivariant layers.
TEST(NetworkAgainstAutograd, ConvolutionsOfPoints) {
  const auto input = test::input_of<double>(12);
  const std::vector<int> labels{0, 1, 2, 0, 1, 2, 2, 2, 1, 2, 1, 0};
  for (const auto* op : {"sum", "mean", "max", "min", "kth:2", "topk:3"})
    for (const auto* phi : {"gaussian:5x4", "gaussian:5x4:axes=birth-death", "triangle:6", "line:6"})
      for (const bool stacked : {false, true}) {
        auto own = test::with_convolution(test::plan(phi, "gmix:2", op), 3, 2, true);
        if (stacked) own.perslay.equivariant = {{5, layer::Pool::none}};
        network::Architecture architecture;
        architecture.channels = {own, test::plan("Im(3,(2,2),3,sum)")};
        architecture.features = 3;
        architecture.outputs = 3;
        Network<double> ours(architecture, 5);
        for (const std::uint64_t seed : {0UL, 9UL})
          compare(ours, input, labels, 0, seed, fmt::format("{} {} {}", phi, op, stacked));
      }
}

/// Several channels on one group of diagrams, and convolutions over rows of features.
TEST(NetworkAgainstAutograd, ChannelsSideBySide) {
  const auto input = test::input_of<double>(12);
  const std::vector<int> labels{0, 1, 2, 0, 1, 2, 2, 2, 1, 2, 1, 0};
  const auto row = test::with_convolution(test::plan("triangle:7", "grid:3x3", "topk:2"), 3, 4, false);
  network::Architecture architecture;
  architecture.channels = {test::plan("Im(4,(3,2),3,sum)"), row, test::plan("Pm(5,4,3,top-2)"),
                           test::plan("line:3", "power:1", "max")};
  architecture.groups = {0, 0, 1, 1};
  architecture.features = 3;
  architecture.outputs = 3;
  for (const bool fold : {true, false}) {
    architecture.fold = fold;
    Network<double> ours(architecture, 5);
    for (const std::uint64_t seed : {0UL, 9UL})
      compare(ours, input, labels, 0, seed, fmt::format("fold {}", fold));
  }
}

TEST(NetworkAgainstAutograd, EquivariantStacks) {
  const auto input = test::input_of<double>(8);
  const std::vector<int> labels{0, 1, 1, 0, 1, 0, 0, 1};
  for (const auto pool :
       {layer::Pool::none, layer::Pool::max, layer::Pool::min, layer::Pool::sum, layer::Pool::mean})
    for (const auto* phi : {"line:4", "gaussian:4"}) {
      network::Architecture architecture;
      for (int c = 0; c < 2; ++c) {
        auto own = test::plan(phi, "grid:3x3", c == 0 ? "sum" : "topk:2");
        own.perslay.equivariant = {{5, pool}, {3, layer::Pool::max}};
        architecture.channels.push_back(own);
      }
      architecture.features = 3;
      Network<double> ours(architecture, 2);
      compare(ours, input, labels, 0, 0, fmt::format("{} {}", phi, layer::pool_name(pool)));
    }
}

/// Quantiles of the values on each graph, [graphs, count], standardised and cut as described.
torch::Tensor quantiles_of(const torch::Tensor& values, const std::vector<data::Graph>& graphs,
                           const network::TrainedQuantiles& described) {
  std::vector<torch::Tensor> rows;
  std::int64_t begin = 0;
  for (const auto& graph : graphs) {
    const std::int64_t end = begin + graph.vertex_count();
    rows.push_back(
        torch::quantile(values.slice(0, begin, end),
                        torch::linspace(0, 1, static_cast<std::int64_t>(described.count), torch::kFloat64)));
    begin = end;
  }
  auto all = torch::stack(rows);
  if (described.means.empty()) return all;
  all = (all - torch::tensor(described.means, torch::kFloat64)) /
        torch::tensor(described.deviations, torch::kFloat64);
  return described.clip > 0 ? all.clamp(-described.clip, described.clip) : all;
}

/// Times that are trained: signatures and persistence as libtorch's own steps, scaled by their extremes; and features
/// that follow.
TEST(NetworkAgainstAutograd, TrainedTimes) {
  const auto shapes = data::shapes_dataset(4);
  network::Batch<double> input;
  input.graphs = {shapes.graphs, network::heat_spectra(shapes.graphs)};
  input.features.resize(shapes.graphs.size(), 9);
  for (std::size_t i = 0; i < input.features.values.size(); ++i)
    input.features.values[i] = 0.1 * static_cast<double>(i % 7);
  network::Architecture architecture;
  architecture.outputs = 3;
  const std::vector<double> starts{0.5, 4};
  for (std::size_t s = 0; s < 2; ++s)
    for (const auto kind : diagram::extended_kinds) {
      architecture.times.groups.push_back(
          {architecture.channels.size(), fmt::format("hks:{}", starts[s]), starts[s], kind});
      architecture.channels.push_back(test::plan("Im(5,(3,2),4,sum)"));
    }
  architecture.times.pace = 2;
  architecture.features = 9;  // one of its own, five of hks:4, one more, two of hks:0.5
  architecture.times.quantiles = {{"hks:4", 1, 5, {}, {}, 0},
                                  {"hks:0.5", 7, 2, {0.6, 0.7}, {0.1, 0.05}, 1.5}};
  input.diagrams.resize(architecture.channels.size());
  const auto labels = shapes.labels;
  for (const bool scale : {true, false}) {
    architecture.times.scale = scale;
    Network<double> ours(architecture, 3);
    ours.trained()[0] = 0.1;  // the shifts come first
    ours.trained()[1] = -0.2;
    ours.times()->fit_scales(std::as_const(ours).trained(), input.graphs, {});

    base::RandomStream random(1);
    const network::Pass pass{{}, &random};
    network::Workspace<double> work;
    ours.forward(input, pass, work);
    const auto outputs = work.output().values;
    std::vector<std::size_t> places(labels.size());
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
    static_cast<void>(network::CrossEntropy<double>(labels)(work.output(), places, work.gradient));
    std::vector<double> gradient(ours.trained().size());
    ours.backward(input, pass, work, gradient);

    Autograd theirs(ours, input);
    const auto shift = theirs.arrays_["filtrations.heat.shift"];
    const auto signatures =
        heat_kernel_signature(torch::tensor(starts, torch::kFloat64) * torch::exp(2 * shift), input.graphs);
    for (std::int64_t s = 0; s < 2; ++s)
      for (auto& [diagrams, vertices] : extended_persistence(signatures[s], shapes.graphs)) {
        auto points = diagrams.points();
        if (scale) points = (points - points.min()) / (points.max() - points.min());
        theirs.trained_diagrams.emplace_back(points, diagrams.offsets());
      }
    const auto& quantiles = architecture.times.quantiles;
    const auto own = tensor(input.features.values, {static_cast<std::int64_t>(shapes.graphs.size()), 9});
    theirs.trained_features =
        torch::cat({own.slice(1, 0, 1), quantiles_of(signatures[1], shapes.graphs, quantiles[0]),
                    own.slice(1, 6, 7), quantiles_of(signatures[0], shapes.graphs, quantiles[1])},
                   1);
    const auto logits = theirs.forward(nullptr);
    torch::nn::functional::cross_entropy(logits, torch::tensor(labels, torch::kInt64)).backward();
    const auto flat = logits.detach().contiguous();
    expect_near(outputs, {flat.data_ptr<double>(), outputs.size()}, "outputs");
    expect_near(gradient, theirs.gradient(), "gradient");
    EXPECT_NE(gradient[0], 0);
  }
}

TEST(Adam, IsLibtorchs) {
  for (const bool decoupled : {false, true}) {
    torch::manual_seed(1);
    auto theirs = torch::randn({43}).requires_grad_();
    std::vector<float> ours(theirs.data_ptr<float>(), theirs.data_ptr<float>() + 43);
    learn::AdamOptions options;
    options.epsilon = 1e-4;
    options.weight_decay = 0.02;
    options.decoupled = decoupled;
    learn::Adam adam(43, options);
    std::unique_ptr<torch::optim::Optimizer> peer;
    if (decoupled)
      peer = std::make_unique<torch::optim::AdamW>(
          std::vector{theirs}, torch::optim::AdamWOptions(0.03).eps(1e-4).weight_decay(0.02));
    else
      peer = std::make_unique<torch::optim::Adam>(
          std::vector{theirs}, torch::optim::AdamOptions(0.03).eps(1e-4).weight_decay(0.02));
    for (int step = 0; step < 50; ++step) {
      const auto slope = torch::randn({43});
      peer->zero_grad();
      (theirs * slope).sum().backward();
      peer->step();
      adam.step(ours, {slope.data_ptr<float>(), 43}, 0.03);
    }
    for (std::size_t i = 0; i < 43; ++i) EXPECT_NEAR(ours[i], theirs.data_ptr<float>()[i], 1e-5);
  }
}

}  // namespace
}  // namespace perslay::nn
