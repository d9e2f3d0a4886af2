#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/random.h>
#include <perslay/base/registry.h>
#include <perslay/learn/splits.h>

namespace perslay::learn {
namespace {

std::size_t test_count(const Protocol& protocol, std::size_t items) {
  return static_cast<std::size_t>(std::llround(protocol.test_fraction * static_cast<double>(items)));
}

void check_parts(const Protocol& protocol, std::size_t items) {
  if (protocol.repeats < 1) throw base::user_error("An evaluation needs at least one repeat.");
  if (protocol.type == Protocol::Type::k_fold) {
    if (protocol.folds < 2)
      throw base::user_error(fmt::format("Cross-validation needs at least 2 folds, not {}.", protocol.folds));
    if (protocol.folds > items)
      throw base::user_error(fmt::format("{} items cannot be cut into {} folds.", items, protocol.folds));
    return;
  }
  if (!(protocol.test_fraction > 0 && protocol.test_fraction < 1))
    throw base::user_error(
        fmt::format("The fraction of items that are tested lies between 0 and 1, and {} does not.",
                    base::shortest(protocol.test_fraction)));
  const std::size_t tested = test_count(protocol, items);
  if (tested == 0 || tested == items)
    throw base::user_error(fmt::format("A test fraction of {} of {} items leaves none to {}.",
                                       base::shortest(protocol.test_fraction), items,
                                       tested == 0 ? "test" : "train on"));
}

/// How many of `size` items that follow each other are tested at least, and at most.
std::pair<std::size_t, std::size_t> shares(std::size_t size, std::size_t tested, std::size_t items) {
  return {size * tested / items, (size * tested + items - 1) / items};
}

void check_classes(const Protocol& protocol, std::span<const int> labels,
                   std::span<const std::string> classes) {
  std::vector<std::size_t> sizes(classes.size());
  for (const int label : labels) ++sizes[static_cast<std::size_t>(label)];
  for (std::size_t c = 0; c < classes.size(); ++c) {
    if (protocol.type == Protocol::Type::k_fold) {
      if (sizes[c] < protocol.folds)
        throw base::user_error(fmt::format(
            "The class '{}' has {} items, too few to be in each of {} parts; stratified splits need {}.",
            classes[c], sizes[c], protocol.folds, protocol.folds));
      continue;
    }
    const auto [least, most] = shares(sizes[c], test_count(protocol, labels.size()), labels.size());
    if (least == 0 || most == sizes[c])
      throw base::user_error(
          fmt::format("The class '{}' has {} items, too few to be tested and trained on in every split; "
                      "stratified splits that test {} of all items need more.",
                      classes[c], sizes[c], base::shortest(protocol.test_fraction)));
  }
}

}  // namespace

std::string Protocol::name() const {
  const auto count = [](std::size_t n, const char* noun) {
    return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
  };
  const double percent = std::round(test_fraction * 1e12) / 1e10;  // 7 rather than 7.000000000000001
  return (type == Type::k_fold
              ? fmt::format("{}, {}", count(folds, "fold"), count(repeats, "repeat"))
              : fmt::format("{} % tested, {}", base::shortest(percent), count(repeats, "run"))) +
         (stratified ? ", stratified" : "");
}

Splits::Splits(const Protocol& protocol, std::span<const int> labels, std::span<const std::string> classes,
               std::uint64_t seed)
    : protocol_(protocol), labels_(labels), seed_(seed) {
  check_parts(protocol, labels.size());
  if (protocol.stratified) check_classes(protocol, labels, classes);
}

std::vector<std::size_t> all_rows(std::size_t count) {
  std::vector<std::size_t> rows(count);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

std::vector<std::size_t> shuffled(std::size_t count, base::RandomStream& random) {
  auto rows = all_rows(count);
  for (std::size_t i = count; i > 1; --i) std::swap(rows[i - 1], rows[random.below(i)]);
  return rows;
}

std::vector<std::size_t> Splits::order(std::size_t repeat) const {
  constexpr std::uint64_t shuffle = 0x73706C6974ULL;  // so that learners draw from other streams
  base::RandomStream random(seed_ ^ shuffle, repeat);
  auto order = learn::shuffled(labels_.size(), random);
  if (protocol_.stratified)
    std::ranges::stable_sort(order, {}, [&](std::size_t item) { return labels_[item]; });
  return order;
}

/// Where the turns of parts begin in a repeat. Items that are ordered by class need it: always begun alike,
/// the same classes would get the larger share every time.
std::size_t Splits::phase(std::size_t repeat) const {
  constexpr std::uint64_t turns = 0x7068617365ULL;
  if (!protocol_.stratified || labels_.empty()) return 0;
  return base::RandomStream(seed_ ^ turns, repeat).below(labels_.size());
}

/// Parts take turns along the shuffled items. If these are ordered by class, every part gets its share of
/// each.
Split Splits::operator[](std::size_t number) const {
  Split split{number / protocol_.parts(), number % protocol_.parts(), {}, {}};
  const auto all = order(split.repeat);
  const std::size_t items = all.size();
  const std::size_t tested = test_count(protocol_, items);
  const std::size_t first = phase(split.repeat);
  for (std::size_t i = 0; i < items; ++i) {
    const bool is_test = protocol_.type == Protocol::Type::k_fold
                             ? i % protocol_.folds == split.fold
                             : ((i + 1) * tested + first) / items > (i * tested + first) / items;
    (is_test ? split.test : split.training).push_back(all[i]);
  }
  std::ranges::sort(split.training);
  std::ranges::sort(split.test);
  return split;
}

}  // namespace perslay::learn
