// The example of docs/how-to-add.md: time series as a kind of input.
#include "io/temporary_folder.h"

#include <fstream>
#include <numeric>
#include <ranges>

#include <gtest/gtest.h>

#include <perslay/data/generators.h>
#include <perslay/features/graph_diagrams.h>
#include <perslay/features/inputs.h>
#include <perslay/features/load_items.h>

namespace perslay::features {
namespace {

using diagram::Kind;

const InputKind& series_kind();

/// A series is a path whose vertices have its values.
class SeriesData final : public Dataset {
 public:
  static inline const std::vector<Kind> kinds{Kind::ord0, Kind::rel1, Kind::ext0};

  explicit SeriesData(std::vector<double> values) : values_(std::move(values)) {
    graphs_.graphs.push_back(data::path_graph(static_cast<data::Vertex>(values_.size())));
    graphs_.vertex_offsets.push_back(static_cast<std::int64_t>(values_.size()));
  }

  std::size_t size() const noexcept override { return 1; }
  const std::vector<int>& labels() const noexcept override { return graphs_.labels; }
  const std::vector<std::string>& classes() const noexcept override { return graphs_.classes; }
  std::vector<Fact> facts(const base::Context& /*context*/) const override {
    return {{"values", std::to_string(values_.size()), "values", static_cast<std::int64_t>(values_.size())}};
  }
  std::unique_ptr<Dataset> part(std::span<const std::size_t> /*rows*/) const override {
    return std::make_unique<SeriesData>(values_);
  }
  ComputedDiagrams diagrams(const DiagramRequest& request, const base::Context& context) const override {
    const GivenFunction path{"path", values_};
    const auto& wanted = request.kinds.empty() ? kinds : request.kinds;
    return {graph_diagrams(graphs_, {&path, 1}, {.kinds = wanted}, context)};
  }
  Items items(const LoadRequest& request, const base::Context& context) override {
    auto items = make_items(diagrams({.kinds = request.kinds}, context).set, request, context);
    items.kind = &series_kind();
    return items;
  }

 private:
  std::vector<double> values_;
  data::GraphDataset graphs_;
};

const base::NameTable& series_filtrations() {
  static const auto table = [] {
    base::Registry<std::string> names("filtration of time series");
    names.add("path", {"path", "The values along the path."},
              [](base::Arguments& arguments) { return std::string(arguments.head()); });
    return names;
  }();
  return table;
}

const InputKind& series_kind() {
  static const InputKind kind{.name = "series",
                              .plural = "time series",
                              .item = "series",
                              .help = "a .series file with one number per line",
                              .filtrations = &series_filtrations(),
                              .default_filtration = "path",
                              .kinds = SeriesData::kinds,
                              .default_kinds = SeriesData::kinds,
                              .claim = [](const std::filesystem::path& data) -> Claim {
                                return {data.extension() == ".series" ? Claim::certainly : Claim::never};
                              },
                              .read = [](const std::filesystem::path& data, const ReadOptions&,
                                         const base::Context&) -> std::unique_ptr<Dataset> {
                                std::ifstream file(data);
                                return std::make_unique<SeriesData>(std::vector(
                                    std::istream_iterator<double>(file), std::istream_iterator<double>()));
                              },
                              .check = [](const DiagramRequest&) {}};
  return kind;
}

TEST(HowToAddAnInputKind, TheExampleComputesDiagrams) {
  const test::TemporaryFolder folder;
  test::write_bytes(folder / "x.series", "0\n3\n1\n4\n2\n");
  LoadRequest request;
  request.features = {"statistics"};
  const auto items = load_items(folder / "x.series", request, {}, {.as = &series_kind()});
  ASSERT_EQ(items.groups.size(), 3U);
  using Points = std::vector<diagram::Point>;
  EXPECT_TRUE(std::ranges::equal(items.groups[0].diagrams[0], Points{{1, 3}, {2, 4}}));
  EXPECT_TRUE(std::ranges::equal(items.groups[2].diagrams[0], Points{{0, 4}}));
  EXPECT_EQ(items.blocks.size(), 1U);
  EXPECT_EQ(items.kind, &series_kind());
  EXPECT_NO_THROW(series_kind().filtrations->check(series_kind().default_filtration));
}

}  // namespace
}  // namespace perslay::features
