#include "commands.h"
#include "learning.h"
#include "output.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/parallel.h>
#include <perslay/base/stopwatch.h>
#include <perslay/io/checksum.h>
#include <perslay/io/matrix_file.h>
#include <perslay/io/overwriting.h>
#include <perslay/learn/models.h>
#include <perslay/learn/prediction.h>

namespace perslay::cli {
namespace {

using nlohmann::ordered_json;

struct PredictOptions {
  CommonOptions common;
  std::string model;
  DataOptions data;
  std::string output;
};

constexpr auto footer =
    R"(MODEL is a file that 'perslay train' wrote. DATA is of the kind that it was trained on: graphs, point clouds,
or a diagram file with the same filtrations. Labels in DATA are not needed; if there are some, the accuracy is shown.

Examples:
  perslay predict mutag.safetensors MUTAG.zip -o predictions.csv
  perslay predict orbits.safetensors new-orbits.h5 --json)";

ordered_json json_of(const PredictOptions& options, const learn::Predictions& predictions) {
  const std::size_t classes = predictions.classes.size();
  auto labels = ordered_json::array();
  auto probabilities = ordered_json::array();
  for (std::size_t i = 0; i < predictions.labels.size(); ++i) {
    labels.push_back(predictions.classes[static_cast<std::size_t>(predictions.labels[i])]);
    const auto row = predictions.probabilities.begin() + static_cast<std::ptrdiff_t>(i * classes);
    probabilities.push_back(std::vector(row, row + static_cast<std::ptrdiff_t>(classes)));
  }
  return {{"model", options.model},
          {"items", predictions.labels.size()},
          {"classes", predictions.classes},
          {"accuracy", predictions.accuracy ? ordered_json(*predictions.accuracy) : ordered_json()},
          {"labels", std::move(labels)},
          {"probabilities", std::move(probabilities)}};
}

/// The first items.
std::string first_lines(const learn::Predictions& predictions) {
  constexpr std::size_t shown = 20;
  const std::size_t items = predictions.labels.size();
  Table table({"item", "label", "probability"}, 2);
  for (std::size_t i = 0; i < std::min(shown, items); ++i) {
    const auto label = static_cast<std::size_t>(predictions.labels[i]);
    table.add({fmt::format("{}", i), predictions.classes[label],
               fmt::format("{:.4f}", predictions.probabilities[i * predictions.classes.size() + label])});
  }
  return table.text() +
         (items > shown ? fmt::format("... and {} more; -o FILE.csv writes all.\n", items - shown) : "");
}

void report(const PredictOptions& options, const learn::Predictions& predictions,
            const nlohmann::ordered_json& reading, double seconds, int threads) {
  if (options.common.json) {
    auto json = json_of(options, predictions);
    json["read"] = reading;
    json["seconds"] = seconds;
    json["threads"] = threads;
    json["output"] = options.output;
    return print(json);
  }
  std::string text = options.output.empty() ? first_lines(predictions) + '\n'
                                            : fmt::format("Written to {}.\n", options.output);
  text += fmt::format("{} items, {} classes.\n", predictions.labels.size(), predictions.classes.size());
  if (predictions.accuracy) text += fmt::format("Accuracy: {:.2f} %.\n", 100 * *predictions.accuracy);
  print(text + fmt::format("Seconds: {:.3f}, threads: {}.\n", seconds, threads));
}

void check_output(const PredictOptions& options) {
  if (options.output.empty()) return;
  io::check_matrix_target(options.output);
  io::refuse_overwriting({options.data.data, options.model}, options.output);
}

/// A model predicts for data of the kind that it was trained on. Stored diagrams and other data go together if
/// the model names its filtrations.
const features::InputKind& matching_kind(const learn::ModelFile& model, const DataOptions& data,
                                         const std::vector<std::string>& filtrations) {
  const auto& found = kind_of(data, {.filtrations = filtrations, .otherwise = model.content});
  const bool stored = found.is_stored() || model.content->is_stored();
  if (&found != model.content && (!stored || filtrations.empty()))
    throw base::user_error(fmt::format("{} was trained on {}, but {} holds {}.", model.source,
                                       model.content->plural, data.data, found.plural));
  return found;
}

void run(PredictOptions options) {
  const base::Stopwatch watch;
  check_output(options);
  const auto model = learn::read_model(options.model);
  const auto request = load_request(model);
  if (!options.output.empty()) io::refuse_overwriting(features::files_named(request), options.output);
  options.data.as = &matching_kind(model, options.data, request.filtrations);
  const auto make_learner = learn::all_learners();

  const Session session(options.common);
  if (!model.checked) session.note(io::no_checksum_remark(options.model));
  auto items = load(options.data, request, session);
  const auto reading = reading_json(items);
  const auto predictions = learn::predict(model, std::move(items), make_learner, session.context());
  if (!options.output.empty()) learn::write_predictions(options.output, predictions);
  report(options, predictions, reading, watch.seconds(), base::worker_count(session.context()));
}

}  // namespace

void add_predict(CLI::App& program, Action& chosen) {
  const auto options = std::make_shared<PredictOptions>();
  auto& command = *program.add_subcommand("predict", "Classify items with a trained model");
  command.add_option("MODEL", options->model, "Model file (.safetensors)")->required()->type_name("");
  add_learning_data_options(command, options->data);
  add_one_based_option(command, options->data);
  add_output_option(command, options->output,
                    "Labels and probabilities (.csv), or probabilities alone (.npy)");
  add_common_options(command, options->common);
  command.footer(footer);
  command.callback([&chosen, options] { chosen = [options] { run(*options); }; });
}

}  // namespace perslay::cli
