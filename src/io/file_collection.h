#pragma once

#include "text.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <perslay/base/context.h>

/// Folders, and archives of folders, whose files hold one item each, with labels in labels.csv or without.
namespace perslay::io {

inline constexpr std::string_view labels_file = "labels.csv";

/// Some files by their names: those of a folder, or those of an archive, below the folder in it that holds all.
struct FileCollection {
  std::string where;               ///< In sentences: the path.
  std::vector<std::string> names;  ///< Of the files that are meant, in natural order, without labels.csv.
  bool labelled = false;           ///< Whether there is a labels.csv.
  std::function<bool(const std::string& name)> has;
  std::function<Text(const std::string& name)> load;  ///< As it is stored: perhaps compressed.
};

/// The files of a folder whose names are wanted; hidden ones are never meant.
[[nodiscard]] FileCollection folder_files(const std::filesystem::path& folder,
                                          const std::function<bool(const std::string&)>& wanted,
                                          const base::Context& context = {});

/// The same for an archive, which is read whole.
[[nodiscard]] FileCollection archive_files(const std::filesystem::path& archive,
                                           const std::function<bool(const std::string&)>& wanted,
                                           std::optional<std::uint64_t> unpack_limit,
                                           const base::Context& context);

struct LabelledFile {
  std::string file;
  std::string label;
};

/// The lines `file,label` of labels.csv, in their order. They may name files elsewhere, if these are there.
[[nodiscard]] std::vector<LabelledFile> read_labels(const FileCollection& files);

/// "3 files of the folder are not named in x/labels.csv and left out."; nothing if all are named.
[[nodiscard]] std::optional<std::string> unnamed_note(const FileCollection& files,
                                                      const std::vector<LabelledFile>& named);

/// The files that hold the items, in their order.
[[nodiscard]] std::vector<std::string> item_files(const FileCollection& files);

}  // namespace perslay::io
