#include "io/temporary_folder.h"
#include "sentence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <perslay/base/random.h>
#include <perslay/learn/models.h>
#include <perslay/learn/settings.h>

namespace perslay::learn {
namespace {

using diagram::Kind;
using test::sentence_of;

Settings parse(const std::string& text) { return parse_settings(text, "s.toml"); }

void expect_mistake(const std::string& text, const std::string& sentence) {
  const auto said = sentence_of([&] { (void)parse(text); });
  EXPECT_NE(said.find(sentence), std::string::npos) << said << "\ndoes not say: " << sentence;
  EXPECT_TRUE(said.ends_with('.')) << said;
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 0) << said;
}

TEST(Settings, AnEmptyFileIsAllDefaults) { EXPECT_EQ(parse(""), Settings{}); }

constexpr auto every_key = R"toml(
name = "mine"
model = "network"
[data]
filtrations = ["hks:0.1", "degree"]
kinds = ["ord0", "ext1"]
essential = "clip:2.5"
diagonal = "drop"
transforms = ["prom:500", "sqrt"]
[features]
names = ["eigenvalues", "deciles:hks:10"]
standardise = true
clip = 6
[network]
channel = { phi = "line:25", op = "topk:5" }
choice_folds = 3
convolution = "phi"
diagrams = false
scale = false
initialisation = "authors"
hidden = [128, 64]
batch_norm = true
channel_norm = true
input_dropout = 0.25
dropout = 0.5
train_filtration = true
filtration_pace = 2
filtration_update = "epoch"
train_features = true
[network.channels]
ext1 = "Pm(25,25,10,top-5)"
ord0 = { phi = "gaussian:20x20", equivariant = ["9", "7:mean"], convolution = "4x2", weight = "power:1", op = "topk:3" }
"hks:0.1" = ["Im(20,(),20)"]
"degree ext1" = ["Pm(5,5,0)", { phi = "triangle:5" }]
[training]
epochs = 7
batch = 32
optimiser = "adamw"
rate = 3e-3
epsilon = 1e-8
weight_decay = 0.05
schedule = "halving:20"
average = 0.9
restart_from_average = true
label_smoothing = 0.1
nets = 3
)toml";

TEST(Settings, ReadsEveryKey) {
  const auto settings = parse(every_key);
  Settings expected;
  expected.name = "mine";
  expected.data = {{"hks:0.1", "degree"}, {Kind::ord0, Kind::ext1}, "clip:2.5", true, {"prom:500", "sqrt"}};
  expected.features = {{"eigenvalues", "deciles:hks:10"}, true, 6};
  expected.network.channel = {"", "line:25", "one", "topk:5"};
  const ChannelSettings stacked{"", "gaussian:20x20", "power:1", "topk:3", {"9", "7:mean"}, "4x2"};
  const ChannelSettings tents{"", "triangle:5", "one", "sum"};
  expected.network.channels["ext1"] = {ChannelSettings{"Pm(25,25,10,top-5)"}};
  expected.network.channels["ord0"] = {stacked};
  expected.network.channels["hks:0.1"] = {ChannelSettings{"Im(20,(),20)"}};
  expected.network.channels["degree ext1"] = {ChannelSettings{"Pm(5,5,0)"}, tents};
  expected.network.choice_folds = 3;
  expected.network.convolve_points = true;
  expected.network.train_filtration = expected.network.train_features = expected.network.times_by_epoch =
      true;
  expected.network.filtration_pace = 2;
  expected.network.use_diagrams = false;
  expected.network.scale = Scaling::none;
  expected.network.initialisation = "authors";
  expected.network.hidden = {128, 64};
  expected.network.batch_norm = expected.network.channel_norm = true;
  expected.network.input_dropout = 0.25;
  expected.network.dropout = 0.5;
  expected.training = {7, 32, "adamw", 3e-3, 1e-8, 0.05, "halving:20", 0.9, true, 0.1, 3};
  EXPECT_EQ(settings, expected);
}

/// One of the words.
template <std::size_t N>
std::string any(base::RandomStream& random, const std::array<const char*, N>& words) {
  return words[random.below(N)];
}

ChannelSettings any_channel(base::RandomStream& random) {
  if (random.below(2) == 0)
    return {any(random, std::array{"Im(20,(10,2),10,sum)", "Im(20,(),20)", "Pm(25,25,10,top-5)"}), "", "",
            ""};
  ChannelSettings channel{"", any(random, std::array{"gaussian:20x20", "triangle:50", "line:25"}),
                          any(random, std::array{"one", "grid:10x10", "power:1.5", "gmix:3"}),
                          any(random, std::array{"sum", "max", "topk:5"})};
  if (random.below(3) == 0) channel.equivariant = {"30:mean", "20"};
  if (random.below(3) == 0) channel.convolution = "10x2";
  return channel;
}

std::vector<ChannelSettings> any_channels(base::RandomStream& random) {
  std::vector<ChannelSettings> channels;
  for (auto count = 1 + random.below(3); count > 0; --count) channels.push_back(any_channel(random));
  return channels;
}

Settings any_settings(base::RandomStream& random) {
  const auto flag = [&] { return random.below(2) == 0; };
  Settings s;
  s.name = any(random, std::array{"a", "", "quotes \" and \\", "lines\n\tand \x01\x7F", "h\xC3\xA9"});
  s.data.filtrations = flag() ? std::vector<std::string>{"hks:0.1", "hks:10~1e-6"}
                              : std::vector<std::string>{"file:a\\b\".txt"};
  if (flag()) s.data.kinds = {Kind::ext1, Kind::sub0};
  s.data.essential = any(random, std::array{"drop", "clip", "clip:-1e-3"});
  s.data.drop_diagonal = flag();
  if (flag()) s.data.transforms = {"prom:500", "clip:0:1"};
  if (flag()) s.features.names = {"eigenvalues"};
  s.features.standardise = flag();
  s.features.clip = flag() ? 0 : random.uniform(0, 10);
  s.network.channel = any_channel(random);
  if (flag()) {
    s.network.candidates = any_channels(random);
    s.network.channel = s.network.candidates.front();
    if (s.network.candidates.size() == 1) s.network.candidates.clear();
  }
  for (const char* name : {"ord0", "h1", "hks:0.1", "hks:10 ext1", "my function h0"})
    if (flag()) s.network.channels[name] = any_channels(random);
  s.network.choice_folds = 2 + random.below(9);
  s.network.convolve_points = flag();
  s.network.use_diagrams = flag();
  s.network.scale = static_cast<Scaling>(random.below(3));
  s.network.initialisation = flag() ? "ours" : "authors";
  for (auto layers = random.below(3); layers > 0; --layers) s.network.hidden.push_back(1 + random.below(500));
  s.network.batch_norm = flag();
  s.network.channel_norm = flag();
  s.network.input_dropout = flag() ? 0 : random.uniform();
  s.network.dropout = random.uniform();
  s.training.epochs = 1 + random.below(1000);
  s.training.batch = 1 + random.below(1000);
  s.training.optimiser = flag() ? "adam" : "adamw";
  s.training.rate = std::exp(random.uniform(-300, 5));
  s.training.epsilon = std::exp(random.uniform(-30, 0));
  s.training.weight_decay = flag() ? 1 : random.uniform();
  s.training.schedule = any(random, std::array{"constant", "halving:20", "one-cycle", "cosine"});
  s.training.average = random.uniform();
  s.training.restart_from_average = flag();
  s.training.label_smoothing = random.uniform();
  s.training.nets = 1 + random.below(9);
  return s;
}

/// Texts are compared with those of unfinished evaluations and trainings, and read by older programs.
TEST(Settings, KeysThatCameLaterAreWrittenIfTheyAreUsed) {
  Settings settings;
  EXPECT_EQ(to_toml(settings).find("restart_from_average"), std::string::npos);
  settings.training.restart_from_average = true;
  EXPECT_NE(to_toml(settings).find("restart_from_average = true"), std::string::npos);
  EXPECT_EQ(to_toml(settings).find("essential"), std::string::npos);
  settings.data.essential = "clip:3";
  EXPECT_NE(to_toml(settings).find("essential = \"clip:3\""), std::string::npos);
}

TEST(Settings, BirthsAndDeathsAreScaledTogetherApartOrNotAtAll) {
  EXPECT_EQ(parse("[network]\nscale = true").network.scale, Scaling::together);
  EXPECT_EQ(parse("[network]\nscale = false").network.scale, Scaling::none);
  EXPECT_EQ(parse("[network]\nscale = \"apart\"").network.scale, Scaling::apart);
  EXPECT_EQ(with_override({}, "network.scale=apart").network.scale, Scaling::apart);
  for (const auto* const wrong : {"\"together\"", "1", "[]"})
    expect_mistake("[network]\nscale = " + std::string(wrong),
                   "s.toml:2: network.scale needs true, false or \"apart\", not");
}

TEST(Settings, RangesOfTimesStandForSeveral) {
  const auto settings = parse(
      "data.filtrations = [\"degree\", \"hks:0.1..10x3\"]\n"
      "features.names = [\"deciles:hks:1..100x2\", \"eigenvalues\"]");
  EXPECT_EQ(settings.data.filtrations, (std::vector<std::string>{"degree", "hks:0.1", "hks:1", "hks:10"}));
  EXPECT_EQ(settings.features.names,
            (std::vector<std::string>{"deciles:hks:1", "deciles:hks:100", "eigenvalues"}));
  expect_mistake("data.filtrations = [\"hks:1\", \"hks:0.1..10x3\"]", "The filtration hks:1 is given twice.");
  expect_mistake("data.filtrations = [\"hks:0.1..10x1\"]", "s.toml:1: A range of times has its ends");
  expect_mistake("features.names = [\"deciles:hks:9..1x2\"]", "from a lower to a higher one");
  EXPECT_EQ(parse("data.filtrations = [\"hks:1..1.001x3\"]").data.filtrations,
            (std::vector<std::string>{"hks:1", "hks:1.0005", "hks:1.001"}));
  EXPECT_EQ(parse("data.filtrations = [\"hks:0.1..10x1000\"]").data.filtrations.size(), 1000U);
  for (const auto* const key : {"hks:0.1..10x3", "hks:0.1..10x3 ext1", "hks:0.1.. ext1"})
    expect_mistake("[network.channels]\n\"" + std::string(key) + "\" = \"Im(20,(),20)\"",
                   "stands for several times, and one is needed here, such as hks:10.");
}

TEST(Settings, MistakesInChannelsAreSentences) {
  const auto channel = [](const std::string& value, const std::string& sentence) {
    expect_mistake("[network]\nchannel = " + value, sentence);
  };
  channel("[]", "s.toml:2: network.channel needs a channel or a list of one or more, not");
  channel("[\"Im(20,(),20)\", 3]", "s.toml:2: network.channel needs a short form such as");
  channel("{ op = \"sum\" }", "s.toml:2: A channel that is not a short form of the paper needs a phi.");
  channel("{ phi = \"line:5\", equivariant = [\"0:max\"] }", "s.toml:2:");
  channel("{ phi = \"line:5\", equivariant = \"3\" }", "needs a list of texts, not");
  channel("{ phi = \"line:5\", convolution = \"3\" }", "s.toml:2:");
  channel("{ phi = \"line:5\", convolution = \"3x6\" }", "s.toml:2:");
  channel("{ phi = \"line:5\", colour = \"red\" }", "colour");
  expect_mistake("[network.channels]\nh9 = \"Im(20,(),20)\"", "h9");
  expect_mistake("[network.channels]\n\"hks:ten\" = \"Im(20,(),20)\"", "not 'ten'");
  expect_mistake("[network.channels]\next1 = [\"Im(20,(),20)\", \"Im(2)\"]", "s.toml:2:");
  expect_mistake("network.convolution = \"w\"", "network.convolution needs \"op\" or \"phi\", not 'w'.");
  expect_mistake("network.filtration_update = \"fold\"", "needs \"step\" or \"epoch\", not 'fold'.");
}

TEST(Settings, TextReadsBackAsTheSame) {
  base::RandomStream random(1);
  for (int round = 0; round < 500; ++round) {
    const auto settings = any_settings(random);
    EXPECT_EQ(parse(to_toml(settings)), settings) << to_toml(settings);
  }
  EXPECT_EQ(parse(to_toml(Settings{})), Settings{});
}

TEST(Settings, SaysWhereTheTextIsNoToml) {
  expect_mistake("name = \"a\"\n[data\n", "s.toml:2: This is not TOML: ");
  expect_mistake("name = a", "s.toml:1: This is not TOML: ");
  expect_mistake("[data]\n[data]\n", "s.toml:2: This is not TOML: ");
}

TEST(Settings, UnknownKeysGetASuggestion) {
  expect_mistake(
      "\n[training]\nepoch = 3\n",
      "s.toml:3: There is no key 'epoch' in [training] (did you mean 'epochs'?); there are epochs, batch, ");
  expect_mistake("modl = \"network\"",
                 "s.toml:1: There is no key 'modl' in the top level (did you mean 'model'?)");
  expect_mistake("[trainig]\nepochs = 3",
                 "s.toml:1: There is no key 'trainig' in the top level (did you mean 'training'?)");
  expect_mistake("[data]\nzzzzzzzz = 1\n",
                 "s.toml:2: There is no key 'zzzzzzzz' in [data]; there are filtrations, kinds, "
                 "essential, diagonal and transforms.");
  expect_mistake("[network]\nchannel = { fi = \"line:5\" }\n",
                 "s.toml:2: There is no key 'fi' in [network.channel]");
  // The first in the file, not in the alphabet.
  expect_mistake("[training]\nzeta = 1\nalpha = 1\n", "s.toml:2: There is no key 'zeta'");
}

TEST(Settings, KeysOfEarlierVersionsAreReadButNotWritten) {
  const auto settings = parse("model = \"ridge:unlabelled\"\n[ridge]\nstrict = true");
  EXPECT_EQ(settings, parse("model = \"ridge:unlabelled\""));
  EXPECT_EQ(to_toml(settings).find("strict"), std::string::npos);
  expect_mistake(
      "[ridge]\nstrict = false",
      "s.toml:2: ridge.strict = false is no longer part of the library; everything is fitted on the "
      "training part alone.");
  expect_mistake("[ridge]\nstrict = 1", "s.toml:2: ridge.strict needs true or false, not 1.");
  expect_mistake("[ridge]\nstrikt = true", "there are gammas, lambdas, best and selection.");
}

TEST(Settings, SentencesStandAloneWithoutASource) {
  EXPECT_EQ(sentence_of([] { (void)parse_settings("[training]\nrate = 0", ""); }),
            "training.rate needs a number above 0, not 0.");
}

/// Also keys that texts leave out until they are used.
TEST(Settings, JsonHasAllKeys) {
  const auto json = nlohmann::json::parse(
      to_json(parse("name = \"\\\"\u00e9\"\n[network.channels]\nh0 = { phi = \"line:5\" }")));
  EXPECT_EQ(json.at("name"), "\"\u00e9");
  EXPECT_EQ(json.at("network").at("channels"),
            (nlohmann::json{{"h0", {{"phi", "line:5"}, {"weight", "one"}, {"op", "sum"}}}}));
  EXPECT_EQ(json.at("training").at("restart_from_average"), false);
  EXPECT_EQ(json.at("network").at("filtration_pace"), 1);
  EXPECT_EQ(json.at("data").at("essential"), "drop");
  EXPECT_EQ(json.at("training").at("rate"), 0.01);
}

TEST(Settings, RefusesWrongTypes) {
  expect_mistake("name = 3", "s.toml:1: name needs a text in quotation marks, not 3.");
  expect_mistake("data = 3", "s.toml:1: data needs a table, not 3.");
  expect_mistake("[data]\nfiltrations = \"hks:10\"",
                 "s.toml:2: data.filtrations needs a list of texts, not ");
  expect_mistake("[data]\nfiltrations = [\n\"hks:10\",\n5]",
                 "s.toml:4: data.filtrations needs a text in quotation marks, not 5.");
  expect_mistake("[features]\nstandardise = 1", "s.toml:2: features.standardise needs true or false, not 1.");
  expect_mistake("[network]\nchannel = 5", "s.toml:2: network.channel needs a short form");
  expect_mistake("[network]\nhidden = 64",
                 "s.toml:2: network.hidden needs a list of whole numbers from 1 to 100000, not 64.");
  expect_mistake("[network]\nchannels = 64", "s.toml:2: network.channels needs a table, not 64.");
  expect_mistake("[training]\nepochs = 1.5",
                 "s.toml:2: training.epochs needs a whole number from 1 to 1000000, not 1.5.");
  expect_mistake("[training]\nrate = \"0.01\"", "s.toml:2: training.rate needs a number above 0, not ");
}

TEST(Settings, RefusesWhatIsOutOfRange) {
  expect_mistake("[training]\nepochs = 0",
                 "s.toml:2: training.epochs needs a whole number from 1 to 1000000, not 0.");
  expect_mistake("[training]\nepochs = -9223372036854775808", "training.epochs needs a whole number");
  expect_mistake("[training]\nbatch = 0", "training.batch needs");
  expect_mistake("[training]\nnets = 0", "training.nets needs a whole number from 1 to 1000, not 0.");
  expect_mistake("[training]\nrate = 0", "training.rate needs a number above 0, not 0.");
  expect_mistake("[training]\nrate = inf", "training.rate needs a number above 0, not inf.");
  expect_mistake("[training]\nrate = nan", "training.rate needs a number above 0, not nan.");
  for (const std::string epsilon : {"0", "9e-31", "-1"})
    expect_mistake("[training]\nepsilon = " + epsilon,
                   "s.toml:2: training.epsilon needs a number from 1e-30 on, not " + epsilon + '.');
  EXPECT_GT(static_cast<float>(parse("[training]\nepsilon = 1e-30").training.epsilon), 0);
  expect_mistake("[training]\nweight_decay = -1", "training.weight_decay needs a number from 0 on, not -1.");
  expect_mistake("[training]\naverage = 1", "training.average needs a number from 0 to below 1, not 1.");
  expect_mistake("[training]\nlabel_smoothing = 1.0",
                 "training.label_smoothing needs a number from 0 to below 1");
  expect_mistake("[network]\ndropout = 1", "network.dropout needs a number from 0 to below 1, not 1.");
  expect_mistake("[network]\ninput_dropout = -0.1",
                 "network.input_dropout needs a number from 0 to below 1, not -0.1.");
  expect_mistake("[network]\nhidden = [64, 0]",
                 "network.hidden needs a whole number from 1 to 100000, not 0.");
  expect_mistake("[features]\nclip = -1", "features.clip needs a number from 0 on, not -1.");
}

TEST(Settings, RefusesNamesThatMeanNothing) {
  expect_mistake("model = \"forest\"",
                 "s.toml:1: There is no model called 'forest'; there are network, svm:KERNEL");
  expect_mistake("model = \"svm\"", "s.toml:1: svm needs the name of a kernel such as svm:sw.");
  expect_mistake("model = \"svm:heat\"", "s.toml:1: ");
  expect_mistake("[data]\nfiltrations = [\"hsk:10\"]", "s.toml:2: There is no filtration called 'hsk:10'");
  expect_mistake("[data]\nfiltrations = [\"hks:ten\"]", "s.toml:2: ");
  expect_mistake("[data]\nfiltrations = [\"hks:10\", \"alpha\"]",
                 "hks:10 is a filtration of graphs and alpha one of point clouds; ask for one of the two.");
  expect_mistake("[data]\nfiltrations = [\"degree\", \"degree\"]", "The filtration degree is given twice.");
  expect_mistake("[data]\nkinds = [\n\"ord0\",\n\"ord1\"]",
                 "s.toml:4: There is no kind of diagram called 'ord1'");
  expect_mistake("[data]\nkinds = [\"ord0\", \"ord0\"]", "The kind ord0 is given twice.");
  expect_mistake("[data]\nkinds = [\"h0\"]",
                 "s.toml:2: The filtration hks:10 has no diagrams of the kind h0.");
  expect_mistake("[data]\nfiltrations = [\"alpha\"]\nkinds = [\"ext1\"]",
                 "s.toml:3: The filtration alpha has no diagrams of the kind ext1.");
  expect_mistake("[data]\ntransforms = [\"prom\"]", "s.toml:2: prom needs a number of points");
  expect_mistake("[data]\ntransforms = [\"scale\"]", "s.toml:2: scale is fitted to the training part");
  for (const std::string policy : {"keep", "clip:", "clip:inf", "Drop"})
    expect_mistake("[data]\nessential = \"" + policy + '"',
                   "s.toml:2: essential takes drop, clip or clip:VALUE with a finite number, not '");
  expect_mistake("[data]\nessential = 3", "s.toml:2: data.essential needs a text in quotation marks, not 3.");
  expect_mistake("[data]\ndiagonal = \"maybe\"",
                 "s.toml:2: data.diagonal needs \"keep\" or \"drop\", not 'maybe'.");
  expect_mistake("[network]\nchannel = \"Im(20)\"", "s.toml:2: 'Im(20)' has 1 arguments");
  expect_mistake("[network]\nchannel = { weight = \"one\" }",
                 "s.toml:2: A channel that is not a short form of the paper needs a phi.");
  expect_mistake("[network]\nchannel = { phi = \"gauss:20\" }",
                 "s.toml:2: There is no point transformation called 'gauss:20'");
  expect_mistake("[network]\nchannel = { phi = \"line:5\", weight = \"two\" }", "s.toml:2: ");
  expect_mistake("[network]\nchannel = { phi = \"line:5\", op = \"median\" }",
                 "s.toml:2: There is no operation called 'median'");
  expect_mistake("[network.channels]\next2 = \"Im(20,(),20)\"",
                 "s.toml:2: There is no key 'ext2' in [network.channels] (did you mean 'ext0'?)");
  expect_mistake("[network]\ninitialisation = \"theirs\"", "s.toml:2: ");
  expect_mistake("[training]\noptimiser = \"sgd\"",
                 "s.toml:2: training.optimiser needs \"adam\", \"adamw\" or \"adam-tf\", not 'sgd'.");
  expect_mistake("[training]\nschedule = \"linear\"", "s.toml:2: There is no schedule called 'linear'");
  expect_mistake("[training]\nschedule = \"halving\"", "s.toml:2: halving needs");
  expect_mistake("[training]\nschedule = \"halving:99999999999999\"",
                 "s.toml:2: halving needs a number of epochs such as halving:20, of at most 1000000000, not "
                 "'99999999999999'.");
  expect_mistake("[ridge]\ngammas = [1]\nlambdas = []",
                 "s.toml:3: ridge.lambdas needs a list of one or more numbers from 1e-6 on, not [].");
  expect_mistake("[ridge]\nlambdas = [1e-20, 1.0]", "s.toml:2: ridge.lambdas");
}

TEST(Settings, ModelsWithoutANetworkTakeNoFeaturesByName) {
  for (const std::string model : {"svm:sw", "ridge:no-topology"})
    expect_mistake(
        "model = \"" + model + "\"\n[features]\nnames = [\"eigenvalues\"]",
        "s.toml:2: The model " + model + " takes no features by name; features.names must be empty.");
}

TEST(Settings, OverridesKeepModelsConsistent) {
  for (const std::string model : {"svm:sw", "ridge:diagrams-only", "ridge:no-topology"}) {
    const auto settings = with_model(parse("[features]\nnames = [\"eigenvalues\"]"), model);
    EXPECT_TRUE(settings.features.names.empty());
    EXPECT_EQ(sentence_of([&] { (void)with_override(settings, "features.names=[\"eigenvalues\"]"); }),
              "'features.names=[\"eigenvalues\"]': The model " + model +
                  " takes no features by name; features.names must be empty.");
    for (const auto* const change : {"network.scale=true", "ridge.best=3", "name=x"}) {
      const auto changed = with_override(settings, change);
      EXPECT_EQ(parse(to_toml(changed)), changed) << model << ' ' << change;
      EXPECT_EQ(changed.network.scale, Scaling::none);
    }
  }
}

TEST(Settings, BackToANetworkDiagramsAreScaledAgain) {
  for (const std::string model : {"svm:sw", "ridge:diagrams-only", "ridge:no-topology"}) {
    const auto settings = with_model(parse("model = \"" + model + "\""), "network");
    EXPECT_EQ(settings.network.scale, Scaling::together) << model;
    EXPECT_TRUE(settings.network.use_diagrams) << model;
    EXPECT_FALSE(settings.data.filtrations.empty()) << model;
    EXPECT_EQ(with_override(parse("model = \"" + model + "\""), "model=network"), settings) << model;
  }
}

TEST(Settings, FilesThatCannotBeRead) {
  const test::TemporaryFolder folder;
  EXPECT_NE(sentence_of([&] { (void)read_settings(folder / "none.toml"); }).find("cannot be read"),
            std::string::npos);
  EXPECT_NE(sentence_of([&] { (void)read_settings(folder.path()); }).find("cannot be read"),
            std::string::npos);
  test::write_bytes(folder / "s.toml", "[training]\nepochs = 9\n");
  EXPECT_EQ(read_settings(folder / "s.toml").training.epochs, 9U);
}

TEST(Settings, OneKeyCanBeChanged) {
  const auto settings = parse("[training]\nrate = 0.5\n[network.channels]\next1 = \"Im(20,(),20)\"");
  auto expected = settings;
  expected.training.epochs = 20;
  EXPECT_EQ(with_override(settings, "training.epochs=20"), expected);
  EXPECT_EQ(with_override(settings, "training.epochs = 20"), expected);
  EXPECT_EQ(with_override(settings, "training.schedule=halving:20").training.schedule, "halving:20");
  EXPECT_EQ(with_override(settings, "training.schedule=\"cosine\"").training.schedule, "cosine");
  EXPECT_EQ(with_override(settings, "network.channel=Pm(5,5,10,sum)").network.channel.paper,
            "Pm(5,5,10,sum)");
  EXPECT_EQ(with_override(settings, "network.channels.ord0=Pm(5,5,10,sum)").network.channels.size(), 2U);
  EXPECT_EQ(with_override(settings, "network.hidden=[64, 32]").network.hidden,
            (std::vector<std::size_t>{64, 32}));
  EXPECT_EQ(with_override(settings, "name=other").name, "other");

  const auto mistake = [&](const char* text) {
    return sentence_of([&] { (void)with_override(settings, text); });
  };
  EXPECT_EQ(mistake("training.epochs"),
            "A setting is changed by key=value, such as training.epochs=20, not by 'training.epochs'.");
  EXPECT_EQ(mistake("training.epochs=0"),
            "'training.epochs=0': training.epochs needs a whole number from 1 to 1000000, not 0.");
  EXPECT_NE(mistake("training.epoch=5").find("did you mean 'epochs'?"), std::string::npos);
  EXPECT_NE(mistake("training.epochs=many").find("needs a whole number"), std::string::npos);
  EXPECT_NE(mistake("=5"), "no error");
  EXPECT_NE(mistake("a b=5"), "no error");
}

TEST(Settings, Variants) {
  auto settings = parse("[features]\nnames = [\"eigenvalues\"]");
  EXPECT_EQ(variant(settings, "perslay"), settings);
  EXPECT_FALSE(variant(settings, "features-only").network.use_diagrams);
  EXPECT_EQ(variant(settings, "features-only").features, settings.features);
  EXPECT_TRUE(variant(settings, "extended-only").features.names.empty());
  EXPECT_TRUE(variant(settings, "extended-only").network.use_diagrams);
  EXPECT_EQ(variant(settings, "ordinary-only").data.kinds, std::vector{Kind::sub0});
  EXPECT_TRUE(variant(settings, "ordinary-only").features.names.empty());
  for (const std::string model : {"ridge:diagrams-only", "ridge:unlabelled"})
    EXPECT_NE(sentence_of([&] {
                (void)variant(with_model(settings, model), "extended-only");
              }).find("The model " + model + " has no variants"),
              std::string::npos);

  EXPECT_NE(
      sentence_of([&] { (void)variant(settings, "feature-only"); }).find("did you mean 'features-only'?"),
      std::string::npos);
  EXPECT_NE(sentence_of([&] { (void)variant(Settings{}, "features-only"); }).find("no features"),
            std::string::npos);
  const auto mixed = parse(
      "[features]\nnames = [\"statistics\", \"size\", \"ext1/betti:5\", \"spectrum:3\"]\n[network]\n"
      "diagrams = false");
  EXPECT_EQ(variant(mixed, "features-only").features.names, (std::vector<std::string>{"size", "spectrum:3"}));
  const auto topological = parse("[features]\nnames = [\"statistics\"]\n[network]\ndiagrams = false");
  EXPECT_NE(sentence_of([&] { (void)variant(topological, "features-only"); }).find("no features of graphs"),
            std::string::npos);
  settings.network.use_diagrams = false;
  EXPECT_NE(sentence_of([&] { (void)variant(settings, "extended-only"); }).find("no diagrams"),
            std::string::npos);
  const auto clouds = parse("[data]\nfiltrations = [\"alpha\"]");
  EXPECT_NE(sentence_of([&] { (void)variant(clouds, "ordinary-only"); }).find("about graphs"),
            std::string::npos);
}

TEST(Settings, VariantsOfOrdinaryDiagrams) {
  const auto settings = parse("[features]\nnames = [\"eigenvalues\"]");
  const std::vector<std::tuple<std::string, std::vector<Kind>, std::string>> readings{
      {"ordinary-only", {Kind::sub0}, "drop"},
      {"ordinary-clipped", {Kind::sub0}, "clip"},
      {"ordinary-superlevel", {Kind::sup0}, "drop"},
      {"ordinary-both", {Kind::sub0, Kind::sup0}, "drop"},
      {"ordinary-both-clipped", {Kind::sub0, Kind::sup0}, "clip"},
      {"ordinary-loops", {Kind::sub0, Kind::sub1}, "clip"},
      {"ordinary-all", {Kind::sub0, Kind::sup0, Kind::sub1}, "clip"}};
  EXPECT_EQ(variants().size(), 3 + readings.size());
  const auto given = with_override(settings, "data.essential=clip:2");
  const auto clouds = parse("[data]\nfiltrations = [\"alpha\"]");
  for (const auto& [name, kinds, essential] : readings) {
    auto expected = settings;
    expected.features.names.clear();
    expected.data.kinds = kinds;
    expected.data.essential = essential;
    EXPECT_EQ(variant(settings, name), expected) << name;
    EXPECT_EQ(load_request(expected).essential, essential) << name;
    EXPECT_EQ(variant(given, name).data.essential, "clip:2") << name;
    EXPECT_EQ(sentence_of([&] { (void)variant(clouds, name); }),
              "The variant " + name + " is about graphs; diagrams of point clouds are ordinary.");
  }
}

TEST(Settings, ValuesThatHaveNoWordAreNotWritten) {
  Settings settings;
  settings.training.optimiser = "sgd";
  EXPECT_TRUE(
      test::sentence_of([&] { (void)to_toml(settings); }).starts_with("A value of the settings is none of"));
}

}  // namespace
}  // namespace perslay::learn
