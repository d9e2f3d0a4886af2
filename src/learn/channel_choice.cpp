#include "checkpoint.h"
#include "learners.h"
#include "model_arrays.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/random.h>
#include <perslay/learn/channel_choice.h>
#include <perslay/learn/fingerprint.h>
#include <perslay/learn/metrics.h>
#include <perslay/learn/models.h>
#include <perslay/learn/splits.h>

namespace perslay::learn {
namespace {

constexpr auto chosen_name = "choice.channel";
constexpr auto accuracies_name = "choice.accuracies";

Settings with_channel(Settings settings, std::size_t candidate) {
  settings.network.channel = settings.network.candidates.at(candidate);
  settings.network.candidates.clear();
  return settings;
}

/// The place of the best; the first of equals.
std::size_t best_of(std::span<const double> accuracies) {
  return static_cast<std::size_t>(std::ranges::max_element(accuracies) - accuracies.begin());
}

/// The place of the chosen channel among so many.
std::size_t chosen_in(std::span<const io::NamedArray> arrays, std::size_t candidates) {
  const auto chosen =
      ModelArrays(arrays).whole<std::size_t>(chosen_name, static_cast<double>(candidates) - 1);
  require(chosen.size() == 1);
  return chosen.front();
}

/// A network, and how its channel was chosen.
class ChosenModel : public Model {
 public:
  ChosenModel(std::unique_ptr<Model> network, std::size_t chosen, std::vector<double> accuracies)
      : network_(std::move(network)), chosen_(chosen), accuracies_(std::move(accuracies)) {}

  [[nodiscard]] std::vector<float> probabilities(const Part& part,
                                                 const base::Context& context) const override {
    return network_->probabilities(part, context);
  }

  [[nodiscard]] std::vector<io::NamedArray> arrays() const override {
    auto all = network_->arrays();
    all.push_back(array_of(chosen_name, std::vector{static_cast<double>(chosen_)}));
    all.push_back(array_of(accuracies_name, accuracies_));
    return all;
  }

 private:
  std::unique_ptr<Model> network_;
  std::size_t chosen_;
  std::vector<double> accuracies_;
};

/// The cross-validation: one training after the other, candidate by candidate.
class Choice {
 public:
  Choice(const Part& part, const Settings& settings, const std::vector<std::unique_ptr<Learner>>& candidates,
         const FitOptions& options, const base::Context& context)
      : part_(part),
        settings_(settings),
        candidates_(candidates),
        options_(options),
        context_(context),
        labels_(part.labels()),
        folds_(protocol(), labels_, part.items.classes, options.seed) {
    if (options_.checkpoint.empty()) return;
    owner_ = fingerprint(part, settings, options.seed, context);
    (void)state_to_take_up(options_, owner_);  // refuses now what would be in the way in the end
    options_.checkpoint += ".choice";
    take_up();
  }

  /// The share of right answers of each candidate.
  std::vector<double> operator()() {
    while (right_.size() < candidates_.size() * folds_.size()) {
      context_.stop_if_cancelled();
      const std::size_t training = right_.size();
      try {
        right_.push_back(removing_checkpoint_on_failure(
            options_, [&] { return right_answers(training / folds_.size(), training % folds_.size()); }));
      } catch (const base::Error& error) {
        if (error.fault() != base::Fault::cancelled || options_.checkpoint.empty() || training == 0) throw;
        throw base::Error(
            base::Fault::cancelled,
            fmt::format("Interrupted; {} goes on after training {} of {} that choose a channel.",
                        same_command(options_.fresh), training, candidates_.size() * folds_.size()));
      }
      keep();
    }
    std::vector<double> accuracies(candidates_.size());
    for (std::size_t i = 0; i < right_.size(); ++i)
      accuracies[i / folds_.size()] += right_[i] / static_cast<double>(labels_.size());
    return accuracies;
  }

  /// Trains the network that was chosen. Then the results of the choice are no longer needed.
  template <class Train>
  Fit end_with(const Train& train) const {
    auto fit = removing_checkpoint_on_failure(options_, train);
    std::error_code ignored;
    if (!options_.checkpoint.empty()) std::filesystem::remove(options_.checkpoint, ignored);
    return fit;
  }

 private:
  [[nodiscard]] Protocol protocol() const {
    Protocol protocol;
    protocol.folds = choice_folds(settings_.network, labels_.size());
    return protocol;
  }

  [[nodiscard]] std::vector<std::size_t> rows_of(std::span<const std::size_t> places) const {
    std::vector<std::size_t> rows;
    for (const auto place : places) rows.push_back(part_.rows[place]);
    return rows;
  }

  [[nodiscard]] double right_answers(std::size_t candidate, std::size_t fold) const {
    const auto split = folds_[fold];
    const auto learned = rows_of(split.training), asked = rows_of(split.test);
    const auto preparation =
        Preparation::fit(part_.items, learned, with_channel(settings_, candidate), context_);
    FitOptions options;
    options.seed = base::mix_bits(options_.seed + fold + 1);
    if (options_.report)
      options.report = [&](Epoch epoch) {
        epoch.choosing = right_.size() + 1;
        options_.report(epoch);
      };
    const auto fit = candidates_[candidate]->fit({part_.items, learned, preparation}, options, context_);
    const Part test{part_.items, asked, preparation};
    const auto predicted =
        most_probable(fit.model->probabilities(test, context_), part_.items.classes.size());
    const auto truth = test.labels();
    std::size_t right = 0;
    for (std::size_t i = 0; i < truth.size(); ++i)
      if (truth[i] == predicted[i]) ++right;
    return static_cast<double>(right);
  }

  void take_up() {
    const auto state = state_to_take_up(options_, owner_);
    if (!state) return;
    try {
      right_ = ModelArrays(state->arrays).whole<double>("choice.right", static_cast<double>(labels_.size()));
      require(right_.size() <= candidates_.size() * folds_.size());
    } catch (const base::Error&) {
      refuse_checkpoint(options_.checkpoint);
    }
  }

  void keep() const {
    if (options_.checkpoint.empty()) return;
    TrainingState state;
    state.net = right_.size();
    state.arrays = {array_of("choice.right", right_)};
    write_checkpoint(options_.checkpoint, std::move(state), owner_);
  }

  const Part& part_;
  const Settings& settings_;
  const std::vector<std::unique_ptr<Learner>>& candidates_;
  FitOptions options_;  // with a checkpoint of its own
  const base::Context& context_;
  std::vector<int> labels_;
  Splits folds_;
  std::string owner_;
  std::vector<double> right_;  // of the trainings that are finished
};

class ChannelChoice : public Learner {
 public:
  explicit ChannelChoice(const Settings& settings) : settings_(settings) {
    for (const auto& candidate : settings.network.candidates) {
      auto own = settings;  // with the list: the state of a training that follows a choice is no other's
      own.network.channel = candidate;
      candidates_.push_back(make_network_learner(own));
    }
  }

  void study(const features::Items& items, const base::Context& context) override {
    for (const auto& candidate : candidates_) candidate->study(items, context);
  }

  [[nodiscard]] Cost cost_of_fit(std::size_t items) const override {
    Cost cost;
    for (const auto& candidate : candidates_)
      cost.bytes = std::max(cost.bytes, candidate->cost_of_fit(items).bytes);
    return cost;
  }

  [[nodiscard]] std::size_t steps(std::size_t items) const noexcept override {
    const auto trainings = candidates_.size() * choice_folds(settings_.network, items) + 1;
    return candidates_.front()->steps(items) * trainings;
  }

  [[nodiscard]] Fit fit(const Part& training, const FitOptions& options,
                        const base::Context& context) const override {
    if (options.candidate) return candidates_.at(*options.candidate)->fit(training, options, context);
    Choice choice(training, settings_, candidates_, options, context);
    auto accuracies = choice();
    const auto best = best_of(accuracies);
    auto fit = choice.end_with([&] { return candidates_[best]->fit(training, options, context); });
    fit.model = std::make_unique<ChosenModel>(std::move(fit.model), best, std::move(accuracies));
    return fit;
  }

  [[nodiscard]] std::unique_ptr<Model> load(const Part& part,
                                            std::span<const io::NamedArray> arrays) const override {
    const auto chosen = chosen_in(arrays, candidates_.size());
    auto accuracies = ModelArrays(arrays)(accuracies_name);
    require(accuracies.size() == candidates_.size());
    return std::make_unique<ChosenModel>(candidates_[chosen]->load(part, arrays), chosen,
                                         std::move(accuracies));
  }

 private:
  Settings settings_;
  std::vector<std::unique_ptr<Learner>> candidates_;
};

}  // namespace

std::unique_ptr<Learner> make_channel_choice(const Settings& settings) {
  return std::make_unique<ChannelChoice>(settings);
}

std::size_t choice_folds(const NetworkSettings& network, std::size_t items) noexcept {
  return std::min(network.choice_folds, items);
}

bool chooses_channel(const Settings& settings) {
  return !settings.network.candidates.empty() && model_kind(settings).has_epochs;
}

std::optional<ChosenChannel> chosen_channel(const Settings& settings,
                                            std::span<const io::NamedArray> arrays) {
  if (!chooses_channel(settings)) return std::nullopt;
  return ChosenChannel{chosen_in(arrays, settings.network.candidates.size()),
                       ModelArrays(arrays)(accuracies_name)};
}

std::optional<ChosenChannel> chosen_channel(const ModelFile& model) {
  return chosen_channel(model.settings, model.arrays);
}

Settings with_chosen_channel(const ModelFile& model) {
  const auto chosen = chosen_channel(model);
  return chosen ? with_channel(model.settings, chosen->place) : model.settings;
}

}  // namespace perslay::learn
