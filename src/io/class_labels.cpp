#include "class_labels.h"

#include "text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace perslay::io {
namespace {

std::string_view without_plus(std::string_view word) {
  return word.substr(word.starts_with('+') && !word.starts_with("+-") ? 1 : 0);
}

std::optional<std::int64_t> integer_in(std::string_view word) {
  return number_in<std::int64_t>(without_plus(word));
}
std::optional<double> real_in(std::string_view word) { return number_in<double>(without_plus(word)); }

/// Beyond it, not every integer is a double.
constexpr double largest_whole = 9007199254740992;

bool is_whole(std::string_view word) {
  if (integer_in(word)) return true;
  const auto number = real_in(word);
  return number && std::trunc(*number) == *number && std::abs(*number) < largest_whole;
}

/// 1.0 as 1; integers stay as they are written.
std::string whole_name(const std::string& word) {
  return integer_in(word) ? word : std::to_string(static_cast<std::int64_t>(*real_in(word)));
}

}  // namespace

bool natural_less(const std::string& a, const std::string& b) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto number_at = [&](const std::string& text, std::size_t begin) {
    std::size_t end = begin;
    while (end < text.size() && digit(text[end])) ++end;
    while (begin + 1 < end && text[begin] == '0') ++begin;
    return std::pair(std::string_view(text).substr(begin, end - begin), end);
  };
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (digit(a[i]) && digit(b[j])) {
      const auto [x, x_end] = number_at(a, i);
      const auto [y, y_end] = number_at(b, j);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
      i = x_end;
      j = y_end;
    } else {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i;
      ++j;
    }
  }
  if (i < a.size() || j < b.size()) return j < b.size();
  return a < b;  // they differ in leading zeros at most
}

ClassLabels class_labels(std::vector<std::string> words) {
  ClassLabels found;
  const bool whole = std::ranges::all_of(words, is_whole);
  if (!whole && std::ranges::all_of(words, [](const auto& word) { return real_in(word).has_value(); })) {
    found.measured = *std::ranges::find_if_not(words, is_whole);
    return found;
  }
  if (whole) std::ranges::transform(words, words.begin(), whole_name);
  const std::set<std::string> distinct(words.begin(), words.end());
  found.classes.assign(distinct.begin(), distinct.end());
  if (whole)
    std::ranges::stable_sort(found.classes, {}, [](const auto& name) { return integer_in(name); });
  else
    std::ranges::sort(found.classes, natural_less);
  std::map<std::string_view, int> place;
  for (std::size_t c = 0; c < found.classes.size(); ++c) place[found.classes[c]] = static_cast<int>(c);
  for (const auto& word : words) found.labels.push_back(place.at(word));
  return found;
}

std::string measured_note(std::string_view file, std::string_view number, std::string_view plural) {
  return fmt::format("The labels in {} are numbers such as {}, not classes, so the {} have no labels.", file,
                     number, plural);
}

}  // namespace perslay::io
