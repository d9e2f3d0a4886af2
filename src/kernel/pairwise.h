#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <fmt/format.h>

#include <perslay/base/parallel.h>
#include <perslay/diagram/diagram_set.h>
#include <perslay/kernel/kernel.h>

namespace perslay::kernel {

/// A function of two diagrams that were prepared one by one. Each function decides what its prepared diagrams
/// and its scratch memory hold.
class Pairwise {
 public:
  /// The prepared diagrams of one batch.
  struct Side {
    virtual ~Side() = default;

    /// The number of diagrams.
    [[nodiscard]] virtual std::size_t size() const = 0;
    /// The memory that the diagrams take.
    [[nodiscard]] virtual std::size_t bytes() const = 0;
  };
  /// Working memory of one thread.
  struct Scratch {
    virtual ~Scratch() = default;
  };

  virtual ~Pairwise() = default;

  [[nodiscard]] virtual std::unique_ptr<Side> prepare(const diagram::DiagramBatch& diagrams,
                                                      const base::Context& context) const = 0;
  [[nodiscard]] virtual std::unique_ptr<Scratch> scratch() const { return std::make_unique<Scratch>(); }

  /// The value for diagram i of `rows` and diagram j of `columns`. It is symmetric to the last bit.
  [[nodiscard]] virtual double value(const Side& rows, std::size_t i, const Side& columns, std::size_t j,
                                     Scratch& scratch) const = 0;
};

/// A function that turns each diagram into a `Prepared`, whose memory bytes_of() tells.
template <class Prepared>
class PreparedPairwise : public Pairwise {
 public:
  [[nodiscard]] std::unique_ptr<Side> prepare(const diagram::DiagramBatch& batch,
                                              const base::Context& context) const final {
    auto side = std::make_unique<PreparedSide>();
    side->diagrams.resize(batch.size());
    base::parallel_for(context, "preparing diagrams", batch.size(),
                       [&](std::size_t i) { side->diagrams[i] = prepare_one(batch[i]); });
    return side;
  }

  [[nodiscard]] double value(const Side& rows, std::size_t i, const Side& columns, std::size_t j,
                             Scratch& scratch) const final {
    return compare(static_cast<const PreparedSide&>(rows).diagrams[i],
                   static_cast<const PreparedSide&>(columns).diagrams[j], scratch);
  }

 private:
  struct PreparedSide final : Side {
    std::vector<Prepared> diagrams;

    [[nodiscard]] std::size_t size() const override { return diagrams.size(); }
    [[nodiscard]] std::size_t bytes() const override {
      std::size_t sum = diagrams.size() * sizeof(Prepared);
      for (const auto& diagram : diagrams) sum += bytes_of(diagram);
      return sum;
    }
  };

  [[nodiscard]] virtual Prepared prepare_one(std::span<const diagram::Point> diagram) const = 0;
  [[nodiscard]] virtual double compare(const Prepared& f, const Prepared& g, Scratch& scratch) const = 0;
};

/// <F, G> of scale_space and weighted_*, by sums over all pairs of points or on a grid.
[[nodiscard]] std::unique_ptr<Pairwise> inner_product_of(const Kernel& kernel);

/// The Fisher information metric of persistence Fisher.
[[nodiscard]] std::unique_ptr<Pairwise> fisher_distance_of(const Kernel& kernel);

/// The function behind every kernel but sliced_wasserstein.
[[nodiscard]] inline std::unique_ptr<Pairwise> pairwise_of(const Kernel& kernel) {
  return kernel.type == Kernel::Type::fisher ? fisher_distance_of(kernel) : inner_product_of(kernel);
}

/// What the time of a matrix grows with.
struct Load {
  double points = 0;  ///< The points to prepare.
  double work = 0;    ///< The operations on pairs of points, or on points, and a few for each pair.
};

/// The load of a matrix with these rows and columns; half of the pairs count if they are one object. The work
/// is linear in the points of either side, so their mean number is enough.
[[nodiscard]] Load load_of(const Kernel& kernel, const diagram::DiagramBatch& rows,
                           const diagram::DiagramBatch& columns);

/// Puts the name of the group in front of the user's errors that `run` throws.
template <class Run>
void with_title(const diagram::DiagramGroup& group, Run run) {
  try {
    run();
  } catch (const base::Error& error) {
    if (error.fault() != base::Fault::user) throw;
    throw base::user_error(fmt::format("{}: {}", group.title(), error.what()));
  }
}

}  // namespace perslay::kernel
