#include "text.h"

#include <algorithm>
#include <system_error>

#include <perslay/io/everything_below.h>

namespace perslay::io {
namespace {

namespace fs = std::filesystem;

/// What stands there, at the end of links. Nothing if they lead nowhere or in circles, or if it has gone meanwhile.
PathType type_of(const fs::directory_entry& entry, std::error_code& error) {
  auto type = entry.symlink_status(error).type();
  if (type == fs::file_type::symlink) type = entry.status(error).type();
  if (error == std::errc::no_such_file_or_directory || error == std::errc::too_many_symbolic_link_levels)
    error.clear();
  if (type == fs::file_type::regular) return PathType::file;
  if (type == fs::file_type::directory) return PathType::folder;
  return type == fs::file_type::none || type == fs::file_type::not_found ? PathType::nothing
                                                                         : PathType::other;
}

/// Whether a link leads to a folder that it lies in.
bool leads_up(const fs::directory_entry& link) {
  std::error_code error;
  const auto end = fs::canonical(link.path(), error), own = fs::canonical(link.path().parent_path(), error);
  return !error && std::ranges::mismatch(end, own).in1 == end.end();
}

}  // namespace

std::vector<Below> everything_below(const fs::path& folder, std::size_t most) {
  std::vector<Below> all;
  std::vector<fs::path> unread{folder};
  while (!unread.empty()) {
    const auto place = std::move(unread.back());
    unread.pop_back();
    std::error_code error;
    fs::directory_iterator entry(place, error);
    if (error == std::errc::no_such_file_or_directory && place != folder) continue;  // it has gone meanwhile
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
      const auto type = type_of(*entry, error);
      if (error)
        refuse("{}: {} below it cannot be read: {}.", folder.string(), entry->path().string(),
               error.message());
      std::error_code ignored;
      const bool is_link = entry->is_symlink(ignored);
      if (type == PathType::nothing || (type == PathType::folder && is_link && leads_up(*entry))) continue;
      all.push_back({entry->path(), type});
      if (all.size() > most)
        refuse("{}: There are more than {} files and folders below this one; name one further down.",
               folder.string(), most);
      if (type == PathType::folder && !is_link) unread.push_back(entry->path());
    }
    if (error) {
      if (place == folder) refuse("{}: The folder cannot be read: {}.", folder.string(), error.message());
      refuse("{}: The folder {} below it cannot be read: {}.", folder.string(), place.string(),
             error.message());
    }
  }
  return all;
}

}  // namespace perslay::io
