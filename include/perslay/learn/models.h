#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <perslay/base/registry.h>
#include <perslay/features/load_items.h>
#include <perslay/learn/learner.h>
#include <perslay/learn/settings.h>

/// The models that settings can name: `network`, `svm:KERNEL`, `ridge:POOL`, `ridge:POOL+mlp`. One table says
/// all that the rest of the code has to know of them.
namespace perslay::learn {

class RidgeMemory;

/// An entry of the table. Functions get the argument of a name: "sw" of "svm:sw".
struct ModelKind {
  std::string_view head;  ///< "ridge"
  std::string_view
      placeholder{};          ///< What help writes for the argument, "POOL". Empty: the head stands alone.
  std::string_view ending{};  ///< "+mlp"
  std::string_view help;      ///< One sentence.
  std::string_view section;   ///< The section of the settings that is about it.

  bool takes_features = false;  ///< Reads the features that [features] names. Others must name none.
  bool has_epochs = false;      ///< Trains as [training] says, with checkpoints. Others report candidates.
  /// A network and nothing else: its filtrations can be trained, and evaluations keep it as it starts and
  /// ends.
  bool is_network = false;

  /// Throws the user's error if the argument means nothing.
  void (*check)(std::string_view argument) = nullptr;
  /// The argument where a name has none, for input of a kind.
  std::string (*default_argument)(const features::InputKind& input) = nullptr;
  /// The arguments that can be listed.
  std::vector<base::NameHelp> (*arguments)() = nullptr;
  /// What it reads, if its argument and not [data] says so.
  features::LoadRequest (*own_data)(std::string_view argument) = nullptr;
  /// Makes the learner. Learners with the same memory share what they can.
  std::unique_ptr<Learner> (*make)(const Settings& settings, std::string_view argument,
                                   const std::shared_ptr<RidgeMemory>& memory);

  /// "ridge:POOL+mlp"
  [[nodiscard]] std::string form() const;
};

[[nodiscard]] std::span<const ModelKind> models();

/// The names of all models with their help, one for each argument that can be listed.
[[nodiscard]] std::vector<base::NameHelp> model_help();

/// A name taken apart.
struct ModelName {
  const ModelKind& kind;
  std::string argument;
};

/// `ridge` alone is the one for graphs. A name that means nothing is the user's error.
[[nodiscard]] ModelName parse_model(std::string_view name);

/// The kind of settings.model.
[[nodiscard]] const ModelKind& model_kind(const Settings& settings);

/// The name with the argument for input of a kind where it has none: `ridge` becomes `ridge:orbits` or
/// `ridge:unlabelled`.
[[nodiscard]] std::string with_default_argument(const std::string& name, const features::InputKind& input);

/// The settings with another model; features and scales that it does not use are left out, and data are those
/// of its pool.
[[nodiscard]] Settings with_model(Settings settings, const std::string& model);

/// What has to be known about each item to learn with these settings.
[[nodiscard]] features::LoadRequest load_request(const Settings& settings);

/// Makes learners of all models.
[[nodiscard]] MakeLearner all_learners();

}  // namespace perslay::learn
