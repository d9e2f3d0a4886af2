// The modules: what they are made of, and that every way to write one gives the same.
#include "nn/cases.h"

#include <numbers>
#include <sstream>

#include <gtest/gtest.h>

#include <perslay/base/error.h>
#include <perslay/layer/initialise.h>
#include <perslay/nn/paper_channel.h>
#include <perslay/nn/permutation_equivariant.h>
#include <perslay/nn/perslay.h>

namespace perslay::test {
namespace {

using nn::PersLay;
using nn::PersLayOptions;
using nn::RaggedBatch;

std::string printed(const torch::nn::Module& module) {
  std::ostringstream text;
  text << module;
  return text.str();
}

template <class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const base::Error& error) {
    return error.what();
  }
  return "no error";
}

RaggedBatch some_batch(std::uint64_t seed = 1) {
  base::RandomStream random(seed);
  return random_batch({0, 3, 8, 1}, random);
}

TEST(RaggedBatch, copies_a_batch_of_diagrams) {
  const diagram::DiagramBatch diagrams({{0.5, 1}, {0.25, 2}, {0, 3}}, {0, 2, 2, 3});
  const RaggedBatch batch(diagrams);
  EXPECT_EQ(batch.size(), 3);
  EXPECT_TRUE(torch::equal(batch.points(), torch::tensor({{0.25F, 2.0F}, {0.5F, 1.0F}, {0.0F, 3.0F}})));
  EXPECT_TRUE(torch::equal(batch.offsets(), torch::tensor({0, 2, 2, 3}, torch::kInt64)));
  EXPECT_EQ(RaggedBatch(diagrams, torch::kFloat64).points().scalar_type(), torch::kFloat64);
  EXPECT_EQ(RaggedBatch(diagram::DiagramBatch{}).size(), 0);
}

TEST(RaggedBatch, refuses_what_is_none) {
  const auto error = [](const Tensor& points, const Tensor& offsets) {
    return error_of([&] { static_cast<void>(RaggedBatch(points, offsets)); });
  };
  const auto offsets = torch::tensor({0, 2}, torch::kInt64);
  EXPECT_EQ(error(torch::zeros({2, 3}), offsets), "The points of a batch need the shape [N, 2], not [2, 3].");
  EXPECT_EQ(error(torch::zeros({3, 2}), offsets),
            "The offsets of a batch of 3 points need to run from 0 to 3, not from 0 to 2.");
  EXPECT_EQ(error(torch::zeros({2, 2}), torch::tensor({0, 3, 2}, torch::kInt64)),
            "The offsets of a batch descend from 3 to 2 at diagram 1.");
  EXPECT_NE(error(torch::zeros({2, 2}), torch::zeros(3)), "no error");
  EXPECT_NE(error(torch::zeros({2, 2}, torch::kInt64), offsets), "no error");
}

TEST(PersLay, shows_its_parts) {
  EXPECT_EQ(printed(*PersLay(PersLayOptions{.phi = "gaussian:20x20", .weight = "grid:10x10", .op = "sum"})),
            "PersLay(phi=gaussian:20x20, weight=grid:10x10, op=sum, 400 features)(\n"
            "  (phi): births [20], persistences [20], sharpness [1]\n"
            "  (weight): cells [10, 10]\n"
            ")");
  const PersLay stacked(
      PersLayOptions{.phi = "line:4", .equivariant = {{3, layer::Pool::max}}, .op = "topk:2"});
  EXPECT_EQ(printed(*stacked).substr(0, 78),
            "PersLay(phi=line:4, equivariant=3:max, weight=one, op=topk:2, 6 features)(\n  (");
}

TEST(PersLay, has_the_parameters_of_its_channel_by_name) {
  for_each_channel(
      [](const layer::Channel& channel) {
        const PersLay module(channel, nn::PersLaySetup{.seed = 5});
        const auto shapes = channel.parameters();
        const auto values = layer::initial_parameters(channel, layer::Initialisation::ours, 5);
        const auto named = module->named_parameters();
        ASSERT_EQ(named.size(), shapes.size());
        for (std::size_t i = 0; i < shapes.size(); ++i) {
          EXPECT_EQ(named[i].key(), shapes[i].name);
          EXPECT_EQ(named[i].value().sizes(), torch::IntArrayRef(shapes[i].shape));
          EXPECT_TRUE(torch::equal(named[i].value().flatten(), torch::tensor(values[i], torch::kFloat32)));
        }
      },
      7);
}

TEST(PersLay, trains_what_it_is_told_to) {
  PersLay module(PersLayOptions{.phi = "gaussian:3", .weight = "grid:4x4", .setup = {.train_phi = false}});
  module->forward(some_batch().to(torch::kFloat32)).sum().backward();
  for (const auto& parameter : module->named_parameters())
    EXPECT_EQ(parameter.value().grad().defined(), parameter.key() == "weight.cells") << parameter.key();
}

TEST(PersLay, keeps_its_parameters_in_a_file) {
  const PersLayOptions options{
      .phi = "mixture:triangle+gaussian+line:4", .weight = "gmix:2", .setup = {.seed = 1}};
  PersLay saved(options), loaded(options.channel(), nn::PersLaySetup{.seed = 2});
  std::stringstream file;
  torch::save(saved, file);
  torch::load(loaded, file);
  const auto batch = some_batch().to(torch::kFloat32);
  EXPECT_TRUE(torch::equal(saved->forward(batch), loaded->forward(batch)));
}

TEST(PersLay, takes_the_same_step_on_both_paths) {
  for_each_channel(
      [](const layer::Channel& channel) {
        const auto step = [&](nn::Path path) {
          PersLay module(channel,
                         nn::PersLaySetup{.initialisation = layer::Initialisation::authors, .path = path});
          module->to(torch::kFloat64);
          torch::optim::SGD optimizer(module->parameters(), 0.1);
          const auto out = module->forward(some_batch());
          if (out.requires_grad()) (out * slopes(out)).sum().backward();
          if (!module->parameters().empty()) optimizer.step();
          return module->parameters();
        };
        const auto fused = step(nn::Path::fused), plain = step(nn::Path::plain);
        for (std::size_t i = 0; i < fused.size(); ++i)
          EXPECT_LT(relative_error(fused[i], plain[i]), 1e-12) << channel.name();
      },
      7);
}

TEST(PersLay, runs_in_half_precision_by_the_plain_path) {
  PersLay module(PersLayOptions{.phi = "line:3"});
  module->to(torch::kBFloat16);
  EXPECT_EQ(module->forward(some_batch().to(torch::kBFloat16)).scalar_type(), torch::kBFloat16);
  module->path = nn::Path::fused;
  EXPECT_NE(error_of([&] { module->forward(some_batch().to(torch::kBFloat16)); }), "no error");
}

TEST(PersLay, says_what_does_not_fit) {
  PersLay module(PersLayOptions{.phi = "gaussian:3"});
  EXPECT_EQ(error_of([&] { module->forward(some_batch()); }),
            "The points are Double on cpu, but phi.centres is Float on cpu.");
  EXPECT_NE(error_of([] { PersLay(PersLayOptions{.phi = "gauss:3"}); }).find("gauss"), std::string::npos);
  layer::Channel channel;
  channel.phi.type = layer::PointTransform::Type::given;
  channel.phi.count = 3;
  EXPECT_EQ(error_of([&] { PersLay lacking(channel); }),
            "A module for phi and a channel whose phi is given need one another.");
  PersLay narrow(channel, nn::PersLaySetup{}, nn::PointModules{.phi = torch::nn::Linear(2, 4), .weight = {}});
  EXPECT_EQ(error_of([&] { narrow->forward(some_batch().to(torch::kFloat32)); }),
            "The channel needs features of the shape [12, 3], not [12, 4].");
}

/// (|d - b|/sqrt 2), as a user would write it.
struct DistanceImpl : torch::nn::Module {
  explicit DistanceImpl(bool as_column) : as_column_(as_column) {}
  torch::Tensor forward(const torch::Tensor& points) {
    const auto distance = (points.select(1, 1) - points.select(1, 0)).abs() / std::numbers::sqrt2;
    return as_column_ ? distance.unsqueeze(1) : distance;
  }
  bool as_column_;
};
TORCH_MODULE(Distance);

/// The result, and the gradients of the points and of phi.
Result apply(PersLay& module, const RaggedBatch& batch) {
  const auto points = batch.points().detach().requires_grad_();
  std::vector<Tensor> inputs{points};
  for (const auto& parameter : module->named_parameters())
    if (parameter.key().starts_with("phi")) inputs.push_back(parameter.value());
  const auto out = module->forward({points, batch.offsets()});
  return {out.detach(), torch::autograd::grad({(out * slopes(out)).sum()}, inputs)};
}

TEST(PersLay, takes_modules_of_the_user) {
  base::RandomStream random(3);
  const auto batch = awkward_batch(random);
  for (const auto& stack : stacks())
    for (const auto& operation : operations())
      for (const nn::Path path : {nn::Path::fused, nn::Path::plain}) {
        const nn::PersLaySetup setup{.train_weight = false, .path = path};
        PersLay built_in(PersLayOptions{
            .phi = "line:5", .equivariant = stack, .weight = "power:1", .op = operation, .setup = setup});
        built_in->to(torch::kFloat64);
        const auto expected = apply(built_in, batch);

        const torch::nn::Linear lines(2, 5);
        PersLay of_user(PersLayOptions{
            .equivariant = stack,
            .op = operation,
            .setup = setup,
            .modules = {.phi = torch::nn::Sequential(lines), .weight = Distance(path == nn::Path::fused)},
            .phi_size = 5});
        of_user->to(torch::kFloat64);
        const auto source = built_in->named_parameters();
        const torch::NoGradGuard constant;
        lines->weight.copy_(source["phi.directions"]);
        lines->bias.copy_(source["phi.bias"]);
        for (auto& parameter : of_user->named_parameters())
          if (parameter.key().starts_with("equivariant")) parameter.value().copy_(source[parameter.key()]);
        const torch::AutoGradMode again(true);
        EXPECT_LT(relative_error(apply(of_user, batch), expected), 1e-12) << of_user->channel().name();
      }
}

TEST(PermutationEquivariant, follows_any_module_as_the_stack_of_a_channel_does) {
  const auto batch = some_batch();
  for (const auto& stack : stacks()) {
    PersLay module(layer::Channel{layer::parse_point_transform("triangle:5"), stack, {}, {}});
    PersLay alone(PersLayOptions{.phi = "triangle:5"});
    module->to(torch::kFloat64);
    const auto samples = module->named_parameters()["phi.samples"];
    const auto points = batch.points();
    auto features =
        (points.narrow(1, 1, 1) - points.narrow(1, 0, 1)) / 2 - (samples - points.mean(1, true)).abs();
    features = features.relu();
    std::size_t input = 5;
    for (std::size_t i = 0; i < stack.size(); ++i) {
      nn::PermutationEquivariant layer(input, stack[i]);
      layer->to(torch::kFloat64);
      const torch::NoGradGuard constant;
      for (auto& parameter : layer->named_parameters())
        parameter.value().copy_(
            module->named_parameters()["equivariant." + std::to_string(i) + "." + parameter.key()]);
      features = layer->forward(features, batch.offsets());
      input = stack[i].size;
    }
    auto sums = torch::zeros({batch.size(), features.size(1)}, torch::kFloat64);
    for (std::int64_t i = 0; i < batch.size(); ++i)
      sums[i] =
          features
              .slice(0, batch.offsets()[i].item<std::int64_t>(), batch.offsets()[i + 1].item<std::int64_t>())
              .sum(0);
    EXPECT_LT(relative_error(module->forward(batch), sums), 1e-12);
  }
}

TEST(PermutationEquivariant, shows_its_parts_and_refuses_what_does_not_fit) {
  nn::PermutationEquivariant layer(5, layer::Equivariant{3, layer::Pool::mean});
  EXPECT_EQ(printed(*layer), "PermutationEquivariant(5 -> 3, pool=mean)");
  EXPECT_EQ(error_of([&] {
              layer->forward(torch::zeros({2, 4}), torch::tensor({0, 2}, torch::kInt64));
            }),
            "The equivariant layer needs features of the shape [N, 5], not [2, 4].");
}

TEST(PaperChannel, has_the_shapes_of_the_paper) {
  const std::pair<const char*, std::int64_t> sizes[] = {{"Im(20,(10,2),10,sum)", 4000},
                                                        {"Im(20,(),20)", 441},
                                                        {"Pm(25,25,10,top-5)", 125},
                                                        {"Pm(5,7,none,sum)", 7},
                                                        {"Im(10,(4,3),10,top-2)", 324}};
  const auto batch = some_batch().to(torch::kFloat32);
  for (const auto& [text, size] : sizes) {
    nn::PaperChannel channel = nn::make_paper_channel(text);
    EXPECT_EQ(channel->size(), size) << text;
    EXPECT_EQ(channel->forward(batch).sizes(), (std::vector<std::int64_t>{4, size})) << text;
  }
}

TEST(PaperChannel, shows_its_parts) {
  const auto text = printed(*nn::make_paper_channel("Im(20,(10,2),10,sum)"));
  for (const char* part :
       {"PaperChannel(4000 features)", "(perslay): PersLay(phi=gaussian:21x21,", "Conv2d(1, 10,"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(PaperChannel, filters_the_image_as_written) {
  nn::PaperChannel channel = nn::make_paper_channel("Im(4,(3,2),10,sum)", {.seed = 7});
  const auto batch = some_batch().to(torch::kFloat32);
  const auto image = channel->perslay()->forward(batch).reshape({4, 5, 5});
  const auto filters = channel->named_parameters()["convolution.weight"];
  const auto bias = channel->named_parameters()["convolution.bias"];
  const auto out = channel->forward(batch).reshape({4, 3, 4, 4});
  for (std::int64_t f = 0; f < 3; ++f)
    for (std::int64_t i = 0; i < 4; ++i)
      for (std::int64_t j = 0; j < 4; ++j) {
        const auto window = image.slice(1, i, i + 2).slice(2, j, j + 2);
        const auto expected = (window * filters[f][0]).sum({1, 2}) + bias[f];
        EXPECT_LT(relative_error(out.select(1, f).select(1, i).select(1, j), expected), 1e-6);
      }
  EXPECT_TRUE(torch::equal(
      filters,
      nn::make_paper_channel("Im(4,(3,2),10,sum)", {.seed = 7})->named_parameters()["convolution.weight"]));
}

}  // namespace
}  // namespace perslay::test
