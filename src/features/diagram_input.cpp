#include "item_steps.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/error.h>
#include <perslay/diagram/part_of.h>
#include <perslay/features/inputs.h>
#include <perslay/filtration/filtration.h>
#include <perslay/io/diagram_file.h>

namespace perslay::features {
namespace {

namespace fs = std::filesystem;
using diagram::DiagramGroup;
using diagram::DiagramSet;
using diagram::Kind;

/// Puts the groups that are asked for into the order of the request; all of them must be there.
void choose_groups(diagram::DiagramSet& set, std::vector<std::string> filtrations,
                   std::span<const Kind> kinds) {
  const auto there = set.groups.empty() ? "none at all" : diagram::titles(set.groups);
  const auto refuse = [&there](const std::string& what) {
    throw base::user_error(fmt::format("There are no diagrams of {}; there are {}.", what, there));
  };
  if (set.groups.empty()) refuse("any kind");
  if (filtrations.empty())
    for (const auto& group : set.groups) filtrations.push_back(group.filtration);

  std::vector<DiagramGroup> chosen;
  std::vector<bool> taken(set.groups.size());
  const auto take = [&](const std::string& filtration, std::optional<Kind> kind) {
    bool found = false;
    for (std::size_t g = 0; g < taken.size(); ++g) {
      auto& group = set.groups[g];
      if (group.filtration != filtration || (kind && group.kind != *kind)) continue;
      found = true;
      if (!taken[g])
        chosen.push_back(
            {filtration, group.kind, std::exchange(group.diagrams, {}), std::exchange(group.cycles, {})});
      taken[g] = true;
    }
    if (!found) refuse(kind ? fmt::format("{} {}", filtration, diagram::kind_name(*kind)) : filtration);
  };
  for (const auto& filtration : filtrations) {
    if (kinds.empty()) take(filtration, {});
    for (const Kind kind : kinds) take(filtration, kind);
  }
  set.groups = std::move(chosen);
}

std::vector<ItemSize> point_counts(const diagram::DiagramSet& set) {
  std::vector<ItemSize> sizes(set.item_count());
  for (const auto& group : set.groups)
    for (std::size_t item = 0; item < sizes.size(); ++item)
      sizes[item].points += static_cast<double>(group.diagrams[item].size());
  return sizes;
}

class StoredDiagrams final : public Dataset {
 public:
  explicit StoredDiagrams(DiagramSet set, fs::path file = {})
      : set_(std::move(set)), file_(std::move(file)) {}

  [[nodiscard]] std::size_t size() const noexcept override { return set_.item_count(); }
  [[nodiscard]] const std::vector<int>& labels() const noexcept override { return set_.labels; }
  [[nodiscard]] const std::vector<std::string>& classes() const noexcept override { return set_.classes; }
  [[nodiscard]] const DiagramSet* stored() const noexcept override { return &set_; }
  [[nodiscard]] std::vector<std::string> notes() const override {
    return file_.empty() ? std::vector<std::string>{} : io::diagram_file_notes(file_);
  }

  /// Of the clouds beside the diagrams, if the file has some.
  [[nodiscard]] std::vector<Fact> facts(const base::Context& context) const override {
    if (file_.empty() || !io::has_clouds(file_)) return {};
    const auto clouds = dataset_of(std::make_shared<data::PointCloudDataset>(io::read_clouds(file_)));
    auto facts = clouds->facts(context);
    facts.push_back({.key = "clouds", .value = static_cast<std::int64_t>(clouds->size())});
    const auto per_cloud = std::ranges::find(facts, "points per cloud", &Fact::title)->text;
    return {{"clouds", fmt::format("of {} points", per_cloud), "clouds", std::move(facts)}};
  }
  [[nodiscard]] std::unique_ptr<Dataset> part(std::span<const std::size_t> rows) const override {
    return dataset_of(diagram::part_of(set_, rows));
  }
  [[nodiscard]] ComputedDiagrams diagrams(const DiagramRequest& request,
                                          const base::Context& /*context*/) const override {
    diagram_kind().check(request);
    ComputedDiagrams chosen{set_};
    keep_groups(chosen.set, filtration::expand_times(request.filtrations), request.kinds);
    if (chosen.set.groups.empty())
      throw base::user_error(fmt::format("{}There are no such diagrams; there are {}.",
                                         file_.empty() ? "" : file_.string() + ": ",
                                         diagram::titles(set_.groups)));
    return chosen;
  }
  [[nodiscard]] Items items(const LoadRequest& request, const base::Context& context) override {
    return make_items(std::move(set_), request, context);
  }

 private:
  DiagramSet set_;
  fs::path file_;
};

// ---- the kind

Claim claim(const fs::path& data) { return {io::is_diagram_file(data) ? Claim::certainly : Claim::never}; }

std::unique_ptr<Dataset> read(const fs::path& data, const ReadOptions& /*options*/,
                              const base::Context& /*context*/) {
  return std::make_unique<StoredDiagrams>(io::read_diagrams(data), data);
}

void check(const DiagramRequest& request) {
  if (!request.essential.empty() || request.keep_diagonal || request.cycles)
    throw base::user_error(
        "essential, keep-diagonal and cycles are about computing diagrams, and these are stored already.");
}

}  // namespace

Items make_items(diagram::DiagramSet set, const LoadRequest& request, const base::Context& context) {
  const auto features = parse_features(request);
  refuse_graph_features(features, diagram_kind());
  const auto transforms = parse_item_transforms(request.transforms);
  Items items;
  items.kind = &diagram_kind();
  items.sizes = point_counts(set);
  choose_groups(set, filtration::expand_times(request.filtrations), request.kinds);
  items.labels = std::move(set.labels);
  items.classes = std::move(set.classes);
  items.groups = std::move(set.groups);
  normalise(items.groups, transforms, request.drop_diagonal, context);
  add_diagram_blocks(items, features, request.keep_diagrams, context);
  return items;
}

std::unique_ptr<Dataset> dataset_of(DiagramSet set) {
  return std::make_unique<StoredDiagrams>(std::move(set));
}

const InputKind& diagram_kind() {
  static const InputKind kind{.name = "diagrams",
                              .plural = "diagrams",
                              .item = "item",
                              .help = "a diagram file (.h5, .hdf5, .csv)",
                              .filtrations_in = io::filtrations_in,
                              .kinds = {},
                              .default_kinds = {},
                              .claim = claim,
                              .read = read,
                              .check = check};
  return kind;
}

}  // namespace perslay::features
