#include <gtest/gtest.h>

#include <perslay/report/html.h>

namespace perslay::report {
namespace {

TEST(Escaped, LeavesNothingThatABrowserActsUpon) {
  EXPECT_EQ(escaped(R"(<script>alert("x & y")</script>)"),
            "&lt;script&gt;alert(&quot;x &amp; y&quot;)&lt;/script&gt;");
  EXPECT_EQ(escaped("naïve ∂ 😀"), "naïve ∂ 😀");
}

TEST(Escaped, ReplacesWhatIsNotText) {
  const std::string sign = "\xEF\xBF\xBD";
  EXPECT_EQ(escaped(std::string("a\0b", 3)), "a" + sign + "b");
  EXPECT_EQ(escaped("\x1B[31m"), sign + "[31m");
  EXPECT_EQ(escaped("\xFF\xFE"), sign + sign);
  EXPECT_EQ(escaped("\xC0\xBC"), sign + sign) << "a '<' in two bytes";
  EXPECT_EQ(escaped("\xED\xA0\x80"), sign + sign + sign) << "half of a surrogate pair";
  EXPECT_EQ(escaped("cut \xE2\x82"), "cut " + sign + sign);
  EXPECT_EQ(escaped("\xC2\x85"), sign + sign) << "a control character";
  EXPECT_EQ(escaped("a\u202Egnp.exe"), "a" + sign + sign + sign + "gnp.exe") << "writing from right to left";
  EXPECT_EQ(readable("a<b \u2066"), "a<b " + sign + sign + sign);
}

TEST(ShortNumber, HasFourDigits) {
  EXPECT_EQ(short_number(0.123456), "0.1235");
  EXPECT_EQ(short_number(1.23456e-7), "1.235e-07");
  EXPECT_EQ(percent(0.891304), "89.13 %");
}

TEST(Counted, KnowsOne) {
  EXPECT_EQ(counted(1, "point"), "1 point");
  EXPECT_EQ(counted(0, "point"), "0 points");
}

TEST(Table, EscapesItsCells) {
  const auto html = table({{"a", "b"}, {"<i>", "\"2\""}});
  EXPECT_NE(html.find("<th scope=\"row\">&lt;i&gt;</th><td>&quot;2&quot;</td>"), std::string::npos) << html;
}

TEST(Page, IsOneFileThatFetchesNothing) {
  Page page{
      "<b>title</b>", "a \"subtitle\"", "<p>lead</p>", {{"one", "<u>", "<p>body</p>"}, {"two", "Two", ""}}};
  const auto html = page.html();
  EXPECT_TRUE(html.starts_with("<!DOCTYPE html>"));
  EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
  EXPECT_NE(html.find("<title>&lt;b&gt;title&lt;/b&gt;</title>"), std::string::npos);
  EXPECT_NE(html.find("<a href=\"#one\">&lt;u&gt;</a>"), std::string::npos);
  EXPECT_EQ(html.find("<u>"), std::string::npos);
  for (const auto* reference : {"src=\"", "@import", "url(", "https://"})
    EXPECT_EQ(html.find(reference), std::string::npos) << reference;
}

}  // namespace
}  // namespace perslay::report
