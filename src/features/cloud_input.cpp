#include "item_steps.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/stopwatch.h>
#include <perslay/data/orbits.h>
#include <perslay/data/part_of.h>
#include <perslay/features/cloud_diagrams.h>
#include <perslay/features/inputs.h>
#include <perslay/io/diagram_file.h>
#include <perslay/io/look.h>
#include <perslay/io/point_clouds.h>
#include <perslay/persistence/essential.h>

namespace perslay::features {
namespace {

namespace fs = std::filesystem;
using diagram::Kind;
using diagram::Transform;

std::vector<CloudFiltration> filtrations_of(std::span<const std::string> names) {
  return parse_filtrations(names, cloud_kind().default_filtration, parse_cloud_filtration);
}

// ---- diagrams

CloudDiagramOptions options_of(const DiagramRequest& request) {
  if (request.cycles || request.keep_diagonal)
    throw base::user_error("cycles and keep-diagonal are about graphs, not about point clouds.");
  CloudDiagramOptions options;
  options.kinds = chosen_kinds(cloud_kind(), request.kinds);
  if (!request.essential.empty())
    options.essential_death = persistence::parse_essential_death(request.essential);
  return options;
}

ComputedDiagrams diagrams_of(const data::PointCloudDataset& clouds, const DiagramRequest& request,
                             const base::Context& context) {
  auto options = options_of(request);
  const base::Stopwatch watch;
  ComputedDiagrams computed;
  std::int64_t duplicates = 0;
  for (const auto& filtration : filtrations_of(request.filtrations)) {
    options.filtration = filtration;
    auto set = cloud_diagrams(clouds, options, context, &duplicates);
    std::ranges::move(set.groups, std::back_inserter(computed.set.groups));
  }
  computed.set.labels = clouds.labels;
  computed.set.classes = clouds.classes;
  computed.persistence_seconds = watch.seconds();
  if (duplicates > 0)
    computed.notes.push_back(fmt::format("{} points equal to another of their cloud merged.", duplicates));
  return computed;
}

// ---- items

/// Prominent points are chosen cloud by cloud if that comes first, before diagrams are packed.
std::optional<std::size_t> take_prominent(std::vector<Transform>& transforms) {
  if (transforms.empty() || transforms.front().type != Transform::Type::prominent) return std::nullopt;
  const std::size_t count = transforms.front().count;
  transforms.erase(transforms.begin());
  return count;
}

// ---- what is said of a dataset

Fact range_fact(const char* name, const data::PointCloudDataset& clouds, double data::PlanePoint::*axis) {
  if (clouds.points.empty()) return {name, "-", name, {}};
  const auto [low, high] = std::ranges::minmax(clouds.points, {}, axis);
  return {name, fmt::format("{:.6g} .. {:.6g}", low.*axis, high.*axis), name,
          Fact::Range{low.*axis, high.*axis}};
}

std::vector<Fact> facts_of(const data::PointCloudDataset& clouds) {
  std::int64_t smallest = std::numeric_limits<std::int64_t>::max(), largest = 0;
  for (std::size_t i = 0; i < clouds.size(); ++i) {
    const auto points = static_cast<std::int64_t>(clouds[i].size());
    smallest = std::min(smallest, points);
    largest = std::max(largest, points);
  }
  smallest = std::min(smallest, largest);
  const auto points = static_cast<std::int64_t>(clouds.points.size());
  const double average =
      clouds.size() == 0 ? 0 : static_cast<double>(points) / static_cast<double>(clouds.size());
  const auto per_cloud = smallest == largest
                             ? fmt::format("{}", largest)
                             : fmt::format("{} to {}, {:.3f} on average", smallest, largest, average);
  return {{"points", fmt::format("{}", points), "points", points},
          {"points per cloud", per_cloud, "avg_points", average},
          {"", "", "smallest_cloud", smallest},
          {"", "", "largest_cloud", largest},
          range_fact("x", clouds, &data::PlanePoint::x),
          range_fact("y", clouds, &data::PlanePoint::y)};
}

class Clouds final : public Dataset {
 public:
  explicit Clouds(std::shared_ptr<const data::PointCloudDataset> clouds) : clouds_(std::move(clouds)) {}

  [[nodiscard]] std::size_t size() const noexcept override { return clouds_->size(); }
  [[nodiscard]] std::string name() const override { return clouds_->name; }
  [[nodiscard]] const std::vector<int>& labels() const noexcept override { return clouds_->labels; }
  [[nodiscard]] const std::vector<std::string>& classes() const noexcept override { return clouds_->classes; }
  [[nodiscard]] std::vector<Fact> facts(const base::Context& /*context*/) const override {
    return facts_of(*clouds_);
  }
  [[nodiscard]] std::vector<std::string> notes() const override { return clouds_->notes; }
  [[nodiscard]] Reading reading() const override { return {.labels_from = clouds_->labels_from}; }
  [[nodiscard]] std::unique_ptr<Dataset> part(std::span<const std::size_t> rows) const override {
    return dataset_of(std::make_shared<data::PointCloudDataset>(data::part_of(*clouds_, rows)));
  }
  [[nodiscard]] ComputedDiagrams diagrams(const DiagramRequest& request,
                                          const base::Context& context) const override {
    return diagrams_of(*clouds_, request, context);
  }
  [[nodiscard]] Items items(const LoadRequest& request, const base::Context& context) override {
    return make_items(*clouds_, request, context);
  }

 private:
  std::shared_ptr<const data::PointCloudDataset> clouds_;
};

// ---- the kind

Claim claim(const fs::path& data) {
  if (!io::is_diagram_file(data))
    return claim_of(data, io::look_at(data), &io::Look::clouds, "points", "files of points");
  return {io::has_clouds(data) ? Claim::certainly : Claim::never};
}

std::unique_ptr<Dataset> read(const fs::path& data, const ReadOptions& /*options*/,
                              const base::Context& context) {
  return dataset_of(std::make_shared<data::PointCloudDataset>(io::read_point_clouds(data, context)));
}

void check(const DiagramRequest& request) {
  (void)filtrations_of(request.filtrations);
  (void)options_of(request);
}

}  // namespace

Items make_items(const data::PointCloudDataset& clouds, const LoadRequest& request,
                 const base::Context& context) {
  const auto features = parse_features(request);
  refuse_graph_features(features, cloud_kind());
  auto transforms = parse_item_transforms(request.transforms);
  const auto filtrations = filtrations_of(request.filtrations);
  auto options = options_of(diagram_request(request));
  if (options.essential_death && std::ranges::find(options.kinds, Kind::h0) == options.kinds.end())
    throw base::user_error("For point clouds, essential is about the kind h0, which is not asked for.");
  options.prominent = take_prominent(transforms);

  Items items;
  items.kind = &cloud_kind();
  items.labels = clouds.labels;
  items.classes = clouds.classes;
  items.reading.labels_from = clouds.labels_from;
  for (std::size_t i = 0; i < clouds.size(); ++i)
    items.sizes.push_back({.points = static_cast<double>(clouds[i].size())});
  for (const auto& filtration : filtrations) {
    options.filtration = filtration;
    auto groups = cloud_diagrams(clouds, options, context).groups;
    normalise(groups, transforms, request.drop_diagonal, context);
    std::ranges::move(groups, std::back_inserter(items.groups));
  }
  add_diagram_blocks(items, features, request.keep_diagrams, context);
  return items;
}

Items make_items(const data::OrbitSet& orbits, const LoadRequest& request, const base::Context& context) {
  constexpr std::size_t at_a_time = 1000;
  ItemsCollector collector(orbits.size());
  base::ProgressMeter progress(context, "orbits and their diagrams", orbits.size());
  base::Context inside = context;
  inside.progress = nullptr;
  for (std::size_t first = 0; first < orbits.size(); first += at_a_time) {
    const std::size_t count = std::min(at_a_time, orbits.size() - first);
    collector.add(make_items(data::make_orbits(orbits, first, count, inside), request, inside));
    progress(first + count);
  }
  return collector.finish();
}

std::unique_ptr<Dataset> dataset_of(std::shared_ptr<const data::PointCloudDataset> clouds) {
  return std::make_unique<Clouds>(std::move(clouds));
}

const InputKind& cloud_kind() {
  static const InputKind kind{
      .name = "clouds",
      .plural = "point clouds",
      .item = "cloud",
      .help =
          "a .csv, .txt or .npy file, a folder of such files (with labels in labels.csv),\n"
          "or a diagram file that keeps clouds",
      .filtrations = &cloud_filtrations(),
      .default_filtration = "alpha",
      .kinds = {Kind::h0, Kind::h1},
      .default_kinds = {Kind::h0, Kind::h1},
      .claim = claim,
      .read = read,
      .check = check};
  return kind;
}

}  // namespace perslay::features
