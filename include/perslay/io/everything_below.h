#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include <perslay/io/path_type.h>

namespace perslay::io {

struct Below {
  std::filesystem::path path;
  PathType type = PathType::nothing;  ///< Of what a link leads to.
};

/// So many files and folders at most; those of a thousand evaluations are fewer.
inline constexpr std::size_t most_below = 100'000;

/// All files and folders below a folder, in any order. Links are listed, but what lies behind those to folders is not;
/// those that lead nowhere or in circles are left out. A folder or link that cannot be read is the user's error, and so
/// are more than `most` files and folders: the sentence begins with the folder that was asked for.
[[nodiscard]] std::vector<Below> everything_below(const std::filesystem::path& folder,
                                                  std::size_t most = most_below);

}  // namespace perslay::io
