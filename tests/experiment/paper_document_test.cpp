// What docs/paper.md names is there.
#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

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

const fs::path sources = PERSLAY_SOURCES;

/// What the page has between two marks, such as between backticks.
std::set<std::string> named(std::string_view open, std::string_view close) {
  const auto page = text_of(sources / "docs" / "paper.md");
  std::set<std::string> found;
  for (auto begin = page.find(open); begin != std::string::npos;) {
    begin += open.size();
    const auto end = page.find(close, begin);
    if (end == std::string::npos) break;
    found.insert(page.substr(begin, end - begin));
    begin = page.find(open, end + close.size());
  }
  return found;
}

/// "test_name", in Python; "test_name" itself, which says how they look, is none.
bool is_python_test(const std::string& text) {
  return text.starts_with("test_") && text != "test_name" &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

/// "Suite.Name", both of letters and digits.
bool is_test(const std::string& text) {
  const auto dot = text.find('.');
  const auto is_name = [](std::string_view name) {
    return !name.empty() && std::isupper(static_cast<unsigned char>(name.front())) != 0 &&
           std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) != 0; });
  };
  return dot != std::string::npos && is_name(text.substr(0, dot)) && is_name(text.substr(dot + 1));
}

TEST(PaperDocument, FilesExist) {
  constexpr std::array folders{"src/", "include/", "tests/", "docs/", "python/", "experiments/", "bench/"};
  std::size_t files = 0;
  for (const auto& file : named("`", "`")) {
    if (std::ranges::none_of(folders, [&](const char* folder) { return file.starts_with(folder); })) continue;
    ++files;
    EXPECT_TRUE(fs::exists(sources / file)) << file;
  }
  EXPECT_GT(files, 20U);
  for (const auto& link : named("](", ")"))
    EXPECT_TRUE(fs::exists(sources / "docs" / link.substr(0, link.find('#')))) << link;
}

TEST(PaperDocument, HasARowForEachFigure) {
  const auto page = text_of(sources / "docs" / "paper.md");
  for (int figure = 1; figure <= 8; ++figure)
    EXPECT_NE(page.find(fmt::format("\n| {}: ", figure)), std::string::npos) << figure;
  for (const auto& entry : fs::directory_iterator(sources / "docs" / "pictures" / "paper"))
    EXPECT_NE(page.find("](pictures/paper/" + entry.path().filename().string()), std::string::npos) << entry;
}

TEST(PaperDocument, CommandsExist) {
  auto tables = plan_names();
  std::ranges::move(description_names(), std::back_inserter(tables));
  std::set<std::string> redone;
  std::size_t commands = 0;
  for (const auto& command : named("`", "`")) {
    if (!command.starts_with("perslay ")) continue;
    ++commands;
    std::istringstream words(command);
    std::string program, name, word;
    words >> program >> name;
    const auto guide = text_of(sources / "docs" / "cli" / (name + ".md"));
    EXPECT_FALSE(guide.empty()) << command;
    for (bool first = true; words >> word; first = false) {
      const bool is_known = !word.starts_with('-') || guide.find(word) != std::string::npos;
      EXPECT_TRUE(is_known) << command << ": " << word;
      if (!first || name != "reproduce") continue;
      EXPECT_NE(std::ranges::find(tables, word), tables.end()) << command;
      redone.insert(word);
    }
  }
  EXPECT_GT(commands, 15U);
  for (const auto& table : tables) {  // every table of the paper is on the page
    const bool is_paper = table.starts_with("table-") || table == "figures" || table == "t-optimisation";
    EXPECT_TRUE(!is_paper || redone.contains(table)) << table;
  }
}

/// All sources below a folder.
std::string sources_in(const fs::path& folder, const char* extension) {
  std::string all;
  for (const auto& entry : fs::recursive_directory_iterator(sources / folder))
    if (entry.path().extension() == extension) all += text_of(entry.path());
  return all;
}

TEST(PaperDocument, TestsExist) {
  const auto all = sources_in("tests", ".cpp"), python = sources_in("python/tests", ".py");
  std::size_t tests = 0, python_tests = 0;
  for (const auto& test : named("`", "`")) {
    if (is_python_test(test)) {
      ++python_tests;
      EXPECT_NE(python.find(fmt::format("\ndef {}(", test)), std::string::npos) << test;
    }
    if (!is_test(test) || test == "Suite.Name") continue;
    ++tests;
    const auto dot = test.find('.');
    EXPECT_NE(all.find(fmt::format("({}, {})", test.substr(0, dot), test.substr(dot + 1))), std::string::npos)
        << test;
  }
  EXPECT_GT(tests, 30U);
  EXPECT_GT(python_tests, 1U);
}

}  // namespace
}  // namespace perslay::experiment
