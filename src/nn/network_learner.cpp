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

#include <perslay/base/blas.h>
#include <perslay/base/error.h>
#include <perslay/base/random.h>
#include <perslay/learn/fingerprint.h>
#include <perslay/learn/schedule.h>
#include <perslay/nn/network_learner.h>

namespace perslay::nn {
namespace {

std::string prefix(std::size_t net) { return fmt::format("net{}.", net); }

/// libtorch's complaints as errors of ours, without its stack traces.
template <class Action>
auto in_our_words(const Action& action) {
  try {
    return action();
  } catch (const c10::Error& error) {
    throw base::internal_error(fmt::format("libtorch: {}.", error.what_without_backtrace()));
  }
}

/// Nets whose probabilities are averaged.
class NetworkModel : public learn::Model {
 public:
  NetworkModel(learn::Settings settings, std::vector<Classifier> nets, ItemSpectra spectra)
      : settings_(std::move(settings)), nets_(std::move(nets)), spectra_(std::move(spectra)) {}

  [[nodiscard]] std::vector<float> probabilities(const learn::Part& part,
                                                 const base::Context& context) const override {
    return in_our_words([&] { return compute(part, context); });
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
  [[nodiscard]] std::vector<float> compute(const learn::Part& part, const base::Context& context) const {
    constexpr std::size_t at_once = 512;
    const torch::NoGradGuard constant;
    const Batches batches(part, settings_, context, spectra_);
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
      require_numbers(mean, part.rows.subspan(begin, count));
      all.insert(all.end(), values, values + mean.numel());
    }
    return all;
  }

  /// Parameters that are finite may still be so large that what comes out is not.
  void require_numbers(const torch::Tensor& probabilities, std::span<const std::size_t> rows) const {
    const auto is_number = torch::isfinite(probabilities).all(1);
    if (is_number.all().item<bool>()) return;
    const auto first = torch::argmin(is_number.to(torch::kInt64)).item<std::int64_t>();
    throw base::user_error(
        fmt::format("The network's output for item {} is not finite: its parameters have grown too large; a "
                    "training.rate below {} may help.",
                    rows[static_cast<std::size_t>(first)], settings_.training.rate));
  }

  learn::Settings settings_;
  std::vector<Classifier> nets_;
  ItemSpectra spectra_;
};

/// Training from its beginning, or from a checkpoint, to its end.
class Run {
 public:
  Run(const learn::Part& part, const learn::Settings& settings, const learn::FitOptions& options,
      const base::Context& context, const ItemSpectra& spectra)
      : settings_(settings),
        options_(options),
        context_(context),
        spectra_(spectra),
        batches_(part, settings, context, spectra) {
    if (options_.checkpoint.empty()) return;
    owner_ = learn::fingerprint(part, settings, options.seed, context);
    checkpoint_ = read_checkpoint(options_.checkpoint, owner_);
    if (!checkpoint_ && options_.keep_other_checkpoint && std::filesystem::exists(options_.checkpoint))
      throw base::user_error(fmt::format(
          "{}: The file is no state of this training: it belongs to other settings, data, seed or "
          "version, or it is damaged; finish that training, or let --fresh start over.",
          options_.checkpoint.string()));
    if (checkpoint_) earlier_seconds_ = checkpoint_->seconds;
  }

  learn::Fit run() {
    while (nets_.size() < settings_.training.nets) nets_.push_back(train(nets_.size()));
    return {std::make_unique<NetworkModel>(settings_, std::move(nets_), spectra_), std::move(history_),
            earlier_seconds_};
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
    const auto epochs = learn::effective_epochs(settings_.training);
    while (epoch < epochs) {
      auto outcome = learn::forgetting_failures(options_, [&] { return training.epoch(epoch, context_); });
      history_.push_back({net, epoch, outcome.loss, outcome.accuracy, std::move(outcome.times)});
      if (options_.report) options_.report(history_.back());
      ++epoch;
      save_if_due(net, epoch, training);
    }
    return learn::forgetting_failures(options_, [&] { return training.finish(); });
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
    const double seconds = earlier_seconds_ + std::chrono::duration<double>(Clock::now() - begun_).count();
    TrainingState state{net, epoch, training.steps(), seconds, training.arrays(), history_};
    for (std::size_t i = 0; i < nets_.size(); ++i) {
      auto own = arrays_of(*nets_[i], prefix(i));
      std::move(own.begin(), own.end(), std::back_inserter(state.arrays));
    }
    write_checkpoint(options_.checkpoint, state, owner_);
    saved_ = Clock::now();
  }

  const learn::Settings& settings_;
  const learn::FitOptions& options_;
  const base::Context& context_;
  const ItemSpectra& spectra_;
  Batches batches_;
  std::string owner_;
  std::optional<TrainingState> checkpoint_;
  std::vector<Classifier> nets_;
  std::vector<learn::Epoch> history_;
  double earlier_seconds_ = 0;  // that training took before it was taken up
  Clock::time_point begun_ = Clock::now();
  Clock::time_point saved_ = begun_;
};

}  // namespace

NetworkLearner::NetworkLearner(learn::Settings settings)
    : settings_(std::move(settings)),
      epochs_(learn::effective_epochs(settings_.training)),
      spectra_(std::make_unique<const ItemSpectra>()) {
  at::set_num_threads(1);
  base::use_one_blas_thread();  // libtorch leaves OpenBLAS the threads that it starts with
}

NetworkLearner::~NetworkLearner() = default;

void NetworkLearner::expect(const features::Items& items, std::span<const learn::Split> /*splits*/,
                            const base::Context& context) {
  if (!settings_.network.train_filtration || items.graphs == nullptr) return;
  spectra_ = std::make_unique<const ItemSpectra>(
      ItemSpectra{items.graphs, heat_spectra(items.graphs->graphs, context)});
}

learn::Fit NetworkLearner::fit(const learn::Part& training, const learn::FitOptions& options,
                               const base::Context& context) const {
  auto settings = settings_;
  if (options.untrained) settings.training.epochs = 0;
  return in_our_words([&] { return Run(training, settings, options, context, *spectra_).run(); });
}

std::unique_ptr<learn::Model> NetworkLearner::load(const learn::Part& part,
                                                   std::span<const io::NamedArray> arrays) const {
  return in_our_words([&] {
    const learn::Part inputs{part.items, {}, part.preparation};
    const auto shape = Batches(inputs, settings_, {}).shape();
    std::vector<Classifier> nets;
    for (std::size_t i = 0; i < settings_.training.nets; ++i) {
      Classifier net(settings_.network, shape, 0);
      set_arrays(*net, prefix(i), arrays);
      net->eval();
      nets.push_back(net);
    }
    return std::make_unique<NetworkModel>(settings_, std::move(nets), *spectra_);
  });
}

}  // namespace perslay::nn
