#include "io/temporary_folder.h"
#include "learn/toy.h"
#include "learn/toy_learner.h"
#include "mutations.h"
#include "sentence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <perslay/data/generators.h>
#include <perslay/learn/built_in_settings.h>
#include <perslay/learn/fingerprint.h>
#include <perslay/learn/model_file.h>
#include <perslay/learn/models.h>
#include <perslay/learn/prediction.h>
#include <perslay/learn/training.h>

namespace perslay::learn {
namespace {

using nlohmann::ordered_json;
using test::sentence_of;

class ModelFileTest : public testing::Test {
 protected:
  ModelFileTest() : items_(test::toy_items(60)) {
    trained_ = train(items_, test::toy_settings(), test::toy_learners(), {.seed = 5});
    write_model(path_, trained_.model);
  }

  /// Reads the file, loads the model and predicts.
  std::string refusal() const {
    return sentence_of([&] { (void)predict(read_model(path_), items_, test::toy_learners()); });
  }

  /// What is said about the model once its description is changed.
  std::string refusal(const std::function<void(ordered_json&)>& change) {
    write_model(path_, trained_.model);
    auto file = io::read_safetensors(path_);
    auto json = ordered_json::parse(file.metadata.at("perslay"));
    change(json);
    io::write_safetensors(path_, file.arrays, {{"perslay", json.dump()}});
    return refusal();
  }

  void expect_refusal(const std::function<void(ordered_json&)>& change, const std::string& part) {
    const auto said = refusal(change);
    EXPECT_NE(said.find(part), std::string::npos) << said << "\ndoes not say: " << part;
    EXPECT_TRUE(said.starts_with(path_.string())) << said;
    EXPECT_TRUE(said.ends_with('.')) << said;
  }

  features::Items items_;
  Trained trained_;
  test::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "m.safetensors";
};

TEST_F(ModelFileTest, ReadsBackEveryNumber) {
  auto& model = trained_.model;
  model.content = &features::cloud_kind();
  model.seed = std::numeric_limits<std::uint64_t>::max();
  model.settings.network.scale = Scaling::apart;
  model.preparation.scales[0] = {{0.1, std::nextafter(0.3, 1)}, {1.0 / 3, 2}};
  model.preparation.scales[1] = {{-std::numeric_limits<double>::denorm_min(), 1e308}, {-1e308, -0.0}};
  model.settings.features.names = {"size", "ext1/betti:1"};
  auto& fitted = model.preparation.features;
  fitted.settings = model.settings.features;
  fitted.widths.push_back(1);
  fitted.means.push_back(-1e300);
  fitted.deviations.push_back(5e-324);
  fitted.frames = {1.0 / 3, -0.0, 5e-324, 1, 2, 3};
  model.classes = {"a,\"b\"", "h\xC3\xA9", "-1"};
  write_model(path_, model);
  const auto read = read_model(path_);
  EXPECT_EQ(read.source, path_.string());
  EXPECT_FALSE(read.version.empty());
  EXPECT_EQ(read.settings, model.settings);
  EXPECT_EQ(read.seed, model.seed);
  EXPECT_EQ(read.content, model.content);
  EXPECT_EQ(read.groups, model.groups);
  EXPECT_EQ(read.classes, model.classes);
  EXPECT_EQ(read.preparation.features, model.preparation.features);
  EXPECT_EQ(read.preparation.scales, model.preparation.scales);
  EXPECT_EQ(read.arrays, model.arrays);

  const auto bytes = test::read_bytes(path_);
  write_model(path_, read);
  EXPECT_EQ(test::read_bytes(path_), bytes);
}

TEST_F(ModelFileTest, ScalesHaveTwoNumbersOrTwoForBirthsAndTwoForDeaths) {
  EXPECT_EQ(read_model(path_).preparation.scales, trained_.model.preparation.scales);
  expect_refusal([](auto& json) { json["scales"][1] = {0, 1, 0, 1}; }, "a scale of 4 numbers instead of 2");
  trained_.model.settings.network.scale = Scaling::apart;
  expect_refusal([](auto& json) { json["scales"][1] = {0, 1, 2, 1}; }, "it has a scale from 2 to 1");
  expect_refusal([](auto& json) { json["scales"][1] = {0, 1}; }, "a scale of 2 numbers instead of 4");
  expect_refusal([](auto& json) { json["scales"][1] = {0, 1, 0, 1, 0, 1}; },
                 "a scale of 6 numbers instead of 4");
}

TEST_F(ModelFileTest, PredictsWhatTheTrainedModelPredicted) {
  const auto predictions = predict(read_model(path_), items_, test::toy_learners());
  EXPECT_EQ(predictions.classes, items_.classes);
  EXPECT_EQ(predictions.probabilities.size(), 180U);
  EXPECT_EQ(predictions.accuracy, trained_.accuracy);
  EXPECT_GT(trained_.accuracy, 0.7);
  EXPECT_EQ(trained_.history.size(), 5U);
}

TEST_F(ModelFileTest, ClassesAreMatchedByName) {
  // The same items with classes in another order, one of which the model has never seen.
  auto items = items_;
  items.classes = {"-1", "new", "a"};
  for (int& label : items.labels) label = (std::array{2, 1, 0})[static_cast<std::size_t>(label)];
  const auto model = read_model(path_);
  const auto before = predict(model, items_, test::toy_learners());
  const auto after = predict(model, items, test::toy_learners());
  EXPECT_EQ(after.labels, before.labels);
  std::size_t right = 0;
  for (std::size_t i = 0; i < items_.count(); ++i)
    if (items_.labels[i] != 1 && before.labels[i] == items_.labels[i]) ++right;
  EXPECT_DOUBLE_EQ(*after.accuracy, static_cast<double>(right) / 60);

  items.labels.clear();
  items.classes.clear();
  const auto unlabelled = predict(model, items, test::toy_learners());
  EXPECT_FALSE(unlabelled.accuracy.has_value());
  EXPECT_EQ(unlabelled.probabilities, before.probabilities);
}

TEST_F(ModelFileTest, ClassesThatAreNotUtf8) {
  items_.classes[1] = "caf\xE9";
  trained_.model.classes = items_.classes;
  write_model(path_, trained_.model);
  EXPECT_EQ(predict(read_model(path_), items_, test::toy_learners()).accuracy, trained_.accuracy);
}

/// A feature that is fitted to diagrams has six numbers for each group that it reads.
TEST_F(ModelFileTest, FramesOfEveryInput) {
  auto settings = test::toy_settings();
  settings.features.names = {"betti:3", "ext1/betti:2"};
  trained_ = train(items_, settings, test::toy_learners(), {.seed = 5});
  EXPECT_EQ(trained_.model.preparation.features.frames.size(), 18U);
  EXPECT_EQ(refusal([](auto&) {}), "no error");
  expect_refusal([](auto& json) { json["features"]["frames"].erase(17); },
                 "the frames of its features have 17 numbers instead of 18");
  expect_refusal([](auto& json) { json["features"]["frames"].push_back(0); },
                 "the frames of its features have 19 numbers instead of 18");
}

TEST_F(ModelFileTest, DataOfTheWrongKind) {
  const auto model = read_model(path_);
  auto items = items_;
  std::swap(items.groups[0], items.groups[1]);
  EXPECT_EQ(sentence_of([&] { (void)predict(model, items, test::toy_learners()); }),
            path_.string() +
                " reads the diagrams hks:10 ord0, hks:10 ext1, but the data have hks:10 ext1, hks:10 ord0.");
  items.groups.clear();
  EXPECT_NE(
      sentence_of([&] { (void)predict(model, items, test::toy_learners()); }).find("but the data have none."),
      std::string::npos);
}

TEST_F(ModelFileTest, RequestsTheDataThatItReads) {
  auto model = trained_.model;
  auto request = load_request(model.settings);
  request.to_predict = true;
  EXPECT_EQ(load_request(model), request);
  model.settings.data.filtrations.clear();
  EXPECT_EQ(load_request(model).filtrations, std::vector<std::string>{"hks:10"});
}

TEST_F(ModelFileTest, KeepsWhatBecomesOfClassesThatNeverDie) {
  const auto shapes = data::shapes_dataset(8);
  auto settings = variant(built_in("mutag"), "ordinary-loops");
  settings.training.epochs = 3;
  const auto items = features::make_items(shapes, load_request(settings));
  write_model(path_, train(items, settings, all_learners(), {}).model);
  const auto model = read_model(path_);
  EXPECT_EQ(model.settings, settings);
  EXPECT_EQ(load_request(model).kinds, load_request(settings).kinds);
  EXPECT_EQ(load_request(model).essential, load_request(settings).essential);
  const auto again = features::make_items(shapes, load_request(model));
  EXPECT_EQ(fingerprint(again), fingerprint(items));
  EXPECT_EQ(predict(model, again, all_learners()).probabilities,
            predict(model, items, all_learners()).probabilities);
  settings.data.essential = "clip:5";
  EXPECT_NE(fingerprint(features::make_items(shapes, load_request(settings))), fingerprint(items));
}

TEST_F(ModelFileTest, WritesPredictionsForPeople) {
  Predictions predictions{{"a", "b,c"}, {0.9F, 0.1F, 0.25F, 0.75F}, {0, 1}, {}};
  write_predictions(folder_ / "p.csv", predictions);
  EXPECT_EQ(test::read_bytes(folder_ / "p.csv"),
            "item,label,p:a,\"p:b,c\"\n0,a,0.9,0.1\n1,\"b,c\",0.25,0.75\n");
}

TEST_F(ModelFileTest, RefusesEveryTruncation) {
  const auto bytes = test::read_bytes(path_);
  for (std::size_t length = 0; length < bytes.size();
       length += length < 64 || length + 64 > bytes.size() ? 1U : 13U) {
    test::write_bytes(path_, bytes.substr(0, length));
    EXPECT_NE(refusal(), "no error") << length;
  }
}

TEST_F(ModelFileTest, NoMutationGivesAnotherModel) {
  const auto bytes = test::read_bytes(path_);
  test::expect_mutations_noticed(bytes, 1 + bytes.size() / 1000, [&](const std::string& mutated) {
    test::write_bytes(path_, mutated);
    auto model = read_model(path_);
    write_model(folder_ / "again", model);  // everything in it
    return test::read_bytes(folder_ / "again");
  });
}

TEST_F(ModelFileTest, OneWithoutChecksumIsReadAndSaysSo) {
  EXPECT_TRUE(read_model(path_).checked);
  const auto bytes = test::read_bytes(path_);
  auto older = bytes;
  older.replace(older.find("checksum"), 8, "whatever");
  test::write_bytes(path_, older);
  const auto model = read_model(path_);
  EXPECT_FALSE(model.checked);
  write_model(path_, model);
  EXPECT_EQ(test::read_bytes(path_), bytes);
}

/// Files of earlier versions and of strangers have no checksum that would tell.
TEST_F(ModelFileTest, FlippedBytesWithoutAChecksumGiveASentenceOrAModel) {
  auto bytes = test::read_bytes(path_);
  bytes.replace(bytes.find("checksum"), 8, "whatever");
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    auto damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ (at % 2 == 0 ? 0x01 : 0x40));
    test::write_bytes(path_, damaged);
    const auto said = refusal();  // expects the user's fault, if any
    EXPECT_TRUE(said == "no error" || said.ends_with('.')) << at << ' ' << said;
  }
}

TEST_F(ModelFileTest, SaysWhatIsWrong) {
  expect_refusal([](auto& json) { json["format"] = 2; },
                 "The model has the format version 2, and this program, perslay ");
  expect_refusal([](auto& json) { json["format"] = "new"; }, "does not say which version");
  expect_refusal([](auto& json) { json.erase("format"); }, "does not say which version");
  expect_refusal([](auto& json) { json.erase("classes"); },
                 "The model's description is damaged: 'classes' is missing, or not what belongs there.");
  expect_refusal([](auto& json) { json["settings"] = 3; },
                 "The model's description is damaged: 'settings' is missing, or not what belongs there.");
  expect_refusal([](auto& json) { json["inputs"][0]["kind"] = 0; },
                 "The model's description is damaged: 'kind' is missing, or not what belongs there.");
  expect_refusal([](auto& json) { json["seed"] = "x"; }, "\"x\" is not a seed");
  expect_refusal([](auto& json) { json["seed"] = -1; }, "-1 is not a seed");
  expect_refusal([](auto& json) { json["seed"] = 1.5; }, "1.5 is not a seed");
  expect_refusal([](auto& json) { json["classes"] = {"a"}; }, "it has 1 classes");
  expect_refusal([](auto& json) { json["classes"].push_back("d"); }, "has another shape");
  expect_refusal([](auto& json) { json["classes"][2] = json["classes"][0]; },
                 "two of its classes are called 'a'");
  expect_refusal([](auto& json) { json["content"] = "songs"; }, "it reads 'songs'");
  expect_refusal([](auto& json) { json["inputs"][0]["kind"] = "ord7"; }, "no kind of diagram called 'ord7'");
  expect_refusal([](auto& json) { json["inputs"] = ordered_json::array(); },
                 "it reads diagrams, but of no kind");
  expect_refusal([](auto& json) { json["settings"] = "[data]\nkind = 3\n"; },
                 "settings:2: There is no key 'kind'");
  expect_refusal([](auto& json) { json["settings"] = "[data"; }, "This is not TOML");
  expect_refusal([](auto& json) { json["scales"].erase(0); }, "it has 1 scales for 2 kinds of diagrams");
  expect_refusal([](auto& json) { json["scales"][0] = {2, 1}; }, "it has a scale from 2 to 1");
  expect_refusal(
      [](auto& json) {
        json["scales"][0] = {nullptr, 1};
      },
      "The model's description is damaged: 'scales' is missing, or not what belongs there.");
  expect_refusal([](auto& json) { json["features"]["widths"] = {2, 3}; }, "it has 2 widths of 1 features");
  expect_refusal([](auto& json) { json["features"]["widths"] = {-1}; }, "-1 is not a number of columns");
  expect_refusal([](auto& json) { json["features"]["means"].push_back(0.5); },
                 "it has 3 means and 2 deviations of 2 columns");
  expect_refusal([](auto& json) { json["features"]["deviations"][1] = -0.5; }, "it has a deviation of -0.5");
  expect_refusal([](auto& json) { json["features"]["deviations"][1] = nullptr; },
                 "The model's description is damaged: 'deviations' is missing, or not what belongs there.");
  expect_refusal([](auto& json) { json["features"]["frames"].push_back(1); },
                 "the frames of its features have 1 numbers instead of 0");
  expect_refusal([](auto& json) { json = ordered_json::array(); }, "no JSON object");
}

TEST_F(ModelFileTest, RefusesOtherFilesAndOtherArrays) {
  io::write_safetensors(path_, trained_.model.arrays, {{"format", "pt"}});
  EXPECT_NE(refusal().find("but not a model of perslay"), std::string::npos);
  io::write_safetensors(path_, trained_.model.arrays, {{"perslay", "{"}});
  EXPECT_NE(refusal().find("no JSON object"), std::string::npos);
  test::write_bytes(path_, "name = \"mutag\"\n");
  EXPECT_NE(refusal().find("This is not a safetensors file"), std::string::npos);
  std::filesystem::remove(path_);
  EXPECT_NE(refusal().find("cannot be read"), std::string::npos);

  auto model = trained_.model;
  model.arrays.clear();
  write_model(path_, model);
  EXPECT_EQ(refusal(), path_.string() + ": The array 'weights' is missing.");
  model.arrays = trained_.model.arrays;
  model.arrays[0].shape = {9, 1};
  write_model(path_, model);
  EXPECT_EQ(refusal(), path_.string() + ": The array 'weights' has another shape.");
}

TEST_F(ModelFileTest, RefusesWeightsThatAreNoNumbers) {
  for (const float wrong : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
    auto model = trained_.model;
    model.arrays[0].values.back() = wrong;
    write_model(path_, model);
    EXPECT_NE(refusal().find(": The array weights holds a number that is not finite"), std::string::npos)
        << refusal();
  }
  auto model = trained_.model;
  model.arrays.push_back({"more", {2}, {}, {1, std::nan("")}});
  write_model(path_, model);
  EXPECT_NE(refusal().find("The array more holds"), std::string::npos) << refusal();
}

TEST(Training, NeedsClasses) {
  auto items = test::toy_items(10);
  items.labels.clear();
  EXPECT_EQ(sentence_of([&] { (void)train(items, test::toy_settings(), test::toy_learners(), {}); }),
            "The data have no labels, so there is nothing to learn.");
  items = test::toy_items(10);
  for (const auto* const other : {"a", "\xE9"}) {
    items.classes = {"a", "\xE8", other};
    EXPECT_EQ(sentence_of([&] { (void)train(items, test::toy_settings(), test::toy_learners(), {}); }),
              "Two classes are called '" + std::string(other[0] == 'a' ? "a" : "\uFFFD") +
                  "', so they cannot be told apart.");
  }
}

TEST(Training, NeedsLoopsThatDie) {
  auto settings = test::toy_settings();
  settings.data.kinds = {diagram::Kind::sub0, diagram::Kind::sub1};
  auto request = load_request(settings);
  request.filtrations = {"degree"};
  const auto items = features::make_items(data::shapes_dataset(2), request);
  const auto said = [&] {
    return sentence_of([&] { (void)train(items, settings, test::toy_learners(), {}); });
  };
  EXPECT_EQ(said(), "Loops of a graph never die, so sub1 is empty unless 'essential' is clip.");
  settings.data.essential = "clip";
  EXPECT_NE(said(), "Loops of a graph never die, so sub1 is empty unless 'essential' is clip.");
}

TEST(Training, ContinuesAtItsCheckpoint) {
  const test::TemporaryFolder folder;
  const auto items = test::toy_items(60);
  auto settings = test::toy_settings();
  const auto whole = train(items, settings, test::toy_learners(), {.seed = 3});
  FitOptions options{.seed = 3, .checkpoint = folder / "c"};
  options.report = [](const Epoch& epoch) {
    if (epoch.epoch == 2) throw base::internal_error("The machine dies.");
  };
  EXPECT_THROW((void)train(items, settings, test::toy_learners(), options), base::Error);
  EXPECT_TRUE(std::filesystem::exists(folder / "c"));
  options.report = nullptr;
  const auto resumed = train(items, settings, test::toy_learners(), options);
  EXPECT_EQ(resumed.model.arrays, whole.model.arrays);
  EXPECT_EQ(resumed.accuracy, whole.accuracy);
}

TEST(DefaultSettings, ReadBackAndSuitTheirContent) {
  for (const auto* const kind : features::input_kinds()) {
    const auto settings = default_settings(*kind);
    EXPECT_EQ(settings.name, "default");
    const auto* const computed = kind->is_stored() ? nullptr : kind;
    EXPECT_EQ(features::kind_of_filtrations(settings.data.filtrations), computed);
    EXPECT_EQ(parse_settings(to_toml(settings), "d"), settings);
    EXPECT_TRUE(load_request(settings).keep_diagrams);
  }
  auto settings = default_settings(features::graph_kind());
  settings.network.use_diagrams = false;
  EXPECT_FALSE(load_request(settings).keep_diagrams);
  settings.features.names.emplace_back("betti:10");
  EXPECT_TRUE(load_request(settings).keep_diagrams);
}

}  // namespace
}  // namespace perslay::learn
