#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perslay::io {

/// Whether a comes before b if runs of digits are compared as numbers.
[[nodiscard]] bool natural_less(const std::string& a, const std::string& b);

/// The classes of items, made of what a source says of each.
struct ClassLabels {
  std::vector<int> labels{};  ///< Indices into `classes`.
  std::vector<std::string>
      classes{};  ///< In ascending order: as numbers if all are, otherwise in natural order.
  /// If the words are numbers that are not all whole, there are no classes: the first of these numbers.
  std::optional<std::string> measured{};
};

/// Whole numbers are classes however they are written: 1.0 is the class 1.
[[nodiscard]] ClassLabels class_labels(std::vector<std::string> words);

/// Gives a dataset its classes, or a note that there are none. `from`, such as "labels.csv", is where they stand;
/// `file` is the same in sentences, `plural` what the items are.
template <class Dataset>
void set_classes(Dataset& dataset, std::vector<std::string> words, std::string_view from,
                 std::string_view file, std::string_view plural);

/// "The labels in labels.csv are numbers such as 0.37, not classes, so the graphs have no labels."
[[nodiscard]] std::string measured_note(std::string_view file, std::string_view number,
                                        std::string_view plural);

template <class Dataset>
void set_classes(Dataset& dataset, std::vector<std::string> words, std::string_view from,
                 std::string_view file, std::string_view plural) {
  auto found = class_labels(std::move(words));
  if (found.measured) {
    dataset.notes.push_back(measured_note(file, *found.measured, plural));
    return;
  }
  dataset.labels = std::move(found.labels);
  dataset.classes = std::move(found.classes);
  dataset.labels_from = from;
}

}  // namespace perslay::io
