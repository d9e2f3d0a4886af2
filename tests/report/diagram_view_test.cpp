#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <perslay/report/diagram_view.h>

namespace perslay::report {
namespace {

using diagram::Kind;
using nlohmann::json;

json data_of(const std::string& html) {
  const std::string begin = "<script type=\"application/json\">";
  const auto from = html.find(begin) + begin.size();
  return json::parse(html.substr(from, html.find("</script>", from) - from));
}

/// Written from RFC 4648, apart from the code under test.
std::vector<unsigned char> decoded(const std::string& text) {
  static const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<unsigned char> bytes;
  unsigned word = 0;
  int bits = 0;
  for (const char c : text) {
    if (c == '=') break;
    word = word << 6U | static_cast<unsigned>(letters.find(c));
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes.push_back(static_cast<unsigned char>(word >> static_cast<unsigned>(bits)));
    }
  }
  return bytes;
}

template <class T>
std::vector<T> numbers(const json& text) {
  const auto bytes = decoded(text.get<std::string>());
  EXPECT_EQ(text.get<std::string>().size() % 4, 0U);
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

diagram::DiagramSet small_set() {
  diagram::DiagramSet set;
  const std::vector<diagram::Diagram> ord0{
      {{{0, 0.5}, {0.25, 1}}, {{3, 4}, {5, 6}}}, {}, {{{0.125, 2}}, {{7, 8}}}};
  const std::vector<diagram::Diagram> ext1(3);
  set.groups = {{"hks:10", Kind::ord0, diagram::DiagramBatch(ord0), {}},
                {"degree", Kind::ext1, diagram::DiagramBatch(ext1), {}}};
  set.labels = {0, 1, 1};
  set.classes = {"</script><script>alert(1)</script>", "\"b\""};
  return set;
}

TEST(DiagramView, HoldsEveryPointWithItsVertices) {
  const std::vector<std::size_t> rows{4, 7, 9};
  const auto data = data_of(diagram_view(small_set(), rows));
  EXPECT_EQ(data["items"][1]["name"], "graph 7");
  EXPECT_EQ(data["items"][0]["about"], "Points: 2 hks:10 ord0, 0 degree ext1.");
  const auto& ord0 = data["groups"][0];
  EXPECT_EQ(ord0["kind"], "ord0");
  EXPECT_EQ(numbers<std::uint32_t>(ord0["offsets"]), (std::vector<std::uint32_t>{0, 2, 2, 3}));
  EXPECT_EQ(numbers<float>(ord0["points"]["Float32"]), (std::vector<float>{0, 0.5, 0.25, 1, 0.125, 2}));
  EXPECT_EQ(numbers<std::int32_t>(ord0["vertices"]), (std::vector<std::int32_t>{3, 4, 5, 6, 7, 8}));
  EXPECT_TRUE(data["groups"][1]["vertices"].is_null());
}

TEST(DiagramView, NamesAreInert) {
  const std::vector<std::size_t> rows{0, 1, 2};
  auto set = small_set();
  set.groups[0].filtration = "file:</script><script>alert(2)</script>";
  const auto html = diagram_view(set, rows);
  EXPECT_EQ(html.find("<script>alert"), std::string::npos);
  EXPECT_EQ(data_of(html)["items"][0]["about"],
            "Points: 2 file:</script><script>alert(2)</script> ord0, 0 degree ext1.");
  EXPECT_EQ(data_of(html)["groups"][1]["chart"], 1);
}

TEST(DiagramView, SaysWhatItLeavesOut) {
  diagram::Diagram many;
  for (std::size_t i = 0; i < shown_points + 20; ++i) many.points.push_back({0, static_cast<double>(i + 1)});
  many.points.push_back({0, std::numeric_limits<double>::infinity()});
  diagram::DiagramSet set;
  set.groups = {{"alpha", Kind::h0, diagram::DiagramBatch(std::vector{many}), {}}};
  const std::vector<std::size_t> rows{0};
  const auto html = diagram_view(set, rows);
  EXPECT_NE(html.find("the 500 points farthest from the diagonal are shown; 21 others are not"),
            std::string::npos);
  EXPECT_NE(html.find("1 point at infinity is not shown"), std::string::npos);
  const auto points = numbers<float>(data_of(html)["groups"][0]["points"]["Float32"]);
  EXPECT_EQ(points.size(), 2 * (shown_points - 1)) << "the one at infinity is the farthest";
  EXPECT_EQ(points.back(), static_cast<float>(shown_points + 20));
  EXPECT_EQ(data_of(html)["items"][0]["name"], "cloud 0");
}

/// One diagram with these points.
std::string view_of(const std::vector<diagram::Point>& points) {
  diagram::DiagramSet set;
  set.groups = {
      {"file:f", Kind::ord0, diagram::DiagramBatch(std::vector<diagram::Diagram>{{points, {}}}), {}}};
  return diagram_view(set, std::vector<std::size_t>{0});
}

TEST(DiagramView, KeepsPointsApartAtAnyScale) {
  // Single precision does not hold these numbers, or not their differences.
  for (const auto& points :
       std::vector<std::vector<diagram::Point>>{{{0, 1e39}, {1e39, 2e39}},
                                                {{1.7e9, 1.7e9 + 1}, {1.7e9 + 2, 1.7e9 + 3.5}},
                                                {{0, 1e-320}, {1e-320, 2e-320}},
                                                {{0, 1}, {1e-40, 1}}}) {
    const auto html = view_of(points);
    const auto group = data_of(html)["groups"][0];
    const auto kept = numbers<double>(group["points"]["Float64"]);
    ASSERT_EQ(kept.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_EQ(kept[i], i % 2 == 0 ? points[i / 2].birth : points[i / 2].death);
    for (const auto* none : {"inf ", "nan"}) EXPECT_EQ(html.find(none), std::string::npos);
  }
  EXPECT_EQ(data_of(view_of({{1.7e9, 1.7e9 + 1}, {1.7e9 + 2, 1.7e9 + 3.5}}))["groups"][0]["digits"], 14);
  EXPECT_EQ(data_of(view_of({{0, 1}}))["groups"][0]["digits"], 5);
}

TEST(DiagramView, CountsWhatIsTooLargeToBeShown) {
  const auto html = view_of({{0, 1}, {2, 1e300}, {-1.7e308, 1.7e308}});
  EXPECT_NE(html.find("2 points beyond 1e+250 are not shown."), std::string::npos);
  EXPECT_EQ(numbers<float>(data_of(html)["groups"][0]["points"]["Float32"]), (std::vector<float>{0, 1}));
  EXPECT_EQ(html.find("inf "), std::string::npos);
}

TEST(DiagramsPage, ChoosesItemsEvenly) {
  diagram::DiagramSet set;
  std::vector<diagram::Diagram> diagrams(1000);
  for (std::size_t i = 0; i < diagrams.size(); ++i) diagrams[i].points = {{0, static_cast<double>(i)}};
  set.groups = {{"hks:10", Kind::ord0, diagram::DiagramBatch(diagrams), {}}};
  const auto page = diagrams_page(set, "data", 4);
  EXPECT_EQ(page.subtitle, "4 of 1000 items, evenly spaced");
  const auto data = data_of(page.sections.front().html);
  EXPECT_EQ(data["items"][3]["name"], "graph 750");
  EXPECT_EQ(numbers<float>(data["groups"][0]["points"]["Float32"]),
            (std::vector<float>{0, 0, 0, 250, 0, 500, 0, 750}));
}

}  // namespace
}  // namespace perslay::report
