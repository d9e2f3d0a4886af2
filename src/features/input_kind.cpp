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

/// A kind that data may be of.
struct Possible {
  const InputKind* kind;
  Claim claim;
};

/// "pairs.txt could be an edge list or points: every line has two integers; --as graphs or --as clouds says which."
std::string ambiguity(const fs::path& data, const std::vector<Possible>& possible) {
  std::vector<std::string> readings, flags;
  for (const auto& [kind, claim] : possible) {
    readings.push_back(claim.reading);
    flags.push_back(fmt::format("--as {}", kind->name));
  }
  return fmt::format("{} could be {}: {}; {} says which.", data.string(), fmt::join(readings, " or "),
                     possible.front().claim.why, fmt::join(flags, " or "));
}

bool may_be(const InputKind& kind, const fs::path& data) {
  return kind.claim(data).certainty != Claim::never;
}

/// The only kind that has something, if one has it and the others have not.
template <class Has>
const InputKind* only_kind(const Has& has) {
  const InputKind* found = nullptr;
  for (const auto* const kind : input_kinds()) {
    if (kind->is_stored() || !has(*kind)) continue;
    if (found != nullptr) return nullptr;
    found = kind;
  }
  return found;
}

/// The kind that has what is asked for; null if that does not tell.
const InputKind* kind_asked_for(const Asked& asked) {
  if (const auto* const kind = kind_of_filtrations(asked.filtrations)) return kind;
  for (const auto diagrams : asked.kinds)
    if (const auto* const kind = only_kind([&](const InputKind& one) { return one.has(diagrams); }))
      return kind;
  for (const auto option : asked.options)
    if (const auto* const kind = only_kind([&](const InputKind& one) { return one.takes(option); }))
      return kind;
  return nullptr;
}

/// Refuses filtrations of another kind than the data are of.
void require_filtrations(const InputKind& kind, const fs::path& data,
                         std::span<const std::string> filtrations) {
  const auto* const asked = kind_of_filtrations(filtrations);
  if (asked == nullptr || asked == &kind) return;
  throw base::user_error(fmt::format("{} is a filtration of {}, but {} holds {}, whose default is {}.",
                                     *std::ranges::find(filtrations, asked, kind_with_filtration),
                                     asked->plural, data.string(), kind.plural, kind.default_filtration));
}

/// Refuses data that are of no kind, or not of the one that is asked for.
[[noreturn]] void refuse_all(const fs::path& data, const Asked& asked) {
  const auto* const wanted = kind_of_filtrations(asked.filtrations);
  const bool stored = certain_kind(data, false) != nullptr;
  if (wanted != nullptr && !asked.computed)
    throw base::user_error(fmt::format("{} is a filtration of {}, and {} holds none.",
                                       *std::ranges::find(asked.filtrations, wanted, kind_with_filtration),
                                       wanted->plural, data.string()));
  if (stored)
    throw base::user_error(
        fmt::format("{} holds diagrams, but nothing that others could be computed from.", data.string()));
  for (const auto* const kind : input_kinds())
    if (const auto claim = kind->claim(data); !claim.why.empty())
      throw base::user_error(
          fmt::format("{} holds neither graphs nor points: {}.", data.string(), claim.why));
  throw base::user_error(fmt::format("{} holds neither graphs nor points.", data.string()));
}

}  // namespace

bool InputKind::has(diagram::Kind kind) const noexcept {
  return std::ranges::find(kinds, kind) != kinds.end();
}

bool InputKind::takes(std::string_view option) const noexcept {
  return std::ranges::find(options, option) != options.end();
}

std::span<const InputKind* const> input_kinds() {
  // Diagrams are first, because a file that keeps them may keep clouds, too. Of kinds about which nothing can be seen,
  // the first one's reader says what is wrong.
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
  const InputKind* certain = nullptr;
  for (const auto* const kind : input_kinds()) {
    if ((computed && kind->is_stored()) || kind->claim(data).certainty != Claim::certainly) continue;
    if (kind->is_stored()) return kind;
    if (certain != nullptr)
      throw base::user_error(fmt::format("{} holds {} and {}; --as {} or --as {} says which are meant.",
                                         data.string(), certain->plural, kind->plural, certain->name,
                                         kind->name));
    certain = kind;
  }
  return certain;
}

const InputKind& input_kind_of(const fs::path& data, const Asked& asked) {
  const auto* certain = certain_kind(data, asked.computed);
  if (certain != nullptr && certain->is_stored()) {
    const auto* const source = certain_kind(data, true);
    if (source == nullptr || !lacks(*certain, *source, data, asked.filtrations)) return *certain;
    certain = source;
  }
  const auto* const wanted = kind_asked_for(asked);
  if (certain != nullptr && (wanted == nullptr || wanted == certain || !may_be(*wanted, data))) {
    require_filtrations(*certain, data, asked.filtrations);
    return *certain;
  }
  if (wanted != nullptr && may_be(*wanted, data)) return *wanted;
  std::vector<Possible> possible;
  for (const auto* const kind : input_kinds())
    if (!kind->is_stored())
      if (auto claim = kind->claim(data); claim.certainty != Claim::never)
        possible.push_back({kind, std::move(claim)});
  if (possible.empty() || wanted != nullptr) refuse_all(data, asked);
  const auto& [first, claim] = possible.front();
  if (possible.size() == 1 || claim.why.empty()) return *first;
  if (asked.otherwise != nullptr &&
      std::ranges::find(possible, asked.otherwise, &Possible::kind) != possible.end())
    return *asked.otherwise;
  throw base::user_error(ambiguity(data, possible));
}

}  // namespace perslay::features
