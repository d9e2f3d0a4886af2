#include "commands.h"
#include "epoch_display.h"
#include "interrupt.h"
#include "learning.h"
#include "output.h"

#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/parallel.h>
#include <perslay/base/stopwatch.h>
#include <perslay/io/overwriting.h>
#include <perslay/learn/channel_choice.h>
#include <perslay/learn/models.h>
#include <perslay/learn/training.h>

namespace perslay::cli {
namespace {

using nlohmann::ordered_json;

struct TrainOptions {
  CommonOptions common;
  DataOptions data;
  SettingsOptions settings;
  std::string output;
  double checkpoint_seconds = 10;
  bool fresh = false;
};

constexpr auto footer =
    R"(DATA is a labelled graph dataset (a TU folder or archive), a folder of point clouds, or an HDF5 diagram
file (those in CSV have no labels).
Without --settings a default is used that depends on what DATA holds. Training writes its state to
MODEL.checkpoint now and then; the same command takes it up again after an interruption.

Examples:
  perslay train MUTAG.zip --settings mutag -o mutag.safetensors
  perslay train shapes --settings mine.toml --set training.epochs=20 -o shapes.safetensors
  perslay train orbits.h5 -o orbits.safetensors)";

void report(const TrainOptions& options, const learn::Trained& trained, const features::Items& read,
            double seconds, int threads) {
  const std::size_t items = read.count();
  const bool network = model_kind(trained.model.settings).is_network && !trained.history.empty();
  const double loss = network ? trained.history.back().loss : 0;
  const auto choice = chosen_channel(trained.model);
  const auto channel = choice ? channel_name(with_chosen_channel(trained.model).network.channel) : "";
  auto times = ordered_json::array();  // of a filtration that was trained, epoch by epoch
  for (const auto& epoch : trained.history)
    if (!epoch.times.empty()) times.push_back(epoch.times);
  if (options.common.json)
    return print(
        ordered_json{{"dataset", dataset_name(options.data.data)},
                     {"items", items},
                     {"read", reading_json(read)},
                     {"classes", trained.model.classes},
                     {"settings", trained.model.settings.name},
                     {"seed", trained.model.seed},
                     {"accuracy", trained.accuracy},
                     {"model", trained.model.settings.model},
                     {"loss", network ? ordered_json(loss) : ordered_json()},
                     {"channel", choice ? ordered_json(channel) : ordered_json()},
                     {"choice_accuracies", choice ? ordered_json(choice->accuracies) : ordered_json()},
                     {"times", times},
                     {"seconds", seconds},
                     {"threads", threads},
                     {"output", options.output}});
  Table table({"items", fmt::format("{}", items)}, 2);
  table.add({"classes", fmt::format("{}", fmt::join(trained.model.classes, ", "))});
  table.add({"settings", trained.model.settings.name});
  table.add({"model", trained.model.settings.model});
  if (choice)
    table.add({"chosen channel", fmt::format("{}, {:.2f} % in {} folds of the training part", channel,
                                             100 * choice->accuracies.at(choice->place),
                                             choice_folds(trained.model.settings.network, items))});
  if (network) table.add({"loss", fmt::format("{:.4f}", loss)});
  if (!times.empty())
    table.add({"trained t", fmt::format("{:.4g}", fmt::join(trained.history.back().times, ", "))});
  table.add({"training accuracy", fmt::format("{:.2f} %", 100 * trained.accuracy)});
  print(fmt::format("{}\nWritten to {}.\nSeconds: {:.3f}, threads: {}.\n", table.text(), options.output,
                    seconds, threads));
}

void run(TrainOptions options) {
  const base::Stopwatch watch;
  const auto chosen = choose(options.settings, options.data);
  const auto& settings = chosen.settings;
  if (options.output.empty()) options.output = dataset_name(options.data.data) + ".safetensors";
  const std::string checkpoint = options.output + ".checkpoint";
  const auto request = load_request(settings);
  const auto read = files_read(options.data, request, settings_file(options.settings));
  std::vector<std::string> written{options.output};
  if (model_kind(settings).has_epochs) written.insert(written.end(), {checkpoint, checkpoint + ".choice"});
  for (const auto& file : written) {
    learn::check_model_target(file);
    io::refuse_overwriting(read, file);
  }
  const auto make_learner = learn::all_learners();
  const auto learner = make_learner(settings);

  const Session session(options.common);
  note_settings(chosen, session);
  const auto items = load(options.data, request, session);
  note_cost(learner->cost_of_fit(items.count()), session);
  note_choice(settings, items.count(), session);
  EpochDisplay display(settings, items.count(), learner->steps(items.count()), options.common.quiet);
  learn::FitOptions fit;
  fit.seed = session.context().seed;
  fit.checkpoint = checkpoint;
  fit.keep_other_checkpoint = true;
  fit.fresh = options.fresh;
  fit.checkpoint_seconds = options.checkpoint_seconds;
  fit.report = [&](const learn::Epoch& epoch) { display.show(epoch); };
  if (model_kind(settings).has_epochs) allow_time_to_keep_state();
  const auto trained = learn::train(items, settings, make_learner, fit, session.context());
  learn::write_model(options.output, trained.model);
  std::error_code ignored;
  if (model_kind(settings).has_epochs) std::filesystem::remove(fit.checkpoint, ignored);
  report(options, trained, items, watch.seconds(), base::worker_count(session.context()));
}

}  // namespace

void add_train(CLI::App& program, Action& chosen) {
  const auto options = std::make_shared<TrainOptions>();
  auto& command = *program.add_subcommand("train", "Learn to classify graphs, point clouds or diagrams");
  add_learning_data_options(command, options->data);
  add_settings_options(command, options->settings);
  add_checkpoint_option(command, options->checkpoint_seconds);
  command.add_flag("--fresh", options->fresh, "Throw away what an interrupted training left");
  add_output_option(command, options->output,
                    "Model to write; NAME.safetensors by default, NAME that of DATA");
  add_common_options(command, options->common);
  command.footer(footer);
  command.callback([&chosen, options] { chosen = [options] { run(*options); }; });
}

}  // namespace perslay::cli
