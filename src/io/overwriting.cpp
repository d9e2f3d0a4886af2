#include <algorithm>
#include <iterator>
#include <system_error>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/io/atomic_file.h>
#include <perslay/io/overwriting.h>
#include <perslay/io/point_clouds.h>

namespace perslay::io {
namespace {

namespace fs = std::filesystem;

fs::path without_trailing_slash(const fs::path& path) {
  return path.has_filename() ? path : path.parent_path();
}

/// Whether both are there, as one file or folder.
bool is_same(const fs::path& a, const fs::path& b) {
  std::error_code unknown;
  return fs::equivalent(a, b, unknown);
}

/// Whether a path, which need not exist, is below a folder: by its own name, or by that of what it links to.
bool lies_in(const fs::path& path, const fs::path& folder) {
  std::error_code unknown;
  const auto root = fs::canonical(folder, unknown);
  if (unknown || !fs::is_directory(root, unknown)) return false;
  const auto is_below = [&](const fs::path& name) {
    const auto place = fs::weakly_canonical(name.parent_path(), unknown) / name.filename();
    return std::ranges::mismatch(root, place).in1 == root.end();
  };
  const auto name = without_trailing_slash(fs::absolute(path, unknown));
  return is_below(name) || is_below(place_of(name)) || is_below(fs::weakly_canonical(name, unknown));
}

/// Whether a file of the folder is a link to the path.
bool links_to(const fs::path& folder, const fs::path& path) {
  std::error_code error;
  if (!fs::exists(path, error)) return false;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (is_same(entry->path(), path)) return true;
  return false;
}

/// The inputs, and what folders of point clouds name elsewhere.
std::vector<fs::path> all_files(std::vector<fs::path> inputs) {
  for (std::size_t i = 0, given = inputs.size(); i < given; ++i)
    std::ranges::copy(labelled_files(inputs[i]), std::back_inserter(inputs));
  return inputs;
}

}  // namespace

void refuse_overwriting(const std::vector<fs::path>& inputs, const fs::path& output) {
  std::error_code ignored;
  for (const auto& input : all_files(inputs)) {
    if (!fs::exists(input, ignored)) continue;
    if (is_same(input, output))
      throw base::user_error(fmt::format("{}: Input and output are the same {}.", output.string(),
                                         fs::is_directory(input, ignored) ? "folder" : "file"));
    if (lies_in(output, input) || links_to(input, output))
      throw base::user_error(
          fmt::format("{}: The folder {} is read, so nothing is written to it; choose another place.",
                      output.string(), input.string()));
    if (lies_in(input, output))
      throw base::user_error(
          fmt::format("{}: This lies in the folder for results, {}, and could be replaced; choose another.",
                      input.string(), output.string()));
  }
}

}  // namespace perslay::io
