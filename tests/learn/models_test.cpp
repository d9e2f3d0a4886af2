#include "../io/temporary_folder.h"
#include "../sentence.h"

#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include <perslay/features/inputs.h>
#include <perslay/learn/models.h>
#include <perslay/learn/ridge_pools.h>

namespace perslay::learn {
namespace {

TEST(Models, NamesAreTakenApart) {
  const auto parsed = [](std::string_view name) {
    const auto [kind, argument] = parse_model(name);
    return kind.form() + " " + argument;
  };
  EXPECT_EQ(parsed("network"), "network ");
  EXPECT_EQ(parsed("svm:sw"), "svm:KERNEL sw");
  EXPECT_EQ(parsed("ridge"), "ridge:POOL unlabelled");
  EXPECT_EQ(parsed("ridge:labelled"), "ridge:POOL labelled");
  EXPECT_EQ(parsed("ridge+mlp"), "ridge:POOL+mlp unlabelled");
  EXPECT_EQ(parsed("ridge:orbits+mlp"), "ridge:POOL+mlp orbits");
}

TEST(Models, NamesThatMeanNothingAreSentences) {
  const auto sentence = [](std::string_view name) {
    return test::sentence_of([&] { (void)parse_model(name); });
  };
  for (const auto* const name : {"", "forest", "network:5", "network+mlp", "+mlp", "networks"})
    EXPECT_EQ(sentence(name), "There is no model called '" + std::string(name) +
                                  "'; there are network, svm:KERNEL, ridge:POOL, ridge:POOL+mlp.");
  EXPECT_EQ(sentence("svm:"), "svm needs the name of a kernel such as svm:sw.");
  for (const auto* const name : {"ridge:", "ridge:all", "ridge:all+mlp", "ridge:+mlp"})
    EXPECT_NE(sentence(name).find("ridge:no-topology"), std::string::npos) << name;
  EXPECT_NE(sentence("svm:sw+mlp"), "");
}

TEST(Models, ArgumentsByDefaultAreThoseOfTheInput) {
  EXPECT_EQ(with_default_argument("ridge", features::cloud_kind()), "ridge:orbits");
  EXPECT_EQ(with_default_argument("ridge", features::graph_kind()), "ridge:unlabelled");
  EXPECT_EQ(with_default_argument("ridge", features::diagram_kind()), "ridge:unlabelled");
  EXPECT_EQ(with_default_argument("ridge+mlp", features::cloud_kind()), "ridge:orbits+mlp");
  for (const std::string name : {"network", "svm", "svm:sw", "ridge:", "ridge:labelled", "forest"})
    EXPECT_EQ(with_default_argument(name, features::cloud_kind()), name);
}

TEST(Models, HelpListsEachArgument) {
  std::set<std::string> usages;
  for (const auto& entry : model_help()) {
    EXPECT_TRUE(usages.insert(entry.usage).second) << entry.usage;
    EXPECT_TRUE(entry.text.ends_with('.')) << entry.text;
  }
  for (const auto* const usage : {"network", "svm:KERNEL", "ridge", "ridge:POOL+mlp"})
    EXPECT_TRUE(usages.contains(usage)) << usage;
  for (const auto& pool : ridge_pools()) EXPECT_TRUE(usages.contains("ridge:" + pool.name)) << pool.name;
  EXPECT_EQ(usages.size(), 4 + ridge_pools().size());
}

TEST(Models, TheGuideNamesAllPools) {
  const auto guide = test::read_bytes(PERSLAY_DOCS "/settings.md");
  for (const auto& pool : ridge_pools())
    EXPECT_NE(guide.find("| `" + pool.name + "`"), std::string::npos) << pool.name;
}

}  // namespace
}  // namespace perslay::learn
