#include <gtest/gtest.h>

#include <perslay/base/error.h>
#include <perslay/base/registry.h>

namespace perslay::base {
namespace {

Registry<double> example() {
  Registry<double> registry("gadget");
  registry.add("plain", {"plain", "no argument"},
               [](const Name& name) { return name.has_arguments ? -1.0 : 0.0; });
  registry.add("scaled", {"scaled:S", "with a number"},
               [](const Name& name) { return parse_number(name.arguments, "scaled needs a number"); });
  return registry;
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::user);
    return error.what();
  }
  return "no error";
}

TEST(Registry, MakesWhatTheNameSays) {
  const auto registry = example();
  EXPECT_EQ(registry.make("plain"), 0);
  EXPECT_EQ(registry.make("plain:"), -1);
  EXPECT_EQ(registry.make("scaled:2.5e1"), 25);
}

TEST(Registry, AnUnknownNameListsTheKnownOnes) {
  EXPECT_EQ(message_of([] { (void)example().make("plane"); }),
            "There is no gadget called 'plane'; the known ones are plain, scaled:S.");
}

TEST(Registry, NumbersAreCheckedWhole) {
  for (const char* text : {"", "x", "1x", " 1", "nan", "inf", "1e999"})
    EXPECT_EQ(message_of([&] { (void)example().make(std::string("scaled:") + text); }),
              std::string("scaled needs a number, not '") + text + "'.");
}

TEST(SplitName, SplitsAtTheFirstColon) {
  EXPECT_EQ(split_name("file:a:b").head, "file");
  EXPECT_EQ(split_name("file:a:b").arguments, "a:b");
  EXPECT_FALSE(split_name("degree").has_arguments);
}

}  // namespace
}  // namespace perslay::base
