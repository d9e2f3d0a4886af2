#include "network_training.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/error.h>
#include <perslay/learn/splits.h>

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

constexpr auto scales_name = "filtrations.scales";

/// The array of that name, if its shape and type are right.
const io::NamedArray& find(std::span<const io::NamedArray> arrays, const std::string& name,
                           const std::vector<std::int64_t>& shape, bool in_doubles) {
  const auto array = std::ranges::find(arrays, name, &io::NamedArray::name);
  if (array == arrays.end())
    throw base::user_error(fmt::format("The array {} that the network needs is missing.", name));
  if (array->shape != shape)
    throw base::user_error(fmt::format("The array {} has the shape [{}], but the network needs [{}].", name,
                                       fmt::join(array->shape, ", "), fmt::join(shape, ", ")));
  if (in_doubles ? !array->values.empty() : !array->doubles.empty())
    throw base::user_error(fmt::format("The array {} is of {}, but the network needs {}.", name,
                                       in_doubles ? "float32" : "float64",
                                       in_doubles ? "float64" : "float32"));
  return *array;
}

std::vector<std::int64_t> shape_of(std::span<const diagram::UnitScale> scales) {
  return {static_cast<std::int64_t>(scales.size()), 2};
}

base::Context silent(int threads) {
  base::Context context;
  context.threads = threads;
  return context;
}

}  // namespace

std::vector<io::NamedArray> arrays_of(const network::Network<float>& network, const std::string& prefix) {
  std::vector<io::NamedArray> arrays;
  const auto add = [&](const network::Layout& layout, std::span<const float> numbers) {
    for (const auto& [array, slot] : layout.entries()) {
      const auto own = slot.of(numbers);
      arrays.push_back({prefix + array.name, array.shape, {own.begin(), own.end()}});
    }
  };
  add(network.trained_layout(), network.trained());
  if (const auto* times = network.times()) {
    auto& scales = arrays.emplace_back(io::NamedArray{prefix + scales_name, shape_of(times->scales()), {}});
    for (const auto& [low, high] : times->scales()) scales.doubles.insert(scales.doubles.end(), {low, high});
  }
  add(network.fitted_layout(), network.fitted());
  return arrays;
}

void set_arrays(network::Network<float>& network, const std::string& prefix,
                std::span<const io::NamedArray> arrays) {
  const auto take = [&](const network::Layout& layout, std::span<float> numbers) {
    for (const auto& [array, slot] : layout.entries())
      std::ranges::copy(find(arrays, prefix + array.name, array.shape, false).values,
                        slot.of(numbers).begin());
  };
  take(network.trained_layout(), network.trained());
  if (auto* times = network.times()) {
    const auto& numbers = find(arrays, prefix + scales_name, shape_of(times->scales()), true).doubles;
    for (std::size_t g = 0; g < times->scales().size(); ++g)
      times->scales()[g] = {numbers[2 * g], numbers[2 * g + 1]};
  }
  take(network.fitted_layout(), network.fitted());
}

NetworkTraining::NetworkTraining(const Settings& settings, const NetworkData& data, std::uint64_t seed,
                                 int threads)
    : settings_(settings.training),
      data_(data),
      seed_(seed),
      inside_(silent(threads)),
      schedule_(parse_schedule(settings.training.schedule)),
      network_(data.architecture(), seed),
      loss_(data.labels(), settings.training.label_smoothing),
      slow_(settings.network.times_by_epoch && network_.times() != nullptr ? network_.times()->shifts().size
                                                                           : 0),
      adam_(network_.trained().size() - slow_, adam_options(settings.training)),
      slow_adam_(slow_, adam_options(settings.training)),
      slow_gradient_(slow_),
      gradient_(network_.trained().size()) {
  require_enough_items(settings, data.size());
  if (settings_.average > 0) average_.assign(network_.trained().begin(), network_.trained().end());
}

NetworkTraining::Outcome NetworkTraining::epoch(std::size_t epoch, const base::Context& context) {
  fit_scales();
  base::RandomStream random(seed_, epoch);
  const auto order = shuffled(data_.size(), random);
  const auto parts = in_batches(order, settings_.batch);
  network::LossValue sum;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    context.stop_if_cancelled();
    const double rate =
        settings_.rate * schedule_.factor(epoch * parts.size() + i, parts.size(), settings_.epochs);
    const auto [loss, hits] = step(parts[i], rate, random);
    if (i + 1 == parts.size()) move_times(rate);
    if (!average_.empty()) move_average(average_, network_.trained(), settings_.average);
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

network::LossValue NetworkTraining::step(std::span<const std::size_t> places, double rate,
                                         base::RandomStream& random) {
  const network::Pass pass{inside_, &random};
  data_.fill(places, batch_);
  network_.forward(batch_, pass, work_);
  const auto value = loss_(work_.output(), places, work_.gradient);
  network_.backward(batch_, pass, work_, gradient_);
  network_.fit_moments(work_);
  adam_.step(network_.trained().subspan(slow_), std::span(gradient_).subspan(slow_), rate);
  const auto share = static_cast<float>(places.size()) / static_cast<float>(data_.size());
  for (std::size_t i = 0; i < slow_; ++i) slow_gradient_[i] += share * gradient_[i];
  return value;
}

/// At the end of an epoch.
void NetworkTraining::move_times(double rate) {
  if (slow_ == 0) return;
  slow_adam_.step(network_.trained().first(slow_), slow_gradient_, rate);
  std::ranges::fill(slow_gradient_, 0.0F);
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
  if (slow_ == 0) return arrays;
  add("slow.first", slow_adam_.first());
  add("slow.second", slow_adam_.second());
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
  if (slow_ == 0) return;
  take("slow.first", slow_adam_.first());
  take("slow.second", slow_adam_.second());
  slow_adam_.steps = steps / in_batches(all_rows(data_.size()), settings_.batch).size();
}

}  // namespace perslay::learn
