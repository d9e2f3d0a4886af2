#include "checkpoint.h"
#include "evaluation_files.h"
#include "requirements.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/memory.h>
#include <perslay/base/parallel.h>
#include <perslay/base/random.h>
#include <perslay/io/diagram_file.h>
#include <perslay/io/path_type.h>
#include <perslay/learn/baselines.h>
#include <perslay/learn/channel_choice.h>
#include <perslay/learn/evaluation.h>
#include <perslay/learn/model_file.h>
#include <perslay/learn/models.h>
#include <perslay/learn/preparation.h>
#include <perslay/learn/steps_done.h>

namespace perslay::learn {
namespace {

double seconds_since(std::chrono::steady_clock::time_point& last) {
  const auto now = std::chrono::steady_clock::now();
  return std::chrono::duration<double>(now - std::exchange(last, now)).count();
}

/// How many fits run at a time.
int side_by_side(const Learner& learner, std::size_t items, int threads) {
  const double bytes = learner.cost_of_fit(items).bytes;
  if (bytes == 0) return threads;
  return static_cast<int>(std::clamp(base::usable_memory() / bytes, 1.0, static_cast<double>(threads)));
}

/// Counts the epochs of all folds, which run side by side.
class EpochCounter {
 public:
  EpochCounter(const base::Context& context, std::size_t folds, std::size_t per_fold)
      : context_(context), per_fold_(per_fold), total_(folds * per_fold_), meter_(context, stage, total_) {}

  [[nodiscard]] std::size_t per_fold() const noexcept { return per_fold_; }

  void add(std::size_t epochs) {
    const std::scoped_lock lock(mutex_);
    done_ += epochs;
    if (done_ < total_) meter_(done_);
  }

  /// Of a fold that an earlier call had begun. What is shown begins anew: these epochs tell nothing of the time that
  /// the others will take.
  void take_over(std::size_t epochs) {
    const std::scoped_lock lock(mutex_);
    done_ += epochs;
    if (context_.progress) context_.progress({stage, total_, total_});
  }

 private:
  static constexpr auto stage = "folds";

  const base::Context& context_;
  std::size_t per_fold_;
  std::size_t total_;
  std::mutex mutex_;
  std::size_t done_ = 0;
  base::ProgressMeter meter_;
};

/// One evaluation while it runs.
class Run {
 public:
  Run(const features::Items& items, const EvaluationTask& task, const MakeLearner& make_learner,
      const EvaluationOptions& options, const base::Context& context)
      : items_(items),
        task_(task),
        make_learner_(make_learner),
        options_(options),
        context_(context),
        splits_(task.protocol, items.labels, items.classes, context.seed),
        folder_(options, evaluation_identity(task, items, context), task.settings) {}

  Evaluation operator()() {
    auto last = std::chrono::steady_clock::now();
    if (options_.sample && !io::is_there(folder_.sample()))
      io::write_diagrams(folder_.sample(), options_.sample());
    Evaluation evaluation;
    evaluation.folds.resize(splits_.size());
    const auto unfinished = take_over(evaluation);
    finished_ = evaluation.taken_over;
    if (!unfinished.empty()) learn(unfinished, evaluation.folds);
    summarize_folds(evaluation, task_.protocol.repeats, items_.classes.size());
    const auto earlier = unfinished.empty() ? folder_.seconds_of_results() : std::nullopt;
    evaluation.seconds = earlier.value_or(seconds_since(last));
    folder_.write_results(results_json(task_, items_, context_.seed, evaluation));
    return evaluation;
  }

 private:
  /// Reads what is finished; returns the numbers of the other folds.
  std::vector<std::size_t> take_over(Evaluation& evaluation) {
    std::vector<std::size_t> unfinished;
    const std::size_t parts = task_.protocol.parts();
    for (std::size_t number = 0; number < splits_.size(); ++number) {
      auto result = folder_.finished(number / parts, number % parts, items_.classes.size());
      if (!result) {
        unfinished.push_back(number);
        continue;
      }
      evaluation.folds[number] = *std::move(result);
    }
    evaluation.taken_over = splits_.size() - unfinished.size();
    return unfinished;
  }

  void learn(std::span<const std::size_t> unfinished, std::vector<FoldResult>& results) {
    learner_ = make_learner_(task_.settings);
    require_memory(expected_cost(*learner_, task_.protocol, items_.count(), base::worker_count(context_)),
                   items_.count());
    learner_->study(items_, context_);
    epochs_.emplace(context_, splits_.size(),
                    learner_->steps(training_items(task_.protocol, items_.count())));
    epochs_->add((splits_.size() - unfinished.size()) * epochs_->per_fold());
    try {
      run_folds(unfinished, results);
    } catch (const base::Error& error) {
      if (error.fault() != base::Fault::cancelled) throw;
      throw base::Error(base::Fault::cancelled,
                        fmt::format("Interrupted; {} of {} folds are finished, and {} goes on from there.",
                                    finished_.load(), splits_.size(), same_command(options_.fresh)));
    }
  }

  /// As many folds at a time as there are threads and memory; those that are left over share the threads.
  void run_folds(std::span<const std::size_t> numbers, std::vector<FoldResult>& results) {
    const int threads = base::worker_count(context_);
    const int at_once = side_by_side(*learner_, training_items(task_.protocol, items_.count()), threads);
    const std::size_t rest = numbers.size() % static_cast<std::size_t>(at_once);
    run_side_by_side(numbers.first(numbers.size() - rest), at_once, results);
    if (rest > 0) run_side_by_side(numbers.last(rest), static_cast<int>(rest), results);
    if (context_.progress) context_.progress({"folds", 1, 1});
  }

  void run_side_by_side(std::span<const std::size_t> numbers, int at_once, std::vector<FoldResult>& results) {
    base::Context silent = context_;
    silent.progress = nullptr;
    base::Context inner = silent;
    inner.threads = base::worker_count(context_) / at_once;
    silent.threads = at_once;
    base::parallel_for(silent, "folds", numbers.size(), [&](std::size_t i) {
      const auto split = splits_[numbers[i]];
      try {
        results[numbers[i]] = run_fold(split, inner);
      } catch (const base::Error& error) {
        if (error.fault() != base::Fault::user) throw;
        throw base::user_error(
            fmt::format("Repeat {}, fold {}: {}", split.repeat + 1, split.fold + 1, error.what()));
      }
      folder_.finish(results[numbers[i]]);
      ++finished_;
    });
  }

  FoldResult run_fold(const Split& split, const base::Context& context) {
    FoldResult result;
    result.repeat = split.repeat;
    result.fold = split.fold;
    result.training_items = split.training.size();
    result.test_items = split.test.size();
    auto last = std::chrono::steady_clock::now();

    const auto preparation = Preparation::fit(items_, split.training, task_.settings, context);
    result.seconds.preparation = seconds_since(last);

    const Part training{items_, split.training, preparation};
    auto fit = learn_from(training, split, context);
    result.history = std::move(fit.history);
    if (chooses_channel(task_.settings)) add_choice(*fit.model, result);
    result.seconds.training = seconds_since(last) + fit.earlier_seconds;

    result.training_accuracy = accuracy(training.labels(), predict(*fit.model, training, context));
    const Part test{items_, split.test, preparation};
    const auto truth = test.labels();
    const auto predicted = predict(*fit.model, test, context);
    result.accuracy = accuracy(truth, predicted);
    result.confusion = confusion_matrix(truth, predicted, items_.classes.size());
    result.seconds.prediction = seconds_since(last);
    if (split.repeat == 0 && split.fold == 0) keep_models(training, split, *fit.model, context);

    result.majority_accuracy = accuracy(truth, predict_majority(items_, split.training, split.test));
    result.size_accuracy = accuracy(truth, predict_by_size(items_, split.training, split.test));
    return result;
  }

  [[nodiscard]] std::uint64_t seed_of(const Split& split) const {
    return base::RandomStream(context_.seed, split.repeat * task_.protocol.parts() + split.fold)();
  }

  void add_choice(const Model& model, FoldResult& result) const {
    auto choice = chosen_channel(task_.settings, model.arrays()).value();
    result.channel = channel_name(task_.settings.network.candidates.at(choice.place));
    result.choice_accuracies = std::move(choice.accuracies);
  }

  /// A network as it starts and as it ends. Other models have no start, and may hold all of the data.
  void keep_models(const Part& training, const Split& split, const Model& trained,
                   const base::Context& context) {
    if (!model_kind(task_.settings).is_network) return;
    auto file = model_for(items_, task_.settings, seed_of(split));
    file.preparation = training.preparation;
    file.arrays = trained.arrays();
    write_model(folder_.model(true), file);

    FitOptions options;
    options.seed = file.seed;
    options.untrained = true;
    if (const auto choice = chosen_channel(file)) options.candidate = choice->place;
    file.settings = with_chosen_channel(file);  // a start has not chosen
    file.arrays = learner_->fit(training, options, context).model->arrays();
    write_model(folder_.model(false), file);
  }

  Fit learn_from(const Part& training, const Split& split, const base::Context& context) {
    std::size_t counted = 0;
    FitOptions options;
    options.seed = seed_of(split);
    options.checkpoint = folder_.checkpoint(split.repeat, split.fold);
    options.checkpoint_seconds = options_.checkpoint_seconds;
    options.report = [&](const Epoch& epoch) {
      const auto done =
          std::min(steps_done(task_.settings, training.rows.size(), epoch), epochs_->per_fold());
      if (done <= counted) return;
      if (counted == 0 && done > 1) epochs_->take_over(counted = done - 1);
      epochs_->add(done - std::exchange(counted, done));
    };
    auto fit = learner_->fit(training, options, context);
    epochs_->add(epochs_->per_fold() - counted);
    return fit;
  }

  [[nodiscard]] std::vector<int> predict(const Model& model, const Part& part,
                                         const base::Context& context) const {
    return most_probable(model.probabilities(part, context), items_.classes.size());
  }

  const features::Items& items_;
  const EvaluationTask& task_;
  const MakeLearner& make_learner_;
  const EvaluationOptions& options_;
  const base::Context& context_;
  Splits splits_;
  EvaluationFolder folder_;
  std::unique_ptr<Learner> learner_;
  std::optional<EpochCounter> epochs_;
  std::atomic<std::size_t> finished_ = 0;  // folds
};

}  // namespace

std::size_t training_items(const Protocol& protocol, std::size_t items) {
  const double tested = protocol.type == Protocol::Type::k_fold ? 1 / static_cast<double>(protocol.folds)
                                                                : protocol.test_fraction;
  return items - static_cast<std::size_t>(tested * static_cast<double>(items));
}

Cost expected_cost(const Learner& learner, const Protocol& protocol, std::size_t items, int threads) {
  const std::size_t trained = training_items(protocol, items);
  const auto fit = learner.cost_of_fit(trained);
  const int at_once = side_by_side(learner, trained, threads);
  const auto rounds = std::ceil(static_cast<double>(protocol.parts() * protocol.repeats) / at_once);
  return {rounds * fit.seconds, at_once * fit.bytes};
}

Evaluation evaluate(const features::Items& items, const EvaluationTask& task, const MakeLearner& make_learner,
                    const EvaluationOptions& options, const base::Context& context) {
  require_classes(items);
  require_loops(items, task.settings);
  return Run(items, task, make_learner, options, context)();
}

}  // namespace perslay::learn
