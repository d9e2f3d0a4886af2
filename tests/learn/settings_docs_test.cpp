#include "settings_keys.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace perslay::learn {
namespace {

const std::filesystem::path manual = PERSLAY_DOCS "/settings.md";

std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

using Tables = std::map<std::string, std::string>;

/// The table of each section, after the comment that marks its place: "<!-- keys of training -->".
void add_tables(Tables& tables, const Section& section) {
  const auto mark = section.name.empty() ? "<!-- keys -->" : fmt::format("<!-- keys of {} -->", section.name);
  std::string rows;
  for (const auto& key : section.keys)
    if (const auto text = key.value.text(); !text.empty())
      rows += fmt::format("| `{}` | `{}` | {} | {} |\n", key.name, text, key.value.values, key.help);
  if (!rows.empty())
    tables[mark] = "\n\n| key | default | values | meaning |\n| --- | --- | --- | --- |\n" + rows;
  for (const auto& inner : section.sections) add_tables(tables, inner);
}

Tables tables() {
  Tables tables;
  Settings defaults;
  add_tables(tables, keys_of(defaults));
  return tables;
}

/// The manual with the tables of today.
std::string rewritten(std::string text) {
  for (const auto& [mark, table] : tables()) {
    const auto begin = text.find(mark);
    if (begin == std::string::npos) throw std::runtime_error(manual.string() + " has no " + mark);
    const auto after = begin + mark.size();
    const auto end = text.compare(after, 3, "\n\n|") == 0 ? text.find("\n\n", after + 2) + 1 : after + 1;
    text.replace(after, end - after, table);
  }
  return text;
}

/// PERSLAY_WRITE_DOCS=1 makes the tables those of today.
TEST(SettingsDocs, TablesAreThoseOfTheKeys) {
  const auto text = text_of(manual);
  const auto wanted = rewritten(text);
  if (std::getenv("PERSLAY_WRITE_DOCS") != nullptr)
    std::ofstream(manual, std::ios::binary) << wanted;
  else
    EXPECT_EQ(text, wanted)
        << "PERSLAY_WRITE_DOCS=1 test_learn --gtest_filter='SettingsDocs.*' rewrites the tables.";
}

}  // namespace
}  // namespace perslay::learn
