#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
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

namespace perslay::learn {

/// Some items of a dataset as a learner sees them: fitted numbers come from `preparation`.
struct Part {
  const features::Items& items;
  std::span<const std::size_t> rows;
  const Preparation& preparation;

  /// Of the rows; the items have labels.
  [[nodiscard]] std::vector<int> labels() const {
    std::vector<int> labels;
    for (const std::size_t row : rows) labels.push_back(items.labels[row]);
    return labels;
  }

  /// Whether it refers to the same things.
  [[nodiscard]] bool is(const Part& other) const noexcept {
    return &items == &other.items && rows.data() == other.rows.data() && rows.size() == other.rows.size() &&
           &preparation == &other.preparation;
  }
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
  std::size_t choosing = 0;     ///< Of a training that helps to choose among candidates: its number, from 1.

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
  /// Where training writes its state now and then, and takes it up again. Empty: it keeps none. The caller
  /// removes the file when the result is safe.
  std::filesystem::path checkpoint{};
  /// What happens to a file of other settings, data or seed, or of another version of the program: true
  /// refuses it, false replaces it.
  bool keep_other_checkpoint = false;
  bool fresh = false;  ///< Takes no state up; what is there is replaced.
  double checkpoint_seconds = 10;
  /// Told after each epoch or candidate.
  std::function<void(const Epoch&)> report{};
  bool untrained = false;  ///< The model as it starts, before any epoch, of learners that have epochs.
  std::optional<std::size_t>
      candidate{};  ///< The one to take, of learners that else choose one (of channels).
};

/// Runs a step of a training. If it fails for numbers that are not finite, which is the user's error, a
/// training that is taken up at the checkpoint would fail again. So the file is removed; it would be in the
/// way of a training with other settings.
template <class Step>
auto removing_checkpoint_on_failure(const FitOptions& options, const Step& step) {
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

  /// Called once before several fits to parts of the same items, which outlive the learner: computes what
  /// these fits share, with all the context's threads. Fits to other items, and without this call, give the
  /// same results.
  virtual void study(const features::Items& /*items*/, const base::Context& /*context*/) {}

  /// What a fit to so many items will take.
  [[nodiscard]] virtual Cost cost_of_fit(std::size_t /*items*/) const { return {}; }

  /// How often a fit to so many items reports.
  [[nodiscard]] virtual std::size_t steps(std::size_t /*items*/) const noexcept { return 1; }

  /// The model may keep what it read of the part: what the part refers to lives as long, unchanged.
  [[nodiscard]] virtual Fit fit(const Part& training, const FitOptions& options,
                                const base::Context& context) const = 0;

  /// The model with these arrays; `part` describes the inputs (its rows may be empty). Arrays that do not fit
  /// the settings are the user's error.
  [[nodiscard]] virtual std::unique_ptr<Model> load(const Part& part,
                                                    std::span<const io::NamedArray> arrays) const = 0;
};

/// Makes the learner that settings.model names.
using MakeLearner = std::function<std::unique_ptr<Learner>(const Settings&)>;

}  // namespace perslay::learn
