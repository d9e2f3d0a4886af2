#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/error.h>
#include <perslay/base/registry.h>

namespace perslay::base {
namespace {

/// The number of letters to insert, delete or replace to get from one word to the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, replaced}));
    }
  }
  return row.back();
}

}  // namespace

std::string suggestion(std::string_view word, std::span<const std::string_view> known) {
  if (known.empty()) return "";
  const auto letters = word.substr(std::min(word.find_first_not_of('-'), word.size()));
  const auto begins = [&](std::string_view candidate) { return candidate.starts_with(word); };
  if (const auto whole = std::ranges::find_if(known, begins); letters.size() > 1 && whole != known.end())
    return fmt::format(" (did you mean '{}'?)", *whole);
  const auto nearest =
      std::ranges::min(known, {}, [&](std::string_view candidate) { return edit_distance(word, candidate); });
  return edit_distance(word, nearest) > std::min<std::size_t>(3, letters.size() / 2)
             ? ""
             : fmt::format(" (did you mean '{}'?)", nearest);
}

namespace detail {

void fail_unknown_name(std::string_view family, std::string_view name, std::span<const NameHelp> known) {
  std::vector<std::string_view> usages;
  for (const auto& entry : known) usages.push_back(entry.usage);
  throw user_error(fmt::format("There is no {} called '{}'; the known ones are {}.", family, name,
                               fmt::join(usages, ", ")));
}

}  // namespace detail
}  // namespace perslay::base
