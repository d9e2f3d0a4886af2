#include <algorithm>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/labels.h>

namespace perslay::base {
std::vector<int> part_of(std::span<const int> labels, std::span<const std::size_t> items) {
  std::vector<int> own;
  if (labels.empty()) return own;
  own.reserve(items.size());
  for (const std::size_t item : items) own.push_back(labels[item]);
  return own;
}

void concatenate(std::span<const LabelledPart> parts, std::vector<int>& labels,
                 std::vector<std::string>& classes) {
  const auto has_items = [](const LabelledPart& part) { return part.item_count > 0; };
  const auto first = std::ranges::find_if(parts, has_items);
  for (auto other = first; other != parts.end(); ++other)
    if (has_items(*other) && other->labels.empty() != first->labels.empty())
      throw user_error(fmt::format("Part {} has {}, but part {} has {}.", other - parts.begin(),
                                   other->labels.empty() ? "no labels" : "labels", first - parts.begin(),
                                   other->labels.empty() ? "labels" : "none"));
  std::vector<int> number;  // of each class of a part, among all classes
  for (const LabelledPart& part : parts) {
    number.clear();
    for (const std::string& name : part.classes) {
      const auto place = std::ranges::find(classes, name) - classes.begin();
      if (place == std::ssize(classes)) classes.push_back(name);
      number.push_back(static_cast<int>(place));
    }
    for (const int label : part.labels) {
      if (label < 0 || label >= std::ssize(number))
        throw user_error(fmt::format("Part {} has the label {}, but {} classes.", &part - parts.data(), label,
                                     number.size()));
      labels.push_back(number[static_cast<std::size_t>(label)]);
    }
  }
}

}  // namespace perslay::base
