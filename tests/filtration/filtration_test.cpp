#include "../sentence.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <perslay/base/error.h>
#include <perslay/filtration/filtration.h>
#include <perslay/filtration/vertex_functions.h>

namespace perslay::filtration {
namespace {

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
  ASSERT_TRUE(filtration.heat_kernel);
  EXPECT_EQ(filtration.heat_kernel->time, 0.1);
  EXPECT_EQ(filtration.heat_kernel->tolerance, 0);
}

TEST(Filtration, ReadsTheErrorAllowed) {
  const auto filtration = parse_filtration("hks:10~1e-6");
  ASSERT_TRUE(filtration.heat_kernel);
  EXPECT_EQ(filtration.heat_kernel->time, 10);
  EXPECT_EQ(filtration.heat_kernel->tolerance, 1e-6);
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
      {"forman", "forman"},
      {"ollivier", "ollivier"},
      {"ollivier:0.50", "ollivier"},
      {"ollivier:0", "ollivier:0"},
      {"pagerank:0.85", "pagerank"},
      {"pagerank:0.5", "pagerank:0.5"},
      {"betweenness", "betweenness"},
      {"attribute:0", "attribute:0"},
      {"attribute:012", "attribute:12"},
      {"label:-3", "label:-3"},
      {"label:C:2", "label:C:2"},
      {"weight", "weight"},
      {"file:a:b.txt", "file:a:b.txt"},
  };
  for (const auto& [written, canonical] : names) {
    EXPECT_EQ(parse_filtration(written).name, canonical);
    EXPECT_EQ(parse_filtration(canonical).name, canonical);
    const auto first = parse_filtration(written).heat_kernel,
               second = parse_filtration(canonical).heat_kernel;
    ASSERT_EQ(first.has_value(), second.has_value());
    if (!first) continue;
    EXPECT_EQ(first->time, second->time);
    EXPECT_EQ(first->tolerance, second->tolerance);
  }
}

TEST(Filtration, AnEntryComputesItsFunction) {
  // A triangle 0 1 2 with the path 2 3 4, and the vertex 5 alone.
  const std::vector<data::Edge> edges{{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}};
  const auto graph = data::Graph::from_edges(6, edges);
  const std::pair<const char*, std::vector<double>> expected[] = {
      {"degree", {2, 2, 3, 2, 1, 0}},
      {"clustering", {1, 1, 1.0 / 3, 0, 0, 0}},
      {"eccentricity", {3, 3, 2, 2, 3, 0}},
      {"core", {2, 2, 2, 1, 1, 0}},
      {"closeness", {0.8 * 4 / 7, 0.8 * 4 / 7, 0.8 * 4 / 5, 0.8 * 4 / 6, 0.8 * 4 / 9, 0}},
  };
  for (const auto& [name, values] : expected) {
    const auto filtration = parse_filtration(name);
    ASSERT_TRUE(filtration.compute) << name;
    EXPECT_FALSE(filtration.heat_kernel);
    std::vector<double> computed(6, -1);
    filtration.compute(graph, computed, {});
    for (std::size_t v = 0; v < 6; ++v) EXPECT_NEAR(computed[v], values[v], 1e-15) << name << ' ' << v;
  }
}

TEST(Filtration, OptionsOfAFunctionReachIt) {
  const auto graph = data::Graph::from_edges(4, std::vector<data::Edge>{{0, 1}, {1, 2}});
  std::vector<double> lazy(4), eager(4);
  parse_filtration("ollivier").compute(graph, lazy, {});
  parse_filtration("ollivier:0").compute(graph, eager, {});
  EXPECT_EQ(lazy, (std::vector<double>{0.5, 0.5, 0.5, 0}));
  EXPECT_EQ(eager, (std::vector<double>{0, 0, 0, 0}));
  parse_filtration("pagerank:0").compute(graph, eager, {});
  EXPECT_EQ(eager, std::vector<double>(4, 0.25));
}

TEST(Filtration, ExactlyOneMemberSaysWhereValuesComeFrom) {
  for (const auto* name :
       {"hks:1", "degree", "ollivier", "pagerank:0.5", "attribute:3", "label:C", "weight", "file:x"}) {
    const auto filtration = parse_filtration(name);
    EXPECT_EQ((filtration.compute ? 1 : 0) + (filtration.heat_kernel ? 1 : 0) +
                  (filtration.path.empty() ? 0 : 1) + (filtration.attribute ? 1 : 0) +
                  (filtration.label.empty() ? 0 : 1) + (filtration.edge_weights ? 1 : 0),
              1)
        << name;
  }
  EXPECT_EQ(parse_filtration("attribute:3").attribute, 3U);
  EXPECT_EQ(parse_filtration("label:C").label, "C");
}

TEST(Filtration, FilesKeepTheirPath) {
  const auto filtration = parse_filtration("file:some/values.txt");
  EXPECT_EQ(filtration.path, "some/values.txt");
  EXPECT_FALSE(filtration.compute);
}

TEST(Filtration, RangesOfTimesAreEvenOnALogScale) {
  const auto expand = [](std::vector<std::string> names) { return expand_times(names); };
  using Names = std::vector<std::string>;
  EXPECT_EQ(expand({"hks:0.1..10x3"}), (Names{"hks:0.1", "hks:1", "hks:10"}));
  EXPECT_EQ(expand({"degree", "deciles:hks:1..100x2", "eigenvalues", "hks:5"}),
            (Names{"degree", "deciles:hks:1", "deciles:hks:100", "eigenvalues", "hks:5"}));
  EXPECT_EQ(expand({"hks:0.1..10x4"}), (Names{"hks:0.1", "hks:0.464", "hks:2.15", "hks:10"}));
  EXPECT_EQ(expand({"hks:1e-6..0.123456x3"}), (Names{"hks:1e-6", "hks:0.000351", "hks:0.123456"}));
  EXPECT_EQ(expand({"file:../hks:1..2x3"}), (Names{"file:../hks:1..2x3"}));
  for (const auto& name : expand({"hks:0.01..1000x31"})) EXPECT_EQ(parse_filtration(name).name, name);
  const auto mistake = [&](const char* range) { return test::sentence_of([&] { (void)expand({range}); }); };
  const std::string wanted = "A range of times has its ends and how many there are, such as hks:0.1..10x3";
  EXPECT_EQ(mistake("hks:0.1..10"), wanted + ", not '0.1..10'.");
  EXPECT_EQ(mistake("deciles:hks:0.1..10x"), wanted + ", not '0.1..10x'.");
  EXPECT_EQ(mistake("hks:..10x3"), wanted + ", not '..10x3'.");
  EXPECT_EQ(mistake("hks:1..x3"), wanted + ", not '1..x3'.");
  EXPECT_EQ(mistake("hks:0..10x3"), wanted + ", not '0'.");
  EXPECT_EQ(mistake("hks:1..10~1e-6x3"), wanted + ", not '10~1e-6'.");
  for (const auto* range : {"10..1x3", "1..1x3", "1..10x1", "1..10x1001"})
    EXPECT_EQ(mistake(("hks:" + std::string(range)).c_str()),
              wanted + ": from a lower to a higher one, 2 to 1000, not '" + range + "'.");
  EXPECT_EQ(sentence_of("hks:0.1..10x3"),
            "hks:0.1..10x3 stands for several times, and one is needed here, such as hks:10.");
}

/// All of them differ and lie within the ends; only as many digits are used as that takes.
TEST(Filtration, TimesOfNearEndsGetMoreDigits) {
  using Names = std::vector<std::string>;
  const auto expand = [](const std::string& name) { return expand_times(std::vector{name}); };
  EXPECT_EQ(expand("hks:1.2345..1.2346x3"), (Names{"hks:1.2345", "hks:1.23455", "hks:1.2346"}));
  EXPECT_EQ(expand("hks:1..1.001x3"), (Names{"hks:1", "hks:1.0005", "hks:1.001"}));
  EXPECT_EQ(expand("hks:1.001..9x2"), (Names{"hks:1.001", "hks:9"}));
  EXPECT_EQ(expand("hks:1.004..100x3"), (Names{"hks:1.004", "hks:10", "hks:100"}));
  for (const auto* const range :
       {"0.1..10x1000", "1e-300..1e300x1000", "1..1.00001x1000", "7..7.0000001x9"}) {
    const auto names = expand("hks:" + std::string(range));
    const auto time = [&](std::size_t i) { return parse_filtration(names[i]).heat_kernel->time; };
    const std::size_t last = names.size() - 1;
    for (std::size_t i = 1; i <= last; ++i) {
      EXPECT_LT(time(i - 1), time(i)) << range << ' ' << i;
      const double place =
          (std::log(time(i)) - std::log(time(0))) / (std::log(time(last)) - std::log(time(0)));
      EXPECT_NEAR(place * static_cast<double>(last), static_cast<double>(i), 0.6) << range;
    }
  }
  EXPECT_EQ(expand("hks:0.1..10x1000").size(), 1000U);
  EXPECT_EQ(test::sentence_of([&] { (void)expand("hks:1..1.0000000000000002x3"); }),
            "hks:1..1.0000000000000002x3: The ends are too near each other for 3 different times.");
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
            "eccentricity, core, jaccard, forman, betweenness, ollivier:ALPHA, pagerank:DAMPING, "
            "attribute:K, label:NAME, weight, file:PATH.");
  EXPECT_EQ(sentence_of("ollivier:1"),
            "ollivier needs a laziness of at least 0 and below 1, such as ollivier:0.5, not '1'.");
  EXPECT_EQ(sentence_of("ollivier:"),
            "ollivier needs a laziness of at least 0 and below 1, such as ollivier:0.5, not ''.");
  EXPECT_EQ(sentence_of("pagerank:1"), "pagerank needs a number from 0 to 0.999 for the damping, not '1'.");
  EXPECT_EQ(sentence_of("pagerank:"), "pagerank needs a number from 0 to 0.999 for the damping, not ''.");
  for (const auto* text : {"", "-1", "1.5", "x", "99999999999999999999"})
    EXPECT_EQ(
        sentence_of(std::string("attribute:") + text),
        std::string(
            "attribute needs a column of the node attributes, counted from 0, such as attribute:0, not '") +
            text + "'.");
  EXPECT_EQ(sentence_of("label"), "label needs a node label as in the data, such as label:3.");
  EXPECT_EQ(sentence_of("weight:2"), "weight stands alone, without ':2'.");
  EXPECT_EQ(sentence_of("forman:2"), "forman stands alone, without ':2'.");
}

TEST(Filtration, EveryNameHasHelp) {
  for (const auto& help : filtrations().help()) {
    EXPECT_FALSE(help.usage.empty());
    EXPECT_TRUE(help.text.ends_with('.')) << help.usage;
  }
  EXPECT_EQ(filtrations().help().size(), vertex_functions().size() + 7);
}

}  // namespace
}  // namespace perslay::filtration
