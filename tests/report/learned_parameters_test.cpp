#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <perslay/report/learned_parameters.h>

namespace perslay::report {
namespace {

learn::ModelFile model(float weight) {
  learn::ModelFile file;
  file.settings.network.channel = {{}, "gaussian:3", "grid:2x2:low=0:high=4", "sum"};
  file.groups = {{"hks:10", diagram::Kind::ord0}, {"hks:10", diagram::Kind::ext1}};
  file.classes = {"a", "b"};
  for (const auto* channel : {"net0.channel0", "net0.channel1"}) {
    const std::string prefix = std::string(channel) + ".perslay.";
    file.arrays.push_back({prefix + "phi.centres", {3, 2}, {0, 1, 2, 3, 4, 5 * weight}, {}});
    file.arrays.push_back({prefix + "phi.sharpness", {1}, {weight}, {}});
    file.arrays.push_back({prefix + "weight.cells", {2, 2}, {weight, 1, -2 * weight, 0}, {}});
  }
  file.arrays.push_back({"net0.dense0.bias", {2}, {1, 2}, {}});
  file.arrays.push_back({"net1.channel0.perslay.weight.cells", {2, 2}, {9, 9, 9, 9}, {}});
  return file;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(LearnedChannels, AreThoseOfTheFirstNet) {
  const auto before = model(1);
  const auto after = model(3);
  const auto channels = learned_channels(&before, after);
  ASSERT_EQ(channels.size(), 2U);
  EXPECT_EQ(channels[1].title, "hks:10 ext1");
  ASSERT_EQ(channels[0].arrays.size(), 3U);
  EXPECT_EQ(channels[0].arrays[2].name, "weight.cells");
  EXPECT_EQ(channels[0].arrays[2].before, (std::vector<float>{1, 1, -2, 0}));
  EXPECT_EQ(channels[0].arrays[2].after, (std::vector<float>{3, 1, -6, 0}));
  EXPECT_EQ(channels[0].high, 4);
}

/// Two channels read one group, one of them with a convolution inside phi; the other group has one.
TEST(LearnedChannels, MayBeSeveralForAGroup) {
  learn::ModelFile file;
  file.settings.network.convolve_points = true;
  file.settings.network.channel = {{}, "line:2", "one", "sum"};
  file.settings.network.channels["ext1"] = {{{}, "gaussian:3x3", "grid:2x2", "max", {}, "2x2"},
                                            {{}, "triangle:3", "grid:2x2", "sum"}};
  file.groups = {{"hks:10", diagram::Kind::ord0}, {"hks:10", diagram::Kind::ext1}};
  file.classes = {"a", "b"};
  file.arrays = {{"net0.channel0.phi.directions", {2, 2}, {1, 2, 3, 4}, {}},
                 {"net0.channel1.perslay.phi.births", {3}, {0.1F, 0.2F, 0.3F}, {}},
                 {"net0.channel1.perslay.weight.cells", {2, 2}, {1, 2, 3, 4}, {}},
                 {"net0.channel1.convolution.weight", {2, 1, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}, {}},
                 {"net0.channel2.phi.samples", {3}, {0.5F, 0.6F, 0.7F}, {}},
                 {"net0.channel2.weight.cells", {2, 2}, {5, 6, 7, 8}, {}}};
  const auto channels = learned_channels(nullptr, file);
  ASSERT_EQ(channels.size(), 3U);
  EXPECT_EQ(channels[0].title, "hks:10 ord0");
  EXPECT_EQ(channels[1].title, "hks:10 ext1, gaussian:3x3");
  EXPECT_EQ(channels[2].title, "hks:10 ext1, triangle:3");
  ASSERT_EQ(channels[1].arrays.size(), 2U);  // those of w and phi, not of the convolution
  EXPECT_EQ(channels[1].arrays[1].after, (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(channels[2].arrays[1].after, (std::vector<float>{5, 6, 7, 8}));
  EXPECT_EQ(weight_charts(channels[1]).at(0).title(), "hks:10 ext1, gaussian:3x3");
  EXPECT_EQ(weight_charts(channels[2]).at(0).title(), "hks:10 ext1, triangle:3");
  EXPECT_EQ(transform_charts(channels[2]).at(0).title(), "hks:10 ext1, triangle:3: samples");
}

TEST(WeightCharts, ShowBeforeAndAfterOnOneScale) {
  const auto before = model(1);
  const auto after = model(3);
  const auto charts = weight_charts(learned_channels(&before, after)[0]);
  ASSERT_EQ(charts.size(), 2U);
  EXPECT_EQ(charts[0].title(), "hks:10 ord0, before");
  // 1/6 and 3/6 of the largest magnitude of both, which is 6.
  EXPECT_EQ(count(charts[0].svg(), "fill-opacity=\"0.167\""), 2U);
  EXPECT_EQ(count(charts[1].svg(), "fill-opacity=\"0.500\""), 1U);
  EXPECT_EQ(count(charts[1].svg(), "class=\"cell below\""), 1U);
  EXPECT_NE(charts[1].svg().find("births 2 to 4, deaths 0 to 2: weight -6"), std::string::npos);
}

TEST(WeightCharts, HaveNoDiagonalWhereBirthsAndDeathsAreScaledApart) {
  auto apart = model(3);
  EXPECT_EQ(count(weight_charts(learned_channels(nullptr, apart)[0])[0].svg(), "class=\"diagonal\""), 1U);
  apart.settings.network.scale = learn::Scaling::apart;
  EXPECT_EQ(count(weight_charts(learned_channels(nullptr, apart)[0])[0].svg(), "class=\"diagonal\""), 0U);
}

TEST(WeightCharts, DoWithoutAStart) {
  const auto charts = weight_charts(learned_channels(nullptr, model(3))[0]);
  ASSERT_EQ(charts.size(), 1U);
  EXPECT_EQ(charts[0].title(), "hks:10 ord0");
}

TEST(WeightCharts, ShowMixturesOfGaussiansOnAGrid) {
  const auto mixture = [](float amplitude) {
    learn::ModelFile file;
    file.settings.network.channel = {{}, "gaussian:3", "gmix:2", "sum"};
    file.groups = {{"hks:10", diagram::Kind::ext1}};
    file.classes = {"a", "b"};
    file.arrays = {{"net0.channel0.weight.centres", {2, 2}, {0.25F, 0.5F, 0.75F, 0.5F}, {}},
                   {"net0.channel0.weight.sharpness", {2, 2}, {2, 3, 4, 5}, {}},
                   {"net0.channel0.weight.amplitudes", {2}, {amplitude, -1}, {}}};
    return file;
  };
  const auto before = mixture(1);
  const auto channels = learned_channels(&before, mixture(3));
  ASSERT_EQ(channels.size(), 1U);
  const auto& cells = channels[0].arrays.back();
  ASSERT_EQ(cells.name, "weight.cells");
  ASSERT_EQ(cells.shape, (std::vector<std::int64_t>{20, 20}));
  // The formula, at the cell of births from 0.2 to 0.25 and deaths from 0.6 to 0.65.
  const auto bell = [](double s1, double s2, double c1, double c2) {
    return std::exp(-std::pow(s1 * (0.225 - c1), 2) - std::pow(s2 * (0.625 - c2), 2));
  };
  for (const double amplitude : {1.0, 3.0}) {
    const auto& values = amplitude == 1 ? cells.before : cells.after;
    EXPECT_NEAR(static_cast<double>(values[4 * 20 + 12]),
                amplitude * bell(2, 3, 0.25, 0.5) - bell(4, 5, 0.75, 0.5), 1e-5);
  }
  const auto charts = weight_charts(channels[0]);
  ASSERT_EQ(charts.size(), 2U);
  EXPECT_EQ(count(charts[1].svg(), "class=\"cell "), 400U);
}

TEST(TransformCharts, ShowWhereCentresWent) {
  const auto before = model(1);
  const auto after = model(3);
  const auto charts = transform_charts(learned_channels(&before, after)[0]);
  ASSERT_EQ(charts.size(), 1U);
  EXPECT_NE(charts[0].svg().find("2: (4, was 4; 15, was 5)"), std::string::npos);
}

TEST(SingleNumbers, AreATable) {
  const auto before = model(1);
  const auto after = model(3);
  const auto rows = single_numbers(learned_channels(&before, after));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0], (std::vector<std::string>{"hks:10 ord0: phi.sharpness", "1", "3"}));
}

}  // namespace
}  // namespace perslay::report
