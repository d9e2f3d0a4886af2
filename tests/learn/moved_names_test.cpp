#include "io/temporary_folder.h"
#include "sentence.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <perslay/io/safetensors.h>
#include <perslay/learn/model_file.h>
#include <perslay/learn/settings.h>

namespace perslay::learn {
namespace {

using test::sentence_of;

/// A line of settings of earlier versions, and what is said about it.
struct Moved {
  std::string key;
  std::string value;
  std::string sentence;
};

std::string sentence(const std::string& name, const std::string& instead) {
  return name + " is no longer part of the library; perslay.torch" + instead + ", see docs/python/torch.md.";
}

std::vector<Moved> moved_lines() {
  std::vector<Moved> lines;
  for (const std::string phi : {"mlp:64x64", "mlp:8", "mlp"})
    lines.push_back({"network.channel", "{ phi = \"" + phi + "\", op = \"sum\" }",
                     sentence("phi " + phi, " takes any torch module as phi")});
  for (const std::string op : {"attention:4", "sum+max", "attention:4+sum", "topk:3+attention:4"})
    for (const auto* const key : {"network.channel", "network.channels.ext1"})
      lines.push_back(
          {key, "{ phi = \"line:5\", op = \"" + op + "\" }", sentence("op " + op, ".PointNetwork has it")});
  lines.push_back({"network.channel", "{ phi = \"mlp:64x64\", weight = \"one\", op = \"attention:4\" }",
                   sentence("phi mlp:64x64", " takes any torch module as phi")});
  for (const auto* const names : {"[\"learned:16x16\"]", "[\"degree\", \"learned:16x16\"]"})
    lines.push_back({"data.filtrations", names,
                     sentence("filtration learned:16x16", " takes any torch module as the vertex function")});
  return lines;
}

TEST(MovedNames, InSettingsAreAnsweredByWhereTheyWent) {
  for (const auto& [key, value, said] : moved_lines())
    EXPECT_EQ(sentence_of([&, line = key + " = " + value] { (void)parse_settings(line, "s.toml"); }),
              "s.toml:1: " + said);
}

TEST(MovedNames, InOverridesAreAnsweredByWhereTheyWent) {
  for (const auto& [key, value, said] : moved_lines()) {
    const auto assignment = key + "=" + value;
    EXPECT_EQ(sentence_of([&] { (void)with_override({}, assignment); }), "'" + assignment + "': " + said);
  }
}

/// A model as an earlier version wrote it: the text of the settings is in the file.
TEST(MovedNames, InModelFilesAreAnsweredByWhereTheyWent) {
  const test::TemporaryFolder folder;
  const auto path = folder / "old.safetensors";
  for (const auto& [key, value, said] : moved_lines()) {
    const nlohmann::json description{{"format", 1},
                                     {"version", "0.1.0"},
                                     {"settings", "name = \"old\"\n" + key + " = " + value + "\n"},
                                     {"seed", 0}};
    io::write_safetensors(path, {}, {{"perslay", description.dump()}});
    EXPECT_EQ(sentence_of([&] { (void)read_model(path); }), path.string() + ": settings:2: " + said);
  }
}

TEST(MovedNames, OtherNamesStay) {
  const auto parse = [](const std::string& text) { return parse_settings(text, "s.toml"); };
  for (const std::string op : {"sum", "mean", "max", "min", "kth:3", "topk:5"})
    EXPECT_EQ(parse("network.channel = { phi = \"line:5\", op = \"" + op + "\" }").network.channel.op, op);
  EXPECT_EQ(parse("data.filtrations = [\"file:learned:16x16\"]").data.filtrations.front(),
            "file:learned:16x16");
  EXPECT_TRUE(parse("network.train_filtration = true").network.train_filtration);
  EXPECT_EQ(parse("data.filtrations = [\"alpha\"]\nmodel = \"ridge:orbits+mlp\"").model, "ridge:orbits+mlp");
}

}  // namespace
}  // namespace perslay::learn
