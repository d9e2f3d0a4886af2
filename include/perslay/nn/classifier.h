#pragma once

#include <cstdint>
#include <ostream>
#include <variant>
#include <vector>

#include <torch/torch.h>

#include <perslay/base/random.h>
#include <perslay/diagram/kind.h>
#include <perslay/learn/settings.h>
#include <perslay/nn/graph_batch.h>
#include <perslay/nn/paper_channel.h>
#include <perslay/nn/perslay.h>
#include <perslay/nn/point_network.h>
#include <perslay/nn/ragged_batch.h>
#include <perslay/nn/trained_filtrations.h>

namespace perslay::nn {

/// What a classifier reads and tells apart.
struct ClassifierShape {
  std::vector<diagram::Kind> groups;  ///< One for each filtration and kind.
  std::int64_t features = 0;
  std::int64_t classes = 2;
  /// Groups whose diagrams are computed from graphs, by filtrations that are trained with the network.
  TrainedFiltrationsOptions trained{};
};

/// A batch of items: for each group their diagrams (of trained groups any), and their features [B,
/// shape.features]; their graphs if there are trained groups.
struct ClassifierInput {
  std::vector<RaggedBatch> diagrams;
  torch::Tensor features;
  GraphBatch graphs{};
};

/// The paper's network (figure 1): an independent PersLay for each filtration and kind, side by side with the
/// features, then rho: one dense layer, or hidden layers with ReLU, batch norm and dropout in between. Gives
/// one number (logit) per class.
///
/// Filtrations that are trained come before all that (see TrainedFiltrations).
///
/// Parameters are called `filtrations.heat.shift`, `channel0.perslay.phi.centres`, ..., `dense0.weight`, ...;
/// what is random at the start comes from the seed alone. Settings that ask for more than 2^28 weights are
/// the user's error, before any of them is made.
class ClassifierImpl : public torch::nn::Module {
 public:
  ClassifierImpl(const learn::NetworkSettings& settings, const ClassifierShape& shape, std::uint64_t seed);

  /// [B, classes]. In training mode dropout takes its randomness from `random`.
  torch::Tensor forward(const ClassifierInput& input, base::RandomStream& random);

  void pretty_print(std::ostream& stream) const override;

  /// Of the kernels of the channels and of persistence.
  void set_threads(int threads);

  /// Empty unless the shape has trained groups.
  [[nodiscard]] TrainedFiltrations filtrations() const { return filtrations_; }

  /// Let convolutions be multiplied into the dense layer that reads them, which is faster. May be changed at
  /// any time; the numbers are the same up to rounding.
  bool fold = true;

 private:
  using Channel = std::variant<PersLay, PaperChannel, PointNetwork>;

  [[nodiscard]] Channel make_channel(diagram::Kind kind, std::uint64_t seed) const;
  [[nodiscard]] std::vector<RaggedBatch> all_diagrams(const ClassifierInput& input);
  [[nodiscard]] torch::Tensor channels(const std::vector<RaggedBatch>& diagrams,
                                       const torch::Tensor& features);
  [[nodiscard]] torch::Tensor folded_first_layer(const std::vector<RaggedBatch>& diagrams,
                                                 const torch::Tensor& features);
  [[nodiscard]] torch::Tensor drop(const torch::Tensor& values, double rate,
                                   base::RandomStream& random) const;

  learn::NetworkSettings settings_;
  ClassifierShape shape_;
  TrainedFiltrations filtrations_ = nullptr;
  std::vector<Channel> channels_;
  std::vector<std::int64_t> widths_;  // of what each channel gives and, last, of the features
  torch::nn::BatchNorm1d channel_norm_ = nullptr;
  std::vector<torch::nn::Linear> dense_;
  std::vector<torch::nn::BatchNorm1d> norms_;
  bool can_fold_ = false;
};
TORCH_MODULE(Classifier);

}  // namespace perslay::nn
