#include "blocks.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/blas.h>
#include <perslay/network/convolved.h>
#include <perslay/network/network.h>

namespace perslay::network {
namespace {

template <class T>
void fill_uniform(std::span<T> numbers, double bound, base::RandomStream& random) {
  for (T& number : numbers) number = static_cast<T>(random.uniform(-bound, bound));
}

std::vector<std::int64_t> shape(std::initializer_list<std::size_t> extents) {
  std::vector<std::int64_t> numbers;
  for (const auto extent : extents) numbers.push_back(static_cast<std::int64_t>(extent));
  return numbers;
}

/// The step of the block at a place of the list.
template <class T>
Step<T> step(std::size_t place, const Numbers<T>& numbers, Workspace<T>& work, const Pass& pass) {
  return {numbers, work.values[place], work.values[place + 1], work.memories[place], pass};
}

/// Ours: uniform in +-1/sqrt(inputs of a filter). The authors': Glorot and Bengio's uniform filters, no bias.
template <class T>
void initialise(const Convolution& convolution, layer::Initialisation initialisation, std::uint64_t seed,
                std::span<T> filters, std::span<T> bias) {
  base::RandomStream random(seed, 0x636f6e76);
  const auto tap = static_cast<double>(convolution.height() * convolution.size);
  const double inputs = static_cast<double>(convolution.planes) * tap;
  const double outputs = static_cast<double>(convolution.filters) * tap;
  if (initialisation == layer::Initialisation::authors)
    return fill_uniform(filters, std::sqrt(6 / (inputs + outputs)), random);
  fill_uniform(filters, 1 / std::sqrt(inputs), random);
  fill_uniform(bias, 1 / std::sqrt(inputs), random);
}

}  // namespace

template <class T>
Network<T>::Network(Architecture architecture, std::uint64_t seed) : architecture_(std::move(architecture)) {
  require_sensible(architecture_);
  if (!architecture_.times.groups.empty()) {
    times_.emplace(architecture_.times, trained_layout_);
    trained_.resize(trained_layout_.size());
  }
  add_channels(seed);
  add_head(seed);
}

template <class T>
Slot Network<T>::add_array(std::string name, std::vector<std::int64_t> shape, T start) {
  const auto slot = trained_layout_.add(std::move(name), std::move(shape));
  trained_.resize(trained_layout_.size(), start);
  return slot;
}

template <class T>
void Network<T>::add_channels(std::uint64_t seed) {
  std::vector<typename Channels<T>::Part> parts;
  for (std::size_t c = 0; c < architecture_.channels.size(); ++c) {
    const auto& [channel, convolution, nested] = architecture_.channels[c];
    const auto own_seed = base::mix_bits(seed + c + 1);
    auto& part = parts.emplace_back(typename Channels<T>::Part{channel, architecture_.group_of(c)});
    const auto start = layer::initial_parameters(channel, architecture_.initialisation, own_seed);
    for (std::size_t i = 0; const auto& array : channel.parameters()) {
      const auto name = fmt::format("channel{}.{}{}", c, nested ? "perslay." : "", array.name);
      part.arrays.push_back(add_array(name, array.shape));
      std::ranges::transform(start[i++], part.arrays.back().of(trained()).begin(),
                             [](double number) { return static_cast<T>(number); });
    }
    if (!convolution) {
      segments_.push_back({channel.size()});
      continue;
    }
    layer::require_room(*convolution, channel);
    const auto [rows, columns] = layer::image_of(channel);
    const std::size_t planes = convolution->of_points ? 1 : channel.op.width();
    const Convolution over{rows, columns, planes, convolution->filters, convolution->size};
    const auto filters = add_array(fmt::format("channel{}.convolution.weight", c),
                                   shape({over.filters, over.planes, over.height(), over.size}));
    const auto bias = add_array(fmt::format("channel{}.convolution.bias", c), shape({over.filters}));
    initialise<T>(over, architecture_.initialisation, own_seed, filters.of(trained()), bias.of(trained()));
    if (convolution->of_points) {
      part.convolution.emplace(channel, over);
      part.filters = filters;
      part.bias = bias;
      segments_.push_back({part.size()});
    } else {
      segments_.push_back({channel.size(), over, filters, bias});
    }
  }
  std::size_t groups = 0;
  for (const auto& part : parts) groups = std::max(groups, part.group + 1);
  for (const auto& group : architecture_.times.groups) groups = std::max(groups, group.place + 1);
  wants_points_.assign(groups, false);
  for (const auto& group : architecture_.times.groups) wants_points_.at(group.place) = true;
  channels_.emplace(std::move(parts), architecture_.features);
}

/// Makes everything after the channels: a list of blocks.
template <class T>
void Network<T>::add_head(std::uint64_t seed) {
  std::size_t from_channels = 0;
  for (const auto& segment : segments_) from_channels += segment.outputs();
  segments_.push_back({architecture_.features});
  const bool norm = architecture_.channel_norm && from_channels > 0;
  const bool fold = architecture_.folds();
  if (architecture_.convolves() && !fold) blocks_.push_back(std::make_unique<Convolved<T>>(segments_));
  if (norm) add_norm("channel_norm", from_channels);
  if (architecture_.input_dropout > 0)
    blocks_.push_back(std::make_unique<Dropout<T>>(architecture_.input_dropout));

  first_dense_ = blocks_.size();
  base::RandomStream random(seed, 0x64656e7365);
  std::size_t width = from_channels + architecture_.features;
  auto sizes = architecture_.hidden;
  sizes.push_back(architecture_.outputs);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (i > 0) {
      blocks_.push_back(std::make_unique<Relu<T>>());
      if (architecture_.dropout > 0) blocks_.push_back(std::make_unique<Dropout<T>>(architecture_.dropout));
    }
    const auto weight = add_array(fmt::format("dense{}.weight", i), shape({sizes[i], width}));
    const auto bias = add_array(fmt::format("dense{}.bias", i), shape({sizes[i]}));
    // Glorot and Bengio's uniform weights, no bias.
    fill_uniform(weight.of(trained()), std::sqrt(6 / static_cast<double>(width + sizes[i])), random);
    if (i == 0 && fold)
      blocks_.push_back(std::make_unique<FoldedDense<T>>(segments_, sizes[i], weight, bias));
    else
      blocks_.push_back(std::make_unique<Dense<T>>(width, sizes[i], weight, bias));
    if (architecture_.batch_norm && i + 1 < sizes.size()) add_norm(fmt::format("norm{}", i), sizes[i]);
    width = sizes[i];
  }
}

template <class T>
void Network<T>::add_norm(const std::string& name, std::size_t columns) {
  const auto weight = add_array(name + ".weight", shape({columns}), 1);
  const auto bias = add_array(name + ".bias", shape({columns}));
  const auto mean = fitted_layout_.add(name + ".running_mean", shape({columns}));
  fitted_.resize(fitted_layout_.size(), T{0});
  const auto variance = fitted_layout_.add(name + ".running_var", shape({columns}));
  fitted_.resize(fitted_layout_.size(), T{1});
  blocks_.push_back(std::make_unique<BatchNorm<T>>(columns, weight, bias, mean, variance));
}

template <class T>
void Network<T>::forward(const Batch<T>& batch, const Pass& pass, Workspace<T>& work) const {
  const base::OneBlasThread one_thread;
  if (times_) {
    work.diagrams = batch.diagrams;
    work.features = batch.features;
    times_->forward(trained_, batch.graphs, pass, work.times, work.diagrams, work.features);
  }
  work.values.resize(blocks_.size() + 1);
  work.memories.resize(blocks_.size());
  channels_->forward(trained_, diagrams(batch, work), times_ ? work.features : batch.features,
                     work.values.front(), work.channels, pass);
  const Numbers<T> numbers{trained_, fitted_};
  for (std::size_t i = 0; i < blocks_.size(); ++i) blocks_[i]->forward(step(i, numbers, work, pass));
}

template <class T>
void Network<T>::backward(const Batch<T>& batch, const Pass& pass, Workspace<T>& work,
                          std::span<T> gradient) const {
  const base::OneBlasThread one_thread;
  const Numbers<T> numbers{trained_, fitted_};
  const bool has_channels = channels_->size() > 0;
  const std::size_t last = has_channels ? 0 : first_dense_;  // nothing before it has parameters
  for (std::size_t i = blocks_.size(); i-- > last;) {
    const bool needed = i > last || has_channels;
    blocks_[i]->backward(step(i, numbers, work, pass),
                         {work.gradient, gradient, needed ? &work.next_gradient : nullptr});
    if (needed) std::swap(work.gradient, work.next_gradient);
  }
  if (!has_channels) return;
  channels_->backward(trained_, diagrams(batch, work), work.gradient, work.channels, gradient, wants_points_,
                      work.by_points, pass);
  if (times_)
    times_->backward(trained_, work.times, pass, work.by_points, work.gradient,
                     work.gradient.width - architecture_.features, gradient);
}

template <class T>
void Network<T>::fit_moments(const Workspace<T>& work) {
  for (std::size_t i = 0; i < blocks_.size(); ++i)
    blocks_[i]->fit(work.memories[i], fitted_, work.output().count);
}

template class Network<float>;
template class Network<double>;

}  // namespace perslay::network
