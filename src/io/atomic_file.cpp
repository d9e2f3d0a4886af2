#include "output_file.h"

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <mutex>
#include <set>

#include <fcntl.h>
#include <unistd.h>

#include <perslay/base/forks.h>

namespace perslay::io {
namespace {

namespace fs = std::filesystem;

std::mutex mutex;  // of the unfinished files
[[maybe_unused]] const bool forks = base::free_after_fork<mutex>();

struct Unfinished {
  std::set<fs::path> paths;
  unsigned long count = 0;
};

// Never destroyed: remove_unfinished_files() may be called while the program is already ending.
Unfinished& unfinished() {
  static auto* const files = new Unfinished;
  return *files;
}

void remove_quietly(const fs::path& path) noexcept {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

fs::path without_trailing_slash(const fs::path& path) {
  return path.has_filename() ? path : path.parent_path();
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

void check_target(const fs::path& target, const fs::path& place) {
  std::error_code ignored;
  const std::string name = target.string(), folder = folder_of(place).string();
  if (const auto bytes = place.filename().string().size(); bytes > NAME_MAX)
    refuse("{}: A file name has at most {} bytes, and this one has {}.", name, NAME_MAX, bytes);
  if (!fs::is_directory(folder, ignored)) refuse("{}: The folder {} does not exist.", name, folder);
  if (fs::is_directory(target, ignored)) refuse("{}: There is a folder of this name.", name);
  if (fs::exists(target, ignored) && !fs::is_regular_file(target, ignored))
    refuse("{}: This is not a regular file, and it is not replaced.", name);
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    refuse("{}: The folder {} cannot be written: {}.", name, folder, std::strerror(errno));
}

/// The name of a partial file: short enough for any file system, whatever the target's name.
std::string partial_prefix(const fs::path& target) {
  return fmt::format(".{}.partial-", target.filename().string().substr(0, 200));
}

/// Whether `name` is a partial file of a process that has ended.
bool is_abandoned(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return false;
  name.remove_prefix(prefix.size());
  const auto dash = name.find('-');
  if (dash == std::string_view::npos || !number_in<unsigned long>(name.substr(dash + 1))) return false;
  const auto process = number_in<pid_t>(name.substr(0, dash));
  return process && *process > 0 && ::kill(*process, 0) != 0 && errno == ESRCH;
}

/// Removes partial files that killed processes left behind.
void remove_abandoned(const fs::path& place) noexcept {
  try {
    const auto prefix = partial_prefix(place);
    std::error_code error;
    for (fs::directory_iterator entry(folder_of(place), error), end; !error && entry != end;
         entry.increment(error))
      if (is_abandoned(entry->path().filename().string(), prefix)) remove_quietly(entry->path());
  } catch (const std::exception&) {  // they take some room, no more
  }
}

/// Makes an empty file that nobody else can read.
void make_private_file(const fs::path& path, const fs::path& target) {
  remove_quietly(path);
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file < 0) refuse("{} cannot be written: {}.", target.string(), std::strerror(errno));
  ::close(file);
}

/// Gives the file the rights of the one that it is going to replace, if there is one.
void keep_rights(const fs::path& path, const fs::path& replaced) {
  std::error_code unknown;
  const auto before = fs::status(replaced, unknown);
  if (fs::is_regular_file(before)) fs::permissions(path, before.permissions() & fs::perms::all, unknown);
}

void flush_to_disk(const fs::path& path, const fs::path& target) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool flushed = file >= 0 && ::fsync(file) == 0;
  const int error = errno;
  if (file >= 0) ::close(file);
  if (!flushed)
    throw base::internal_error(
        fmt::format("{} cannot be written to the disk: {}.", target.string(), std::strerror(error)));
}

void flush_all_to_disk(const fs::path& path, const fs::path& target) {
  if (fs::is_directory(path))
    for (const auto& entry : fs::recursive_directory_iterator(path)) flush_to_disk(entry.path(), target);
  flush_to_disk(path, target);
}

}  // namespace

fs::path place_of(const fs::path& target) {
  constexpr int most_links = 40;  // as Linux follows
  if (target.empty()) refuse("The name of the file to write is empty.");
  auto place = without_trailing_slash(target);
  std::error_code error;
  for (int links = 0; fs::is_symlink(place, error); ++links) {
    if (links == most_links) refuse("{}: The links of this name lead in a circle.", target.string());
    const auto next = fs::read_symlink(place, error);
    if (error) refuse("{} cannot be read: {}.", target.string(), error.message());
    place = without_trailing_slash(folder_of(place) / next);
  }
  return place;
}

AtomicFile::AtomicFile(const fs::path& target)
    : target_(without_trailing_slash(target)), place_(place_of(target)) {
  check_target(target_, place_);
  remove_abandoned(place_);
  auto& files = unfinished();
  const std::scoped_lock lock(mutex);
  partial_ = folder_of(place_) / fmt::format("{}{}-{}", partial_prefix(place_), ::getpid(), files.count++);
  std::error_code ignored;
  if (fs::exists(place_, ignored)) make_private_file(partial_, target_);
  files.paths.insert(partial_);
}

AtomicFile::~AtomicFile() {
  auto& files = unfinished();
  const std::scoped_lock lock(mutex);
  if (files.paths.erase(partial_) > 0) remove_quietly(partial_);
}

void AtomicFile::commit() {
  flush_all_to_disk(partial_, target_);
  keep_rights(partial_, place_);
  auto& files = unfinished();
  const std::scoped_lock lock(mutex);
  std::error_code error;
  fs::rename(partial_, place_, error);
  if (error)
    throw base::internal_error(fmt::format("{}: The finished file cannot be given this name: {}.",
                                           target_.string(), error.message()));
  files.paths.erase(partial_);
}

void write_file(const std::filesystem::path& target, std::string_view content) {
  AtomicFile file(target);
  OutputFile partial(file);
  partial.write(content);
  partial.close();
  file.commit();
}

void remove_unfinished_files() noexcept {
  auto& files = unfinished();
  mutex.lock();  // never unlocked: no file begins or is finished from now on
  for (const auto& path : files.paths) {
    // Another thread may still be adding files to a folder that is being removed.
    std::error_code ignored;
    for (int attempt = 0; attempt < 100 && fs::exists(path, ignored); ++attempt) remove_quietly(path);
  }
}

}  // namespace perslay::io
