#pragma once

#include <cstddef>
#include <memory>

#include <perslay/base/context.h>
#include <perslay/diagram/diagram_batch.h>
#include <perslay/kernel/kernel.h>

namespace perslay::kernel {

/// A function of two diagrams that were prepared one by one. Prepared diagrams and scratch memory are the
/// function's own business.
class Pairwise {
 public:
  /// One batch, prepared.
  struct Side {
    Side() = default;
    Side(const Side&) = delete;
    Side& operator=(const Side&) = delete;
    virtual ~Side() = default;

    /// The memory that the diagrams take.
    [[nodiscard]] virtual std::size_t bytes() const = 0;
  };
  /// Working memory of one thread.
  struct Scratch {
    Scratch() = default;
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    virtual ~Scratch() = default;
  };

  Pairwise() = default;
  Pairwise(const Pairwise&) = delete;
  Pairwise& operator=(const Pairwise&) = delete;
  virtual ~Pairwise() = default;

  [[nodiscard]] virtual std::unique_ptr<Side> prepare(const diagram::DiagramBatch& diagrams,
                                                      const base::Context& context) const = 0;
  [[nodiscard]] virtual std::unique_ptr<Scratch> scratch() const { return std::make_unique<Scratch>(); }

  /// Symmetric to the last bit.
  [[nodiscard]] virtual double value(const Side& rows, std::size_t i, const Side& columns, std::size_t j,
                                     Scratch& scratch) const = 0;
};

/// <F, G> of scale_space and weighted_*, by sums over all pairs of points or on a grid.
[[nodiscard]] std::unique_ptr<Pairwise> inner_product_of(const Kernel& kernel);

/// The Fisher information metric of persistence Fisher.
[[nodiscard]] std::unique_ptr<Pairwise> fisher_distance_of(const Kernel& kernel);

}  // namespace perslay::kernel
