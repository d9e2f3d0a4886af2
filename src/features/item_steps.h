#pragma once

#include <algorithm>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <perslay/base/context.h>
#include <perslay/diagram/diagram_set.h>
#include <perslay/diagram/transforms.h>
#include <perslay/features/input_kind.h>
#include <perslay/features/item_features.h>
#include <perslay/features/items.h>
#include <perslay/features/load_items.h>
#include <perslay/io/look.h>

/// What inputs of all kinds share on the way from a request to items.
namespace perslay::features {

/// What the names stand for, each once; `otherwise` stands for no names.
template <class Parse>
auto parse_filtrations(std::span<const std::string> names, std::string_view otherwise, Parse&& parse) {
  std::vector<decltype(parse(otherwise))> chosen;
  const auto add = [&](std::string_view name) {
    auto filtration = parse(name);
    if (std::ranges::none_of(chosen, [&](const auto& other) { return other.name == filtration.name; }))
      chosen.push_back(std::move(filtration));
  };
  if (names.empty()) add(otherwise);
  std::ranges::for_each(names, add);
  return chosen;
}

/// What a look at data says about one kind; `one` and `several` are what a file or the files of a folder may be.
[[nodiscard]] Claim claim_of(const std::filesystem::path& data, const io::Look& look,
                             io::Likely io::Look::*kind, std::string_view one, std::string_view several);

/// The kinds of diagrams asked for, each once, or the default of this kind of input, which must have them.
[[nodiscard]] std::vector<diagram::Kind> chosen_kinds(const InputKind& input,
                                                      std::span<const diagram::Kind> asked);

/// Keeps the groups of these filtrations and kinds; of all, where none are named.
void keep_groups(diagram::DiagramSet& set, std::span<const std::string> filtrations,
                 std::span<const diagram::Kind> kinds);

/// What the request asks of Dataset::diagrams.
[[nodiscard]] DiagramRequest diagram_request(const LoadRequest& request);

/// The features of the request, each once.
[[nodiscard]] std::vector<ItemFeature> parse_features(const LoadRequest& request);

/// Refuses features of graphs for other kinds of input.
void refuse_graph_features(std::span<const ItemFeature> features, const InputKind& input);

/// The transforms of the request, which are applied item by item.
[[nodiscard]] std::vector<diagram::Transform> parse_item_transforms(std::span<const std::string> names);

/// Transforms the diagrams, reorders their points to (min, max), drops the diagonal of ext0 and ext1 if that
/// is asked for, and all vertices and cycles. A point that is not finite is the user's mistake.
void normalise(std::vector<diagram::DiagramGroup>& groups, std::span<const diagram::Transform> transforms,
               bool drop_diagonal, const base::Context& context);

/// Makes blocks of the features of diagrams that need no fit, and lets diagrams go that are not wanted.
void add_diagram_blocks(Items& items, std::span<const ItemFeature> features, bool keep_diagrams,
                        const base::Context& context);

}  // namespace perslay::features
