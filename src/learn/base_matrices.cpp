#include "base_matrices.h"

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/memory.h>

namespace perslay::learn {
namespace {

std::string key_of(const BaseMatrices::Kernels& kernels) {
  std::string key;
  for (const auto& kernel : kernels) key += kernel.name() + ' ';
  return key;
}

}  // namespace

BaseMatrices::BaseMatrices(const features::Items& items, base::Context context)
    : items_(items), context_(std::move(context)) {
  context_.seed = 0;  // kernels by random features are the same wherever they are computed
}

std::shared_ptr<const kernel::Matrix> BaseMatrices::operator()(const Kernels& kernels) {
  const std::scoped_lock lock(mutex_);
  auto& matrix = matrices_[key_of(kernels)];
  if (matrix == nullptr) {
    const auto count = static_cast<double>(items_.count());
    const double bytes = 8 * count * count;
    // Beside the bases there are the Gram matrix of a training part and its copy for libsvm.
    if (bytes * (static_cast<double>(matrices_.size()) + 3) > base::machine_memory())
      throw base::user_error(
          fmt::format("A kernel matrix of {} items has {:.1f} GB, and {} of them are needed at a time, more "
                      "than the {:.0f} "
                      "GB of this machine; take fewer items.",
                      items_.count(), bytes / 1e9, matrices_.size() + 3, base::machine_memory() / 1e9));
    matrix = std::make_shared<const kernel::Matrix>(kernel::base_matrix(kernels, items_.groups, context_));
  }
  return matrix;
}

}  // namespace perslay::learn
