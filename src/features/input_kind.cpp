#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/error.h>
#include <perslay/features/inputs.h>

namespace perslay::features {
namespace {

namespace fs = std::filesystem;

bool is_computed(const InputKind& kind) { return kind.filtrations != nullptr; }

/// Whether diagrams of a filtration that another kind has are asked for and are not there.
bool lacks(const diagram::DiagramSet& set, std::span<const std::string> filtrations) {
  return set.groups.empty() || std::ranges::any_of(filtrations, [&](const auto& name) {
           return kind_with_filtration(name) != nullptr &&
                  std::ranges::find(set.groups, name, &diagram::DiagramGroup::filtration) == set.groups.end();
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
    if (is_computed(*kind) && kind->filtrations->knows(filtration)) return kind;
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
    return (is_computed(*kind) || !computed) && kind->claim(data) == Claim::certainly;
  };
  const auto found = std::ranges::find_if(input_kinds(), claims);
  return found == input_kinds().end() ? nullptr : *found;
}

const InputKind& input_kind_of(const fs::path& data, std::span<const std::string> filtrations,
                               bool computed) {
  const auto* const certain = certain_kind(data, computed);
  if (certain != nullptr && !is_computed(*certain)) return *certain;
  const auto* const asked = kind_of_filtrations(filtrations);
  if (asked == nullptr && certain != nullptr) return *certain;
  if (asked != nullptr && certain != nullptr && certain != asked)
    throw base::user_error(fmt::format("{} is a filtration of {}, but {} holds {}, whose default is {}.",
                                       filtrations.front(), asked->plural, data.string(), certain->plural,
                                       certain->default_filtration));
  for (const auto* const kind : input_kinds())
    if (is_computed(*kind) && (asked == nullptr || kind == asked) && kind->claim(data) != Claim::never)
      return *kind;
  if (asked != nullptr && !computed)
    throw base::user_error(fmt::format("{} is a filtration of {}, and {} holds none.", filtrations.front(),
                                       asked->plural, data.string()));
  throw base::user_error(
      fmt::format("{} holds diagrams, but nothing that others could be computed from.", data.string()));
}

std::unique_ptr<Input> read_input(const fs::path& data, const InputKind* as,
                                  std::span<const std::string> filtrations, const ReadOptions& options,
                                  const base::Context& context) {
  if (as != nullptr) return as->read(data, options, context);
  auto input = input_kind_of(data, filtrations).read(data, options, context);
  if (input->stored() == nullptr || !lacks(*input->stored(), filtrations)) return input;
  const auto* const other = certain_kind(data, true);
  if (other == nullptr || (kind_of_filtrations(filtrations) != other && !filtrations.empty())) return input;
  return other->read(data, options, context);
}

}  // namespace perslay::features
