#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <torch/torch.h>

#include <perslay/layer/channel.h>
#include <perslay/layer/initialise.h>
#include <perslay/nn/ragged_batch.h>

namespace perslay::nn {

/// Which implementation computes. `fused` stands for the kernels of the module `layer`, `plain` for tensor
/// operations. `automatic` takes the kernels for float32 and float64 on the CPU.
enum class Path { automatic, fused, plain };

/// How a PersLay starts and runs.
struct PersLaySetup {
  layer::Initialisation initialisation = layer::Initialisation::ours;
  std::uint64_t seed = 0;
  bool train_phi = true;  ///< Whether phi and the equivariant layers require gradients.
  bool train_weight = true;
  Path path = Path::automatic;
  int threads = 1;  ///< Of the kernels. 0 stands for one per processor.
};

/// A user's own module, from points [N, 2] to something per point. It is anything that can be registered and whose
/// forward takes a tensor to a tensor. torch::nn::Sequential is such a module.
class PointModule {
 public:
  PointModule() = default;

  template <class Module>
  PointModule(torch::nn::ModuleHolder<Module> module)  // NOLINT: converts on purpose
      : module_(module.ptr()),
        forward_([module = module.ptr()](const torch::Tensor& points) -> torch::Tensor {
          return module->forward(points);
        }) {}

  [[nodiscard]] explicit operator bool() const noexcept { return module_ != nullptr; }
  [[nodiscard]] const std::shared_ptr<torch::nn::Module>& module() const noexcept { return module_; }
  [[nodiscard]] torch::Tensor operator()(const torch::Tensor& points) const { return forward_(points); }

 private:
  std::shared_ptr<torch::nn::Module> module_;
  std::function<torch::Tensor(const torch::Tensor&)> forward_;
};

/// The user's modules in the place of phi, of w, or of both. phi gives [N, size], w gives [N] or [N, 1].
struct PointModules {
  PointModule phi = {};
  PointModule weight = {};
};

/// A PersLay in words: `PersLayOptions{.phi = "gaussian:20x20", .weight = "grid:10x10", .op = "sum"}`. A module of
/// the user replaces a name: `PersLayOptions{.modules = {.phi = torch::nn::Linear(2, 16)}, .phi_size = 16}`.
struct PersLayOptions {
  std::string phi = "gaussian:20x20";
  std::vector<layer::Equivariant> equivariant = {};
  std::string weight = "one";
  std::string op = "sum";
  PersLaySetup setup = {};
  PointModules modules = {};
  std::size_t phi_size = 0;  ///< Features that modules.phi computes.

  [[nodiscard]] layer::Channel channel() const;
};

/// op({ w(p) phi(p) }), equation (3), as a module. A RaggedBatch becomes a tensor [diagram][feature][rank] of the
/// shape [B, channel().size()].
///
/// Its parameters have the names of channel().parameters(). named_parameters() has `phi.centres`,
/// `equivariant.0.lambda`, `weight.cells`, ... The modules `phi`, `equivariant`, `0` and `weight` hold them.
class PersLayImpl : public torch::nn::Module {
 public:
  PersLayImpl() : PersLayImpl(PersLayOptions{}) {}
  explicit PersLayImpl(const PersLayOptions& options);

  /// A module for phi needs a channel whose phi is PointTransform::Type::given, with the module's size as `count`. A
  /// module for the weight needs a channel whose weight is Weight::Type::given.
  explicit PersLayImpl(layer::Channel channel, const PersLaySetup& setup = {}, PointModules modules = {});

  torch::Tensor forward(const RaggedBatch& batch);

  void pretty_print(std::ostream& stream) const override;

  [[nodiscard]] const layer::Channel& channel() const noexcept { return channel_; }
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(channel_.size()); }

  /// May be changed at any time.
  Path path = Path::automatic;
  int threads = 1;

 private:
  layer::Channel channel_;
  PointModules modules_;
  std::vector<torch::Tensor> arrays_;  // those of channel_.parameters(), which the modules hold
};
TORCH_MODULE(PersLay);

}  // namespace perslay::nn
