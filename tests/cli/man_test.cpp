#include "cli/help.h"
#include "cli/program.h"

#include <algorithm>

namespace perslay::test {
namespace {

std::string manual() {
  const auto result = run({"man"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return result.out;
}

std::string in_roff(const std::string& text) { return std::regex_replace(text, std::regex("-"), "\\-"); }

TEST(Man, EveryCommandAndOptionOccurs) {
  const auto text = manual();
  EXPECT_TRUE(text.starts_with(".TH PERSLAY 1 ")) << text.substr(0, 40);
  const auto common = text.find(".SH OPTIONS\n");
  ASSERT_NE(common, std::string::npos);
  for (const auto& command : commands_of_help()) {
    const auto from = text.find(".SS " + command + '\n');
    ASSERT_NE(from, std::string::npos) << command;
    const auto own =
        text.substr(from, std::min(text.find(".SS ", from + 1), common) - from) + text.substr(common);
    for (const auto& option : options_of_help(command))
      EXPECT_NE(own.find("\\fB" + in_roff(option) + "\\fR"), std::string::npos) << command << ' ' << option;
  }
  for (const auto* const part : {"\\fBhks:T\\fR", "\\fBtopk:K\\fR", "\\fB130\\fR", "\\fBPERSLAY_THREADS\\fR",
                                 "perslay info shapes", "\\fB\\-V\\fR, \\fB\\-\\-version\\fR"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
}

TEST(Man, GroffHasNothingToSay) {
  if (!has_tool("groff")) GTEST_SKIP() << "There is no groff.";
  const TemporaryFolder folder;
  write_bytes(folder / "perslay.1", manual());
  const auto [success, text] = shell("groff -man -Tutf8 -ww -z '" + (folder / "perslay.1").string() + "'");
  EXPECT_TRUE(success);
  EXPECT_EQ(text, "");
}

}  // namespace
}  // namespace perslay::test
