#pragma once

#include <filesystem>
#include <string_view>

namespace perslay::io {

/// A file or folder that appears whole or not at all: write to `partial()`, beside the target, then
/// `commit()`. Without commit the destructor removes what was written. A target that is a link stays one: the file that
/// it leads to is replaced, or made. A file that replaces another has the same rights.
class AtomicFile {
 public:
  /// Throws if the target's folder does not exist or cannot be written, or if the target is something other
  /// than a file, such as links in a circle. Removes partial files of this target whose processes, on this machine,
  /// were killed. If there is a file to replace, the partial one is made at once, so that nobody else can read it
  /// meanwhile; otherwise nothing is created yet. Cost: a look at all names in the folder.
  explicit AtomicFile(const std::filesystem::path& target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  [[nodiscard]] const std::filesystem::path& partial() const noexcept { return partial_; }

  /// The name for errors: users know the target, not the partial file.
  [[nodiscard]] const std::filesystem::path& target() const noexcept { return target_; }

  /// Makes sure that what was written is on the disk, then renames it over the target.
  void commit();

 private:
  std::filesystem::path target_;
  std::filesystem::path place_;
  std::filesystem::path partial_;
};

/// Writes a whole file aside and renames it.
void write_file(const std::filesystem::path& target, std::string_view content);

/// Where a file of this name is written: the end of its links, be there a file or not. Links in a circle are the user's
/// error.
[[nodiscard]] std::filesystem::path place_of(const std::filesystem::path& target);

/// Removes the partial files of all unfinished AtomicFiles, for a program that is about to end. From then on,
/// beginning or finishing a file blocks forever. Each copy of this library in a program knows its own files
/// only.
void remove_unfinished_files() noexcept;

}  // namespace perslay::io
