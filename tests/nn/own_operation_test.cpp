// Operations of the user: those that are built in as well give the same, with gradients.
#include "nn/cases.h"
#include "sentence.h"

#include <sstream>

#include <gtest/gtest.h>

#include <perslay/nn/perslay.h>

// ---- the example of docs/layer.md

/// log(1 + the sum of the exponentials) of every feature.
torch::Tensor soft_maximum(const torch::Tensor& features, const torch::Tensor& offsets) {
  const auto counts = offsets.diff();
  const auto diagram = torch::repeat_interleave(torch::arange(counts.size(0)), counts).to(features.device());
  const auto none = torch::zeros({counts.size(0), features.size(1)}, features.options());
  return none.index_add(0, diagram, features.exp()).log1p();
}

perslay::nn::PersLay soft_layer() {
  return perslay::nn::PersLay(perslay::nn::PersLayOptions{
      .phi = "gaussian:6x6", .weight = "grid:6x6", .modules = {.op = {soft_maximum, 36}}});
}

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

/// A built-in operation once more, diagram by diagram.
Tensor reduced(const layer::Operation& op, const Tensor& features, const Tensor& offsets) {
  std::vector<Tensor> rows;
  for (std::int64_t i = 0; i + 1 < offsets.size(0); ++i) {
    const auto own = features.slice(0, offsets[i].item<std::int64_t>(), offsets[i + 1].item<std::int64_t>());
    if (!op.selects()) {
      const auto sum = own.sum(0);
      rows.push_back(op.type == layer::Operation::Type::mean && own.size(0) > 0
                         ? sum / static_cast<double>(own.size(0))
                         : sum);
      continue;
    }
    const auto sorted = std::get<0>(own.sort(/*stable=*/true, 0, op.type != layer::Operation::Type::min));
    const auto k = static_cast<std::int64_t>(op.k);
    const auto ranks = torch::cat({sorted, torch::zeros({k, own.size(1)}, own.options())}).slice(0, 0, k);
    rows.push_back(op.type == layer::Operation::Type::kth ? ranks[k - 1] : ranks.t().flatten());
  }
  return torch::stack(rows);
}

/// The output and the gradients of the points and of all parameters.
Result apply(PersLay& module, const RaggedBatch& batch) {
  std::vector<Tensor> inputs{batch.points().detach().requires_grad_()};
  for (const auto& parameter : module->parameters()) inputs.push_back(parameter);
  const auto out = module->forward({inputs[0], batch.offsets()});
  Result result{out.detach(), {}};
  if (out.requires_grad())
    result.gradients = torch::autograd::grad({(out * slopes(out)).sum()}, inputs, {}, false, false, true);
  result.gradients.resize(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (!result.gradients[i].defined()) result.gradients[i] = torch::zeros_like(inputs[i]);
  return result;
}

TEST(OwnOperation, ones_that_are_built_in_give_the_same) {
  base::RandomStream random(1);
  const auto batch = awkward_batch(random);
  std::size_t used = 0;
  for_each_channel(
      [&](const layer::Channel& channel) {
        PersLay built_in(channel),
            own(channel, nn::PersLaySetup{},
                nn::PointModules{.op = [op = channel.op](const Tensor&features, const Tensor&offsets) {
                  return reduced(op, features, offsets);
                }});
        const auto values = random_parameters(channel, random);
        for (auto* module : {&built_in, &own}) {
          (*module)->to(torch::kFloat64);
          const torch::NoGradGuard constant;
          const auto parameters = (*module)->parameters();
          ASSERT_EQ(parameters.size(), values.size());
          for (std::size_t i = 0; i < values.size(); ++i) parameters[i].set_data(values[i].clone());
        }
        EXPECT_LT(relative_error(apply(own, batch), apply(built_in, batch)), 1e-12) << channel.name();
        EXPECT_EQ(own->size(), built_in->size());
        ++used;
      },
      5);
  EXPECT_GT(used, 500U);
}

/// Each feature's mean, where points weigh the softmax of a number that is learned.
struct AttentionImpl : torch::nn::Module {
  explicit AttentionImpl(std::int64_t features)
      : torch::nn::Module("Attention"), score(register_module("score", torch::nn::Linear(features, 1))) {}
  Tensor forward(const Tensor& features, const Tensor& offsets) {
    const auto counts = offsets.diff();
    const auto diagram = torch::repeat_interleave(torch::arange(counts.size(0)), counts);
    const auto shares = score->forward(features).exp();
    const auto sum = [&](const Tensor& rows) {
      return torch::zeros({counts.size(0), rows.size(1)}, rows.options()).index_add(0, diagram, rows);
    };
    if (is_training()) ++calls_in_training;
    return sum(shares * features) / sum(shares).clamp_min(1e-30);
  }
  torch::nn::Linear score;
  int calls_in_training = 0;
};
TORCH_MODULE(Attention);

TEST(OwnOperation, has_parameters_of_its_own) {
  const auto options = [](const Attention& attention) {
    return PersLayOptions{.phi = "entropy:4",
                          .equivariant = {{3, layer::Pool::max}},
                          .setup = {.seed = 2},
                          .modules = {.op = attention}};
  };
  Attention attention(3);
  PersLay module(options(attention));
  EXPECT_EQ(printed(*module).substr(0, 79),
            "PersLay(phi=entropy:4, equivariant=3:max, weight=one, op=Attention, size unknow");
  module->to(torch::kFloat64);
  base::RandomStream random(2);
  const auto batch = awkward_batch(random);
  const auto named = module->named_parameters();
  ASSERT_NE(named.find("op.score.weight"), nullptr);
  torch::optim::SGD optimiser(module->parameters(), 0.01);
  const auto loss = [&] { return (module->forward(batch) - 1).square().sum(); };
  const double before = loss().item<double>();
  for (int step = 0; step < 50; ++step) {
    optimiser.zero_grad();
    loss().backward();
    EXPECT_GT(named["op.score.weight"].grad().abs().max().item<double>(), 0);
    optimiser.step();
  }
  EXPECT_LT(loss().item<double>(), 0.9 * before);
  EXPECT_EQ(module->size(), 3);

  std::stringstream file;
  torch::save(module, file);
  PersLay loaded(options(Attention(3)));
  loaded->to(torch::kFloat64);
  torch::load(loaded, file);
  EXPECT_TRUE(torch::equal(loaded->forward(batch), module->forward(batch)));
}

TEST(OwnOperation, is_the_example) {
  PersLay module = soft_layer();
  EXPECT_EQ(printed(*module).substr(0, 62), "PersLay(phi=gaussian:6x6, weight=grid:6x6, op=own, 36 features");
  EXPECT_EQ(module->size(), 36);
  base::RandomStream random(3);
  const auto batch = awkward_batch(random).to(torch::kFloat32);
  const auto out = module->forward(batch);
  EXPECT_EQ(out.sizes(), (std::vector<std::int64_t>{batch.size(), 36}));
  EXPECT_EQ(out[0].abs().max().item<float>(), 0);
  EXPECT_LT(nn::order_dependence(module, batch), 1e-5);
  PersLay half(PersLayOptions{.phi = "line:3", .modules = {.op = soft_maximum}});
  half->to(torch::kBFloat16);
  EXPECT_EQ(half->forward(batch.to(torch::kBFloat16)).scalar_type(), torch::kBFloat16);
}

TEST(OwnOperation, follows_modules_of_the_user) {
  base::RandomStream random(4);
  const auto batch = awkward_batch(random).to(torch::kFloat32);
  PersLay module(PersLayOptions{
      .modules = {.phi = torch::nn::Linear(2, 5), .weight = torch::nn::Linear(2, 1), .op = soft_maximum},
      .phi_size = 5});
  const auto result = apply(module, batch);
  EXPECT_EQ(result.out.size(1), 5);
  for (const auto& gradient : result.gradients) EXPECT_GT(gradient.abs().max().item<float>(), 0);
}

TEST(OwnOperation, misuse_is_refused) {
  base::RandomStream random(5);
  const auto batch = random_batch({2, 0, 3}, random).to(torch::kFloat32);
  const char* const fused =
      "An op of your own is computed with libtorch's operations: path=fused is not for it.";
  const nn::PersLaySetup fast{.path = nn::Path::fused};
  EXPECT_EQ(
      sentence_of([&] { PersLay module(PersLayOptions{.setup = fast, .modules = {.op = soft_maximum}}); }),
      fused);
  EXPECT_EQ(sentence_of([] { const nn::OwnOperation none{nn::OwnOperation::Function{}}; }),
            "An op of your own needs a function.");
  PersLay module(PersLayOptions{.phi = "line:2", .modules = {.op = soft_maximum}});
  EXPECT_EQ(sentence_of([&] { static_cast<void>(module->size()); }),
            "The size of an op of your own is not known before the first call; give it with the op.");
  module->path = nn::Path::fused;
  EXPECT_EQ(sentence_of([&] { module->forward(batch); }), fused);
  module->path = nn::Path::plain;
  module->forward(batch);
  EXPECT_EQ(module->size(), 2);

  const auto refused = [&](const nn::OwnOperation& op) {
    PersLay layer(PersLayOptions{.phi = "line:2", .modules = {.op = op}});
    return sentence_of([&] { layer->forward(batch); });
  };
  const auto giving = [](const Tensor& out, std::size_t size = 0) {
    return nn::OwnOperation([out](const Tensor&, const Tensor&) { return out; }, size);
  };
  EXPECT_EQ(refused({soft_maximum, 3}), "The op must give [3, 3], not [3, 2].");
  EXPECT_EQ(refused(giving(torch::zeros({3}))), "The op must give [3, size], not [3].");
  EXPECT_EQ(refused(giving(torch::zeros({5, 2}))), "The op must give [3, size], not [5, 2].");
  EXPECT_EQ(refused(giving(torch::zeros({3, 0}))), "The op must give [3, size], not [3, 0].");
  EXPECT_EQ(refused(giving({}, 4)), "The op must give [3, 4], not nothing.");
  EXPECT_EQ(refused(giving(torch::zeros({3, 4}))), "no error");

  std::int64_t size = 2;
  PersLay changing(
      PersLayOptions{.phi = "line:2", .modules = {.op = [&](const Tensor& features, const Tensor& offsets) {
                                        return torch::zeros({offsets.size(0) - 1, size}, features.options());
                                      }}});
  changing->forward(batch);
  size = 3;
  EXPECT_EQ(sentence_of([&] { changing->forward(batch); }), "The op must give [3, 2], not [3, 3].");
}

TEST(OrderDependence, finds_operations_that_depend_on_it) {
  base::RandomStream random(6);
  const auto batch = random_batch({0, 4, 9, 1}, random);
  const auto dependence = [&](const nn::OwnOperation& op) {
    PersLay module(PersLayOptions{.phi = "entropy:5", .weight = "power:1", .modules = {.op = op}});
    module->to(torch::kFloat64);
    return nn::order_dependence(module, batch);
  };
  const auto ranked = [](const Tensor& features, const Tensor& offsets) {
    const auto rank = torch::arange(features.size(0), features.options()).unsqueeze(1);
    return soft_maximum(rank * features, offsets);
  };
  EXPECT_GT(dependence(ranked), 1e-3);
  EXPECT_LT(dependence(soft_maximum), 1e-14);
  PersLay built_in(PersLayOptions{.phi = "entropy:5", .op = "topk:2"});
  built_in->to(torch::kFloat64);
  EXPECT_LT(nn::order_dependence(built_in, batch), 1e-14);
  EXPECT_EQ(nn::order_dependence(built_in, random_batch({}, random)), 0);
  EXPECT_EQ(sentence_of([&] { static_cast<void>(nn::order_dependence(built_in, batch, 0)); }),
            "The order of points needs at least one trial.");
}

TEST(OrderDependence, evaluates_and_leaves_every_module_in_its_mode) {
  base::RandomStream random(7);
  const auto batch = random_batch({3, 5}, random).to(torch::kFloat32);
  Attention attention(4);
  const PersLay layer(PersLayOptions{.phi = "line:4", .modules = {.op = attention}});
  torch::nn::Sequential model(layer, torch::nn::Dropout(0.5));
  attention->score->eval();
  EXPECT_LT(nn::order_dependence(model, batch), 1e-5);
  EXPECT_EQ(attention->calls_in_training, 0);
  EXPECT_TRUE(model->is_training());
  EXPECT_TRUE(attention->is_training());
  EXPECT_FALSE(attention->score->is_training());
  const auto anything = [](const RaggedBatch& points) { return points.points().cumsum(0); };
  EXPECT_GT(nn::order_dependence(anything, batch), 1e-3);
}

}  // namespace
}  // namespace perslay::test
