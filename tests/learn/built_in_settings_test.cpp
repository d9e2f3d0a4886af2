#include "io/temporary_folder.h"
#include "sentence.h"

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <perslay/learn/built_in_settings.h>

namespace perslay::learn {
namespace {

using diagram::Kind;

/// A row of the paper's table of settings.
struct PaperSettings {
  const char* name;
  std::vector<std::string> filtrations;
  bool prominent;
  const char* channel;
  double average;
  std::size_t epochs;
};

TEST(BuiltInSettings, AreThoseOfThePapersTable) {
  const std::vector<std::string> both{"hks:0.1", "hks:10"};
  const std::vector<PaperSettings> table{
      {"orbit5k", {"alpha"}, true, "Pm(25,25,10,top-5)", 0, 300},
      {"orbit100k", {"alpha"}, true, "Pm(25,25,10,top-5)", 0, 300},
      {"reddit5k", {"hks:1"}, true, "Pm(25,25,10,sum)", 0.99, 500},
      {"reddit12k", {"hks:1"}, true, "Pm(5,5,10,sum)", 0.99, 1000},
      {"collab", both, true, "Pm(5,5,10,sum)", 0.9, 1000},
      {"imdb-b", both, true, "Im(20,(10,2),20,sum)", 0.9, 500},
      {"imdb-m", both, true, "Im(10,(10,2),10,sum)", 0.9, 500},
      {"cox2", both, false, "Im(20,(10,2),20,sum)", 0.9, 500},
      {"dhfr", both, false, "Im(20,(10,2),20,sum)", 0.9, 500},
      {"mutag", {"hks:10"}, false, "Im(20,(10,2),10,sum)", 0.9, 100},
      {"proteins", {"hks:10"}, true, "Im(15,(10,2),10,sum)", 0.9, 70},
      {"nci1", both, false, "Pm(25,25,10,sum)", 0.9, 300},
      {"nci109", both, false, "Pm(25,25,10,sum)", 0.9, 300},
  };
  for (const auto& row : table) {
    const auto settings = built_in(row.name);
    const bool orbits = row.filtrations[0] == "alpha";
    EXPECT_EQ(settings.data.filtrations, row.filtrations) << row.name;
    EXPECT_EQ(settings.data.transforms,
              row.prominent ? std::vector<std::string>{"prom:500"} : std::vector<std::string>{})
        << row.name;
    EXPECT_EQ(settings.data.kinds, (orbits ? std::vector{Kind::h0, Kind::h1}
                                           : std::vector{Kind::ord0, Kind::rel1, Kind::ext0, Kind::ext1}))
        << row.name;
    EXPECT_EQ(settings.network.channel.paper, row.channel) << row.name;
    EXPECT_TRUE(settings.network.hidden.empty()) << row.name;
    EXPECT_EQ(settings.training.average, row.average) << row.name;
    EXPECT_EQ(settings.training.epochs, row.epochs) << row.name;
    EXPECT_EQ(settings.training.optimiser, "adam-tf") << row.name;
    EXPECT_EQ(settings.training.epsilon, 1e-4) << row.name;
    EXPECT_EQ(settings.training.rate, 0.01) << row.name;
    EXPECT_EQ(settings.training.schedule, orbits ? "constant" : "halving:20") << row.name;
    EXPECT_EQ(settings.training.batch, 128U) << row.name;
    // Beside the diagrams: eigenvalues, and deciles of each heat kernel signature.
    std::vector<std::string> features;
    if (!orbits) features.emplace_back("eigenvalues");
    if (!orbits)
      for (const auto& filtration : row.filtrations) features.push_back("deciles:" + filtration);
    EXPECT_EQ(settings.features.names, features) << row.name;
    EXPECT_FALSE(settings.features.standardise) << row.name;
  }
  EXPECT_GE(built_in_settings().size(), table.size() + 2);  // and the stronger recipes
}

TEST(BuiltInSettings, AllAreUnderstoodAndComeBack) {
  for (const auto& [name, toml] : built_in_settings()) {
    const auto settings = built_in(name);
    EXPECT_EQ(settings.name, name);
    EXPECT_EQ(parse_settings(to_toml(settings), "again"), settings) << name;
  }
}

TEST(BuiltInSettings, NamesHaveNoCaseAndMistakesAreSentences) {
  EXPECT_EQ(built_in("MUTAG"), built_in("mutag"));
  const auto sentence = test::sentence_of([] { static_cast<void>(built_in("mutagen")); });
  EXPECT_NE(sentence.find("'mutagen'"), std::string::npos);
  EXPECT_NE(sentence.find("orbits-strong"), std::string::npos);
}

/// Works in another folder until its end.
class InFolder {
 public:
  explicit InFolder(const std::filesystem::path& folder) { std::filesystem::current_path(folder); }
  ~InFolder() { std::filesystem::current_path(before_); }
  InFolder(const InFolder&) = delete;
  InFolder& operator=(const InFolder&) = delete;

 private:
  std::filesystem::path before_ = std::filesystem::current_path();
};

TEST(SettingsByName, AreThoseOfAFileOrBuiltIn) {
  const test::TemporaryFolder folder;
  const InFolder here(folder.path());
  for (const auto* const file : {"mine.toml", "mine", "mutag", "mutag.toml"})
    test::write_bytes(folder / file, "name = \"of a file\"\n");
  for (const std::string file : {"mine.toml", "mine", "./mutag", "mutag.toml"}) {
    EXPECT_TRUE(is_settings_file(file)) << file;
    EXPECT_EQ(settings_by_name(file).name, "of a file") << file;
  }
  for (const std::string name : {"mutag", "MUTAG", "orbits-strong"}) {
    EXPECT_FALSE(is_settings_file(name)) << name;
    EXPECT_EQ(settings_by_name(name), built_in(name)) << name;
  }
}

TEST(SettingsByName, NamesOfNeitherAreAnsweredByTheKnownOnes) {
  const auto sentence = test::sentence_of([] { (void)settings_by_name("nosuch"); });
  EXPECT_TRUE(
      sentence.starts_with("There are no settings called 'nosuch', and no such file; there are collab, "))
      << sentence;
  EXPECT_TRUE(sentence.ends_with(", and a settings file would do, too.")) << sentence;
  for (const auto& settings : built_in_settings())
    EXPECT_NE(sentence.find(settings.name), std::string::npos) << settings.name;
  for (const std::string file : {"nosuch.toml", "./nosuch"})
    EXPECT_EQ(test::sentence_of([&] { (void)settings_by_name(file); }),
              file + ": The settings file cannot be read.");
}

}  // namespace
}  // namespace perslay::learn
