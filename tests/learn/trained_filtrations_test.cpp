#include "sentence.h"

#include <gtest/gtest.h>

#include <perslay/learn/models.h>
#include <perslay/learn/settings.h>
#include <perslay/learn/trained_filtrations.h>

namespace perslay::learn {
namespace {

constexpr auto trained_hks = R"toml(
[data]
filtrations = ["degree", "hks:10", "hks:0.1"]
transforms = ["prom:500", "prom:20"]
[network]
train_filtration = true
filtration_pace = 3
)toml";

Settings parse(const std::string& text) { return parse_settings(text, "s.toml"); }

std::string refusal(const std::string& text) {
  return test::sentence_of([&] { (void)load_request(parse(text)); });
}

TEST(TrainedFiltrations, AreNamedBySettings) {
  const auto settings = parse(trained_hks);
  EXPECT_TRUE(settings.network.train_filtration);
  EXPECT_EQ(settings.network.filtration_pace, 3);
  EXPECT_TRUE(is_trained_filtration(settings, "hks:10"));
  EXPECT_FALSE(is_trained_filtration(settings, "degree"));
  EXPECT_EQ(prominent_points(settings.data), 20U);
  EXPECT_TRUE(trains_filtrations(settings));
  EXPECT_EQ(parse(to_toml(settings)), settings);
  EXPECT_FALSE(trains_filtrations(Settings{}));
  EXPECT_EQ(to_toml(Settings{}).find("filtration_pace"), std::string::npos);
}

TEST(TrainedFiltrations, LoadGraphsBesideDiagrams) {
  const auto request = load_request(parse(trained_hks));
  EXPECT_TRUE(request.keep_graphs);
  EXPECT_EQ(request.filtrations, (std::vector<std::string>{"degree", "hks:10", "hks:0.1"}));
  EXPECT_FALSE(load_request(Settings{}).keep_graphs);
  // What reads no diagrams trains no filtration.
  auto without = parse(trained_hks);
  without.features.names = {"eigenvalues"};
  EXPECT_FALSE(load_request(variant(without, "features-only")).keep_graphs);
}

TEST(TrainedFiltrations, FeaturesFollowIfTheyAreTheDecilesOfOne) {
  auto settings = parse(trained_hks);
  settings.features.names = {"eigenvalues", "deciles:hks:10", "deciles:hks:2", "deciles:degree"};
  for (const auto& name : settings.features.names) EXPECT_FALSE(follows_trained_filtration(settings, name));
  settings.network.train_features = true;
  for (const auto& name : settings.features.names)
    EXPECT_EQ(follows_trained_filtration(settings, name), name == "deciles:hks:10") << name;
  (void)load_request(settings);
}

TEST(TrainedFiltrations, TimesMayBeSpelledDifferently) {
  for (const auto* const names :
       {"data.filtrations = [\"hks:10.0\"]\nfeatures.names = [\"deciles:hks:10.0\"]\n",
        "data.filtrations = [\"hks:1e1\"]\nfeatures.names = [\"deciles:hks:10\"]\n",
        "data.filtrations = [\"hks:10\"]\nfeatures.names = [\"deciles:hks:10.00\"]\n"}) {
    const auto settings =
        parse(std::string(names) + "network.train_filtration = true\nnetwork.train_features = true");
    EXPECT_TRUE(follows_trained_filtration(settings, settings.features.names[0])) << names;
    EXPECT_EQ(test::sentence_of([&] { (void)load_request(settings); }), "no error") << names;
    EXPECT_FALSE(follows_trained_filtration(settings, "deciles:hks:10.5"));
  }
}

TEST(TrainedFiltrations, CombinationsThatMeanNothingAreRefused) {
  EXPECT_EQ(refusal("network.train_features = true"),
            "network.train_features needs network.train_filtration = true.");
  EXPECT_EQ(refusal("network.filtration_update = \"epoch\""),
            "network.filtration_update = \"epoch\" needs network.train_filtration = true.");
  EXPECT_EQ(
      refusal("data.filtrations = [\"degree\", \"hks:3\"]\nfeatures.names = [\"deciles:hks:10\"]\n"
              "network.train_filtration = true\nnetwork.train_features = true"),
      "network.train_features is about deciles of the filtrations that are trained, such as deciles:hks:3, "
      "and features.names has none.");
  EXPECT_EQ(refusal("data.filtrations = [\"degree\"]\nnetwork.train_filtration = true"),
            "network.train_filtration is about filtrations such as hks:10, and data.filtrations has none.");
  EXPECT_EQ(refusal("data.filtrations = [\"alpha\"]\nnetwork.train_filtration = true"),
            "network.train_filtration is about filtrations such as hks:10, and data.filtrations has none.");
  EXPECT_EQ(
      refusal("data.filtrations = [\"hks:0\"]\nnetwork.train_filtration = true"),
      "A time that is trained starts above 0 and at most at 1000, without an error allowed, unlike hks:0.");
  EXPECT_EQ(refusal("data.filtrations = [\"hks:10~0.01\"]\nnetwork.train_filtration = true"),
            "A time that is trained starts above 0 and at most at 1000, without an error allowed, unlike "
            "hks:10~0.01.");
  EXPECT_EQ(refusal("data.kinds = [\"sub0\"]\nnetwork.train_filtration = true"),
            "A filtration that is trained has diagrams of the kinds ord0, rel1, ext0 and ext1, not sub0.");
  EXPECT_EQ(
      refusal("network.scale = \"apart\"\nnetwork.train_filtration = true"),
      "Diagrams whose filtration is trained are scaled with births and deaths together (network.scale = "
      "true) or not at all, not apart.");
  EXPECT_EQ(refusal("network.scale = \"apart\""), "no error");
  EXPECT_EQ(refusal("data.transforms = [\"sqrt\"]\nnetwork.train_filtration = true"),
            "The only transform of diagrams whose filtration is trained is prom:K, not sqrt.");
  for (const auto* model : {"svm:sw", "ridge:diagrams-only"})
    EXPECT_EQ(refusal("model = \"" + std::string(model) + "\"\nnetwork.train_filtration = true"),
              "The model " + std::string(model) + " cannot train a filtration; a network can.");
  EXPECT_NE(refusal("network.filtration_pace = 0").find("needs a number above 0"), std::string::npos);
}

}  // namespace
}  // namespace perslay::learn
