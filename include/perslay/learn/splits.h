#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <perslay/base/random.h>

namespace perslay::learn {

/// 0 ... count - 1, and the same in an order of chance.
[[nodiscard]] std::vector<std::size_t> all_rows(std::size_t count);
[[nodiscard]] std::vector<std::size_t> shuffled(std::size_t count, base::RandomStream& random);

/// How a dataset is cut into a training and a test part, again and again.
///
///  - k_fold: items are shuffled and dealt into `folds` parts of equal size (up to one item). Each is the
///    test part once. Every repeat shuffles anew.
///  - random_split: every repeat draws a part of `test_fraction` to be tested.
struct Protocol {
  enum class Type { k_fold, random_split };

  Type type = Type::k_fold;
  std::size_t folds = 10;      ///< k_fold.
  double test_fraction = 0.3;  ///< random_split.
  std::size_t repeats = 1;
  bool stratified = false;  ///< Every part has its share of every class, up to one item.

  /// Splits per repeat.
  [[nodiscard]] std::size_t parts() const noexcept { return type == Type::k_fold ? folds : 1; }

  /// "10 folds, 3 repeats" or "30 % tested, 100 runs, stratified".
  [[nodiscard]] std::string name() const;

  friend bool operator==(const Protocol&, const Protocol&) = default;
};

/// One cut; repeat and fold are counted from 0, rows ascend.
struct Split {
  std::size_t repeat = 0;
  std::size_t fold = 0;
  std::vector<std::size_t> training;
  std::vector<std::size_t> test;
};

/// All cuts of a dataset, repeat by repeat, each made when it is asked for: O(items). They depend on the
/// protocol, the seed and the number of items and, if stratified, on the labels. Thread-safe.
class Splits {
 public:
  /// A protocol that the items do not allow (more folds than items, parts without items, classes too small to
  /// be everywhere) is the user's error. `labels`, one per item, are 0 ... classes-1 and outlive the splits.
  Splits(const Protocol& protocol, std::span<const int> labels, std::span<const std::string> classes,
         std::uint64_t seed);

  [[nodiscard]] std::size_t size() const noexcept { return protocol_.repeats * protocol_.parts(); }
  [[nodiscard]] Split operator[](std::size_t number) const;

 private:
  [[nodiscard]] std::vector<std::size_t> order(std::size_t repeat) const;
  [[nodiscard]] std::size_t phase(std::size_t repeat) const;

  Protocol protocol_;
  std::span<const int> labels_;
  std::uint64_t seed_;
};

}  // namespace perslay::learn
