#include "sentence.h"

#include <gtest/gtest.h>

#include <perslay/base/registry.h>

namespace perslay::base {
namespace {

using test::sentence_of;

Registry<double> example() {
  Registry<double> registry("gadget");
  registry.add("plain", {"plain", "no argument"}, [](Arguments&) { return 0.0; });
  registry.add("scaled", {"scaled:S", "with a number"},
               [](Arguments& arguments) { return parse_number(arguments.first(), "scaled needs a number"); });
  return registry;
}

TEST(Registry, MakesWhatTheNameSays) {
  const auto registry = example();
  EXPECT_EQ(registry.make("plain"), 0);
  EXPECT_EQ(registry.make("scaled:2.5e1"), 25);
}

TEST(Registry, AnUnknownNameListsTheKnownOnes) {
  EXPECT_EQ(sentence_of([] { (void)example().make("plane"); }),
            "There is no gadget called 'plane'; the known ones are plain, scaled:S.");
}

TEST(Registry, RefusesArgumentsThatItsMakerDoesNotTake) {
  EXPECT_EQ(sentence_of([] { (void)example().make("plain:"); }), "plain stands alone, without ':'.");
  EXPECT_EQ(sentence_of([] { (void)example().make("scaled:2:by=3"); }), "scaled has no option 'by'.");
}

TEST(Registry, KnowsItsHeads) {
  EXPECT_TRUE(example().knows("scaled"));
  EXPECT_TRUE(example().knows("scaled:1:2"));
  EXPECT_FALSE(example().knows("scale"));
}

}  // namespace
}  // namespace perslay::base
