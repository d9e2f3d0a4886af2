#include "commands.h"
#include "interrupt.h"
#include "learning.h"
#include "output.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/error.h>
#include <perslay/base/parallel.h>
#include <perslay/base/registry.h>
#include <perslay/base/stopwatch.h>
#include <perslay/features/sample.h>
#include <perslay/io/overwriting.h>
#include <perslay/learn/evaluation.h>
#include <perslay/learn/models.h>

namespace perslay::cli {
namespace {

using nlohmann::ordered_json;

struct EvaluateOptions {
  CommonOptions common;
  DataOptions data;
  SettingsOptions settings;
  std::int64_t folds = 0;
  std::int64_t repeats = 0;
  std::string test_fraction;
  std::int64_t runs = 0;
  bool stratified = false;
  std::string variant = "perslay";
  bool fresh = false;
  double checkpoint_seconds = 10;
  std::string output;
};

constexpr auto footer =
    R"(DATA is a labelled graph dataset, point clouds or an HDF5 diagram file (those in CSV have no labels). Items are cut
into folds, each of which is tested once after training on the others (--folds, --repeats; 10 folds once by default),
or a random part of the items is tested (--test-fraction, --runs). In every fold all that is fitted is fitted on its
training part.

Without --settings a default is used that depends on what DATA holds; --model tries another model than a network.

Each finished fold is kept in DIR. The same command continues an evaluation that was interrupted.

Variants: perslay (everything), features-only (of graphs: no diagrams, nor features of diagrams), extended-only
(diagrams alone). Of ordinary instead of extended diagrams, alone: ordinary-only (sub0), ordinary-superlevel (sup0),
ordinary-both (sub0, sup0); and with classes that never die, clipped: ordinary-clipped (sub0), ordinary-both-clipped
(sub0, sup0), ordinary-loops (sub0, sub1), ordinary-all (all three). The key data.essential may say how to clip.

Examples:
  perslay evaluate MUTAG.zip --settings mutag --folds 10 --repeats 10 -o mutag-results
  perslay evaluate orbits.h5 --settings orbit5k --test-fraction 0.3 --runs 100 -o orbit-results
  perslay evaluate MUTAG.zip --model ridge:diagrams-only --repeats 10 -o ridge-results
  perslay evaluate orbits.h5 --model svm:sw --test-fraction 0.3 --runs 10 -o svm-results
  perslay evaluate MUTAG.zip --settings mutag --variant features-only --set training.epochs=50 -o features)";

double fraction(const std::string& text) {
  constexpr auto wanted = "--test-fraction needs a number between 0 and 1 such as 0.3";
  const double number = base::parse_number(text, wanted);
  if (!(number > 0 && number < 1)) throw base::user_error(fmt::format("{}, not '{}'.", wanted, text));
  return number;
}

learn::Protocol chosen_protocol(const EvaluateOptions& options) {
  const bool random = !options.test_fraction.empty() || options.runs > 0;
  if (random && (options.folds > 0 || options.repeats > 0))
    throw base::user_error(
        "--folds and --repeats cut items into folds, --test-fraction and --runs draw them at random; choose "
        "one of the two.");
  learn::Protocol protocol;
  protocol.stratified = options.stratified;
  if (random) {
    protocol.type = learn::Protocol::Type::random_split;
    if (!options.test_fraction.empty()) protocol.test_fraction = fraction(options.test_fraction);
    if (options.runs > 0) protocol.repeats = static_cast<std::size_t>(options.runs);
    return protocol;
  }
  if (options.folds > 0) protocol.folds = static_cast<std::size_t>(options.folds);
  if (options.repeats > 0) protocol.repeats = static_cast<std::size_t>(options.repeats);
  return protocol;
}

std::string accuracy_table(const learn::Evaluation& evaluation) {
  Table table({"accuracy in %", "mean", "std", "max"}, 1);
  const auto add = [&table](const char* name, const learn::Summary& summary) {
    table.add({name, fmt::format("{:.2f}", 100 * summary.mean),
               summary.deviation ? fmt::format("{:.2f}", 100 * *summary.deviation) : "-",
               fmt::format("{:.2f}", 100 * summary.max)});
  };
  add("test", evaluation.accuracy);
  add("training", evaluation.training_accuracy);
  add("majority class", evaluation.majority_accuracy);
  add("size alone", evaluation.size_accuracy);
  return table.text();
}

/// Nothing if there are too many classes for a terminal.
std::string confusion_table(const learn::Evaluation& evaluation, const std::vector<std::string>& classes) {
  constexpr std::size_t most = 12;
  if (classes.size() > most) return "";
  std::vector<std::string> header{"true \\ predicted"};
  header.insert(header.end(), classes.begin(), classes.end());
  Table table(std::move(header), 1);
  for (std::size_t t = 0; t < classes.size(); ++t) {
    std::vector<std::string> row{classes[t]};
    for (std::size_t p = 0; p < classes.size(); ++p)
      row.push_back(fmt::format("{}", evaluation.confusion[t * classes.size() + p]));
    table.add(std::move(row));
  }
  return '\n' + table.text();
}

void report(const EvaluateOptions& options, const learn::EvaluationTask& task,
            const learn::Evaluation& evaluation, const features::Items& items, double seconds, int threads) {
  if (options.common.json) {
    std::ifstream results(std::filesystem::path(options.output) / "results.json");
    auto json = ordered_json::parse(results);
    json.erase("checksum");
    json["read"] = reading_json(items);
    json["seconds"] = seconds;
    json["threads"] = threads;
    json["output"] = options.output;
    return print(json);
  }
  const std::string taken_over =
      evaluation.taken_over == 0
          ? ""
          : fmt::format(", {} of them taken over from an earlier run", evaluation.taken_over);
  print(fmt::format("{}{}\n{}: {} trainings{}.\nWritten to {}.\nSeconds: {:.3f}, threads: {}.\n",
                    accuracy_table(evaluation), confusion_table(evaluation, items.classes),
                    task.protocol.name(), evaluation.folds.size(), taken_over, options.output, seconds,
                    threads));
}

void run(EvaluateOptions options) {
  const base::Stopwatch watch;
  const auto chosen = choose(options.settings, options.data, options.variant);
  learn::EvaluationTask task;
  task.dataset = dataset_name(options.data.data);
  task.settings = chosen.settings;
  task.variant = options.variant;
  const auto request = load_request(task.settings);
  io::refuse_overwriting(files_read(options.data, request, settings_file(options.settings)), options.output);
  task.protocol = chosen_protocol(options);
  const auto make_learner = learn::all_learners();
  const auto learner = make_learner(task.settings);

  learn::require_folder_for_results(options.output);

  const Session session(options.common);
  note_settings(chosen, session);
  const auto items = load(options.data, request, session);
  note_cost(
      learn::expected_cost(*learner, task.protocol, items.count(), base::worker_count(session.context())),
      session);
  note_choice(task.settings, learn::training_items(task.protocol, items.count()), session);
  learn::EvaluationOptions how{options.output, options.fresh, options.checkpoint_seconds};
  how.sample = [&] {
    return features::sample_diagrams(options.data.data, request, learn::sampled_items, session.context(),
                                     {.as = options.data.as, .reading = options.data.reading});
  };
  if (model_kind(task.settings).has_epochs) allow_time_to_keep_state();
  const auto evaluation = learn::evaluate(items, task, make_learner, how, session.context());
  report(options, task, evaluation, items, watch.seconds(), base::worker_count(session.context()));
}

}  // namespace

void add_evaluate(CLI::App& program, Action& chosen) {
  constexpr std::int64_t many = 1'000'000;
  const auto options = std::make_shared<EvaluateOptions>();
  auto& command = *program.add_subcommand("evaluate", "Measure how well settings learn a dataset");
  add_learning_data_options(command, options->data);
  add_settings_options(command, options->settings);
  add_integer_option(command, "--folds", options->folds, 2, many,
                     "Cross-validation with so many folds; 10 by default");
  add_integer_option(command, "--repeats", options->repeats, 1, many,
                     "How often that is done; once by default");
  command
      .add_option("--test-fraction", options->test_fraction,
                  "Test a random part of the items; 0.3 by default")
      ->type_name("F");
  add_integer_option(command, "--runs", options->runs, 1, many, "How often that is done; once by default");
  command.add_flag("--stratified", options->stratified, "Every part has its share of every class");
  command.add_option("--variant", options->variant, "Leave something out (see below)")->type_name("NAME");
  add_checkpoint_option(command, options->checkpoint_seconds);
  command.add_flag("--fresh", options->fresh, "Start over instead of continuing what is in DIR");
  add_output_option(command, options->output, "Folder for results")->required()->type_name("DIR");
  add_common_options(command, options->common);
  command.footer(footer);
  command.callback([&chosen, options] { chosen = [options] { run(*options); }; });
}

}  // namespace perslay::cli
