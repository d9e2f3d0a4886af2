#include "cli/help.h"
#include "cli/program.h"

#include <algorithm>
#include <map>

namespace perslay::test {
namespace {

using Words = std::vector<std::string>;

std::string script(const std::string& name) {
  const auto result = run({"completion", name});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return result.out;
}

/// What bash replies when the tabulator key is pressed at the end of a line. `compopt` works in completion only.
class BashTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_tool("bash")) GTEST_SKIP() << "There is no bash.";
    write_bytes(folder_ / "script", script("bash"));
  }

  [[nodiscard]] Words replies(const std::string& line) const {
    write_bytes(folder_ / "try",
                "compopt() { printf '(%s)\\n' \"${@: -1}\"; }\nsource '" + (folder_ / "script").string() +
                    "'\nCOMP_LINE='" + line +
                    "'\nCOMP_POINT=${#COMP_LINE}\n_perslay\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n");
    const auto [success, text] = shell("bash --norc --noprofile '" + (folder_ / "try").string() + "'");
    EXPECT_TRUE(success) << text;
    std::istringstream lines(text);
    Words words;
    for (std::string word; std::getline(lines, word);)
      if (!word.empty()) words.push_back(word);
    return words;
  }

  TemporaryFolder folder_;
};

const std::string files = "(default)", goes_on = "(nospace)";

TEST_F(BashTest, CompletesCommands) {
  EXPECT_EQ(replies("perslay ev"), Words{"evaluate"});
  EXPECT_EQ(replies("perslay help pred"), Words{"predict"});
  EXPECT_EQ(replies("perslay --ver"), Words{"--version"});
  auto all = commands_of_help();
  const auto offered = replies("perslay ");
  for (const auto& command : all) EXPECT_EQ(std::ranges::count(offered, command), 1) << command;
}

TEST_F(BashTest, CompletesOptions) {
  EXPECT_EQ(replies("perslay train --se"), (Words{"--set", "--settings", "--seed"}));
  EXPECT_EQ(replies("perslay train MUTAG.zip --check"), Words{"--checkpoint-every"});
  EXPECT_EQ(replies("perslay info --check"), Words{});
}

TEST_F(BashTest, CompletesValues) {
  EXPECT_EQ(replies("perslay info x --as "), (Words{"diagrams", "graphs", "clouds"}));
  EXPECT_EQ(replies("perslay info x --as=cl"), Words{"clouds"});
  EXPECT_EQ(replies("perslay train x --settings mut"), Words{"mutag"});
  EXPECT_EQ(replies("perslay distance a b --metric bot"), Words{"bottleneck"});
  EXPECT_EQ(replies("perslay distance a b --metric was"), (Words{goes_on, "wasserstein:"}));
  EXPECT_EQ(replies("perslay vectorize d.h5 --as land"), (Words{goes_on, "landscape:"}));
  EXPECT_EQ(replies("perslay train x --set training.epo"), (Words{goes_on, "training.epochs="}));
  EXPECT_EQ(replies("perslay reproduce table-gr"), Words{"table-graphs"});
  EXPECT_EQ(replies("perslay completion z"), Words{"zsh"});
  EXPECT_EQ(replies("perslay info x --threads "), Words{});
}

TEST_F(BashTest, CompletesListsAfterTheirCommas) {
  EXPECT_EQ(replies("perslay diagrams x --kinds ex"), (Words{"ext0", "ext1"}));
  EXPECT_EQ(replies("perslay diagrams x --kinds ord0,ex"), (Words{"ord0,ext0", "ord0,ext1"}));
  EXPECT_EQ(replies("perslay diagrams x --kinds=ord0,rel1,sub1"), Words{"ord0,rel1,sub1"});
}

/// Bash parts words at colons and keeps what is before them.
TEST_F(BashTest, RepliesToWordsWithColonsAreTheirEnds) {
  EXPECT_EQ(replies("perslay train x --model svm:s"), (Words{"sw"}));
}

TEST_F(BashTest, LeavesFilesToBash) {
  for (const std::string line :
       {"perslay info ", "perslay info MUT", "perslay train x -o ", "perslay reproduce MUTAG --data "})
    EXPECT_EQ(replies(line), Words{files}) << line;
}

TEST(Completion, FishCompletesToo) {
  if (!has_tool("fish")) GTEST_SKIP() << "There is no fish.";
  const TemporaryFolder folder;
  write_bytes(folder / "script", script("fish"));
  const auto replies = [&](const std::string& line) {
    return shell("fish --no-config -c \"source '" + (folder / "script").string() + "'; complete -C '" + line +
                 "'\" | cut -f 1")
        .second;
  };
  EXPECT_EQ(replies("perslay ev"), "evaluate\n");
  EXPECT_EQ(replies("perslay train --checkpoint-e"), "--checkpoint-every\n");
  EXPECT_EQ(replies("perslay train x --settings mut"), "mutag\n");
  EXPECT_EQ(replies("perslay diagrams x --kinds ord0,rel"), "ord0,rel1\n");
}

TEST(Completion, EveryCommandAndOptionIsInEveryScript) {
  const std::map<std::string, std::string> scripts{
      {"bash", script("bash")}, {"zsh", script("zsh")}, {"fish", script("fish")}};
  for (const auto& command : commands_of_help()) {
    const auto options = options_of_help(command);
    for (const auto& [name, text] : scripts) {
      const auto begin = name == "bash"  ? "\n    " + command + ")\n"
                         : name == "zsh" ? "\n        " + command + ")\n"
                                         : "'__fish_seen_subcommand_from " + command + "'";
      const auto* const end = name == "bash" ? "      esac ;;\n" : name == "zsh" ? " ;;\n" : "\n\n";
      const auto from = text.find(begin);
      ASSERT_NE(from, std::string::npos) << name << ' ' << command;
      const auto part = text.substr(from, text.find(end, from) - from);
      for (const auto& option : options) {
        const auto written = name != "fish"             ? option
                             : option.starts_with("--") ? " -l " + option.substr(2)
                                                        : " -s " + option.substr(1);
        EXPECT_TRUE(part.find(written) != std::string::npos) << name << ' ' << command << ' ' << option;
      }
    }
  }
}

/// Options whose values have names that tables know.
TEST(Completion, ValuesComeFromTheTables) {
  const auto text = script("fish");
  const auto expect = [&](const std::string& option, const std::string& word) {
    std::istringstream lines(text);
    bool found = false;
    for (std::string line; std::getline(lines, line);)
      found = found ||
              (line.find(" -l " + option + ' ') != std::string::npos && line.find(word) != std::string::npos);
    EXPECT_TRUE(found) << option << ' ' << word;
  };
  expect("as", "graphs");
  expect("as", "landscape:");
  expect("essential", "clip");
  expect("filtration", "hks:");
  expect("filtration", "alpha");
  expect("init", "authors");
  expect("kernel", "sw");
  expect("kinds", "ext1");
  expect("metric", "wasserstein:");
  expect("model", "ridge:");
  expect("op", "topk:");
  expect("phi", "gaussian:");
  expect("set", "training.epochs=");
  expect("settings", "mutag");
  expect("transform", "prom:");
  expect("variant", "features-only");
  expect("weight", "grid:");
}

TEST(Completion, ShellsReadTheirScripts) {
  const TemporaryFolder folder;
  for (const std::string name : {"bash", "zsh", "fish"}) {
    if (!has_tool(name)) continue;
    write_bytes(folder / name, script(name));
    const auto [success, text] = shell(name + " -n '" + (folder / name).string() + "'");
    EXPECT_TRUE(success && text.empty()) << name << ' ' << text;
  }
}

TEST(Completion, Mistakes) {
  expect_mistake({"completion", "tcsh"}, "There are scripts for bash, zsh and fish, not for 'tcsh'.");
  expect_mistake({"completion"}, "SHELL is required");
}

}  // namespace
}  // namespace perslay::test
