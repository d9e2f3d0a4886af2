#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <torch/torch.h>

#include <perslay/base/error.h>
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

/// A user's own operation: a module, or a function, from the weighted features [N, q] and the offsets [B + 1] of a
/// batch (int64, on the CPU) to [B, size]. Diagram i has the rows offsets[i] to offsets[i + 1] - 1. Whether it depends
/// on the order of points is up to the user; order_dependence() measures it. Without a size, the first call finds it.
class OwnOperation {
 public:
  using Function = std::function<torch::Tensor(const torch::Tensor& features, const torch::Tensor& offsets)>;

  OwnOperation() = default;

  template <class Module>
  OwnOperation(torch::nn::ModuleHolder<Module> module, std::size_t size = 0)  // NOLINT: converts on purpose
      : module_(module.ptr()),
        function_([module = module.ptr()](const torch::Tensor& features, const torch::Tensor& offsets) {
          return module->forward(features, offsets);
        }),
        size_(size) {}

  template <class Callable>
  requires(!requires { typename Callable::ContainedType; } &&  // of a ModuleHolder
           std::is_constructible_v<Function, Callable>)
      OwnOperation(Callable function, std::size_t size = 0)  // NOLINT: converts on purpose
      : function_(std::move(function)), size_(size) {
    if (!function_) throw base::user_error("An op of your own needs a function.");
  }

  [[nodiscard]] explicit operator bool() const noexcept { return function_ != nullptr; }
  [[nodiscard]] const std::shared_ptr<torch::nn::Module>& module() const noexcept { return module_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  /// Throws unless it gives [B, size]. The first call may find the size.
  [[nodiscard]] torch::Tensor operator()(const torch::Tensor& features, const torch::Tensor& offsets);

 private:
  std::shared_ptr<torch::nn::Module> module_;  // null for a function
  Function function_;
  std::size_t size_ = 0;
};

/// The user's modules in the place of phi, of w, of op, or of several. phi gives [N, size], w gives [N] or [N, 1].
/// With an op of the user, the channel's own plays no part, and libtorch's operations compute, because the kernels know
/// only built-in operations. Path::fused is then refused.
struct PointModules {
  PointModule phi = {};
  PointModule weight = {};
  OwnOperation op = {};
};

/// A PersLay in words: `PersLayOptions{.phi = "gaussian:20x20", .weight = "grid:10x10", .op = "sum"}`. A module of
/// the user replaces a name: `PersLayOptions{.modules = {.phi = torch::nn::Linear(2, 16)}, .phi_size = 16}`. So does an
/// operation of the user: `PersLayOptions{.modules = {.op = soft_maximum}}`.
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
/// shape [B, size()].
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

  /// Numbers per diagram. Throws if they are those of a user's op that neither has a size nor was called.
  [[nodiscard]] std::int64_t size() const;

  /// May be changed at any time.
  Path path = Path::automatic;
  int threads = 1;

 private:
  layer::Channel channel_;
  PointModules modules_;
  std::vector<torch::Tensor> arrays_;  // those of channel_.parameters(), which the modules hold
};
TORCH_MODULE(PersLay);

/// How much what a layer gives for a batch changes, at most, when the points of each diagram come in another order.
/// For a permutation-invariant layer that is 0, or a rounding error. A number in the place of a NaN, or the reverse,
/// is an infinite change. There are `trials` random orders, which follow from `seed`.
[[nodiscard]] double order_dependence(const std::function<torch::Tensor(const RaggedBatch&)>& layer,
                                      const RaggedBatch& batch, int trials = 4, std::uint64_t seed = 0);

/// The same for a layer that calls `module`, which is in evaluation mode meanwhile.
[[nodiscard]] double order_dependence(const std::function<torch::Tensor(const RaggedBatch&)>& layer,
                                      torch::nn::Module& module, const RaggedBatch& batch, int trials = 4,
                                      std::uint64_t seed = 0);

/// The same for a module whose forward takes a RaggedBatch.
template <class Module>
[[nodiscard]] double order_dependence(const torch::nn::ModuleHolder<Module>& module, const RaggedBatch& batch,
                                      int trials = 4, std::uint64_t seed = 0) {
  const auto held = module.ptr();
  return order_dependence([&](const RaggedBatch& other) { return held->forward(other); }, *held, batch,
                          trials, seed);
}

}  // namespace perslay::nn
