#include "plan.h"

namespace perslay::layer {
namespace {

std::size_t array_count(const std::vector<Equivariant>& layers) {
  std::size_t count = 0;
  for (const Equivariant& layer : layers) count += layer.parameters(1).size();
  return count;
}

}  // namespace

template <class T>
Plan<T>::Plan(const Channel& channel, Arrays<const T> parameters, bool every_point)
    : channel_(channel),
      every_point_(every_point),
      features_(channel.features()),
      stride_(padded<T>(features_)),
      phi_arrays_(channel.phi.parameters().size()),
      stack_arrays_(array_count(channel.equivariant)),
      weighting_(channel.weight, parameters.subspan(phi_arrays_ + stack_arrays_)) {
  const auto phi = parameters.first(phi_arrays_);
  if (!channel.equivariant.empty())
    stack_.emplace(channel.equivariant, channel.phi.size(), parameters.subspan(phi_arrays_, stack_arrays_));
  // Both shortcuts are for what comes out of an operation.
  if (!every_point && stack_ && channel.phi.type == PointTransform::Type::line) {
    affine_.emplace(phi[0], phi[1], *stack_);
    weight_offset_ = affine_->gradient_size();
  } else if (!every_point && !stack_ && channel.phi.type == PointTransform::Type::gaussian_grid &&
             !channel.op.selects()) {
    grid_.emplace(channel.phi, phi);
    weight_offset_ = grid_->gradient_size();
  } else {
    transform_.emplace(channel.phi, phi);
    stack_offset_ = transform_->gradient_size();
    weight_offset_ = stack_offset_ + (stack_ ? stack_->gradient_size() : 0);
  }
}

template <class T>
std::size_t Plan<T>::selection_size() const {
  return selected() + (affine_ ? affine_->chosen_size() : 0);
}

template <class T>
template <class Evaluate>
void Plan<T>::reduce(std::size_t count, const T* weights, const Evaluate& evaluate, T* out,
                     std::int32_t* selection, Workspace<T>& work) const {
  Reducer<T> reducer(channel_.op, count, features_, stride_, work.reducer);
  // In larger tiles fewer points enter the lists of a selection. 64 kB stay in the second-level cache.
  const std::size_t large = std::size_t{1} << 16, points = large / sizeof(T) / stride_;
  const std::size_t most = channel_.op.selects() ? std::max(points, block_points) : block_points;
  T* tile = work.tile.take(std::min(most, count) * stride_).data();
  for (std::size_t first = 0; first < count; first += most) {
    const std::size_t block = std::min(most, count - first);
    evaluate(first, block, tile);
    reducer.add(first, block, tile, weights + first);
  }
  reducer.finish(out, selection);
}

template <class T>
void Plan<T>::weigh(std::size_t count, const T* tile, const T* weights, T* out) const {
  for (std::size_t p = 0; p < count; ++p)
    for (std::size_t j = 0; j < features_; ++j) out[p * features_ + j] = weights[p] * tile[p * stride_ + j];
}

template <class T>
void Plan<T>::forward(const DiagramInput<T>& diagram, T* out, std::int32_t* selection,
                      Workspace<T>& work) const {
  const std::size_t count = diagram.count();
  if (count == 0) {
    if (!every_point_) std::fill_n(out, channel_.size(), T{0});
    if (selection != nullptr) std::fill_n(selection, selection_size(), -1);
    return;
  }
  T* weights = work.weights.take(count).data();
  weighting_.evaluate(diagram.points, diagram.weights, weights, work.weighting);

  if (grid_) {
    grid_->sum(diagram.points, weights, factor(count), out, work.grid);
  } else if (affine_) {
    const auto lines = affine_->forward(diagram.points,
                                        selection == nullptr ? nullptr : selection + selected(), work.affine);
    const auto evaluate = [&](std::size_t first, std::size_t block, T* tile) {
      element_kernels<T>().evaluate(lines.from(first), block, T{1}, false, tile);
    };
    reduce(count, weights, evaluate, out, selection, work);
  } else {
    const TransformOnDiagram<T> phi(*transform_, diagram.points, diagram.features, false, work.transform);
    if (stack_) {
      phi.evaluate(0, count, stack_->input(count, work.stack));
      const T* z = stack_->forward(count, work.stack);
      if (every_point_) return weigh(count, z, weights, out);
      Reducer<T> reducer(channel_.op, count, features_, stride_, work.reducer);
      reducer.add(0, count, z, weights);
      reducer.finish(out, selection);
    } else if (every_point_) {
      T* tile = work.tile.take(std::min(block_points, count) * stride_).data();
      for (std::size_t first = 0; first < count; first += block_points) {
        const std::size_t block = std::min(block_points, count - first);
        phi.evaluate(first, block, tile);
        weigh(block, tile, weights + first, out + first * features_);
      }
    } else {
      const auto evaluate = [&](std::size_t first, std::size_t block, T* tile) {
        phi.evaluate(first, block, tile);
      };
      reduce(count, weights, evaluate, out, selection, work);
    }
  }
}

template <class T>
const T* Plan<T>::upstream_rows(const T* upstream, std::size_t count, Workspace<T>& work) const {
  const std::size_t rows = every_point_ ? count : 1;
  const auto padded_rows = work.upstream.take_zeros(rows * stride_);
  const T scale = factor(count);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t j = 0; j < features_; ++j)
      padded_rows[r * stride_ + j] = scale * upstream[r * features_ + j];
  return padded_rows.data();
}

template <class T>
void Plan<T>::backward_elements(const DiagramBackward<T>& task, Workspace<T>& work) const {
  const auto& [diagram, selection, upstream, gradient, by] = task;
  const std::size_t count = diagram.count();
  const T* weights = work.weights.view().data();
  T* weights_gradient = work.weights_gradient.view().data();
  TransformOnDiagram<T> phi(*transform_, diagram.points, diagram.features, by.points != nullptr,
                            work.transform);
  if (channel_.op.selects()) {
    phi.differentiate_selected(channel_.op.width(), selection, upstream, weights, weights_gradient, gradient,
                               by.features);
  } else {
    const T* rows = upstream_rows(upstream, count, work);
    for (std::size_t first = 0; first < count; first += block_points)
      phi.differentiate(first, std::min(block_points, count - first), rows + first * row_distance(),
                        row_distance(), weights + first, weights_gradient + first, gradient, by.features);
  }
  if (by.points != nullptr) phi.pull_back(by.points);
}

template <class T>
void Plan<T>::backward_affine(const DiagramBackward<T>& task, Workspace<T>& work) const {
  const auto& [diagram, selection, upstream, gradient, by] = task;
  const std::size_t count = diagram.count();
  const T* weights = work.weights.view().data();
  const auto lines = affine_->forward_again(diagram.points, selection + selected(), work.affine);
  const auto by_theta = work.affine.theta_gradient.take_zeros(3 * stride_);
  ElementGradient<T> to{work.weights_gradient.view().data(), {}, by_theta.data()};
  if (by.points != nullptr)
    to.by = CoordinateArrays<T>::in(work.transform.gradients.take_zeros(3 * count).data(), count);
  if (channel_.op.selects()) {
    element_kernels<T>().differentiate_selected(lines, features_, channel_.op.width(), selection, upstream,
                                                weights, to);
  } else {
    const T* row = upstream_rows(upstream, count, work);
    for (std::size_t first = 0; first < count; first += block_points)
      element_kernels<T>().differentiate(lines.from(first), std::min(block_points, count - first), row, 0,
                                         weights + first, {to.dot + first, to.by.from(first), to.theta});
  }
  affine_->backward(by_theta.data(), gradient, by.points, work.affine);
  if (to.by) pull_back(Coordinates::birth_death, T{0}, diagram.points, to.by, by.points);
}

template <class T>
void Plan<T>::backward_stack(const DiagramBackward<T>& task, Workspace<T>& work) const {
  const auto& [diagram, selection, upstream, gradient, by] = task;
  const std::size_t count = diagram.count();
  const T* weights = work.weights.view().data();
  T* weights_gradient = work.weights_gradient.view().data();
  TransformOnDiagram<T> phi(*transform_, diagram.points, diagram.features, by.points != nullptr,
                            work.transform);
  phi.evaluate(0, count, stack_->input(count, work.stack));
  const T* z = stack_->forward(count, work.stack);
  T* by_z = stack_->output_gradient(count, work.stack);
  if (channel_.op.selects()) {
    const std::size_t width = channel_.op.width();
    for (std::size_t place = 0; place < features_ * width; ++place) {
      if (selection[place] < 0) continue;
      const auto p = static_cast<std::size_t>(selection[place]);
      const std::size_t at = p * stride_ + place / width;
      weights_gradient[p] += upstream[place] * z[at];
      by_z[at] += upstream[place] * weights[p];
    }
  } else {
    const T* row = upstream_rows(upstream, count, work);
    for (std::size_t p = 0; p < count; ++p, row += row_distance())
      for (std::size_t j = 0; j < features_; ++j) {
        weights_gradient[p] += row[j] * z[p * stride_ + j];
        by_z[p * stride_ + j] = weights[p] * row[j];
      }
  }
  const T* by_phi = stack_->backward(count, gradient + stack_offset_, work.stack);
  const auto scale = work.scale.take(block_points);
  std::ranges::fill(scale, T{1});
  const auto dot = work.dot.take(block_points);
  const std::size_t stride = transform_->stride();
  for (std::size_t first = 0; first < count; first += block_points) {
    std::ranges::fill(dot, T{0});
    phi.differentiate(first, std::min(block_points, count - first), by_phi + first * stride, stride,
                      scale.data(), dot.data(), gradient, by.features);
  }
  if (by.points != nullptr) phi.pull_back(by.points);
}

template <class T>
void Plan<T>::backward(const DiagramBackward<T>& task, Workspace<T>& work) const {
  const auto& [diagram, selection, upstream, gradient, by] = task;
  const std::size_t count = diagram.count();
  if (count == 0) return;
  T* weights = work.weights.take(count).data();
  weighting_.evaluate(diagram.points, diagram.weights, weights, work.weighting);
  T* weights_gradient = work.weights_gradient.take_zeros(count).data();

  if (grid_)
    grid_->differentiate(diagram.points, weights, factor(count), upstream, weights_gradient, gradient,
                         by.points, work.grid);
  else if (affine_)
    backward_affine(task, work);
  else if (stack_)
    backward_stack(task, work);
  else
    backward_elements(task, work);
  weighting_.differentiate(diagram.points, weights_gradient, gradient + weight_offset_, by.points, by.weights,
                           work.weighting);
}

template <class T>
void Plan<T>::collect(std::span<T> gradient, Arrays<T> gradients) const {
  const auto phi = gradients.first(phi_arrays_);
  const auto stack = gradients.subspan(phi_arrays_, stack_arrays_);
  if (grid_) {
    grid_->collect(gradient, phi);
  } else if (affine_) {
    affine_->collect(gradient, phi, stack);
  } else {
    transform_->collect(gradient, phi);
    if (stack_) stack_->collect(gradient.subspan(stack_offset_), stack);
  }
  weighting_.collect(gradient.subspan(weight_offset_), gradients.subspan(phi_arrays_ + stack_arrays_));
}

template class Plan<float>;
template class Plan<double>;

}  // namespace perslay::layer
