#include "parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/error.h>
#include <perslay/layer/own_operation.h>
#include <perslay/nn/perslay.h>
#include <perslay/nn/perslay_function.h>

namespace perslay::nn {
namespace {

/// Holds the parameters of one part such as `phi`.
class PartImpl : public torch::nn::Module {
 public:
  /// Registers a parameter called `name`. A dot in the name follows the name of a part inside this one.
  void add(const std::string& name, torch::Tensor values, bool trainable) {
    const auto dot = name.find('.');
    if (dot == std::string::npos) {
      register_parameter(name, std::move(values), trainable);
    } else {
      part(*this, name.substr(0, dot)).add(name.substr(dot + 1), std::move(values), trainable);
    }
  }

  /// The part of `module` called `name`. It is made if it is not there.
  static PartImpl& part(torch::nn::Module& module, const std::string& name) {
    for (const auto& child : module.named_children())
      if (child.key() == name) return dynamic_cast<PartImpl&>(*child.value());
    return *module.register_module(name, std::make_shared<PartImpl>());
  }

  void pretty_print(std::ostream& stream) const override {
    std::vector<std::string> texts;
    for (const auto& parameter : named_parameters(/*recurse=*/false))
      texts.push_back(fmt::format("{} [{}]", parameter.key(), fmt::join(parameter.value().sizes(), ", ")));
    stream << fmt::format("{}", fmt::join(texts, ", "));
  }
};

void refuse_fused(const PointModules& modules, Path path) {
  if (modules.op && path == Path::fused)
    throw base::user_error(
        "An op of your own is computed with libtorch's operations: path=fused is not for it.");
}

void check(const layer::Channel& channel, const PointModules& modules) {
  if ((channel.phi.type == layer::PointTransform::Type::given) != static_cast<bool>(modules.phi))
    throw base::user_error("A module for phi and a channel whose phi is given need one another.");
  if ((channel.weight.type == layer::Weight::Type::given) != static_cast<bool>(modules.weight))
    throw base::user_error("A module for the weight and a channel whose weight is given need one another.");
}

/// Puts a module and all modules inside it into evaluation mode, and back at the end of the scope.
class EvaluationMode {
 public:
  explicit EvaluationMode(torch::nn::Module& module) {
    for (const auto& part : module.modules()) modes_.emplace_back(part, part->is_training());
    module.eval();
  }
  ~EvaluationMode() {
    // A module passes its mode on to those inside it, which come later.
    for (const auto& [part, training] : modes_) part->train(training);
  }
  EvaluationMode(const EvaluationMode&) = delete;
  EvaluationMode& operator=(const EvaluationMode&) = delete;

 private:
  std::vector<std::pair<std::shared_ptr<torch::nn::Module>, bool>> modes_;
};

}  // namespace

torch::Tensor OwnOperation::operator()(const torch::Tensor& features, const torch::Tensor& offsets) {
  auto out = function_(features, offsets);
  const std::int64_t items = offsets.size(0) - 1;
  const auto size = static_cast<std::int64_t>(size_);
  if (!out.defined() || out.dim() != 2 || out.size(0) != items || out.size(1) == 0 ||
      (size != 0 && out.size(1) != size))
    throw base::user_error(
        fmt::format("The op must give [{}, {}], not {}.", items, size == 0 ? "size" : std::to_string(size),
                    out.defined() ? fmt::format("[{}]", fmt::join(out.sizes(), ", ")) : "nothing"));
  size_ = static_cast<std::size_t>(out.size(1));
  return out;
}

layer::Channel PersLayOptions::channel() const {
  layer::Channel channel;
  if (modules.phi) {
    channel.phi.type = layer::PointTransform::Type::given;
    channel.phi.count = phi_size;
  } else {
    channel.phi = layer::parse_point_transform(phi);
  }
  channel.equivariant = equivariant;
  if (modules.weight)
    channel.weight.type = layer::Weight::Type::given;
  else
    channel.weight = layer::parse_weight(weight);
  if (!modules.op) channel.op = layer::parse_operation(op);
  return channel;
}

PersLayImpl::PersLayImpl(const PersLayOptions& options)
    : PersLayImpl(options.channel(), options.setup, options.modules) {}

PersLayImpl::PersLayImpl(layer::Channel channel, const PersLaySetup& setup, PointModules modules)
    : torch::nn::Module("PersLay"),
      path(setup.path),
      threads(setup.threads),
      channel_(std::move(channel)),
      modules_(std::move(modules)) {
  check(channel_, modules_);
  refuse_fused(modules_, path);
  if (modules_.op) channel_.op = {};
  if (modules_.phi) register_module("phi", modules_.phi.module());
  if (modules_.weight) register_module("weight", modules_.weight.module());
  if (modules_.op.module()) register_module("op", modules_.op.module());

  const auto shapes = channel_.parameters();
  const auto values = layer::initial_parameters(channel_, setup.initialisation, setup.seed);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const auto& name = shapes[i].name;
    const auto dot = name.find('.');
    const std::string part = name.substr(0, dot);
    arrays_.push_back(to_tensor(shapes[i], values[i]));
    PartImpl::part(*this, part)
        .add(name.substr(dot + 1), arrays_.back(), part == "weight" ? setup.train_weight : setup.train_phi);
  }
}

std::int64_t PersLayImpl::size() const {
  if (!modules_.op) return static_cast<std::int64_t>(channel_.size());
  if (modules_.op.size() == 0)
    throw base::user_error(
        "The size of an op of your own is not known before the first call; give it with the op.");
  return static_cast<std::int64_t>(modules_.op.size());
}

torch::Tensor PersLayImpl::forward(const RaggedBatch& batch) {
  refuse_fused(modules_, path);
  const auto& points = batch.points();
  Given given;
  if (modules_.phi) given.features = modules_.phi(points);
  if (modules_.weight) given.weights = modules_.weight(points);
  if (given.weights.defined() && given.weights.dim() == 2 && given.weights.size(1) == 1)
    given.weights = given.weights.squeeze(1);
  if (modules_.op) {
    const Segments segments(batch.offsets(), points.device());
    return modules_.op(weighted_features(channel_, batch, segments, arrays_, given), batch.offsets());
  }
  const auto type = points.scalar_type();
  const bool fits = points.is_cpu() && (type == torch::kFloat32 || type == torch::kFloat64);
  if (path == Path::automatic ? fits : path == Path::fused)
    return fused_forward(channel_, batch, arrays_, given, threads);
  return plain_forward(channel_, batch, arrays_, given);
}

void PersLayImpl::pretty_print(std::ostream& stream) const {
  if (!modules_.op) {
    stream << fmt::format("PersLay({}, {} features)", channel_.name(), channel_.size());
    return;
  }
  auto name = channel_.name();
  name.resize(name.rfind("sum"));
  name += modules_.op.module() ? modules_.op.module()->name() : "own";
  const auto size = modules_.op.size();
  stream << fmt::format("PersLay({}, {})", name,
                        size == 0 ? "size unknown" : fmt::format("{} features", size));
}

double order_dependence(const std::function<torch::Tensor(const RaggedBatch&)>& layer,
                        const RaggedBatch& batch, int trials, std::uint64_t seed) {
  const torch::NoGradGuard constant;
  const auto offsets = batch.offsets().contiguous();
  const auto result = [&](std::span<const std::int64_t> order) {
    const auto rows = torch::tensor(torch::IntArrayRef(order.data(), order.size()), torch::kInt64);
    const auto points = batch.points().index_select(0, rows.to(batch.points().device()));
    const auto out = layer({points, offsets}).to(torch::kCPU, torch::kFloat64).contiguous();
    const auto* values = out.data_ptr<double>();
    return std::vector<double>(values, values + out.numel());
  };
  return layer::order_dependence(
      {offsets.data_ptr<std::int64_t>(), static_cast<std::size_t>(offsets.size(0))}, result, trials, seed);
}

double order_dependence(const std::function<torch::Tensor(const RaggedBatch&)>& layer,
                        torch::nn::Module& module, const RaggedBatch& batch, int trials, std::uint64_t seed) {
  const EvaluationMode evaluation(module);
  return order_dependence(layer, batch, trials, seed);
}

}  // namespace perslay::nn
