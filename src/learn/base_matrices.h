#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <perslay/base/context.h>
#include <perslay/features/items.h>
#include <perslay/kernel/gram.h>
#include <perslay/kernel/kernel.h>

namespace perslay::learn {

/// Bases of kernels between all items of a dataset, each computed once, whoever asks first. An entry depends
/// on its two items alone, so parts of the matrix tell nothing about items outside. Thread-safe.
class BaseMatrices {
 public:
  using Kernels = std::vector<kernel::Kernel>;  ///< One for each group, all parameters given.

  /// Matrices that need more memory than the machine has are the user's error.
  BaseMatrices(const features::Items& items, base::Context context);

  [[nodiscard]] const features::Items& items() const noexcept { return items_; }

  /// Matrices that are asked for from now on, perhaps by several threads, are computed without reports.
  void be_silent() { context_.progress = nullptr; }

  [[nodiscard]] std::shared_ptr<const kernel::Matrix> operator()(const Kernels& kernels);

 private:
  const features::Items& items_;
  base::Context context_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const kernel::Matrix>> matrices_;
};

}  // namespace perslay::learn
