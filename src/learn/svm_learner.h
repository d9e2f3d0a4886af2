#pragma once

#include <memory>

#include <perslay/kernel/kernel.h>
#include <perslay/learn/learner.h>

namespace perslay::learn {

/// Support vectors on a kernel between diagrams. The parameters that the kernel leaves open and the cost are
/// chosen by a cross-validation inside the training part, among kernel::base_candidates,
/// kernel::rate_candidates and settings.costs. Kernels that are no exponential of a distance are divided by
/// their mean on the diagonal, over the training part.
[[nodiscard]] std::unique_ptr<Learner> make_svm_learner(const SvmSettings& settings,
                                                        const kernel::Kernel& kernel);

}  // namespace perslay::learn
