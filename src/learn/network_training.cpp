#include "network_training.h"

#include "network_arrays.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/error.h>

namespace perslay::learn {
namespace {

AdamOptions adam_options(const TrainingSettings& settings) {
  AdamOptions options;
  options.epsilon = settings.epsilon;
  options.weight_decay = settings.weight_decay;
  options.decoupled = settings.optimiser == "adamw";
  options.epsilon_hat = settings.optimiser == "adam-tf";
  return options;
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
void require_enough_items(const Settings& settings, std::size_t all) {
  const auto& network = settings.network;
  const bool norm = network.channel_norm || (network.batch_norm && !network.hidden.empty());
  const auto items = std::min(all, settings.training.batch);
  if (norm && items < 2)
    throw base::user_error(
        fmt::format("Batch norm needs at least 2 items in a batch, and there is {}.", items));
}

bool is_finite(std::span<const float> numbers) {
  return std::ranges::all_of(numbers, [](float number) { return std::isfinite(number); });
}

base::Context silent(int threads) {
  base::Context context;
  context.threads = threads;
  return context;
}

}  // namespace

NetworkTraining::NetworkTraining(const Settings& settings, const NetworkData& data, std::uint64_t seed,
                                 int threads)
    : settings_(settings.training),
      data_(data),
      seed_(seed),
      inside_(silent(threads)),
      schedule_(parse_schedule(settings.training.schedule)),
      network_(data.architecture(), seed),
      loss_(data.labels(), settings.training.label_smoothing),
      adam_(network_.trained().size(), adam_options(settings.training)),
      gradient_(network_.trained().size()) {
  require_enough_items(settings, data.size());
  if (settings_.average > 0) average_.assign(network_.trained().begin(), network_.trained().end());
}

NetworkTraining::Outcome NetworkTraining::epoch(std::size_t epoch, const base::Context& context) {
  fit_scales();
  base::RandomStream random(seed_, epoch);
  const auto order = shuffled(random);
  const auto parts = in_batches(order, settings_.batch);
  network::Loss<float>::Value sum;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    context.stop_if_cancelled();
    const double rate =
        settings_.rate * schedule_.factor(epoch * parts.size() + i, parts.size(), settings_.epochs);
    const auto [loss, hits] = step(parts[i], rate, random);
    sum.loss += loss;
    sum.hits += hits;
  }
  if (!std::isfinite(sum.loss))
    throw base::user_error(
        fmt::format("The loss became {} in epoch {} of {}; a training.rate below {} may help.",
                    std::isnan(sum.loss) ? std::abs(sum.loss) : sum.loss, epoch + 1,
                    schedule_.effective_epochs(settings_.epochs), settings_.rate));
  if (settings_.restart_from_average) take_average();
  const auto items = static_cast<double>(order.size());
  const auto* times = network_.times();
  return {sum.loss / items, sum.hits / items,
          times == nullptr ? std::vector<double>() : times->times(network_.trained())};
}

network::Loss<float>::Value NetworkTraining::step(std::span<const std::size_t> places, double rate,
                                                  base::RandomStream& random) {
  const network::Pass pass{inside_, &random};
  data_.fill(places, batch_);
  network_.forward(batch_, pass, work_);
  const auto value = loss_(work_.output(), places, work_.gradient);
  network_.backward(batch_, pass, work_, gradient_);
  network_.fit_moments(work_);
  adam_.step(network_.trained(), gradient_, rate);
  if (!average_.empty()) move_average(average_, network_.trained(), settings_.average);
  return value;
}

std::vector<std::size_t> NetworkTraining::shuffled(base::RandomStream& random) const {
  std::vector<std::size_t> order(data_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

void NetworkTraining::fit_scales() {
  if (auto* times = network_.times())
    times->fit_scales(std::as_const(network_).trained(), data_.all_graphs(), inside_);
}

void NetworkTraining::take_average() {
  if (!average_.empty()) std::ranges::copy(average_, network_.trained().begin());
}

void NetworkTraining::average_over_rest() {
  const auto run = schedule_.effective_epochs(settings_.epochs);
  if (run == settings_.epochs) return;
  const auto steps = adam_.steps / run * (settings_.epochs - run);  // run divides them
  move_average(average_, network_.trained(), std::pow(settings_.average, static_cast<double>(steps)));
}

network::Network<float> NetworkTraining::finish() {
  if (!average_.empty()) {
    average_over_rest();
    take_average();
  }
  if (!is_finite(network_.trained()))
    throw base::user_error(
        fmt::format("A parameter is no longer finite after {} epochs; a training.rate below {} may help.",
                    schedule_.effective_epochs(settings_.epochs), settings_.rate));
  fit_scales();
  return std::move(network_);
}

std::vector<io::NamedArray> NetworkTraining::arrays() {
  auto arrays = arrays_of(network_, "now.");
  const auto add = [&](const std::string& name, std::span<const float> values) {
    arrays.push_back({name, {static_cast<std::int64_t>(values.size())}, {values.begin(), values.end()}});
  };
  add("first", adam_.first());
  add("second", adam_.second());
  add("average", average_);
  return arrays;
}

void NetworkTraining::restore(std::span<const io::NamedArray> arrays, std::uint64_t steps) {
  set_arrays(network_, "now.", arrays);
  adam_.steps = steps;
  const auto take = [&](const std::string& name, std::span<float> values) {
    const auto array = std::ranges::find(arrays, name, &io::NamedArray::name);
    if (array == arrays.end() || array->values.size() != values.size())
      throw base::user_error(fmt::format("The checkpoint lacks the array {}.", name));
    std::ranges::copy(array->values, values.begin());
  };
  take("first", adam_.first());
  take("second", adam_.second());
  take("average", average_);
}

}  // namespace perslay::learn
