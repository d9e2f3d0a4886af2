// The fused kernels against the plain path: results and all gradients.
#include "nn/cases.h"

#include <limits>

#include <gtest/gtest.h>
#include <torch/csrc/autograd/forward_grad.h>

#include <perslay/base/error.h>

namespace perslay::test {
namespace {

std::vector<Tensor> to_float(const std::vector<Tensor>& tensors) {
  std::vector<Tensor> result;
  for (const auto& tensor : tensors) result.push_back(tensor.to(torch::kFloat32));
  return result;
}

std::vector<Tensor> to_double(const std::vector<Tensor>& tensors) {
  std::vector<Tensor> result;
  for (const auto& tensor : tensors) result.push_back(tensor.to(torch::kFloat64));
  return result;
}

std::vector<std::int64_t> random_sizes(std::size_t count, base::RandomStream& random) {
  std::vector<std::int64_t> sizes;
  for (std::size_t i = 0; i < count; ++i) sizes.push_back(static_cast<std::int64_t>(random.below(30)));
  return sizes;
}

layer::Channel channel_of(const char* phi, const std::vector<layer::Equivariant>& stack, const char* weight,
                          const char* operation) {
  return {layer::parse_point_transform(phi), stack, layer::parse_weight(weight),
          layer::parse_operation(operation)};
}

TEST(Fused, equals_the_plain_path_in_double_precision) {
  base::RandomStream random(1);
  const auto batch = awkward_batch(random);
  for_each_channel([&](const layer::Channel& channel) {
    const auto parameters = random_parameters(channel, random);
    const auto expected = plain(channel, batch, parameters);
    const auto result = fused(channel, batch, parameters);
    EXPECT_LT(relative_error(result.out, expected.out), 1e-13) << channel.name();
    for (std::size_t i = 0; i < expected.gradients.size(); ++i)
      EXPECT_LT(relative_error(result.gradients[i], expected.gradients[i]), 1e-12)
          << channel.name() << ", gradient of "
          << (i == 0 ? std::string("the points") : channel.parameters()[i - 1].name);
  });
}

TEST(Fused, equals_the_plain_path_in_single_precision_up_to_its_rounding) {
  base::RandomStream random(2);
  for_each_channel(
      [&](const layer::Channel& channel) {
        // A kink or a tie that lies within the rounding gives another slope, but hardly in two draws of two.
        double gradients = std::numeric_limits<double>::infinity();
        for (int draw = 0; draw < 2; ++draw) {
          const auto batch = random_batch({0, 1, 23, 60, 0, 17}, random).to(torch::kFloat32);
          const auto parameters = to_float(random_parameters(channel, random));
          const auto result = fused(channel, batch, parameters);
          const auto expected = plain(channel, batch.to(torch::kFloat64), to_double(parameters));
          EXPECT_EQ(result.out.scalar_type(), torch::kFloat32);
          EXPECT_LT(relative_error(result.out, expected.out), 5e-6) << channel.name();
          gradients = std::min(gradients, relative_error(result, expected));
        }
        EXPECT_LT(gradients, 2e-5) << channel.name();
      },
      5);
}

TEST(Fused, equals_the_plain_path_on_a_hundred_thousand_points) {
  using layer::Pool;
  base::RandomStream random(3);
  const auto batch = random_batch({2, 100'000, 0, 3}, random);
  for (const auto& channel : {
           channel_of("gaussian:6x5", {}, "grid:10x10", "sum"),
           channel_of("gaussian:6x5", {}, "gmix:2", "max"),
           channel_of("triangle:8", {}, "power:1", "topk:5"),
           channel_of("entropy:5", {}, "one", "sum"),
           channel_of("hofer:5", {{3, Pool::sum}}, "constant", "mean"),
           channel_of("line:5", {{6, Pool::max}}, "grid:10x10", "topk:5"),
           channel_of("line:5", {{6, Pool::mean}, {3, Pool::min}}, "one", "sum"),
       }) {
    const auto parameters = random_parameters(channel, random);
    EXPECT_LT(relative_error(fused(channel, batch, parameters), plain(channel, batch, parameters)), 1e-10)
        << channel.name();
  }
}

TEST(Fused, gives_the_same_bytes_for_any_number_of_threads) {
  base::RandomStream random(4);
  const auto batch = random_batch(random_sizes(90, random), random);
  for_each_channel(
      [&](const layer::Channel& channel) {
        const auto parameters = random_parameters(channel, random);
        const auto one = fused(channel, batch, parameters, 1);
        const auto two = fused(channel, batch, parameters, 2);
        EXPECT_TRUE(torch::equal(one.out, two.out)) << channel.name();
        for (std::size_t i = 0; i < one.gradients.size(); ++i)
          EXPECT_TRUE(torch::equal(one.gradients[i], two.gradients[i])) << channel.name() << ", input " << i;
      },
      11);
}

/// Whatever else is in the batch, the diagrams of a batch give what they give alone.
void expect_no_influence(const layer::Channel& channel, const nn::RaggedBatch& batch,
                         const std::vector<Tensor>& parameters) {
  const auto together = nn::fused_forward(channel, batch, parameters);
  const auto plain_together = nn::plain_forward(channel, batch, parameters);
  for (std::int64_t i = 0; i < batch.size(); ++i) {
    const auto begin = batch.offsets()[i].item<std::int64_t>(),
               end = batch.offsets()[i + 1].item<std::int64_t>();
    const nn::RaggedBatch alone(batch.points().slice(0, begin, end),
                                torch::tensor({std::int64_t{0}, end - begin}));
    EXPECT_TRUE(torch::equal(nn::fused_forward(channel, alone, parameters)[0], together[i]))
        << channel.name();
    // A matrix product may round differently for another number of rows.
    EXPECT_LT(relative_error(nn::plain_forward(channel, alone, parameters)[0], plain_together[i]), 1e-14)
        << channel.name();
    if (begin == end) {
      EXPECT_EQ(together[i].abs().sum().item<double>(), 0) << channel.name();
    }
  }
}

TEST(Fused, has_no_padding_that_leaks) {
  base::RandomStream random(5);
  const auto batch = awkward_batch(random);
  for_each_channel(
      [&](const layer::Channel& channel) {
        expect_no_influence(channel, batch, random_parameters(channel, random));
      },
      7);
}

TEST(Fused, computes_only_the_gradients_that_are_wanted) {
  base::RandomStream random(6);
  const auto batch = awkward_batch(random);
  for (const auto& stack : stacks()) {
    const auto channel = channel_of("line:5", stack, "grid:4x4", "topk:2");
    const auto parameters = random_parameters(channel, random);
    const auto all = fused(channel, batch, parameters);
    for (std::size_t wanted = 0; wanted < parameters.size(); ++wanted) {
      auto arrays = parameters;
      arrays[wanted] = arrays[wanted].detach().requires_grad_();
      const auto out = nn::fused_forward(channel, batch, arrays);
      (out * slopes(out)).sum().backward();
      EXPECT_TRUE(torch::equal(arrays[wanted].grad(), all.gradients[wanted + 1])) << channel.name();
    }
    EXPECT_FALSE(nn::fused_forward(channel, batch, parameters).requires_grad());
  }
}

TEST(Fused, works_on_a_batch_without_any_point) {
  const nn::RaggedBatch batch(torch::zeros({0, 2}, torch::kFloat64), torch::zeros({4}, torch::kInt64));
  base::RandomStream random(7);
  for_each_channel(
      [&](const layer::Channel& channel) {
        const auto parameters = random_parameters(channel, random);
        const auto result = fused(channel, batch, parameters);
        EXPECT_EQ(relative_error(result, plain(channel, batch, parameters)), 0) << channel.name();
        EXPECT_EQ(result.out.abs().sum().item<double>(), 0) << channel.name();
      },
      5);
}

TEST(Fused, refuses_second_derivatives_in_a_sentence) {
  base::RandomStream random(8);
  const auto channel = channel_of("gaussian:3", {}, "one", "sum");
  const auto parameters = random_parameters(channel, random);
  const nn::RaggedBatch batch = random_batch({4}, random);
  const auto centres = parameters[0].detach().requires_grad_();
  const auto loss = nn::fused_forward(channel, batch, {centres, parameters[1]}).sum();
  try {
    static_cast<void>(torch::autograd::grad({loss}, {centres}, {}, true, /*create_graph=*/true));
    FAIL() << "A second derivative was promised.";
  } catch (const base::Error& error) {
    EXPECT_NE(std::string(error.what()).find("no second derivatives"), std::string::npos) << error.what();
  }
}

/// The tangents of forward mode would be zeros.
TEST(Fused, refuses_forward_mode) {
  base::RandomStream random(9);
  const auto channel = channel_of("gaussian:3", {}, "one", "sum");
  const auto parameters = random_parameters(channel, random);
  const auto batch = random_batch({4}, random);
  const auto level = torch::autograd::ForwardADLevel::get_next_idx();
  const auto dual =
      at::_make_dual(batch.points(), torch::ones_like(batch.points()), static_cast<std::int64_t>(level));
  EXPECT_THROW(static_cast<void>(nn::fused_forward(channel, {dual, batch.offsets()}, parameters)),
               c10::Error);
  torch::autograd::ForwardADLevel::release_idx(level);
}

/// What the channel ignores would get no gradient.
TEST(Fused, refuses_features_and_weights_that_the_channel_computes_itself) {
  base::RandomStream random(10);
  const auto channel = channel_of("gaussian:3", {}, "power:1", "sum");
  const auto parameters = random_parameters(channel, random);
  const auto batch = random_batch({4}, random);
  const auto sentence_of = [&](const nn::Given& given, const auto& forward) -> std::string {
    try {
      static_cast<void>(forward(channel, batch, parameters, given));
    } catch (const base::Error& error) {
      return error.what();
    }
    return {};
  };
  const auto fused_path = [](const auto&... inputs) { return nn::fused_forward(inputs...); };
  const auto plain_path = [](const auto&... inputs) { return nn::plain_forward(inputs...); };
  const nn::Given features{torch::ones({4, 3}, torch::kFloat64), {}},
      weights{{}, torch::ones({4}, torch::kFloat64)};
  EXPECT_EQ(sentence_of(features, fused_path),
            "Features are given, but the phi of the channel is gaussian:3.");
  EXPECT_EQ(sentence_of(weights, fused_path), "Weights are given, but the weight of the channel is power:1.");
  EXPECT_EQ(sentence_of(features, plain_path), sentence_of(features, fused_path));
  EXPECT_EQ(sentence_of(weights, plain_path), sentence_of(weights, fused_path));
}

/// Points and parameters with strides, an expanded gradient that comes in, and twice through one graph.
TEST(Fused, gradients_do_not_depend_on_how_tensors_lie_in_memory) {
  base::RandomStream random(11);
  const auto channel = channel_of("gaussian:3", {{2, layer::Pool::mean}}, "grid:4x4", "sum");
  const auto batch = random_batch({4, 0, 3}, random);
  const auto strided = [](const Tensor& tensor) { return torch::stack({tensor, tensor}, -1).select(-1, 0); };
  const auto parameters = random_parameters(channel, random);
  const auto run = [&](bool with_strides) {
    std::vector<Tensor> inputs{batch.points()};
    inputs.insert(inputs.end(), parameters.begin(), parameters.end());
    for (auto& input : inputs)
      input = (with_strides ? strided(input) : input.clone()).detach().requires_grad_();
    const auto out =
        nn::fused_forward(channel, {inputs[0], batch.offsets()}, {inputs.begin() + 1, inputs.end()});
    const auto ones = torch::ones({}, torch::kFloat64).expand_as(out);
    const auto first = torch::autograd::grad({out}, inputs, {ones}, /*retain_graph=*/true);
    const auto second = torch::autograd::grad({out}, inputs, {ones.contiguous()});
    for (std::size_t i = 0; i < inputs.size(); ++i) EXPECT_TRUE(torch::equal(first[i], second[i])) << i;
    return first;
  };
  const auto packed = run(false), with_strides = run(true);
  for (std::size_t i = 0; i < packed.size(); ++i) EXPECT_TRUE(torch::equal(packed[i], with_strides[i])) << i;
}

}  // namespace
}  // namespace perslay::test
