#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/error.h>
#include <perslay/features/inputs.h>

namespace perslay::features {
namespace {

namespace fs = std::filesystem;

/// Whether a file of diagrams lacks a filtration that is asked for and that their source has.
bool lacks(const InputKind& stored, const InputKind& source, const fs::path& data,
           std::span<const std::string> filtrations) {
  const auto there = stored.filtrations_in(data);
  return there.empty() || std::ranges::any_of(filtrations, [&](const auto& name) {
           return kind_with_filtration(name) == &source && std::ranges::find(there, name) == there.end();
         });
}

}  // namespace

bool InputKind::has(diagram::Kind kind) const noexcept {
  return std::ranges::find(kinds, kind) != kinds.end();
}

bool InputKind::takes(std::string_view option) const noexcept {
  return std::ranges::find(options, option) != options.end();
}

std::span<const InputKind* const> input_kinds() {
  // Diagrams are first, because a file that keeps them may keep clouds, too.
  static const std::array kinds{&diagram_kind(), &graph_kind(), &cloud_kind()};
  return kinds;
}

const InputKind& input_kind(std::string_view name) {
  std::vector<std::string_view> names;
  for (const auto* const kind : input_kinds()) {
    if (kind->name == name) return *kind;
    names.push_back(kind->name);
  }
  throw base::user_error(fmt::format("There is no kind of data called '{}'{}; there are {}.", name,
                                     base::suggestion(name, names), fmt::join(names, ", ")));
}

const InputKind* kind_with_filtration(std::string_view filtration) {
  for (const auto* const kind : input_kinds())
    if (!kind->is_stored() && kind->filtrations->knows(filtration)) return kind;
  return nullptr;
}

const InputKind* kind_with_diagrams(diagram::Kind diagrams) {
  for (const auto* const kind : input_kinds())
    if (kind->has(diagrams)) return kind;
  return nullptr;
}

const InputKind* kind_of_filtrations(std::span<const std::string> filtrations) {
  const InputKind* found = nullptr;
  const std::string* first = nullptr;
  for (const auto& name : filtrations) {
    const auto* const kind = kind_with_filtration(name);
    if (kind == nullptr) continue;
    if (found != nullptr && kind != found)
      throw base::user_error(fmt::format("{} is a filtration of {} and {} one of {}; ask for one of the two.",
                                         *first, found->plural, name, kind->plural));
    found = kind;
    first = &name;
  }
  return found;
}

const InputKind* certain_kind(const fs::path& data, bool computed) {
  const auto claims = [&](const InputKind* kind) {
    return (!kind->is_stored() || !computed) && kind->claim(data) == Claim::certainly;
  };
  const auto found = std::ranges::find_if(input_kinds(), claims);
  return found == input_kinds().end() ? nullptr : *found;
}

const InputKind& input_kind_of(const fs::path& data, std::span<const std::string> filtrations,
                               bool computed) {
  const auto* certain = certain_kind(data, computed);
  if (certain != nullptr && certain->is_stored()) {
    const auto* const source = certain_kind(data, true);
    if (source == nullptr || !lacks(*certain, *source, data, filtrations)) return *certain;
    certain = source;
  }
  const auto* const asked = kind_of_filtrations(filtrations);
  const auto named = std::ranges::find(filtrations, asked, kind_with_filtration);
  if (asked == nullptr && certain != nullptr) return *certain;
  if (asked != nullptr && certain != nullptr && certain != asked)
    throw base::user_error(fmt::format("{} is a filtration of {}, but {} holds {}, whose default is {}.",
                                       *named, asked->plural, data.string(), certain->plural,
                                       certain->default_filtration));
  for (const auto* const kind : input_kinds())
    if (!kind->is_stored() && (asked == nullptr || kind == asked) && kind->claim(data) != Claim::never)
      return *kind;
  if (asked != nullptr && !computed)
    throw base::user_error(
        fmt::format("{} is a filtration of {}, and {} holds none.", *named, asked->plural, data.string()));
  throw base::user_error(
      fmt::format("{} holds diagrams, but nothing that others could be computed from.", data.string()));
}

}  // namespace perslay::features
