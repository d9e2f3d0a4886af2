#include <string>

#include <gtest/gtest.h>

#include <perslay/base/error.h>
#include <perslay/filtration/filtration.h>

namespace perslay::filtration {
namespace {

using Type = Filtration::Type;

std::string sentence_of(std::string_view name) {
  try {
    (void)parse_filtration(name);
  } catch (const base::Error& error) {
    EXPECT_EQ(error.fault(), base::Fault::user);
    return error.what();
  }
  return "no error";
}

TEST(Filtration, ReadsHeatKernelTimes) {
  const auto filtration = parse_filtration("hks:0.1");
  EXPECT_EQ(filtration.type, Type::heat_kernel);
  EXPECT_EQ(filtration.time, 0.1);
  EXPECT_EQ(filtration.tolerance, 0);
}

TEST(Filtration, ReadsTheErrorAllowed) {
  const auto filtration = parse_filtration("hks:10~1e-6");
  EXPECT_EQ(filtration.time, 10);
  EXPECT_EQ(filtration.tolerance, 1e-6);
}

TEST(Filtration, NamesAreCanonical) {
  const std::pair<const char*, const char*> names[] = {
      {"hks:10", "hks:10"},
      {"hks:10.0", "hks:10"},
      {"hks:1e1", "hks:10"},
      {"hks:0.10", "hks:0.1"},
      {"hks:-0", "hks:0"},
      {"hks:10.0~0.000001", "hks:10~1e-6"},
      {"hks:1e300", "hks:1e300"},
      {"hks:1000000", "hks:1000000"},
      {"hks:0.30000000000000004", "hks:0.30000000000000004"},
      {"degree", "degree"},
      {"closeness", "closeness"},
      {"clustering", "clustering"},
      {"eccentricity", "eccentricity"},
      {"file:a:b.txt", "file:a:b.txt"},
  };
  for (const auto& [written, canonical] : names) {
    EXPECT_EQ(parse_filtration(written).name, canonical);
    EXPECT_EQ(parse_filtration(canonical).name, canonical);
    EXPECT_EQ(parse_filtration(canonical).time, parse_filtration(written).time);
    EXPECT_EQ(parse_filtration(canonical).tolerance, parse_filtration(written).tolerance);
  }
}

TEST(Filtration, KnowsTheOthers) {
  EXPECT_EQ(parse_filtration("degree").type, Type::degree);
  EXPECT_EQ(parse_filtration("closeness").type, Type::closeness);
  EXPECT_EQ(parse_filtration("clustering").type, Type::clustering);
  EXPECT_EQ(parse_filtration("eccentricity").type, Type::eccentricity);
  EXPECT_EQ(parse_filtration("file:some/values.txt").type, Type::file);
  EXPECT_EQ(parse_filtration("file:some/values.txt").path, "some/values.txt");
}

TEST(Filtration, MistakesAreSentences) {
  EXPECT_EQ(sentence_of("hks"), "hks needs a time of at least 0, such as hks:10, not ''.");
  EXPECT_EQ(sentence_of("hks:"), "hks needs a time of at least 0, such as hks:10, not ''.");
  EXPECT_EQ(sentence_of("hks:ten"), "hks needs a time of at least 0, such as hks:10, not 'ten'.");
  EXPECT_EQ(sentence_of("hks:10x"), "hks needs a time of at least 0, such as hks:10, not '10x'.");
  EXPECT_EQ(sentence_of("hks:-1"), "hks needs a time of at least 0, such as hks:10, not '-1'.");
  EXPECT_EQ(sentence_of("hks:nan"), "hks needs a time of at least 0, such as hks:10, not 'nan'.");
  EXPECT_EQ(sentence_of("hks:inf"), "hks needs a time of at least 0, such as hks:10, not 'inf'.");
  EXPECT_EQ(sentence_of("hks:1~"),
            "hks needs an error between 0 and 1 after '~', such as hks:10~1e-6, not ''.");
  EXPECT_EQ(sentence_of("hks:1~0"),
            "hks needs an error between 0 and 1 after '~', such as hks:10~1e-6, not '0'.");
  EXPECT_EQ(sentence_of("hks:1~1"),
            "hks needs an error between 0 and 1 after '~', such as hks:10~1e-6, not '1'.");
  EXPECT_EQ(sentence_of("hks:1~-1"),
            "hks needs an error between 0 and 1 after '~', such as hks:10~1e-6, not '-1'.");
  EXPECT_EQ(sentence_of("degree:3"), "degree stands alone, without ':3'.");
  EXPECT_EQ(sentence_of("closeness:"), "closeness stands alone, without ':'.");
  EXPECT_EQ(sentence_of("eccentricity:2"), "eccentricity stands alone, without ':2'.");
  EXPECT_EQ(sentence_of("file"), "file needs a path, as in file:values.txt.");
  EXPECT_EQ(sentence_of("file:"), "file needs a path, as in file:values.txt.");
  EXPECT_EQ(sentence_of("ricci"),
            "There is no filtration called 'ricci'; the known ones are hks:T, degree, closeness, clustering, "
            "eccentricity, core, file:PATH.");
}

TEST(Filtration, EveryNameHasHelp) {
  for (const auto& help : filtrations().help()) {
    EXPECT_FALSE(help.usage.empty());
    EXPECT_TRUE(help.text.ends_with('.')) << help.usage;
  }
  EXPECT_EQ(filtrations().help().size(), 7U);
}

}  // namespace
}  // namespace perslay::filtration
