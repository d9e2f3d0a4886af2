#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <perslay/report/chart.h>

namespace perslay::report {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(AxisAround, HasRoomOnBothSides) {
  const std::vector<double> values{1, 3, 2};
  const auto axis = axis_around("x", values);
  EXPECT_DOUBLE_EQ(axis.low, 1 - 0.08);
  EXPECT_DOUBLE_EQ(axis.high, 3 + 0.08);
}

TEST(AxisAround, CopesWithLittle) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& values :
       std::vector<std::vector<double>>{{}, {5}, {0}, {-3, -3}, {nan, inf}, {nan, 2, -inf}})
    for (const bool logarithmic : {false, true}) {
      const auto axis = axis_around("x", values, logarithmic);
      EXPECT_TRUE(std::isfinite(axis.low) && std::isfinite(axis.high));
      EXPECT_LT(axis.low, axis.high);
      EXPECT_TRUE(!logarithmic || axis.low > 0);
    }
}

TEST(AxisAround, TakesValuesThatDifferByRoundingForOne) {
  // Equal accuracies of folds, and their mean.
  const double accuracy = 100 * 0.7;
  const std::vector<double> values{accuracy, std::nextafter(accuracy, 0.0), std::nextafter(accuracy, 100.0)};
  for (const bool logarithmic : {false, true}) {
    const auto axis = axis_around("x", values, logarithmic);
    EXPECT_LE(axis.low, 0.5 * accuracy + 1e-9);
    EXPECT_GE(axis.high, 1.5 * accuracy - 1e-9);
  }
  // What really differs is told apart.
  const auto stamps = axis_around("x", std::vector<double>{1.7e9, 1.7e9 + 1});
  EXPECT_LT(stamps.high - stamps.low, 1.1);
}

TEST(AxisAround, IsFiniteForAnyNumbers) {
  const double most = std::numeric_limits<double>::max();
  const double least = std::numeric_limits<double>::denorm_min();
  for (const auto& values : std::vector<std::vector<double>>{{1, 1e308},
                                                             {-1e308, 1e308},
                                                             {-most, most},
                                                             {1e300, -1e300},
                                                             {least, 2 * least, 0},
                                                             {1e-300, 1e300}})
    for (const bool logarithmic : {false, true}) {
      const auto axis = axis_around("x", values, logarithmic);
      EXPECT_TRUE(std::isfinite(axis.high - axis.low) && axis.high - axis.low > 1e-300);
      Chart chart("t", axis, axis);
      for (const double value : values) chart.dot({value, value}, "a");
      chart.band(std::vector<Position>{{values[0], values[0]}}, std::vector<Position>{{values[1], values[1]}},
                 "a");
      const auto svg = chart.svg();
      for (const auto* none : {"nan", "inf\""}) EXPECT_EQ(svg.find(none), std::string::npos) << svg;
      EXPECT_LT(count(svg, "class=\"tick\""), 20U);
    }
}

TEST(Chart, HasFewTicksForAnyBounds) {
  // Bounds between which there is no other number, as rounding makes them.
  const Axis narrow{"x", 70, std::nextafter(70.0, 71.0), false, {}};
  EXPECT_LE(count(Chart("t", narrow, {"y", 0, 1, false, {}}).svg(), "class=\"tick\""), 12U);
  const Axis wide{"x", 1e-300, 1e300, true, {}};
  EXPECT_LE(count(Chart("t", wide, {"y", 0, 1, false, {}}).svg(), "class=\"tick\""), 13U);
}

TEST(Chart, PutsMarksWhereTheyBelong) {
  // The frame of a 640 x 320 chart is 568 wide from 58 on, and 248 high down to 276.
  Chart chart("t", {"x", 0, 10, false, {}}, {"y", 0, 2, false, {}});
  chart.dot({5, 1}, "a", "in the middle");
  chart.dot({0, 2}, "b");
  const auto svg = chart.svg();
  EXPECT_NE(svg.find("cx=\"342.00\" cy=\"152.00\" r=\"3\" data-tip=\"in the middle\""), std::string::npos)
      << svg;
  EXPECT_NE(svg.find("cx=\"58.00\" cy=\"28.00\" r=\"3\"/>"), std::string::npos);
}

TEST(Chart, ArrowsPointWhereTheyEnd) {
  Chart chart("t", {"x", 0, 10, false, {}}, {"y", 0, 2, false, {}});
  chart.arrow({0, 1}, {5, 1});
  chart.arrow({5, 0}, {5, 1});
  const auto svg = chart.svg();
  EXPECT_EQ(count(svg, "translate(342.00 152.00) rotate(0.0)"), 1U) << svg;
  EXPECT_EQ(count(svg, "translate(342.00 152.00) rotate(-90.0)"), 1U) << "upwards";
  EXPECT_EQ(count(svg, "class=\"edge\""), 2U);
}

TEST(Chart, ScalesLogarithmically) {
  Chart chart("t", {"x", 0.01, 100, true, {}}, {"y", 0, 0.9, false, {}});
  chart.dot({1, 0.45}, "a");
  const auto svg = chart.svg();
  EXPECT_NE(svg.find("cx=\"342.00\""), std::string::npos);
  for (const auto* number : {">0.01<", ">0.1<", ">1<", ">10<", ">100<"})
    EXPECT_EQ(count(svg, number), 1U) << number;
}

TEST(Chart, MarksRoundNumbers) {
  const auto svg = Chart("t", {"x", -0.1, 1.1, false, {}}, {"y", 0, 23, false, {}}).svg();
  for (const auto* number : {">0<", ">0.2<", ">0.8<", ">1<", ">5<", ">10<", ">15<", ">20<"})
    EXPECT_GE(count(svg, number), 1U) << number << svg;
}

TEST(Chart, MarksWholeNumbersWhereThereAreNoOthers) {
  const auto svg = Chart("t", {"x", 0.5, 2.5, false, {}, true}, {"y", 0, 1, false, {}}).svg();
  EXPECT_EQ(count(svg, ">1.5<"), 0U);
  EXPECT_EQ(count(svg, ">2<"), 1U);
}

TEST(Chart, NamesPlaces) {
  const auto svg = Chart("t", {"x", -0.5, 1.5, false, {"<a>", "b"}}, {"y", 0, 1, false, {}}).svg();
  EXPECT_NE(svg.find(">&lt;a&gt;</text>"), std::string::npos);
  EXPECT_NE(svg.find(">b</text>"), std::string::npos);
}

TEST(Chart, TellsTicksApart) {
  // One name each, whatever the leading digits.
  const auto svg = Chart("t", {"x", 0, 1, false, {}}, {"y", 12345.1, 12345.4, false, {}}).svg();
  for (const auto* number : {">12345.1<", ">12345.2<", ">12345.3<"}) EXPECT_EQ(count(svg, number), 1U) << svg;
  EXPECT_EQ(
      count(Chart("t", {"x", 0, 1, false, {}}, {"y", 1.7e9, 1.7e9 + 3, false, {}}).svg(), ">1700000002<"),
      1U);
}

TEST(Chart, HasRoomForNames) {
  const Axis plain{"x", 0, 1, false, {}};
  const auto usual = Chart("t", plain, {"y", -0.5, 1.5, false, {"a", "b"}});
  EXPECT_EQ(usual.size().width, 640);
  const auto named = Chart("t", plain, {"y", -0.5, 1.5, false, {"preparation", "b"}});
  EXPECT_GT(named.size().width, 640);
  EXPECT_EQ(count(named.svg(), ">preparation</text>"), 1U);
  // The frame is as large as before.
  EXPECT_EQ(count(named.svg(), "width=\"568\" height=\"248\""), 1U) << named.svg();
  // A very long name is shortened, and tells the rest when one points at it.
  const std::string name(300, 'W');
  const auto shortened = Chart("t", plain, {"y", -0.5, 1.5, false, {name, "b"}});
  EXPECT_LT(shortened.size().width, 800);
  EXPECT_EQ(count(shortened.svg(), "<title>" + name + "</title>WWW"), 1U);
  EXPECT_EQ(count(shortened.svg(), "W…</text>"), 1U);
}

TEST(Chart, NamesBelowStandUprightIfTheyAreLong) {
  const Axis plain{"y", 0, 1, false, {}};
  const auto side_by_side = Chart("t", {"x", -0.5, 2.5, false, {"one", "two", "three"}}, plain).svg();
  EXPECT_EQ(count(side_by_side, "rotate(-90)"), 1U) << "the title of the other axis";
  const std::string name = "a name of a class that is rather long";
  const auto upright = Chart("t", {"x", -0.5, 2.5, false, {name, "b", "c"}}, plain, {300, 320});
  EXPECT_EQ(count(upright.svg(), "rotate(-90)"), 4U);
  EXPECT_GT(upright.size().height, 400);
  // Of very many, some.
  std::vector<std::string> many;
  for (int i = 0; i < 300; ++i) many.push_back("class " + std::to_string(i));
  const auto thinned = Chart("t", {"x", -0.5, 299.5, false, many}, plain).svg();
  EXPECT_LT(count(thinned, ">class "), 42U);
  EXPECT_GT(count(thinned, ">class "), 20U);
}

TEST(Chart, InterruptsLinesWhereThereIsNoNumber) {
  Chart chart("t", {"x", 0, 4, false, {}}, {"y", 0, 1, false, {}});
  chart.line(std::vector<Position>{{0, 0}, {1, 1}, {2, std::nan("")}, {3, 1}, {4, 0}}, "a");
  const auto svg = chart.svg();
  const auto path = svg.substr(svg.find(" d=\""), 80);
  EXPECT_EQ(count(path, "M"), 2U) << path;
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(Chart, ShowsSignsByColourAndSizeByStrength) {
  Chart chart("t", {"x", 0, 1, false, {}}, {"y", 0, 1, false, {}});
  chart.cell({0, 0}, {0.5, 0.5}, -0.25, "low");
  const auto svg = chart.svg();
  EXPECT_NE(svg.find("class=\"cell below\""), std::string::npos);
  EXPECT_NE(svg.find("fill-opacity=\"0.250\""), std::string::npos);
}

TEST(SvgFile, HoldsAllChartsAndItsStyle) {
  const std::vector<Chart> charts(5,
                                  Chart("panel", {"x", 0, 1, false, {}}, {"y", 0, 1, false, {}}, {100, 80}));
  const auto svg = svg_file(charts, 2);
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"200\" height=\"312\""));
  EXPECT_EQ(count(svg, ">panel</text>"), 5U);
  EXPECT_NE(svg.find("--blue"), std::string::npos);
}

TEST(Figure, EscapesTitlesAndCaption) {
  const std::vector<Chart> charts(2, Chart("<x>", {"x", 0, 1, false, {}}, {"y", 0, 1, false, {}}));
  const auto html = figure(charts, "a < b");
  EXPECT_EQ(html.find("<x>"), std::string::npos);
  EXPECT_NE(html.find("a &lt; b"), std::string::npos);
}

}  // namespace
}  // namespace perslay::report
