#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <perslay/diagram/kind.h>

namespace perslay::learn {

// src/learn/settings_keys.cpp and docs/settings.md say what each key means and what it may be.

/// What happens to the data before anything is fitted.
struct DataSettings {
  std::vector<std::string> filtrations{"hks:10"};
  std::vector<diagram::Kind> kinds{};
  std::string essential = "drop";  ///< See persistence/essential.h.
  bool drop_diagonal = false;
  std::vector<std::string> transforms{};

  friend bool operator==(const DataSettings&, const DataSettings&) = default;
};

/// The features beside the diagrams, by name, and how they are scaled.
struct FeatureSettings {
  std::vector<std::string> names{};
  bool standardise = false;  ///< To mean 0 and deviation 1 on the training part; constant columns become 0.
  double clip = 0;           ///< Standardised values are cut to [-clip, clip]; 0 cuts nothing.

  friend bool operator==(const FeatureSettings&, const FeatureSettings&) = default;
};

/// One PersLay: a short form of the paper such as "Im(20,(10,2),10,sum)", or its parts by the names of the module
/// `layer`.
struct ChannelSettings {
  std::string paper{};  ///< If not empty, the rest is.
  std::string phi{};
  std::string weight{};
  std::string op{};
  std::vector<std::string> equivariant{};  ///< Layers that follow phi, such as "25:max".
  std::string convolution{};               ///< Such as "10x2"; empty: none.

  friend bool operator==(const ChannelSettings&, const ChannelSettings&) = default;
};

/// What is mapped to the unit square before a network sees it. One range for births and deaths together keeps
/// the diagonal; apart, each has its own: small differences show, and points may fall below the diagonal.
enum class Scaling { none, together, apart };

struct NetworkSettings {
  ChannelSettings channel{"Im(20,(10,2),10,sum)"};
  /// If the key `channel` is a list, the channels to choose from, by a cross-validation inside the training part;
  /// the first is also `channel`.
  std::vector<ChannelSettings> candidates{};
  std::size_t choice_folds = 5;  ///< Of that cross-validation.
  /// In place of `channel`, one or several side by side: by kind ("ext1"), by filtration ("hks:10") or for one group of
  /// diagrams ("hks:10 ext1").
  std::map<std::string, std::vector<ChannelSettings>> channels{};
  bool convolve_points = false;  ///< The key `convolution`: see layer::Convolution::of_points.
  bool use_diagrams = true;      ///< The key `diagrams`.
  Scaling scale = Scaling::together;
  std::string initialisation = "ours";
  std::vector<std::size_t> hidden{};
  bool batch_norm = false;
  bool channel_norm = false;
  double input_dropout = 0;
  double dropout = 0;
  bool train_filtration = false;
  double filtration_pace = 1;
  bool times_by_epoch = false;  ///< The key `filtration_update`.
  bool train_features = false;

  friend bool operator==(const NetworkSettings&, const NetworkSettings&) = default;
};

struct TrainingSettings {
  std::size_t epochs = 100;
  std::size_t batch = 128;
  std::string optimiser = "adam";
  double rate = 0.01;
  double epsilon = 1e-4;
  double weight_decay = 0;
  std::string schedule = "constant";
  double average = 0;
  bool restart_from_average = false;
  double label_smoothing = 0;
  std::size_t nets = 1;

  friend bool operator==(const TrainingSettings&, const TrainingSettings&) = default;
};

/// Of `model = "svm:KERNEL"`, which learns from diagrams alone.
struct SvmSettings {
  std::vector<double> costs{0.01, 0.1, 1, 10, 100, 1000};
  std::size_t folds = 5;

  friend bool operator==(const SvmSettings&, const SvmSettings&) = default;
};

/// Of `model = "ridge:POOL"`, see ridge_pools.h. Data and features are those of the pool.
struct RidgeSettings {
  std::vector<double> gammas{0.1, 0.5, 2};
  std::vector<double> lambdas{0.03, 0.1, 0.3, 1, 3};
  std::size_t best = 5;
  std::size_t selection = 2000;

  friend bool operator==(const RidgeSettings&, const RidgeSettings&) = default;
};

/// One experiment: everything but the data and the split.
struct Settings {
  std::string name = "default";
  std::string model = "network";  ///< See models.h.
  DataSettings data{};
  FeatureSettings features{};
  NetworkSettings network{};
  TrainingSettings training{};
  SvmSettings svm{};
  RidgeSettings ridge{};

  friend bool operator==(const Settings&, const Settings&) = default;
};

/// A settings file (TOML, see docs/settings.md). An unknown key, a value of the wrong type or outside its
/// range, and a name that means nothing are the user's errors, with file and line.
[[nodiscard]] Settings read_settings(const std::filesystem::path& file);
/// `source` stands before the line in errors; if it is empty, sentences stand alone.
[[nodiscard]] Settings parse_settings(std::string_view toml, const std::string& source);

/// The settings with one key changed: "training.epochs=20", "network.channel=Pm(25,25,10,sum)" (TOML, except
/// that a text needs no quotation marks).
[[nodiscard]] Settings with_override(Settings settings, const std::string& assignment);

/// Whether it is the model that such an assignment changes.
[[nodiscard]] bool names_model(const std::string& assignment);

/// All keys of the model and of what it uses, defaults included; parse_settings reads it back as the same.
[[nodiscard]] std::string to_toml(const Settings& settings);

/// All keys, whatever the model uses, as a JSON object of objects.
[[nodiscard]] std::string to_json(const Settings& settings);

/// What is left out to see what it adds: "perslay" (nothing), "features-only" (no diagrams, nor features that
/// are computed from diagrams), "extended-only" (no features), "ordinary-..." (no features; some ordinary
/// kinds instead of the extended ones). A variant that leaves nothing to learn from is a mistake.
[[nodiscard]] Settings variant(Settings settings, std::string_view name);

/// The names of all variants.
[[nodiscard]] std::span<const std::string_view> variants();

}  // namespace perslay::learn
