// What docs/paper.md names is there.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <perslay/experiment/descriptions.h>
#include <perslay/experiment/plan.h>

namespace perslay::experiment {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// What `pattern` captures in the page.
std::set<std::string> named(const std::string& pattern) {
  static const std::string page = text_of(fs::path(PERSLAY_SOURCES) / "docs" / "paper.md");
  const std::regex expression(pattern);
  std::set<std::string> found;
  for (auto match = std::sregex_iterator(page.begin(), page.end(), expression);
       match != std::sregex_iterator(); ++match)
    found.insert((*match)[1]);
  return found;
}

TEST(PaperDocument, FilesExist) {
  const auto files = named("`((?:src|include|tests|docs|python|experiments|bench)/[^`]*)`");
  EXPECT_GT(files.size(), 20U);
  for (const auto& file : files) EXPECT_TRUE(fs::exists(fs::path(PERSLAY_SOURCES) / file)) << file;
  for (const auto& file : named(R"(\]\(([^)#]+)[^)]*\))"))
    EXPECT_TRUE(fs::exists(fs::path(PERSLAY_SOURCES) / "docs" / file)) << file;
}

TEST(PaperDocument, CommandsExist) {
  const auto commands = named("`perslay ([^`]+)`");
  EXPECT_GT(commands.size(), 15U);
  auto tables = plan_names();
  for (const auto& [name, help] : description_names()) tables.push_back(name);
  for (const auto& command : commands) {
    const auto name = command.substr(0, command.find(' '));
    const auto guide = text_of(fs::path(PERSLAY_SOURCES) / "docs" / "cli" / (name + ".md"));
    EXPECT_FALSE(guide.empty()) << command;
    const std::regex option("(--?[a-z-]+)");
    for (auto match = std::sregex_iterator(command.begin(), command.end(), option);
         match != std::sregex_iterator(); ++match) {
      const std::string given = (*match)[1];
      if (!std::string(match->prefix()).ends_with(' ')) continue;
      EXPECT_NE(guide.find(given), std::string::npos) << command << ": " << given;
    }
    if (name != "reproduce") continue;
    const auto table = command.substr(10, command.find(' ', 10) - 10);
    EXPECT_NE(std::ranges::find(tables, table), tables.end()) << command;
  }
  for (const auto& table : tables) {  // and every table of the paper is on the page
    if (!table.starts_with("table-") && table != "figures" && table != "t-optimisation") continue;
    const auto redone = fmt::format("reproduce {} ", table);
    EXPECT_TRUE(std::ranges::any_of(commands, [&](const auto& command) {
      return command.starts_with(redone);
    })) << table;
  }
}

TEST(PaperDocument, TestsExist) {
  std::string sources;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(PERSLAY_SOURCES) / "tests"))
    if (entry.path().extension() == ".cpp") sources += text_of(entry.path());
  const auto tests = named("`([A-Z][A-Za-z0-9]+\\.[A-Z][A-Za-z0-9]+)`");
  EXPECT_GT(tests.size(), 30U);
  for (const auto& test : tests) {
    const auto dot = test.find('.');
    const auto arguments = fmt::format("({}, {})", test.substr(0, dot), test.substr(dot + 1));
    EXPECT_NE(sources.find(arguments), std::string::npos) << test;
  }
}

}  // namespace
}  // namespace perslay::experiment
