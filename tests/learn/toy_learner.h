#pragma once

#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <perslay/base/error.h>
#include <perslay/base/random.h>
#include <perslay/learn/learner.h>

namespace perslay::test {

/// Softmax regression on the features, by plain gradient descent: a learner of the simplest kind. It heeds
/// everything that learn::Learner asks for: seed, checkpoints, reports, cancellation.
class ToyModel : public learn::Model {
 public:
  ToyModel(std::vector<float> weights, std::size_t classes)
      : weights_(std::move(weights)), classes_(classes) {}

  [[nodiscard]] std::vector<float> probabilities(const learn::Part& part,
                                                 const base::Context& context) const override {
    const auto inputs = part.preparation.features(part.items, part.rows, context);
    std::vector<float> result(inputs.rows * classes_);
    for (std::size_t row = 0; row < inputs.rows; ++row) {
      const auto out = std::span(result).subspan(row * classes_, classes_);
      for (std::size_t c = 0; c < classes_; ++c) {
        const float* const w = &weights_[c * (inputs.columns + 1)];
        out[c] = w[inputs.columns];
        for (std::size_t k = 0; k < inputs.columns; ++k)
          out[c] += w[k] * inputs.values[row * inputs.columns + k];
      }
      float sum = 0;
      for (float& x : out) sum += x = std::exp(x);
      for (float& x : out) x /= sum;
    }
    return result;
  }

  [[nodiscard]] std::vector<io::NamedArray> arrays() const override {
    const auto classes = static_cast<std::int64_t>(classes_);
    return {{"weights", {classes, static_cast<std::int64_t>(weights_.size()) / classes}, weights_}};
  }

  [[nodiscard]] std::vector<float>& weights() { return weights_; }

 private:
  std::vector<float> weights_;
  std::size_t classes_;
};

/// Does something before each epoch.
class ToyLearner : public learn::Learner {
 public:
  explicit ToyLearner(const learn::Settings& settings, std::function<void()> before_epoch = {})
      : settings_(settings), before_epoch_(std::move(before_epoch)) {}

  [[nodiscard]] std::size_t steps(std::size_t /*items*/) const noexcept override {
    return settings_.training.epochs;
  }

  [[nodiscard]] learn::Fit fit(const learn::Part& part, const learn::FitOptions& options,
                               const base::Context& context) const override {
    const std::size_t classes = part.items.classes.size();
    const auto inputs = part.preparation.features(part.items, part.rows, context);
    base::RandomStream random(options.seed);
    std::vector<float> weights(classes * (inputs.columns + 1));
    for (float& w : weights) w = static_cast<float>(0.1 * random.normal());

    learn::Fit fit;
    auto model = std::make_unique<ToyModel>(std::move(weights), classes);
    std::size_t epoch = resume(options.checkpoint, model->weights(), fit.history);
    for (const auto end = options.untrained ? 0 : settings_.training.epochs; epoch < end; ++epoch) {
      context.stop_if_cancelled();
      if (before_epoch_) before_epoch_();
      fit.history.push_back(step(*model, part, inputs, epoch, context));
      if (options.report) options.report(fit.history.back());
      if (!options.checkpoint.empty()) save(options.checkpoint, model->weights(), fit.history);
    }
    fit.model = std::move(model);
    return fit;
  }

  [[nodiscard]] std::unique_ptr<learn::Model> load(const learn::Part& part,
                                                   std::span<const io::NamedArray> arrays) const override {
    const std::vector<std::int64_t> shape{static_cast<std::int64_t>(part.items.classes.size()),
                                          static_cast<std::int64_t>(part.preparation.features.columns() + 1)};
    if (arrays.size() != 1 || arrays[0].name != "weights")
      throw base::user_error("The array 'weights' is missing.");
    if (arrays[0].shape != shape) throw base::user_error("The array 'weights' has another shape.");
    return std::make_unique<ToyModel>(arrays[0].values, part.items.classes.size());
  }

 private:
  learn::Epoch step(ToyModel& model, const learn::Part& part, const features::FeatureRows& inputs,
                    std::size_t epoch, const base::Context& context) const {
    const std::size_t classes = part.items.classes.size();
    const auto p = model.probabilities(part, context);
    const std::size_t width = inputs.columns + 1;
    std::vector<double> gradient(classes * width);
    double loss = 0;
    std::size_t right = 0;
    for (std::size_t row = 0; row < inputs.rows; ++row) {
      const auto label = static_cast<std::size_t>(part.items.labels[part.rows[row]]);
      bool best = true;
      for (std::size_t c = 0; c < classes; ++c) {
        best = best && p[row * classes + c] <= p[row * classes + label];
        const double error = double{p[row * classes + c]} - (c == label ? 1 : 0);
        for (std::size_t k = 0; k < width; ++k)
          gradient[c * width + k] +=
              error * (k < inputs.columns ? double{inputs.values[row * inputs.columns + k]} : 1);
      }
      loss -= std::log(double{p[row * classes + label]});
      if (best) ++right;
    }
    const auto n = static_cast<double>(inputs.rows);
    for (std::size_t i = 0; i < gradient.size(); ++i)
      model.weights()[i] -= static_cast<float>(gradient[i] / n);
    return {0, epoch, loss / n, static_cast<double>(right) / n};
  }

  /// Keeps the history in single precision, and rounds the one at hand alike.
  static void save(const std::filesystem::path& file, const std::vector<float>& weights,
                   std::vector<learn::Epoch>& history) {
    std::vector<float> losses, accuracies;
    for (auto& epoch : history) {
      losses.push_back(static_cast<float>(epoch.loss));
      accuracies.push_back(static_cast<float>(epoch.accuracy));
      epoch.loss = double{losses.back()};
      epoch.accuracy = double{accuracies.back()};
    }
    const auto shape = [](const auto& values) {
      return std::vector{static_cast<std::int64_t>(values.size())};
    };
    io::write_safetensors(file,
                          std::vector<io::NamedArray>{{"weights", shape(weights), weights},
                                                      {"losses", shape(losses), losses},
                                                      {"accuracies", shape(accuracies), accuracies}},
                          {});
  }

  static std::size_t resume(const std::filesystem::path& file, std::vector<float>& weights,
                            std::vector<learn::Epoch>& history) {
    if (file.empty() || !std::filesystem::exists(file)) return 0;
    std::map<std::string, std::vector<float>> saved;
    for (auto& array : io::read_safetensors(file).arrays) saved[array.name] = array.values;
    weights = saved.at("weights");
    for (std::size_t i = 0; i < saved.at("losses").size(); ++i)
      history.push_back({0, i, double{saved["losses"][i]}, double{saved["accuracies"][i]}});
    return history.size();
  }

  learn::Settings settings_;
  std::function<void()> before_epoch_;
};

/// Does something before each fit.
class WatchedLearner : public ToyLearner {
 public:
  WatchedLearner(const learn::Settings& settings, std::function<void()> before)
      : ToyLearner(settings), before_(std::move(before)) {}

  [[nodiscard]] learn::Fit fit(const learn::Part& part, const learn::FitOptions& options,
                               const base::Context& context) const override {
    before_();
    return ToyLearner::fit(part, options, context);
  }

 private:
  std::function<void()> before_;
};

inline learn::MakeLearner watched_learners(std::function<void()> before) {
  return [before = std::move(before)](const learn::Settings& settings) {
    return std::make_unique<WatchedLearner>(settings, before);
  };
}

inline learn::MakeLearner toy_learners(std::function<void()> before_epoch = {}) {
  return [before_epoch = std::move(before_epoch)](const learn::Settings& settings) {
    return std::make_unique<ToyLearner>(settings, before_epoch);
  };
}

}  // namespace perslay::test
