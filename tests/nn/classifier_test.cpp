#include "../../src/nn/network_size.h"
#include "../sentence.h"
#include "toy_items.h"

#include <cmath>
#include <sstream>

#include <gtest/gtest.h>

#include <perslay/nn/classifier.h>

namespace perslay::nn {
namespace {

learn::NetworkSettings settings_of(const std::string& paper) {
  learn::NetworkSettings settings;
  settings.channel.paper = paper;
  return settings;
}

const ClassifierShape shape{{diagram::Kind::h0, diagram::Kind::h1}, 3, 4};

ClassifierInput input_of(std::size_t items, torch::Dtype type = torch::kFloat32) {
  const auto toy = toy_items(items);
  ClassifierInput input;
  for (const auto& group : toy.groups) input.diagrams.emplace_back(group.diagrams, type);
  input.features = torch::linspace(-1, 1, static_cast<std::int64_t>(3 * items)).view({-1, 3}).to(type);
  return input;
}

torch::Tensor run(Classifier& classifier, const ClassifierInput& input, std::uint64_t seed = 1) {
  base::RandomStream random(seed);
  return classifier->forward(input, random);
}

std::vector<torch::Tensor> gradients(Classifier& classifier, const ClassifierInput& input) {
  classifier->zero_grad();
  const auto out = run(classifier, input);
  (out * torch::linspace(-1, 2, out.numel(), out.options()).view_as(out)).sum().backward();
  std::vector<torch::Tensor> all;
  for (const auto& parameter : classifier->parameters()) all.push_back(parameter.grad().clone());
  return all;
}

TEST(Classifier, FoldingTheConvolutionChangesNothing) {
  for (const auto* name : {"Im(6,(3,2),4,sum)", "Im(5,(2,3),3,top-2)", "Im(4,(),3)", "Pm(5,4,3,top-2)"}) {
    for (const auto& hidden : {std::vector<std::size_t>{}, std::vector<std::size_t>{5}}) {
      auto settings = settings_of(name);
      settings.hidden = hidden;
      Classifier classifier(settings, shape, 3);
      classifier->to(torch::kFloat64);
      const auto input = input_of(9, torch::kFloat64);
      const auto folded = run(classifier, input);
      const auto folded_gradients = gradients(classifier, input);
      classifier->fold = false;
      EXPECT_TRUE(torch::allclose(folded, run(classifier, input), 1e-12, 1e-12)) << name;
      const auto plain_gradients = gradients(classifier, input);
      for (std::size_t i = 0; i < plain_gradients.size(); ++i)
        EXPECT_TRUE(torch::allclose(folded_gradients[i], plain_gradients[i], 1e-11, 1e-11)) << name << i;
    }
  }
}

/// A channel with the parameters that a classifier has for a group.
PaperChannel channel_of(const torch::OrderedDict<std::string, torch::Tensor>& parameters, std::size_t group,
                        const char* name) {
  auto channel = make_paper_channel(name);
  for (auto& own : channel->named_parameters()) {
    const torch::NoGradGuard constant;
    own.value().copy_(parameters["channel" + std::to_string(group) + "." + own.key()]);
  }
  return channel;
}

TEST(Classifier, IsItsPartsOneAfterTheOther) {
  // The paper's network by hand: channels and features side by side, one dense layer.
  Classifier classifier(settings_of("Pm(5,4,3,sum)"), shape, 8);
  const auto input = input_of(6);
  const auto parameters = classifier->named_parameters();
  std::vector<torch::Tensor> side_by_side;
  for (std::size_t g = 0; g < 2; ++g)
    side_by_side.push_back(channel_of(parameters, g, "Pm(5,4,3,sum)")->forward(input.diagrams[g]));
  side_by_side.push_back(input.features);
  const auto expected = torch::nn::functional::linear(torch::cat(side_by_side, 1),
                                                      parameters["dense0.weight"], parameters["dense0.bias"]);
  EXPECT_TRUE(torch::allclose(run(classifier, input), expected, 1e-5, 1e-6));
}

TEST(Classifier, NormsWithRunningMomentsAfterTraining) {
  auto settings = settings_of("Pm(5,4,3,sum)");
  settings.channel_norm = true;
  settings.hidden = {5};
  settings.batch_norm = true;
  Classifier classifier(settings, shape, 8);
  auto arrays = classifier->named_parameters();
  for (const auto& buffer : classifier->named_buffers()) arrays.insert(buffer.key(), buffer.value());
  for (const auto* name : {"channel_norm", "norm0"})
    for (const auto* part : {"weight", "bias", "running_mean", "running_var"}) {
      const torch::NoGradGuard constant;
      auto array = arrays[std::string(name) + "." + part];
      array.copy_(torch::linspace(1e-4, 2, array.numel()).flip(0));  // some as small as epsilon
    }
  classifier->eval();
  const auto input = input_of(6);
  const auto normed = [&](const torch::Tensor& x, const std::string& name) {
    return arrays[name + ".weight"] * (x - arrays[name + ".running_mean"]) /
               (arrays[name + ".running_var"] + 1e-5).sqrt() +
           arrays[name + ".bias"];
  };
  std::vector<torch::Tensor> channels;
  for (std::size_t g = 0; g < 2; ++g)
    channels.push_back(channel_of(arrays, g, "Pm(5,4,3,sum)")->forward(input.diagrams[g]));
  auto x = torch::cat({normed(torch::cat(channels, 1), "channel_norm"), input.features}, 1);
  x = torch::relu(normed(torch::matmul(x, arrays["dense0.weight"].t()) + arrays["dense0.bias"], "norm0"));
  x = torch::matmul(x, arrays["dense1.weight"].t()) + arrays["dense1.bias"];
  EXPECT_TRUE(torch::allclose(run(classifier, input), x, 1e-4, 1e-4));
}

TEST(Classifier, ReadsFeaturesOnlyIfAsked) {
  auto settings = settings_of("Im(5,(),3)");
  settings.use_diagrams = false;
  Classifier classifier(settings, shape, 1);
  EXPECT_EQ(classifier->parameters().size(), 2U);  // one dense layer
  EXPECT_EQ(run(classifier, input_of(5)).sizes(), torch::IntArrayRef({5, 4}));
  const ClassifierShape nothing{{diagram::Kind::h0}, 0, 2};
  EXPECT_NE(test::sentence_of([&] { Classifier(settings, nothing, 1); }).find("nothing to read"),
            std::string::npos);
}

TEST(Classifier, KindsMayHaveChannelsOfTheirOwn) {
  auto settings = settings_of("Im(5,(),3)");
  settings.channels["h1"] = {"", "mlp:8", "", "sum+max"};
  Classifier classifier(settings, shape, 1);
  const auto parameters = classifier->named_parameters();
  EXPECT_TRUE(parameters.contains("channel0.perslay.weight.cells"));
  EXPECT_TRUE(parameters.contains("channel1.layer0.weight"));
  EXPECT_EQ(parameters["dense0.weight"].size(1), 36 + 16 + 3);
}

/// What is counted before a network is made is what it has then.
TEST(Classifier, WeightsAreCountedBeforeTheyAreMade) {
  auto with_filtrations = shape;
  with_filtrations.trained.groups = {{0, "learned:3x5", diagram::Kind::ord0},
                                     {0, "learned:3x5", diagram::Kind::ext1},
                                     {1, "hks:10", diagram::Kind::ord0}};
  const learn::ChannelSettings channels[] = {
      {"Im(6,(3,2),4,top-3)"},
      {"Im(5,(),0)"},
      {"Pm(5,4,3,top-2)"},
      {"", "mlp:6x7", "", "sum+topk:2+attention:3"},
      {"", "mlp:6", "", "max"},
      {"", "gaussian:4x3", "grid:5x6", "topk:3"},
      {"", "line:7", "gmix:3", "sum"},
  };
  for (const auto& channel : channels)
    for (const bool norms : {false, true})
      for (const bool diagrams : {false, true}) {
        learn::NetworkSettings settings;
        settings.channel = channel;
        settings.channels["h1"] = channels[0];
        settings.use_diagrams = diagrams;
        settings.channel_norm = settings.batch_norm = norms;
        if (norms) settings.hidden = {8, 9};
        Classifier classifier(settings, with_filtrations, 1);
        double weights = 0;
        for (const auto& parameter : classifier->parameters())
          weights += static_cast<double>(parameter.numel());
        EXPECT_EQ(network_size(settings, with_filtrations).all(), weights) << channel.paper << channel.phi;
      }
}

TEST(Classifier, DropoutIsSeededUnbiasedAndOffAfterTraining) {
  learn::NetworkSettings settings;
  settings.use_diagrams = false;
  settings.input_dropout = 0.25;
  const ClassifierShape wide{{}, 4000, 1};
  Classifier classifier(settings, wide, 1);
  {
    const torch::NoGradGuard constant;
    classifier->named_parameters()["dense0.weight"].fill_(1);
  }
  ClassifierInput input;
  input.features = torch::ones({50, 4000});
  EXPECT_TRUE(torch::equal(run(classifier, input, 5), run(classifier, input, 5)));
  EXPECT_FALSE(torch::equal(run(classifier, input, 5), run(classifier, input, 6)));
  // Each output is 4/3 times a binomial of 4000 trials at 3/4; the mean of 50 has deviation 36.5 / sqrt(50).
  EXPECT_NEAR(run(classifier, input, 5).mean().item<double>(), 4000, 5 * 36.5 / std::sqrt(50.0));
  classifier->eval();
  EXPECT_TRUE(torch::equal(run(classifier, input, 5), torch::full({50, 1}, 4000.0F)));
}

TEST(Classifier, SeedsDecideWhereItStarts) {
  const auto first = [&](std::uint64_t seed) {
    Classifier classifier(settings_of("Im(5,(2,2),3)"), shape, seed);
    return run(classifier, input_of(4));
  };
  EXPECT_TRUE(torch::equal(first(1), first(1)));
  EXPECT_FALSE(torch::equal(first(1), first(2)));
}

TEST(PointNetwork, PoolsWhatItsPerceptronComputes) {
  const auto input = input_of(7);
  const auto& batch = input.diagrams[1];  // some are empty
  PointNetwork network(std::vector<std::size_t>{6, 5}, learn::parse_pooling("sum+topk:2+attention:3"), 4);
  network->eval();
  const auto out = network->forward(batch);
  ASSERT_EQ(out.sizes(), torch::IntArrayRef({7, 5 + 10 + 15}));

  const auto parameters = network->named_parameters();
  const auto b = batch.points().select(1, 0), d = batch.points().select(1, 1);
  auto x =
      torch::stack({b, d - b, d, torch::log(b + 1e-3), torch::log(d - b + 1e-3)}, 1) / std::sqrt(1 + 1e-5);
  for (const auto* layer : {"layer0", "layer1"})
    x = torch::relu(torch::matmul(x, parameters[std::string(layer) + ".weight"].t()) +
                    parameters[std::string(layer) + ".bias"]);
  const auto scores = torch::matmul(x, parameters["attention.weight"].t()) + parameters["attention.bias"];
  const auto* offsets = batch.offsets().data_ptr<std::int64_t>();
  bool some_empty = false;
  for (std::int64_t i = 0; i < 7; ++i) {
    const auto count = offsets[i + 1] - offsets[i];
    if (count == 0) {
      some_empty = true;
      EXPECT_TRUE(torch::equal(out[i], torch::zeros({30})));
      continue;
    }
    const auto own = x.narrow(0, offsets[i], count);
    const auto shares = torch::softmax(scores.narrow(0, offsets[i], count), 0);
    auto top = torch::zeros({5, 2});
    const auto sorted = std::get<0>(own.sort(0, true));
    for (std::int64_t k = 0; k < std::min<std::int64_t>(2, count); ++k) top.select(1, k).copy_(sorted[k]);
    const auto expected = torch::cat({own.sum(0), top.flatten(), torch::matmul(shares.t(), own).flatten()});
    EXPECT_TRUE(torch::allclose(out[i], expected, 1e-5, 1e-5)) << i;
  }
  EXPECT_TRUE(some_empty);
}

TEST(PointNetwork, BadNamesAreSentences) {
  const auto sentence = [](auto parse, const char* name) {
    return test::sentence_of([&] { static_cast<void>(parse(name)); });
  };
  EXPECT_NE(sentence(learn::parse_point_network, "mlp").find("mlp:64x64"), std::string::npos);
  EXPECT_NE(sentence(learn::parse_point_network, "mlp:64x0").find("'0'"), std::string::npos);
  EXPECT_NE(sentence(learn::parse_pooling, "attention").find("attention:4"), std::string::npos);
  EXPECT_NE(sentence(learn::parse_pooling, "sum+median").find("median"), std::string::npos);
}

}  // namespace
}  // namespace perslay::nn
