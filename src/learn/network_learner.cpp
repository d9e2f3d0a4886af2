#include "checkpoint.h"
#include "learners.h"
#include "network_data.h"
#include "network_training.h"
#include "requirements.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/random.h>
#include <perslay/learn/fingerprint.h>
#include <perslay/learn/schedule.h>
#include <perslay/learn/splits.h>

namespace perslay::learn {
namespace {

using Net = network::Network<float>;

std::string prefix(std::size_t net) { return fmt::format("net{}.", net); }

/// The most items of a batch.
std::size_t batch_of(const Settings& settings, std::size_t items) {
  return std::min(items, settings.training.batch + 1);
}

/// The arrays of all nets.
void add_arrays(const std::vector<Net>& nets, std::vector<io::NamedArray>& all) {
  for (std::size_t i = 0; i < nets.size(); ++i)
    std::ranges::move(arrays_of(nets[i], prefix(i)), std::back_inserter(all));
}

/// Nets whose probabilities are averaged.
class NetworkModel : public Model {
 public:
  /// `training` is what they were trained on, if that was now.
  NetworkModel(Settings settings, std::vector<Net> nets, ItemSpectra spectra,
               std::shared_ptr<const NetworkData> training = nullptr)
      : settings_(std::move(settings)),
        nets_(std::move(nets)),
        spectra_(std::move(spectra)),
        training_(std::move(training)) {}

  [[nodiscard]] std::vector<float> probabilities(const Part& part,
                                                 const base::Context& context) const override {
    const std::size_t at_once = items_at_once();
    const bool known = training_ != nullptr && training_->part().is(part);
    const auto data =
        known ? training_ : std::make_shared<const NetworkData>(part, settings_, context, spectra_);
    network::Pass pass;
    pass.context.threads = context.threads;
    network::Batch<float> batch;
    network::Workspace<float> work;
    const auto places = all_rows(data->size());
    std::vector<float> all;
    for (std::size_t begin = 0; begin < places.size(); begin += at_once) {
      context.stop_if_cancelled();
      const auto some = std::span(places).subspan(begin, std::min(at_once, places.size() - begin));
      data->fill(some, batch);
      const auto mean = mean_probabilities(batch, pass, work);
      require_numbers(mean, part.rows.subspan(begin, some.size()));
      all.insert(all.end(), mean.begin(), mean.end());
    }
    return all;
  }

  [[nodiscard]] std::vector<io::NamedArray> arrays() const override {
    std::vector<io::NamedArray> all;
    add_arrays(nets_, all);
    return all;
  }

 private:
  /// Fewer where a row is wide. The same for all data, because rounding may depend on it.
  [[nodiscard]] std::size_t items_at_once() const {
    constexpr double most = 512, bytes = 1e9;
    const auto& plan = nets_.front().architecture();
    const double row = network::bytes_of_pass(plan, 2, false) - network::bytes_of_pass(plan, 1, false);
    return static_cast<std::size_t>(std::clamp(bytes / row, 1.0, most));
  }

  [[nodiscard]] std::vector<float> mean_probabilities(const network::Batch<float>& batch,
                                                      const network::Pass& pass,
                                                      network::Workspace<float>& work) const {
    std::vector<float> mean;
    for (const auto& net : nets_) {
      net.forward(batch, pass, work);
      auto& rows = work.values.back();
      mean.resize(rows.values.size());
      for (std::size_t i = 0; i < rows.count; ++i) network::softmax(rows.row(i));
      for (std::size_t i = 0; i < mean.size(); ++i)
        mean[i] += rows.values[i] / static_cast<float>(nets_.size());
    }
    return mean;
  }

  /// Parameters that are finite may still be so large that what comes out is not.
  void require_numbers(std::span<const float> probabilities, std::span<const std::size_t> rows) const {
    const auto bad = std::ranges::find_if_not(probabilities, [](float p) { return std::isfinite(p); });
    if (bad == probabilities.end()) return;
    const auto classes = probabilities.size() / rows.size();
    throw base::user_error(fmt::format(
        "The network's output for item {} is not finite: its parameters have grown too large; a "
        "training.rate below {} may help.",
        rows[static_cast<std::size_t>(bad - probabilities.begin()) / classes], settings_.training.rate));
  }

  Settings settings_;
  std::vector<Net> nets_;
  ItemSpectra spectra_;
  std::shared_ptr<const NetworkData> training_;
};

/// Whether a training with these settings goes through the state.
bool is_possible(const TrainingState& state, const TrainingSettings& training) {
  const auto epochs = effective_epochs(training);
  if (state.net >= training.nets || state.epochs > epochs || !(state.seconds >= 0) || state.history.empty() ||
      state.history.size() != state.net * epochs + state.epochs)
    return false;
  for (std::size_t i = 0; i < state.history.size(); ++i) {
    const auto& epoch = state.history[i];
    if (epoch.net != i / epochs || epoch.epoch != i % epochs || !std::isfinite(epoch.loss) ||
        !(epoch.accuracy >= 0 && epoch.accuracy <= 1))
      return false;
  }
  return true;
}

/// Training from its beginning, or from a checkpoint, to its end.
class Run {
 public:
  Run(const Part& part, const Settings& settings, const FitOptions& options, const base::Context& context,
      const ItemSpectra& spectra)
      : settings_(settings),
        options_(options),
        context_(context),
        spectra_(spectra),
        data_(std::make_shared<const NetworkData>(part, settings, context, spectra)) {
    require_memory(data_->architecture(), batch_of(settings, data_->size()));
    if (options_.checkpoint.empty()) return;
    owner_ = fingerprint(part, settings, options.seed, context);
    checkpoint_ = state_to_take_up(options_, owner_);
    if (!checkpoint_) return;
    if (!is_possible(*checkpoint_, settings.training)) refuse_checkpoint(options_.checkpoint);
    earlier_seconds_ = checkpoint_->seconds;
  }

  Fit run() {
    while (nets_.size() < settings_.training.nets) nets_.push_back(train(nets_.size()));
    return {std::make_unique<NetworkModel>(settings_, std::move(nets_), spectra_, std::move(data_)),
            std::move(history_), earlier_seconds_};
  }

 private:
  using Clock = std::chrono::steady_clock;

  /// An interrupt may wait so long. To copy the state before every epoch would take a third of those of milliseconds.
  static constexpr std::chrono::milliseconds short_epoch{100};

  Net train(std::size_t net) {
    if (checkpoint_ && checkpoint_->net > net) return finished(net);
    const auto seed = base::mix_bits(options_.seed + 0x9E3779B97F4A7C15ULL * (net + 1));
    NetworkTraining training(settings_, *data_, seed, context_.threads);
    std::size_t epoch = 0;
    if (checkpoint_) {
      take_up([&] { training.restore(checkpoint_->arrays, checkpoint_->steps); });
      epoch = checkpoint_->epochs;
      history_ = std::move(checkpoint_->history);
      checkpoint_.reset();
    }
    const auto epochs = effective_epochs(settings_.training);
    while (epoch < epochs) {
      const auto begun = Clock::now();
      auto outcome =
          removing_checkpoint_on_failure(options_, [&] { return next_epoch(net, epoch, training); });
      last_was_short_ = Clock::now() - begun < short_epoch;
      history_.push_back({net, epoch, outcome.loss, outcome.accuracy, std::move(outcome.times)});
      ++epoch;
      report(net, epoch, training);
      save_if_due(net, epoch, training);
      stop_if_cancelled(net, epoch, training);
    }
    return removing_checkpoint_on_failure(options_, [&] { return training.finish(); });
  }

  /// A net that the checkpoint holds.
  [[nodiscard]] Net finished(std::size_t net) const {
    Net network(data_->architecture(), 0);
    take_up([&] { set_arrays(network, prefix(net), checkpoint_->arrays); });
    return network;
  }

  /// What is in a checkpoint may not fit, for all that its checksum is right.
  template <class Take>
  void take_up(Take take) const {
    try {
      take();
    } catch (const base::Error&) {
      refuse_checkpoint(options_.checkpoint);
    }
  }

  void save_if_due(std::size_t net, std::size_t epoch, NetworkTraining& training) {
    if (options_.checkpoint.empty() ||
        Clock::now() - saved_ < std::chrono::duration<double>(options_.checkpoint_seconds))
      return;
    save(net, epoch, training.steps(), training.arrays());
    saved_ = Clock::now();
  }

  void save(std::size_t net, std::size_t epoch, std::uint64_t steps, std::vector<io::NamedArray> arrays) {
    const double seconds = earlier_seconds_ + std::chrono::duration<double>(Clock::now() - begun_).count();
    TrainingState state{net, epoch, steps, seconds, std::move(arrays), history_};
    add_arrays(nets_, state.arrays);
    write_checkpoint(options_.checkpoint, std::move(state), owner_);
  }

  /// Runs the epoch after `epoch` of them. A short one, as the last, is not interrupted: the state after it will be
  /// written. Of a long one that is interrupted the steps so far are lost, and the state before it is written.
  NetworkTraining::Outcome next_epoch(std::size_t net, std::size_t epoch, NetworkTraining& training) {
    const bool keeps_none = options_.checkpoint.empty() || (net == 0 && epoch == 0);
    if (keeps_none || !last_was_short_) return interruptible_epoch(net, epoch, training, !keeps_none);
    return training.epoch(epoch, {});
  }

  NetworkTraining::Outcome interruptible_epoch(std::size_t net, std::size_t epoch, NetworkTraining& training,
                                               bool keeps_state) {
    const auto steps = training.steps();
    auto arrays = keeps_state ? training.arrays() : std::vector<io::NamedArray>();
    try {
      return training.epoch(epoch, context_);
    } catch (const base::Error& error) {
      if (error.fault() != base::Fault::cancelled || !keeps_state) throw;
      save(net, epoch, steps, std::move(arrays));
      throw interruption(net, epoch);
    }
  }

  /// Whoever is told may cancel, too.
  void report(std::size_t net, std::size_t epoch, NetworkTraining& training) {
    if (!options_.report) return;
    try {
      options_.report(history_.back());
    } catch (const base::Error& error) {
      if (error.fault() == base::Fault::cancelled && !options_.checkpoint.empty())
        save(net, epoch, training.steps(), training.arrays());
      throw;
    }
  }

  void stop_if_cancelled(std::size_t net, std::size_t epoch, NetworkTraining& training) {
    if (!context_.cancelled() || options_.checkpoint.empty()) return;
    save(net, epoch, training.steps(), training.arrays());
    throw interruption(net, epoch);
  }

  [[nodiscard]] base::Error interruption(std::size_t net, std::size_t epoch) const {
    const auto nets = settings_.training.nets == 1 ? "" : fmt::format(" of net {}", net + 1);
    const auto place = epoch == 0 ? fmt::format("net {}", net) : fmt::format("epoch {}{}", epoch, nets);
    return {base::Fault::cancelled,
            fmt::format("Interrupted; {} goes on after {}.", same_command(options_.fresh), place)};
  }

  const Settings& settings_;
  const FitOptions& options_;
  const base::Context& context_;
  const ItemSpectra& spectra_;
  std::shared_ptr<const NetworkData> data_;
  std::string owner_;
  std::optional<TrainingState> checkpoint_;
  std::vector<Net> nets_;
  std::vector<Epoch> history_;
  double earlier_seconds_ = 0;  // that training took before it was taken up
  Clock::time_point begun_ = Clock::now();
  Clock::time_point saved_ = begun_;
  bool last_was_short_ = false;
};

class NetworkLearner : public Learner {
 public:
  explicit NetworkLearner(Settings settings)
      : settings_(std::move(settings)), epochs_(effective_epochs(settings_.training)) {}

  /// Computes the spectra of all graphs if heat kernel signatures are trained.
  void study(const features::Items& items, const base::Context& context) override {
    plan_ = architecture(settings_, items, FittedFeatures{});
    if (!settings_.network.train_filtration || items.graphs == nullptr) return;
    spectra_ = {items.graphs, network::heat_spectra(items.graphs->graphs, context)};
  }

  /// Known once the items are; their features are left out, as those are fitted first.
  [[nodiscard]] Cost cost_of_fit(std::size_t items) const override {
    return {0, plan_ ? bytes_of_training(*plan_, batch_of(settings_, items)) : 0};
  }

  [[nodiscard]] std::size_t steps(std::size_t /*items*/) const noexcept override {
    return epochs_ * settings_.training.nets;
  }

  [[nodiscard]] Fit fit(const Part& training, const FitOptions& options,
                        const base::Context& context) const override {
    auto settings = settings_;
    if (options.untrained) settings.training.epochs = 0;
    return Run(training, settings, options, context, spectra_).run();
  }

  [[nodiscard]] std::unique_ptr<Model> load(const Part& part,
                                            std::span<const io::NamedArray> arrays) const override {
    static_cast<void>(part.preparation.features(part.items, {}));  // checks that they fit together
    const auto plan = architecture(settings_, part.items, part.preparation.features);
    std::vector<Net> nets;
    for (std::size_t i = 0; i < settings_.training.nets; ++i) {
      nets.emplace_back(plan, 0);
      set_arrays(nets.back(), prefix(i), arrays);
    }
    return std::make_unique<NetworkModel>(settings_, std::move(nets), spectra_);
  }

 private:
  Settings settings_;
  std::size_t epochs_;  // of each net
  ItemSpectra spectra_;
  std::optional<network::Architecture> plan_;
};

}  // namespace

std::unique_ptr<Learner> make_network_learner(const Settings& settings) {
  return std::make_unique<NetworkLearner>(settings);
}

}  // namespace perslay::learn
