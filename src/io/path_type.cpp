#include "text.h"

#include <system_error>

#include <perslay/io/path_type.h>

namespace perslay::io {

namespace fs = std::filesystem;

PathType path_type(const fs::path& path) {
  std::error_code error;
  switch (fs::status(path, error).type()) {
    case fs::file_type::not_found:
      return PathType::nothing;
    case fs::file_type::regular:
      return PathType::file;
    case fs::file_type::directory:
      return PathType::folder;
    case fs::file_type::none:
      refuse("{} cannot be read: {}.", path.string(), error.message());
    default:
      return PathType::other;
  }
}

void require_no_link(const fs::path& path) {
  std::error_code unknown;
  if (fs::is_symlink(path, unknown))
    refuse("{}: This is a link, and results are not written through links.", path.string());
}

void require_path(const fs::path& path) {
  if (!is_there(path)) refuse("{} does not exist.", path.string());
}

}  // namespace perslay::io
