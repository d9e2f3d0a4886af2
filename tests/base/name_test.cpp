#include "sentence.h"

#include <cmath>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <perslay/base/name.h>

namespace perslay::base {
namespace {

using test::sentence_of;

TEST(SplitName, SplitsAtTheFirstColon) {
  EXPECT_EQ(split_name("file:a:b").head, "file");
  EXPECT_EQ(split_name("file:a:b").arguments, "a:b");
  EXPECT_FALSE(split_name("degree").has_arguments);
  EXPECT_TRUE(split_name("degree:").has_arguments);
}

TEST(SplitOnce, TellsNothingFromEmpty) {
  EXPECT_EQ(split_once("0..1..2", "..").first, "0");
  EXPECT_EQ(split_once("0..1..2", "..").second, "1..2");
  EXPECT_EQ(split_once("10~", "~").second, "");
  EXPECT_EQ(split_once("10", "~").second, std::nullopt);
}

TEST(ParseNumber, ReadsAllOfTheTextWithinItsBounds) {
  EXPECT_EQ(parse_number("2.5e1", "A number"), 25);
  EXPECT_FALSE(std::signbit(parse_number("-0", "A number", 0)));
  EXPECT_EQ(parse_number("1", "A number", 1, 1), 1);
  EXPECT_EQ(parse_number("5e-324", "A number", above_zero), above_zero);
  for (const char* text : {"", "x", "1x", " 1", "nan", "inf", "1e999"})
    EXPECT_EQ(sentence_of([&] { (void)parse_number(text, "A number"); }),
              std::string("A number, not '") + text + "'.");
  for (const char* text : {"0", "-1", "1", "2"})
    EXPECT_EQ(sentence_of([&] { (void)parse_number(text, "Less than 1", above_zero, below_one); }),
              std::string("Less than 1, not '") + text + "'.");
}

TEST(ParseSize, IsAWholeNumberFromOneToTheLargest) {
  EXPECT_EQ(parse_size("1", "A size"), 1U);
  EXPECT_EQ(parse_size("1000000", "A size"), largest_size);
  EXPECT_EQ(parse_size("1000001", "A size", 2'000'000), 1'000'001U);
  for (const char* text : {"", "0", "-1", "2.5", "3x", "+4"})
    EXPECT_EQ(sentence_of([&] { (void)parse_size(text, "A size"); }),
              std::string("A size, not '") + text + "'.");
  for (const char* text : {"1000001", "99999999999999999999"})
    EXPECT_EQ(sentence_of([&] { (void)parse_size(text, "A size"); }),
              std::string("A size, of at most 1000000, not '") + text + "'.");
}

TEST(ParseGrid, IsTwoSizesWithABoundOnTheirProduct) {
  EXPECT_EQ(parse_grid("20x10", "A grid"), std::pair(std::size_t{20}, std::size_t{10}));
  EXPECT_EQ(parse_grid_or_square("7", "A grid"), std::pair(std::size_t{7}, std::size_t{7}));
  for (const char* text : {"", "20", "x", "20x", "x10", "20x10x5", "0x3"})
    EXPECT_EQ(sentence_of([&] { (void)parse_grid(text, "A grid"); }),
              std::string("A grid, not '") + text + "'.");
  for (const char* text : {"2000x1000", "99999999999999999999x1", "3x10000000000", "4294967296x4294967296"})
    EXPECT_EQ(sentence_of([&] { (void)parse_grid(text, "A grid"); }),
              std::string("A grid, of at most 1000000 in all, not '") + text + "'.");
  EXPECT_EQ(sentence_of([] { (void)parse_grid_or_square("2000", "A grid"); }),
            "A grid, of at most 1000000 in all, not '2000x2000'.");
}

TEST(Shortest, ReadsBackAsTheSame) {
  EXPECT_EQ(shortest(1e-6), "1e-6");
  EXPECT_EQ(shortest(1e300), "1e300");
  EXPECT_EQ(shortest(0.1), "0.1");
}

TEST(Arguments, AreTakenOneByOne) {
  Arguments arguments("hofer:50:nu=0.05:widths=each");
  EXPECT_EQ(arguments.head(), "hofer");
  EXPECT_TRUE(arguments.has_first());
  EXPECT_EQ(arguments.first(), "50");
  EXPECT_FALSE(arguments.has_first());
  EXPECT_EQ(arguments.take("widths"), "each");
  EXPECT_EQ(arguments.take("sigma"), std::nullopt);
  EXPECT_EQ(arguments.take_number("nu", above_zero), 0.05);
  arguments.finish();
}

TEST(Arguments, TheFirstMayBeMissing) {
  Arguments arguments("pss:c=2");
  EXPECT_EQ(arguments.first_number("sigma"), std::nullopt);
  EXPECT_EQ(arguments.take_number("c"), 2);
  arguments.finish();
  EXPECT_FALSE(Arguments("pss").has_first());
  EXPECT_TRUE(Arguments("pss:").has_first());
}

TEST(Arguments, MayBeTakenAsText) {
  Arguments arguments("file:a:b=c:d");
  EXPECT_EQ(arguments.text(), "a:b=c:d");
  arguments.finish();
}

TEST(Arguments, ThatNobodyTakesAreRefused) {
  const auto left = [](std::string_view name, bool first, bool nu) {
    return sentence_of([&] {
      Arguments arguments(name);
      if (first) (void)arguments.first();
      if (nu) (void)arguments.take("nu");
      arguments.finish();
    });
  };
  EXPECT_EQ(left("degree:3", false, false), "degree stands alone, without ':3'.");
  EXPECT_EQ(left("degree:", false, false), "degree stands alone, without ':'.");
  EXPECT_EQ(left("degree:a:b", false, false), "degree stands alone, without ':a:b'.");
  EXPECT_EQ(left("line:3:nu=1", true, false), "line has no option 'nu'.");
  EXPECT_EQ(left("line:3", false, true),
            "line does not know what to do with '3'; options are written key=value.");
  EXPECT_EQ(left("line:3:4", true, true),
            "line does not know what to do with '4'; options are written key=value.");
  EXPECT_EQ(left("line:nu=1:nu=1", true, true), "line is given the option 'nu' twice.");
}

TEST(Arguments, SayWhichNumberTheyNeed) {
  const auto said = [](double low, double high) {
    return sentence_of([&] { (void)Arguments("pss:c=x").take_number("c", low, high); });
  };
  EXPECT_EQ(said(-unbounded, unbounded), "pss needs a number for c, not 'x'.");
  EXPECT_EQ(said(above_zero, unbounded), "pss needs a positive number for c, not 'x'.");
  EXPECT_EQ(said(0, unbounded), "pss needs a number of at least 0 for c, not 'x'.");
  EXPECT_EQ(said(1e-3, 2), "pss needs a number from 0.001 to 2 for c, not 'x'.");
  EXPECT_EQ(sentence_of([] { (void)Arguments("pss:-1").first_number("sigma", above_zero); }),
            "pss needs a positive number for sigma, not '-1'.");
}

}  // namespace
}  // namespace perslay::base
