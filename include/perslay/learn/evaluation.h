#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <perslay/base/context.h>
#include <perslay/diagram/diagram_set.h>
#include <perslay/features/items.h>
#include <perslay/features/load_items.h>
#include <perslay/learn/learner.h>
#include <perslay/learn/metrics.h>
#include <perslay/learn/settings.h>
#include <perslay/learn/splits.h>

namespace perslay::learn {

/// What is evaluated. The seed is that of the context.
struct EvaluationTask {
  std::string dataset;  ///< Its name, for people.
  Settings settings;
  std::string variant = "perslay";  ///< What variant(...) made of the settings; for people too.
  Protocol protocol{};
};

/// So many items at most are worth keeping for people to look at.
inline constexpr std::size_t sampled_items = 200;

struct EvaluationOptions {
  /// Where everything is written; made if it does not exist.
  std::filesystem::path folder;
  bool fresh = false;  ///< Throw away what an earlier evaluation left there, instead of continuing it.
  double checkpoint_seconds = 10;
  /// Makes diagrams of some of the items, for people to look at. They are kept if they are not there yet.
  std::function<diagram::DiagramSet()> sample{};
};

/// Wall-clock seconds of one fold.
struct FoldSeconds {
  double preparation = 0;
  double training = 0;
  double prediction = 0;
};

/// What one split gave; repeat and fold are counted from 0.
struct FoldResult {
  std::size_t repeat = 0;
  std::size_t fold = 0;
  std::size_t training_items = 0;
  std::size_t test_items = 0;
  double accuracy = 0;                 ///< On the test part.
  double training_accuracy = 0;        ///< On the training part.
  double majority_accuracy = 0;        ///< Of predict_majority, on the test part.
  double size_accuracy = 0;            ///< Of predict_by_size, on the test part.
  std::vector<std::size_t> confusion;  ///< Of the test part, [true class][predicted class].
  std::vector<Epoch> history;
  std::string channel{};                    ///< That was chosen among network.candidates, if there are any.
  std::vector<double> choice_accuracies{};  ///< Of all of them, in the cross-validation that chose it.
  FoldSeconds seconds;
};

struct Evaluation {
  std::vector<FoldResult> folds;  ///< Repeat by repeat.
  Summary accuracy;
  Summary training_accuracy;
  Summary majority_accuracy;
  Summary size_accuracy;
  std::vector<std::size_t> confusion;  ///< The sum over folds.
  std::size_t taken_over = 0;          ///< Folds that an earlier call had finished.
  double seconds = 0;                  ///< Of the call that finished it.
};

/// About the most items of a training part.
[[nodiscard]] std::size_t training_items(const Protocol& protocol, std::size_t items);

/// What an evaluation of so many items will take, as far as its learner knows, on a machine that does nothing
/// else. `seconds` are those of a clock.
[[nodiscard]] Cost expected_cost(const Learner& learner, const Protocol& protocol, std::size_t items,
                                 int threads);

/// Throws the user's error unless the folder can take results: it is new, empty or holds an evaluation.
/// evaluate() calls it too; a program that calls it before it loads data saves time.
void require_folder_for_results(const std::filesystem::path& folder);

/// Learns and tests on every split of the protocol. In each, everything is fitted on the training part alone.
///
/// Folds run side by side, as many as the context has threads and the machine has memory for. In the folder
/// appear: `evaluation.json`, which says what is evaluated; `settings.toml`; `folds/r3-f7.json` (repeat 3,
/// fold 7, counted from 1) as soon as that fold is finished; `checkpoints/` while folds are under way; and at
/// the end `results.json`. For people to look at: `sample.h5`, diagrams of some items, and of networks
/// `models/start.safetensors` and `models/end.safetensors`, the model of repeat 1, fold 1 before and after
/// its training. All of them are written aside and renamed. An evaluation that was interrupted in any way
/// continues when it is started again: finished folds are read, unfinished ones taken up at their
/// checkpoints. A folder with an evaluation of something else is the user's error, and so is one in which an
/// evaluation is under way.
///
/// JSON files begin with a checksum of all their bytes (see io/checksum.h). Files that are read again and are damaged
/// are the user's error: nothing is taken over, nothing replaced.
///
/// The files have the same bytes for any number of threads and of interruptions, except for what stands under
/// keys called `seconds` and `checksum`.
[[nodiscard]] Evaluation evaluate(const features::Items& items, const EvaluationTask& task,
                                  const MakeLearner& make_learner, const EvaluationOptions& options,
                                  const base::Context& context = {});

/// What the folder of a finished evaluation says. `evaluation` has no seconds of its own; its folds have.
struct FinishedEvaluation {
  std::string dataset;
  std::size_t items = 0;
  std::vector<std::string> classes;
  Settings settings;
  std::string variant;
  Protocol protocol;
  std::uint64_t seed = 0;
  std::string version;  ///< Of the program that made it.
  Evaluation evaluation;
  bool checked = true;  ///< false if a file had no checksum, as those of earlier versions.
};

/// Reads such a folder. One that is none, or is damaged or unfinished, is the user's error.
[[nodiscard]] FinishedEvaluation read_evaluation(const std::filesystem::path& folder);

}  // namespace perslay::learn
