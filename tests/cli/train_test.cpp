#include "cli/learning.h"
#include "cli/program.h"
#include "waiting.h"

#include <chrono>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <perslay/base/random.h>

namespace perslay::test {
namespace {

class TrainTest : public LearningTest {};

TEST_F(TrainTest, LearnsShapesWithTheDefault) {
  const auto result = run({"train", data_, "--no-cache", "-o", path("m.safetensors")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("No --settings: the default for graphs is used"), std::string::npos)
      << result.err;
  EXPECT_NE(result.out.find("training accuracy  100.00 %"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("Written to " + path("m.safetensors")), std::string::npos) << result.out;
  EXPECT_TRUE(std::filesystem::exists(path("m.safetensors")));
  EXPECT_FALSE(std::filesystem::exists(path("m.safetensors.checkpoint")));
}

TEST_F(TrainTest, ADefaultWithAChannelByName) {
  const auto result = run({"train", data_, "--no-cache", "--set", "training.epochs=1", "--set",
                           "network.channel={ phi = \"line:5\" }", "-o", path("m")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("is used (hks:0.1 and hks:10, 1 epochs)."), std::string::npos) << result.err;
}

TEST_F(TrainTest, OnlyEndingsOfFilesAreNoPartOfAName) {
  ASSERT_EQ(run({"shapes", "--per-class", "2", "-o", path("r-2.5")}).exit_code, 0);
  const auto train = [&](const std::string& data) {
    return run_json({"train", data, "--model", "svm:sw", "--no-cache", "-o", path("m")})["dataset"];
  };
  EXPECT_EQ(train(path("r-2.5")), "r-2.5");
  EXPECT_EQ(train(path("r-2.5") + "/."), "r-2.5");
  ASSERT_EQ(run({"diagrams", path("r-2.5"), "-o", path("d.1.h5")}).exit_code, 0);
  EXPECT_EQ(train(path("d.1.h5")), "d.1");
}

TEST_F(TrainTest, SameBytesForAnyNumberOfThreads) {
  for (const std::string threads : {"1", "2"})
    (void)run_json({"train", data_, "--settings", "mutag", "--set", "training.epochs=4", "--no-cache",
                    "--threads", threads, "-o", path(threads)});
  EXPECT_EQ(read_bytes(path("1")), read_bytes(path("2")));
  EXPECT_GT(read_bytes(path("1")).size(), 1000U);
}

TEST_F(TrainTest, JsonSaysWhatWasLearned) {
  const auto json = run_json({"train", data_, "--settings", "mutag", "--set", "training.epochs=40", "--seed",
                              "3", "--no-cache", "-o", path("m")});
  EXPECT_EQ(json.at("dataset"), "shapes");
  EXPECT_EQ(json.at("items"), 30);
  EXPECT_EQ(json.at("classes").size(), 3U);
  EXPECT_EQ(json.at("settings"), "mutag");
  EXPECT_EQ(json.at("seed"), 3);
  EXPECT_GE(json.at("accuracy").get<double>(), 0.9);
  EXPECT_EQ(json.at("output"), path("m"));
}

/// The state is that of the last finished epoch, long before it would be written anyway.
TEST_F(TrainTest, SaysHowFarItIsAndKeepsItsStateWhenItIsInterrupted) {
  for (const int signal : {SIGINT, SIGTERM}) {
    Program program({"train", data_, "--settings", "mutag", "--set", "training.schedule=constant", "--set",
                     "training.epochs=1000000", "--no-cache", "--checkpoint-every", "100000", "-o",
                     path("m")});
    const auto begun = training_progress(path("m.checkpoint")).second;
    wait_until(
        [&] { return program.errors().find("perslay: epoch ") != std::string::npos || program.has_ended(); });
    program.send(signal);
    const auto result = program.wait();
    EXPECT_EQ(result.exit_code, 130) << result.err;
    for (const auto* part : {"perslay: epoch ", " of 1000000: loss ", ", accuracy ", " left\n"})
      EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
    EXPECT_FALSE(std::filesystem::exists(path("m")));
    const auto [net, epochs] = training_progress(path("m.checkpoint"));
    EXPECT_EQ(net, 0);
    EXPECT_GT(epochs, begun);  // the second program goes on
    EXPECT_TRUE(result.err.ends_with(
        fmt::format("perslay: Interrupted; the same command goes on after epoch {}.\n", epochs)))
        << result.err;
  }
}

TEST_F(TrainTest, SaysWhatHasNoEffect) {
  const auto said = [&](const std::vector<std::string>& assignments) {
    std::vector<std::string> arguments{"train", data_, "--no-cache", "-o", path("m")};
    for (const auto& assignment : assignments) arguments.insert(arguments.end(), {"--set", assignment});
    const auto result = run(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.err;
  };
  const std::string one = "training.epochs=1";
  const auto idle = said({one, "training.average=0", "training.restart_from_average=true", "features.clip=3",
                          "network.batch_norm=true", "network.dropout=0.5"});
  for (const auto* const key :
       {"training.restart_from_average", "features.clip", "network.batch_norm", "network.dropout"})
    EXPECT_NE(idle.find(std::string(key) + " has no effect: "), std::string::npos) << idle;
  const auto without = said({one, "network.diagrams=false", "features.names=[\"deciles:hks:10\"]",
                             "network.train_filtration=true", "network.train_features=true",
                             "network.filtration_update=epoch"});
  for (const auto* const key : {"train_filtration", "train_features", "filtration_update"})
    EXPECT_NE(without.find("network." + std::string(key) + " has no effect: network.diagrams is false."),
              std::string::npos)
        << without;
  const auto busy =
      said({one, "training.restart_from_average=true", "features.clip=3", "features.standardise=true",
            "network.hidden=[4]", "network.batch_norm=true", "network.dropout=0.5"});
  EXPECT_EQ(busy.find("has no effect"), std::string::npos) << busy;
}

/// The state of an interrupted training is hours of work: another command does not throw it away.
TEST_F(TrainTest, AnotherTrainingsStateIsKept) {
  const auto train = [&](const std::string& rate, const std::string& epochs) {
    return std::vector<std::string>{"train",      data_,
                                    "--settings", "mutag",
                                    "--set",      "training.rate=" + rate,
                                    "--set",      "training.epochs=" + epochs,
                                    "--no-cache", "--checkpoint-every",
                                    "0",          "--quiet",
                                    "-o",         path("m")};
  };
  const auto checkpoint = path("m.checkpoint");
  Program interrupted(train("0.01", "100000"));
  wait_until([&] { return std::filesystem::exists(checkpoint) || interrupted.has_ended(); });
  interrupted.send(SIGKILL);
  interrupted.wait();
  const auto state = read_bytes(checkpoint);
  expect_mistake(train("0.02", "2"), "m.checkpoint: The file is not the state of this training");
  EXPECT_EQ(read_bytes(checkpoint), state);
  auto flipped = state;
  flipped[state.size() / 2] = static_cast<char>(flipped[state.size() / 2] ^ 0x40);
  for (const auto& other : {std::string("precious"), state.substr(0, state.size() / 2), flipped}) {
    write_bytes(checkpoint, other);
    for (const auto& command : {train("0.01", "100000"), train("0.02", "2")})
      expect_mistake(command,
                     "m.checkpoint: This is not the state of a training, or it is damaged; remove it");
    EXPECT_EQ(read_bytes(checkpoint), other);
    EXPECT_FALSE(std::filesystem::exists(path("m")));
  }
  auto fresh = train("0.02", "2");
  fresh.emplace_back("--fresh");
  EXPECT_EQ(run(fresh).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(checkpoint));

  write_bytes(checkpoint, "precious");  // support vectors keep no state
  EXPECT_EQ(run({"train", data_, "--model", "svm:sw", "--no-cache", "-o", path("m")}).exit_code, 0);
  EXPECT_EQ(read_bytes(checkpoint), "precious");
}

/// The file that a choice of the channel leaves, too; and before the choice is made.
TEST_F(TrainTest, StatesOfOthersAreNotedBeforeAChoice) {
  const std::vector<std::string> command{
      "train",      data_,
      "--settings", "mutag",
      "--set",      R"#(network.channel=["Im(3,(),2,sum)", "Pm(3,4,3,max)"])#",
      "--set",      "training.epochs=2",
      "--no-cache", "--quiet",
      "-o",         path("m")};
  for (const std::string name : {"m.checkpoint", "m.checkpoint.choice"}) {
    write_bytes(path(name), "precious");
    expect_mistake(command, name + ": This is not the state of a training, or it is damaged; remove it");
    EXPECT_EQ(read_bytes(path(name)), "precious");
    std::filesystem::remove(path(name));
    for (const std::string left : {"m.checkpoint", "m.checkpoint.choice"})
      EXPECT_FALSE(std::filesystem::exists(path(left))) << left;
  }
}

/// As many folds as there are items are the most.
TEST_F(TrainTest, SaysHowAChannelIsChosen) {
  const std::string candidates = R"#(network.channel=["Im(3,(),2,sum)", "Pm(3,4,3,max)"])#";
  std::vector<std::string> options{"--set", candidates,          "--set",     "network.choice_folds=1000",
                                   "--set", "training.epochs=1", "--no-cache"};
  ASSERT_EQ(run({"shapes", "--per-class", "4", "-o", path("few")}).exit_code, 0);
  auto train = options;
  train.insert(train.begin(), {"train", path("few"), "-o", path("m")});
  const auto result = run(train);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(
      result.err.find("is a list: 24 trainings on parts of the training part choose one of 2 channels."),
      std::string::npos)
      << result.err;
  EXPECT_NE(result.out.find(" % in 12 folds of the training part"), std::string::npos) << result.out;
  auto evaluate = options;
  evaluate.insert(evaluate.begin(), {"evaluate", path("few"), "--folds", "3", "-o", path("e")});
  const auto evaluated = run(evaluate);
  EXPECT_EQ(evaluated.exit_code, 0) << evaluated.err;
  EXPECT_NE(evaluated.err.find("is a list: 16 trainings on parts of the training part"), std::string::npos)
      << evaluated.err;
}

TEST_F(TrainTest, OutputsThatAreNoNumbersAreNoResult) {
  const std::vector<std::string> wild{"--set",   "training.epochs=1", "--set", "training.rate=1e20",
                                      "--quiet", "--no-cache",        "-o"};
  const auto with = [&](std::vector<std::string> arguments, const std::string& output) {
    arguments.insert(arguments.end(), wild.begin(), wild.end());
    arguments.push_back(path(output));
    return arguments;
  };
  expect_mistake(with({"train", data_, "--checkpoint-every", "0"}, "m"),
                 "is not finite: its parameters have grown too large; a training.rate below");
  EXPECT_FALSE(std::filesystem::exists(path("m.checkpoint")));
  expect_mistake(with({"evaluate", data_, "--folds", "2"}, "r"), "is not finite");
  EXPECT_FALSE(std::filesystem::exists(path("m")));

  // A state that leads there again is not kept: a lower rate can be tried with the same command.
  const auto at_rate = [&](const char* rate) {
    return std::vector<std::string>{"train",
                                    data_,
                                    "--set",
                                    "training.epochs=5",
                                    "--set",
                                    fmt::format("training.rate={}", rate),
                                    "--set",
                                    "training.average=0",
                                    "--checkpoint-every",
                                    "0",
                                    "--quiet",
                                    "--no-cache",
                                    "-o",
                                    path("again")};
  };
  expect_mistake(at_rate("1e20"), "The loss");
  EXPECT_FALSE(std::filesystem::exists(path("again.checkpoint")));
  EXPECT_EQ(run(at_rate("0.01")).exit_code, 0);
}

/// Killed twenty times at random moments and started again, training ends with the bytes of one that was not.
TEST_F(TrainTest, KilledTrainingContinues) {
  const auto with_output = [&](const std::string& name) {
    return std::vector<std::string>{"train",      data_,
                                    "--settings", "mutag",
                                    "--set",      "training.epochs=600",
                                    "--set",      "training.nets=2",
                                    "--no-cache", "--checkpoint-every",
                                    "0.02",       "--json",
                                    "-o",         path(name)};
  };
  ASSERT_EQ(run(with_output("whole")).exit_code, 0);
  base::RandomStream random(1);
  int kills = 0, taken_up = 0;
  while (kills < 20) {
    std::filesystem::remove(path("killed"));
    bool finished = false;
    while (!finished) {
      const auto before = training_progress(path("killed.checkpoint"));
      Program program(with_output("killed"));
      // Every other time the kill waits for a state that this program writes, so that it hits checkpoints
      // too.
      wait_until([&] {
        return kills % 2 == 0 || training_progress(path("killed.checkpoint")) != before ||
               program.has_ended();
      });
      const std::chrono::duration<double> moment(random.uniform(0, kills % 2 == 1 ? 0.15 : 0.6));
      std::this_thread::sleep_for(moment);
      program.send(SIGKILL);
      const auto result = program.wait();
      ASSERT_TRUE(result.exit_code == 0 || result.exit_code == -1) << result.err;
      // Between the removal of the checkpoint and the program's end everything is done, too.
      finished = result.exit_code == 0 || (std::filesystem::exists(path("killed")) &&
                                           !std::filesystem::exists(path("killed.checkpoint")));
      if (!finished) {
        const auto after = training_progress(path("killed.checkpoint"));
        EXPECT_GE(after, before);  // a program that began anew would be behind
        if (before > std::pair(0, 0) && after > before) ++taken_up;
      }
      if (finished || ++kills < 20) continue;
      ASSERT_EQ(run(with_output("killed")).exit_code, 0);
      finished = true;
    }
    EXPECT_EQ(read_bytes(path("killed")), read_bytes(path("whole")));
    EXPECT_FALSE(std::filesystem::exists(path("killed.checkpoint")));
  }
  EXPECT_GE(taken_up, 4);
}

TEST_F(TrainTest, GiantsAreRefused) {
  expect_mistake({"train", data_, "--settings", "mutag", "--no-cache", "--set",
                  "network.channel=Pm(65536,65536,1)", "-o", path("m")},
                 "in channels");
}

// ---- mistakes, for which no network is needed

TEST(Train, NamesOfSettings) {
  const TemporaryFolder folder;
  const auto data = write_small_dataset(folder);
  expect_mistake({"train", data, "--settings", ""}, "--settings needs a value, not ''");
  expect_mistake({"train", data, "--model", ""}, "--model needs a value, not ''");
  expect_mistake({"train", data, "--model", "svm:sw", "--set", "model=network"},
                 "--model svm:sw and --set model=network both name a model; say it once.");
}

TEST(Train, MistakesAreSentences) {
  const TemporaryFolder folder;
  const auto data = write_small_dataset(folder);
  expect_mistake({"train", (folder / "none").string()}, "does not exist");
  expect_mistake({"train", data, "--settings", "nosuch"},
                 "There are no settings called 'nosuch', and no such file; there are collab, ");
  expect_mistake({"train", data, "--settings", (folder / "s.toml").string()},
                 "The settings file cannot be read");
  write_bytes(folder / "s.toml", "[training]\nepoch = 3\n");
  expect_mistake({"train", data, "--settings", (folder / "s.toml").string()},
                 "s.toml:2: There is no key 'epoch' in [training] (did you mean 'epochs'?)");
  expect_mistake({"train", data, "--set", "training.epochs=0"}, "training.epochs needs a whole number");
  expect_mistake({"train", data, "--set", "training.epochs"}, "changed by key=value");
  expect_mistake(
      {"train", data, "--set", "network.channel={ phi = \"mlp:64x64\" }"},
      "phi mlp:64x64 is no longer part of the library; perslay.torch takes any torch module as phi");
  write_bytes(folder / "old.toml", "[data]\nfiltrations = [\"learned:16x16\"]\n");
  expect_mistake({"train", data, "--settings", (folder / "old.toml").string()},
                 "old.toml:2: filtration learned:16x16 is no longer part of the library");
  expect_mistake({"train", data, "--settings", "orbit5k"}, "filtration of point clouds");
  expect_mistake({"train", data, "-o", (folder / "no" / "m").string()}, "does not exist");
  expect_mistake({"train", data, "-o", ""}, "--output needs a value, not ''");
  expect_mistake({"train", data, "--checkpoint-every", "often"}, "number of seconds");
  expect_mistake({"train", data, "--checkpoint-every", "-1"}, "from 0 on, not -1");
  expect_mistake({"train"}, "DATA is required");
}

/// Also with the ending of the state of training.
TEST(Train, NamesMayBeTooLong) {
  const TemporaryFolder folder;
  const auto data = write_small_dataset(folder);
  for (const std::size_t length : {300U, 250U})
    expect_mistake(
        {"train", data, "--quiet", "-o", (folder / std::string(length, 'n')).string()},
        "A file name has at most 255 bytes, and this one has " + std::to_string(length == 300 ? 300 : 261));
  expect_mistake({"train", (folder / std::string(300, 'n')).string()}, "cannot be read: ");
}

TEST(Train, OverwritesNothingThatItReads) {
  const TemporaryFolder folder;
  const auto data = (folder / "own.h5").string();
  ASSERT_EQ(run({"orbits", "--per-class", "2", "--points", "20", "-o", data}).exit_code, 0);
  const auto settings = (folder / "my.toml").string();
  write_bytes(settings, "[data]\nfiltrations = [\"alpha\"]\n");
  const auto before = read_bytes(data);
  expect_mistake({"train", data, "-o", data}, "own.h5: Input and output are the same file");
  expect_mistake({"train", data, "--settings", settings, "-o", settings},
                 "my.toml: Input and output are the same file");
  std::filesystem::copy_file(settings, folder / "m.checkpoint");
  expect_mistake(
      {"train", data, "--settings", (folder / "m.checkpoint").string(), "-o", (folder / "m").string()},
      "m.checkpoint: Input and output are the same file");
  EXPECT_EQ(read_bytes(data), before);
  EXPECT_EQ(read_bytes(folder / "m.checkpoint"), read_bytes(settings));
}

/// 'perslay evaluate MUTAG.zip --settings mutag -o mutag', given twice.
TEST(Train, AFolderMayBeCalledLikeSettings) {
  const TemporaryFolder folder;
  const auto data = write_small_dataset(folder);
  std::filesystem::create_directory(folder / "mutag");
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  const auto result =
      run({"train", data, "--settings", "mutag", "--model", "svm:sw", "--no-cache", "-o", "m"});
  std::filesystem::current_path(before);
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST(Train, HelpHasAnExample) {
  for (const std::string command : {"train", "predict", "evaluate"}) {
    const auto result = run({command, "--help"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_NE(result.out.find("Examples:\n  perslay " + command), std::string::npos) << result.out;
  }
}

}  // namespace
}  // namespace perslay::test
