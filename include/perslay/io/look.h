#pragma once

#include <filesystem>
#include <string>

namespace perslay::io {

enum class Likely { no, possibly, certainly };

/// What a path may hold.
struct Look {
  Likely graphs = Likely::possibly;
  Likely clouds = Likely::possibly;
  /// The reason, as it ends a sentence: "every line of pairs.txt has two integers". Empty if nothing could be seen, so
  /// that a reader has to say what is wrong.
  std::string why{};
};

/// Looks at the name of a path and at the beginning of its content: the first lines of a text, the header of an array.
/// Of a folder, all files are looked at that hold its items; if some certainly hold graphs and others certainly points,
/// the folder is the user's mistake. So are a format that is not read, which is named, and a pipe, whose beginning
/// cannot be seen twice. Archives hold graphs. Diagram files are not known here.
[[nodiscard]] Look look_at(const std::filesystem::path& path);

}  // namespace perslay::io
