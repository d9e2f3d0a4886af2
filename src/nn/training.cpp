#include "training.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/error.h>

namespace perslay::nn {
namespace {

learn::AdamOptions adam_options(const learn::TrainingSettings& settings) {
  learn::AdamOptions options;
  options.epsilon = settings.epsilon;
  options.weight_decay = settings.weight_decay;
  options.decoupled = settings.optimiser == "adamw";
  options.epsilon_hat = settings.optimiser == "adam-tf";
  return options;
}

std::size_t hits(const torch::Tensor& logits, const torch::Tensor& labels) {
  return static_cast<std::size_t>((logits.argmax(1) == labels).sum().item<std::int64_t>());
}

/// Batches of `size` items; one left alone goes to the batch before it, since the variance of a single item
/// is no use to batch norm.
std::vector<std::span<const std::size_t>> in_batches(std::span<const std::size_t> order, std::size_t size) {
  std::vector<std::span<const std::size_t>> batches;
  for (std::size_t begin = 0; begin < order.size(); begin += batches.back().size()) {
    const std::size_t left = order.size() - begin;
    batches.push_back(order.subspan(begin, left <= size + 1 ? left : size));
  }
  return batches;
}

/// Batch norm divides by a deviation, which a single item has not.
void require_enough_items(const learn::Settings& settings, const Batches& batches) {
  const auto& network = settings.network;
  const bool norm = network.channel_norm || (network.batch_norm && !network.hidden.empty());
  const auto items = std::min(batches.size(), settings.training.batch);
  if (norm && items < 2)
    throw base::user_error(
        fmt::format("Batch norm needs at least 2 items in a batch, and there is {}.", items));
}

}  // namespace

NetTraining::NetTraining(const learn::Settings& settings, const Batches& batches, std::uint64_t seed,
                         int threads)
    : settings_(settings.training),
      batches_(batches),
      seed_(seed),
      schedule_(learn::parse_schedule(settings.training.schedule)),
      classifier_(settings.network, batches.shape(), seed),
      parameters_(*classifier_),
      adam_(parameters_.values().size(), adam_options(settings.training)) {
  require_enough_items(settings, batches);
  classifier_->set_threads(threads);
  if (settings_.average > 0) average_.assign(parameters_.values().begin(), parameters_.values().end());
}

NetTraining::Outcome NetTraining::epoch(std::size_t epoch, const base::Context& context) {
  classifier_->train();
  auto filtrations = classifier_->filtrations();
  if (!filtrations.is_empty()) filtrations->fit_scales(batches_.all_graphs());
  base::RandomStream random(seed_, epoch);
  const auto order = shuffled(random);
  const auto parts = in_batches(order, settings_.batch);
  Outcome sum;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    context.stop_if_cancelled();
    const double rate =
        settings_.rate * schedule_.factor(epoch * parts.size() + i, parts.size(), settings_.epochs);
    const auto outcome = step(parts[i], rate, random);
    sum.loss += outcome.loss;
    sum.accuracy += outcome.accuracy;
  }
  const auto items = static_cast<double>(order.size());
  if (!std::isfinite(sum.loss))
    throw base::user_error(
        fmt::format("The loss became {} in epoch {} of {}; a training.rate below {} may help.",
                    std::isnan(sum.loss) ? std::abs(sum.loss) : sum.loss, epoch + 1,
                    schedule_.effective_epochs(settings_.epochs), settings_.rate));
  if (settings_.restart_from_average) take_average();
  return {sum.loss / items, sum.accuracy / items,
          filtrations.is_empty() ? std::vector<double>() : filtrations->times()};
}

NetTraining::Outcome NetTraining::step(std::span<const std::size_t> places, double rate,
                                       base::RandomStream& random) {
  namespace F = torch::nn::functional;
  const auto labels = batches_.labels(places);
  const auto logits = classifier_->forward(batches_.input(places), random);
  const auto loss = F::cross_entropy(logits, labels,
                                     F::CrossEntropyFuncOptions().label_smoothing(settings_.label_smoothing));
  parameters_.zero_gradients();
  loss.backward();
  adam_.step(parameters_.values(), parameters_.gradients(), rate);
  if (!average_.empty()) learn::move_average(average_, parameters_.values(), settings_.average);
  const auto items = static_cast<double>(places.size());
  return {loss.item<double>() * items, static_cast<double>(hits(logits, labels)), {}};
}

std::vector<std::size_t> NetTraining::shuffled(base::RandomStream& random) const {
  std::vector<std::size_t> order(batches_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

void NetTraining::take_average() {
  std::copy(average_.begin(), average_.end(), parameters_.values().begin());
}

void NetTraining::average_over_rest() {
  const auto run = schedule_.effective_epochs(settings_.epochs);
  if (run == settings_.epochs) return;
  const auto steps = static_cast<double>(adam_.steps / run * (settings_.epochs - run));
  learn::move_average(average_, parameters_.values(), std::pow(settings_.average, steps));
}

Classifier NetTraining::finish() {
  if (!average_.empty()) {
    average_over_rest();
    take_average();
  }
  if (!std::ranges::all_of(parameters_.values(), [](float value) { return std::isfinite(value); }))
    throw base::user_error(
        fmt::format("A parameter is no longer finite after {} epochs; a training.rate below {} may help.",
                    schedule_.effective_epochs(settings_.epochs), settings_.rate));
  classifier_->eval();
  if (auto filtrations = classifier_->filtrations(); !filtrations.is_empty())
    filtrations->fit(batches_.all_graphs());
  return classifier_;
}

std::vector<io::NamedArray> NetTraining::arrays() {
  auto arrays = arrays_of(*classifier_, "now.");
  const auto add = [&](const std::string& name, std::span<const float> values) {
    arrays.push_back({name, {static_cast<std::int64_t>(values.size())}, {values.begin(), values.end()}});
  };
  add("first", adam_.first());
  add("second", adam_.second());
  add("average", average_);
  return arrays;
}

void NetTraining::restore(std::span<const io::NamedArray> arrays, std::uint64_t steps) {
  set_arrays(*classifier_, "now.", arrays);
  adam_.steps = steps;
  const auto take = [&](const std::string& name, std::span<float> values) {
    const auto array = std::ranges::find(arrays, name, &io::NamedArray::name);
    if (array == arrays.end() || array->values.size() != values.size())
      throw base::user_error(fmt::format("The checkpoint lacks the array {}.", name));
    std::copy(array->values.begin(), array->values.end(), values.begin());
  };
  take("first", adam_.first());
  take("second", adam_.second());
  take("average", average_);
}

}  // namespace perslay::nn
