#pragma once

#include <filesystem>

namespace perslay::learn {

/// Keeps other evaluations out of a folder as long as it lives, and no longer than its program does.
class FolderLock {
 public:
  /// A folder that another one holds is the user's error. File systems without locks are trusted.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace perslay::learn
