#include "sentence.h"

#include <gtest/gtest.h>

#include <perslay/persistence/essential.h>

namespace perslay::persistence {
namespace {

using test::sentence_of;
using Action = EssentialPolicy::Action;

TEST(Essential, Names) {
  EXPECT_EQ(parse_essential("drop"), EssentialPolicy{});
  EXPECT_EQ(parse_essential("clip"), (EssentialPolicy{Action::clip_to_extreme, 0}));
  EXPECT_EQ(parse_essential("clip:-2.5"), (EssentialPolicy{Action::clip_to_value, -2.5}));
  EXPECT_EQ(parse_essential_death("drop"), std::nullopt);
  EXPECT_EQ(parse_essential_death("clip:0.5"), 0.5);
}

TEST(Essential, MistakesAreSentences) {
  EXPECT_EQ(sentence_of([] { (void)parse_essential("keep"); }),
            "essential takes drop, clip or clip:VALUE with a finite number, not 'keep'.");
  EXPECT_EQ(sentence_of([] { (void)parse_essential("clip:inf"); }),
            "essential takes drop, clip or clip:VALUE with a finite number, not 'inf'.");
  EXPECT_EQ(sentence_of([] { (void)parse_essential("drop:1"); }),
            "essential takes drop, clip or clip:VALUE with a finite number, not 'drop:1'.");
  for (const std::string_view text : {"clip", "0", "-1"})
    EXPECT_EQ(sentence_of([&] {
                (void)parse_essential_death(text == "clip" ? "clip" : "clip:" + std::string(text));
              }),
              "For point clouds, essential takes drop or clip:VALUE with a positive number, not '" +
                  std::string(text) + "'.");
}

}  // namespace
}  // namespace perslay::persistence
