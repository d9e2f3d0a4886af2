#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <perslay/diagram/kind.h>
#include <perslay/features/inputs.h>
#include <perslay/io/safetensors.h>
#include <perslay/learn/preparation.h>
#include <perslay/learn/settings.h>

namespace perslay::learn {

/// What the diagrams of a group of Items are called.
struct GroupName {
  std::string filtration;
  diagram::Kind kind = diagram::Kind::ord0;

  friend bool operator==(const GroupName&, const GroupName&) = default;
};

/// Everything that prediction needs.
struct ModelFile {
  std::string source = "The model";  ///< The file it was read from, for errors.
  std::string version;               ///< Of the program that wrote it.
  Settings settings;
  std::uint64_t seed = 0;
  const features::InputKind* content = &features::graph_kind();  ///< What it was trained on.
  std::vector<GroupName> groups;                                 ///< What it reads, as Items have them.
  std::vector<std::string> classes;
  Preparation preparation;
  std::vector<io::NamedArray> arrays;  ///< Of the learner.
  bool checked = true;                 ///< false if it was read from a file without a checksum.
};

/// A model of such items that has learned nothing, nor is anything fitted.
[[nodiscard]] ModelFile model_for(const features::Items& items, const Settings& settings, std::uint64_t seed);

/// Writes a safetensors file with the arrays and, under the metadata key `perslay`, one JSON object: `format`
/// (1), `version`, `settings` (TOML), `seed`, `content`, `inputs`, `classes`, `scales` and `features` (all
/// that is fitted). Numbers read back as the same doubles; the same model gives the same bytes.
void write_model(const std::filesystem::path& path, const ModelFile& model);

/// Reads it. Another file, a damaged one, one of a newer format and one that contradicts itself are the
/// user's error.
[[nodiscard]] ModelFile read_model(const std::filesystem::path& path);

/// Throws what write_model would say about `path` itself, for programs that want to know before a long
/// training.
void check_model_target(const std::filesystem::path& path);

}  // namespace perslay::learn
