#include <fmt/format.h>

#include <perslay/features/reading.h>

namespace perslay::features {
namespace {

/// "1 graph", "2 graphs"
std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace

std::string reading_sentence(const InputKind& kind, const std::filesystem::path& data, std::size_t items,
                             std::size_t classes, const Reading& reading) {
  const auto [labels_from, loops, duplicates, cached] = reading;
  const auto many = kind.item == "item" ? std::string("items") : std::string(kind.plural);
  std::string sentence = cached ? "Taken from the cache, where it was kept: " : "Read ";
  sentence += counted(items, kind.item, many);
  sentence += classes == 0 ? " without labels" : " in " + counted(classes, "class", "classes");
  sentence += fmt::format(" from {}", data.string());
  if (!labels_from.empty()) sentence += fmt::format(" (labels from {})", labels_from);
  if (duplicates > 0)
    sentence += fmt::format("; {} merged",
                            counted(static_cast<std::size_t>(duplicates), "repeated edge", "repeated edges"));
  if (loops > 0)
    sentence +=
        fmt::format("; {} dropped", counted(static_cast<std::size_t>(loops), "self loop", "self loops"));
  return sentence + '.';
}

std::string reading_sentence(const InputKind& kind, const std::filesystem::path& data,
                             const Dataset& dataset) {
  return reading_sentence(kind, data, dataset.size(), dataset.classes().size(), dataset.reading());
}

std::string reading_sentence(const std::filesystem::path& data, const Items& items) {
  return reading_sentence(*items.kind, data, items.count(), items.classes.size(), items.reading);
}

}  // namespace perslay::features
