#pragma once

#include <filesystem>

namespace perslay::io {

/// What stands at a path. Links are followed; one that leads nowhere is nothing.
enum class PathType { nothing, file, folder, other };

/// Asks the file system. If it does not say (a loop of links, a name too long, a folder that must not be searched),
/// the path is the user's mistake: "PATH cannot be read: Too many levels of symbolic links."
[[nodiscard]] PathType path_type(const std::filesystem::path& path);

[[nodiscard]] inline bool is_there(const std::filesystem::path& path) {
  return path_type(path) != PathType::nothing;
}

/// Throws "PATH does not exist." or, where the file system does not say, the error of path_type.
void require_path(const std::filesystem::path& path);

/// Throws the user's error if the path itself is a link. A file is written to the place that a link leads to: in a
/// folder that somebody else may have made, anywhere.
void require_no_link(const std::filesystem::path& path);

}  // namespace perslay::io
