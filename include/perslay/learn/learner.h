#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include <perslay/base/context.h>
#include <perslay/base/error.h>
#include <perslay/features/items.h>
#include <perslay/io/safetensors.h>
#include <perslay/learn/preparation.h>
#include <perslay/learn/settings.h>
#include <perslay/learn/splits.h>

namespace perslay::learn {

/// Some items of a dataset as a learner sees them: fitted numbers come from `preparation`.
struct Part {
  const features::Items& items;
  std::span<const std::size_t> rows;
  const Preparation& preparation;
};

/// How training stands after an epoch of one of the nets (from 0). Loss and accuracy are means over the
/// epoch's batches, on the training part, while the weights change. Learners that choose among candidates
/// instead of training report each: its place, and the error and accuracy that it is judged by.
struct Epoch {
  std::size_t net = 0;
  std::size_t epoch = 0;
  double loss = 0;
  double accuracy = 0;
  std::vector<double> times{};  ///< Of heat kernel signatures that are trained, at the epoch's end.

  friend bool operator==(const Epoch&, const Epoch&) = default;
};

/// What was learned. Thread-safe.
class Model {
 public:
  Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  virtual ~Model() = default;

  /// For each row of the part the probability of each class, [row][class].
  [[nodiscard]] virtual std::vector<float> probabilities(const Part& part,
                                                         const base::Context& context) const = 0;

  /// Everything but settings and preparation, for a file.
  [[nodiscard]] virtual std::vector<io::NamedArray> arrays() const = 0;
};

struct FitOptions {
  std::uint64_t seed = 0;
  /// Where training writes its state now and then and takes it up again; removed by the caller when the
  /// result is safe. Empty: never. A file of other settings, data or seed, or of another version of the
  /// program, is not taken up,
  std::filesystem::path checkpoint{};
  bool keep_other_checkpoint = false;  ///< but refused, instead of replaced.
  bool fresh = false;                  ///< No state is taken up; what is there is replaced.
  double checkpoint_seconds = 10;
  /// Told after each epoch or candidate.
  std::function<void(const Epoch&)> report{};
  bool untrained = false;  ///< The model as it starts, before any epoch, of learners that have epochs.
};

/// A step of a training. If it ends in numbers that are none, which is the user's error, so would a training
/// that is taken up from the checkpoint, and the file, which would be in the way of other settings, is
/// removed.
template <class Step>
auto forgetting_failures(const FitOptions& options, const Step& step) {
  try {
    return step();
  } catch (const base::Error& error) {
    std::error_code ignored;
    if (error.fault() == base::Fault::user && !options.checkpoint.empty())
      std::filesystem::remove(options.checkpoint, ignored);
    throw;
  }
}

struct Fit {
  std::unique_ptr<Model> model;
  std::vector<Epoch> history;
  double earlier_seconds = 0;  ///< Of training before it was taken up at a checkpoint.
};

/// What something will take on one thread; 0 where nothing is known.
struct Cost {
  double seconds = 0;
  double bytes = 0;  ///< At its peak.
};

/// A way to learn, with its settings; thread-safe. The result depends on the part, the settings and the seed
/// alone: not on the number of threads, nor on whether training was interrupted and taken up again.
class Learner {
 public:
  Learner() = default;
  Learner(const Learner&) = delete;
  Learner& operator=(const Learner&) = delete;
  virtual ~Learner() = default;

  /// Told before several fits, perhaps side by side, to the training parts of these splits of the items,
  /// which outlive the learner: what many of them need may be computed now, with all the context's threads.
  virtual void expect(const features::Items& items, std::span<const Split> splits,
                      const base::Context& context);

  /// What expect(...) will take for all splits of so many items with so many threads,
  [[nodiscard]] virtual Cost cost_of_expecting(std::size_t /*items*/, const Protocol& /*protocol*/,
                                               int /*threads*/) const {
    return {};
  }

  /// and a fit to so many.
  [[nodiscard]] virtual Cost cost_of_fit(std::size_t /*items*/) const { return {}; }

  /// How often a fit reports.
  [[nodiscard]] virtual std::size_t steps() const noexcept { return 1; }

  [[nodiscard]] virtual Fit fit(const Part& training, const FitOptions& options,
                                const base::Context& context) const = 0;

  /// The model with these arrays; `part` describes the inputs (its rows may be empty). Arrays that do not fit
  /// the settings are the user's error.
  [[nodiscard]] virtual std::unique_ptr<Model> load(const Part& part,
                                                    std::span<const io::NamedArray> arrays) const = 0;
};

inline void Learner::expect(const features::Items& /*items*/, std::span<const Split> /*splits*/,
                            const base::Context& /*context*/) {}

/// Makes the learner that settings.model names.
using MakeLearner = std::function<std::unique_ptr<Learner>(const Settings&)>;

/// Makes learners of all models.
[[nodiscard]] MakeLearner all_learners();

}  // namespace perslay::learn
