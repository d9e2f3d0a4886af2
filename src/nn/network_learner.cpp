#include "batches.h"
#include "checkpoint.h"
#include "flat_parameters.h"
#include "training.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <optional>
#include <string>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/random.h>
#include <perslay/nn/network_learner.h>

namespace perslay::nn {
namespace {

std::string prefix(std::size_t net) { return fmt::format("net{}.", net); }

/// Nets whose probabilities are averaged.
class NetworkModel : public learn::Model {
 public:
  explicit NetworkModel(std::vector<Classifier> nets) : nets_(std::move(nets)) {}

  [[nodiscard]] std::vector<float> probabilities(const learn::Part& part,
                                                 const base::Context& context) const override {
    constexpr std::size_t at_once = 512;
    const torch::NoGradGuard constant;
    const Batches batches(part, context);
    base::RandomStream unused(0);
    std::vector<float> all;
    std::vector<std::size_t> places(batches.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    for (std::size_t begin = 0; begin < places.size(); begin += at_once) {
      context.stop_if_cancelled();
      const auto count = std::min(at_once, places.size() - begin);
      const auto input = batches.input(std::span(places).subspan(begin, count));
      torch::Tensor mean;
      for (auto net : nets_) {
        const auto own = torch::softmax(net->forward(input, unused), 1) / static_cast<double>(nets_.size());
        mean = mean.defined() ? mean + own : own;
      }
      const auto* values = mean.data_ptr<float>();
      all.insert(all.end(), values, values + mean.numel());
    }
    return all;
  }

  [[nodiscard]] std::vector<io::NamedArray> arrays() const override {
    std::vector<io::NamedArray> all;
    for (std::size_t i = 0; i < nets_.size(); ++i) {
      auto own = arrays_of(*nets_[i], prefix(i));
      std::move(own.begin(), own.end(), std::back_inserter(all));
    }
    return all;
  }

 private:
  std::vector<Classifier> nets_;
};

/// Training from its beginning, or from a checkpoint, to its end.
class Run {
 public:
  Run(const learn::Part& part, const learn::Settings& settings, const learn::FitOptions& options,
      const base::Context& context)
      : settings_(settings), options_(options), context_(context), batches_(part, context) {
    if (options_.checkpoint.empty()) return;
    fingerprint_ = fingerprint(part, settings, options.seed);
    checkpoint_ = read_checkpoint(options_.checkpoint, fingerprint_);
  }

  learn::Fit run() {
    while (nets_.size() < settings_.training.nets) nets_.push_back(train(nets_.size()));
    return {std::make_unique<NetworkModel>(std::move(nets_)), std::move(history_)};
  }

 private:
  using Clock = std::chrono::steady_clock;

  Classifier train(std::size_t net) {
    const auto seed = base::mix_bits(options_.seed + 0x9E3779B97F4A7C15ULL * (net + 1));
    NetTraining training(settings_, batches_, seed, context_.threads);
    std::size_t epoch = 0;
    if (checkpoint_) {
      if (checkpoint_->net > net) return finished(net, training);
      training.restore(checkpoint_->arrays, checkpoint_->steps);
      epoch = checkpoint_->epochs;
      history_ = std::move(checkpoint_->history);
      checkpoint_.reset();
    }
    while (epoch < settings_.training.epochs) {
      const auto outcome = training.epoch(epoch, context_);
      history_.push_back({net, epoch, outcome.loss, outcome.accuracy});
      if (options_.report) options_.report(history_.back());
      ++epoch;
      save_if_due(net, epoch, training);
    }
    return training.finish();
  }

  /// A net that the checkpoint holds.
  Classifier finished(std::size_t net, NetTraining& training) const {
    auto classifier = training.finish();
    set_arrays(*classifier, prefix(net), checkpoint_->arrays);
    return classifier;
  }

  void save_if_due(std::size_t net, std::size_t epoch, NetTraining& training) {
    if (options_.checkpoint.empty() ||
        Clock::now() - saved_ < std::chrono::duration<double>(options_.checkpoint_seconds))
      return;
    TrainingState state{net, epoch, training.steps(), training.arrays(), history_};
    for (std::size_t i = 0; i < nets_.size(); ++i) {
      auto own = arrays_of(*nets_[i], prefix(i));
      std::move(own.begin(), own.end(), std::back_inserter(state.arrays));
    }
    write_checkpoint(options_.checkpoint, state, fingerprint_);
    saved_ = Clock::now();
  }

  const learn::Settings& settings_;
  const learn::FitOptions& options_;
  const base::Context& context_;
  Batches batches_;
  std::uint64_t fingerprint_ = 0;
  std::optional<TrainingState> checkpoint_;
  std::vector<Classifier> nets_;
  std::vector<learn::Epoch> history_;
  Clock::time_point saved_ = Clock::now();
};

/// The classes that a stored network tells apart: as many as its last layer has biases.
std::int64_t classes_in(std::span<const io::NamedArray> arrays, std::size_t hidden_layers) {
  const auto name = fmt::format("net0.dense{}.bias", hidden_layers);
  for (const auto& array : arrays)
    if (array.name == name && array.shape.size() == 1) return array.shape[0];
  throw base::user_error(fmt::format("The array {} that the network needs is missing.", name));
}

}  // namespace

NetworkLearner::NetworkLearner(learn::Settings settings) : settings_(std::move(settings)) {
  at::set_num_threads(1);
}

learn::Fit NetworkLearner::fit(const learn::Part& training, const learn::FitOptions& options,
                               const base::Context& context) const {
  return Run(training, settings_, options, context).run();
}

std::unique_ptr<learn::Model> NetworkLearner::load(const learn::Part& part,
                                                   std::span<const io::NamedArray> arrays) const {
  const learn::Part inputs{part.items, {}, part.preparation};
  auto shape = Batches(inputs, {}).shape();
  shape.classes = classes_in(arrays, settings_.network.hidden.size());
  std::vector<Classifier> nets;
  for (std::size_t i = 0; i < settings_.training.nets; ++i) {
    Classifier net(settings_.network, shape, 0);
    set_arrays(*net, prefix(i), arrays);
    net->eval();
    nets.push_back(net);
  }
  return std::make_unique<NetworkModel>(std::move(nets));
}

}  // namespace perslay::nn
