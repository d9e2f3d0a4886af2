#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include <fmt/format.h>
#include <sched.h>

#include <perslay/base/error.h>
#include <perslay/base/processors.h>

namespace perslay::base {
namespace {

namespace fs = std::filesystem;

constexpr double no_limit = std::numeric_limits<double>::infinity();

// ---- the environment

constexpr std::string_view white_space = " \t\n\v\f\r";

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(white_space), text.size()));
  return text.substr(0, text.find_last_not_of(white_space) + 1);
}

/// The integer that is all of the text, if it is positive.
std::optional<int> positive_integer(std::string_view text) {
  int number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end || number < 1) return std::nullopt;
  return number;
}

// ---- control groups

/// Processors by version 2: "max 100000" or "150000 100000", microseconds of work in so many of time.
double quota_v2(const fs::path& folder) {
  std::ifstream file(folder / "cpu.max");
  double work = 0, time = 0;
  return file >> work >> time && work > 0 && time > 0 ? work / time : no_limit;
}

/// The same by version 1, in two files; -1 is no limit.
double quota_v1(const fs::path& folder) {
  std::ifstream work_file(folder / "cpu.cfs_quota_us"), time_file(folder / "cpu.cfs_period_us");
  double work = 0, time = 0;
  return work_file >> work && time_file >> time && work > 0 && time > 0 ? work / time : no_limit;
}

/// The lowest quota of a group and those above it. In a container, groups may be named as the host sees them while
/// only the container's own, the topmost, is there.
double lowest_quota(const fs::path& mount, const fs::path& group, double (*quota)(const fs::path&)) {
  double lowest = quota(mount);
  for (auto name = group.relative_path(); !name.empty(); name = name.parent_path())
    lowest = std::min(lowest, quota(mount / name));
  return lowest;
}

}  // namespace

std::optional<int> detail::threads_in(const char* perslay_threads, const char* omp_num_threads) {
  if (const auto text = trimmed(perslay_threads == nullptr ? "" : perslay_threads); !text.empty()) {
    const auto number = positive_integer(text);
    if (!number || *number > most_threads)
      throw user_error(fmt::format("PERSLAY_THREADS needs an integer from 1 to {}, not '{}'.", most_threads,
                                   perslay_threads));
    return number;
  }
  // A list is for loops within loops; the first number is for the outermost.
  const std::string_view list = omp_num_threads == nullptr ? "" : omp_num_threads;
  const auto number = positive_integer(trimmed(list.substr(0, list.find(','))));
  return number ? std::optional(std::min(*number, most_threads)) : std::nullopt;
}

/// Lines are "NUMBER:CONTROLLERS:GROUP"; version 2 names no controllers.
std::optional<double> detail::processor_quota(const fs::path& root) {
  const auto mounts = root / "sys/fs/cgroup";
  double lowest = no_limit;
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const auto controllers = line.substr(first + 1, second - first - 1);
    auto group = line.substr(second + 1);
    if (group.find("..") != std::string::npos) group.clear();  // it lies outside of what is mounted here
    if (controllers.empty())
      lowest = std::min(lowest, lowest_quota(mounts, group, quota_v2));
    else if ((',' + controllers + ',').find(",cpu,") != std::string::npos)
      lowest = std::min(lowest, lowest_quota(mounts / controllers, group, quota_v1));
  }
  return lowest == no_limit ? std::nullopt : std::optional(lowest);
}

int available_processors() {
  static const double quota = detail::processor_quota("/").value_or(no_limit);
  cpu_set_t mask;
  const int given = sched_getaffinity(0, sizeof mask, &mask) == 0
                        ? CPU_COUNT(&mask)
                        : static_cast<int>(std::thread::hardware_concurrency());
  return static_cast<int>(std::clamp(std::ceil(std::min(quota, static_cast<double>(given))), 1.0,
                                     static_cast<double>(most_threads)));
}

int default_threads() {
  // Nothing in this process changes the environment while it is read: Python holds its lock here.
  const auto chosen = detail::threads_in(std::getenv("PERSLAY_THREADS"),   // NOLINT(concurrency-mt-unsafe)
                                         std::getenv("OMP_NUM_THREADS"));  // NOLINT(concurrency-mt-unsafe)
  return chosen ? *chosen : available_processors();
}

}  // namespace perslay::base
