#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <optional>
#include <system_error>
#include <tuple>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/features/sample.h>
#include <perslay/io/checksum.h>
#include <perslay/io/diagram_file.h>
#include <perslay/io/everything_below.h>
#include <perslay/io/path_type.h>
#include <perslay/learn/channel_choice.h>
#include <perslay/report/diagram_view.h>
#include <perslay/report/evaluation_page.h>
#include <perslay/report/html.h>
#include <perslay/report/learned_parameters.h>

namespace perslay::report {
namespace {

namespace fs = std::filesystem;
using learn::FinishedEvaluation;
using learn::Summary;

// ---- folders

/// Everything in the folder of a finished evaluation.
struct EvaluationFolder {
  std::string name;  ///< Its path below the folder of the request; "." for that folder itself.
  FinishedEvaluation finished;
  std::optional<diagram::DiagramSet> sample;
  std::optional<learn::ModelFile> start;
  std::optional<learn::ModelFile> end;
  std::vector<std::string> remarks;  ///< About files that could not be checked.
};

/// Names that are not UTF-8 are spelled differently in different files.
bool is_same_name(const std::string& a, const std::string& b) {
  const auto is_odd = [](const std::string& name) {
    return readable(name).find("\uFFFD") != std::string::npos;
  };
  return a == b || is_odd(a) || is_odd(b);
}

void require_same_classes(const fs::path& file, const std::vector<std::string>& classes,
                          const std::vector<std::string>& of_evaluation) {
  if (!std::ranges::equal(classes, of_evaluation, is_same_name))
    throw base::user_error(
        fmt::format("{}: The classes are not those of the evaluation ({} instead of {}, or other names).",
                    file.string(), classes.size(), of_evaluation.size()));
}

/// The folders of evaluations at or below `folder`, finished and unfinished, in the order of their names. Throws
/// the user's error if none is finished.
std::pair<std::vector<fs::path>, std::vector<fs::path>> find_evaluations(const fs::path& folder) {
  std::vector<fs::path> finished, unfinished;
  const auto look_at = [&](const fs::path& path) {
    if (io::is_there(path / "evaluation.json"))
      (io::is_there(path / "results.json") ? finished : unfinished).push_back(path);
  };
  look_at(folder);
  for (const auto& [path, type] : io::everything_below(folder))
    if (type == io::PathType::folder) look_at(path);
  if (finished.empty())
    throw base::user_error(
        unfinished.empty()
            ? fmt::format(
                  "{}: There is no evaluation here; perslay evaluate and perslay reproduce write some.",
                  folder.string())
            : fmt::format("{}: The evaluation is not finished; its command, given again, goes on with it.",
                          unfinished.front().string()));
  std::ranges::sort(finished);
  std::ranges::sort(unfinished);
  return {finished, unfinished};
}

/// Reads the folder of an evaluation. Diagrams and models of other classes are the user's error.
EvaluationFolder read_folder(const fs::path& root, const fs::path& folder) {
  EvaluationFolder result;
  result.name = folder.lexically_relative(root).string();
  result.finished = learn::read_evaluation(folder);
  if (!result.finished.checked) result.remarks.push_back(io::no_checksum_remark(folder));
  const auto& classes = result.finished.classes;
  if (const auto file = folder / "sample.h5"; io::is_there(file)) {
    auto sample = io::read_diagrams(file);
    std::ranges::copy(io::diagram_file_notes(file), std::back_inserter(result.remarks));
    if (!sample.groups.empty()) {
      require_same_classes(file, sample.classes, classes);
      if (sample.item_count() > result.finished.items)
        throw base::user_error(fmt::format("{}: There are diagrams of {} items, but the evaluation is of {}.",
                                           file.string(), sample.item_count(), result.finished.items));
      result.sample = std::move(sample);
    }
  }
  const auto read = [&](const char* name, std::optional<learn::ModelFile>& model) {
    const auto file = folder / "models" / name;
    if (!io::is_there(file)) return;
    model = learn::read_model(file);
    if (!model->checked) result.remarks.push_back(io::no_checksum_remark(file));
    require_same_classes(file, model->classes, classes);
  };
  read("start.safetensors", result.start);
  read("end.safetensors", result.end);
  return result;
}

// ---- numbers as texts

std::string with_spread(const Summary& summary) {
  return summary.deviation ? fmt::format("{:.2f} ± {:.2f} %", 100 * summary.mean, 100 * *summary.deviation)
                           : percent(summary.mean);
}

std::string duration(double seconds) {
  if (seconds < 120) return fmt::format("{:.3g} s", seconds);
  return seconds < 7200 ? fmt::format("{:.0f} min", seconds / 60) : fmt::format("{:.1f} h", seconds / 3600);
}

double total(const FinishedEvaluation& finished, double learn::FoldSeconds::*part) {
  double sum = 0;
  for (const auto& fold : finished.evaluation.folds) sum += fold.seconds.*part;
  return sum;
}

// ---- numbers at the top

std::string tile(const std::string& number, const std::string& meaning) {
  return fmt::format("<div class=\"tile\"><b>{}</b><span>{}</span></div>\n", escaped(number),
                     escaped(meaning));
}

std::string tiles(const FinishedEvaluation& finished) {
  const auto& evaluation = finished.evaluation;
  using Seconds = learn::FoldSeconds;
  const double seconds = total(finished, &Seconds::preparation) + total(finished, &Seconds::training) +
                         total(finished, &Seconds::prediction);
  const auto& spread = evaluation.accuracy.deviation;
  return "<div class=\"tiles\">\n" +
         tile(percent(evaluation.accuracy.mean),
              (spread ? fmt::format("± {:.2f}, ", 100 * *spread) : "") + "accuracy on unseen items") +
         tile(percent(evaluation.accuracy.max), "best repeat") +
         tile(percent(evaluation.training_accuracy.mean), "accuracy on training items") +
         tile(percent(evaluation.majority_accuracy.mean), "always the most frequent class") +
         tile(percent(evaluation.size_accuracy.mean), "knowing sizes alone") +
         tile(duration(seconds), "of " + counted(evaluation.folds.size(), "training")) + "</div>\n";
}

// ---- sections

std::string accuracies(const FinishedEvaluation& finished) {
  const auto& evaluation = finished.evaluation;
  std::vector<double> shown{evaluation.majority_accuracy.mean, evaluation.size_accuracy.mean};
  for (const auto& fold : evaluation.folds) shown.push_back(fold.accuracy);
  for (double& value : shown) value *= 100;
  const bool split = finished.protocol.parts() == 1;
  const std::size_t repeats = finished.protocol.repeats;
  const std::string repeat = split ? "run" : "repeat";
  Chart chart("Accuracy of every fold", {repeat, 0.5, static_cast<double>(repeats) + 0.5, false, {}, true},
              axis_around("accuracy in %", shown), {760, 340});
  chart.level(100 * evaluation.majority_accuracy.mean, "faint",
              "always the most frequent class: " + percent(evaluation.majority_accuracy.mean));
  chart.level(100 * evaluation.size_accuracy.mean, "b",
              "sizes alone: " + percent(evaluation.size_accuracy.mean));
  chart.level(100 * evaluation.accuracy.mean, "a", "mean: " + with_spread(evaluation.accuracy));
  std::vector<double> sums(repeats);
  const double parts = static_cast<double>(finished.protocol.parts());
  for (const auto& fold : evaluation.folds) {
    sums[fold.repeat] += fold.accuracy;
    // Folds of a repeat stand side by side, so that equal ones do not hide each other.
    const double x = static_cast<double>(fold.repeat + 1) +
                     (parts > 1 ? 0.6 * (static_cast<double>(fold.fold) / (parts - 1) - 0.5) : 0);
    chart.dot({x, 100 * fold.accuracy}, "a",
              fmt::format("{} {}{}: {} of {} items, {} on training items", repeat, fold.repeat + 1,
                          split ? "" : fmt::format(", fold {}", fold.fold + 1), percent(fold.accuracy),
                          fold.test_items, percent(fold.training_accuracy)));
  }
  if (!split)
    for (std::size_t r = 0; r < repeats; ++r) {
      const double mean = 100 * sums[r] / parts;
      const double x = static_cast<double>(r + 1);
      chart.line(std::vector<Position>{{x - 0.35, mean}, {x + 0.35, mean}}, "a");
    }
  chart.legend("a", split ? "a run" : "a fold (bar: mean of the repeat)");
  chart.legend("b", "sizes alone");
  chart.legend("faint", "most frequent class");
  return figure(std::array{chart}, fmt::format("{}; the spread is the standard deviation between {}.",
                                               finished.protocol.name(), repeat + 's'));
}

/// A number of the first net over the epochs and over all trainings, if there are at least two epochs.
void add_curve(const learn::Evaluation& evaluation, const std::string& title, std::string_view style,
               bool always_linear, const std::function<std::optional<double>(const learn::Epoch&)>& value,
               std::vector<Chart>& charts) {
  constexpr std::size_t most_epochs = 250;  // to draw, about so many
  std::vector<std::vector<double>> by_epoch;
  for (const auto& fold : evaluation.folds)
    for (const auto& epoch : fold.history) {
      const auto own = epoch.net == 0 ? value(epoch) : std::nullopt;
      if (!own || !std::isfinite(*own)) continue;
      if (by_epoch.size() <= epoch.epoch) by_epoch.resize(epoch.epoch + 1);
      by_epoch[epoch.epoch].push_back(*own);
    }
  std::vector<double> epochs;  // counted from 1
  std::vector<Spread> spreads;
  std::vector<double> all;
  const std::size_t step = (by_epoch.size() + most_epochs - 1) / most_epochs;
  for (std::size_t e = 0; e < by_epoch.size(); ++e) {
    const auto& values = by_epoch[e];
    if (values.empty() || (e % step != 0 && e + 1 != by_epoch.size())) continue;
    const double mean =
        std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    const auto [low, high] = std::ranges::minmax(values);
    epochs.push_back(static_cast<double>(e + 1));
    spreads.push_back({mean, low, high});
    all.insert(all.end(), {mean, low, high});
  }
  if (epochs.size() < 2) return;
  const auto [low, high] = std::ranges::minmax(all);
  const bool logarithmic = !always_linear && low > 0 && high > 20 * low;
  Chart chart(title, {"epoch", epochs.front(), epochs.back(), false, {}, true},
              axis_around(title, all, logarithmic), {520, 300});
  chart.spreads(epochs, spreads, style, [&](std::size_t i) {
    return fmt::format("epoch {}: {} (lowest {}, highest {})", epochs[i], short_number(spreads[i].mean),
                       short_number(spreads[i].low), short_number(spreads[i].high));
  });
  charts.push_back(std::move(chart));
}

/// Loss and accuracy on the training part over the epochs, and times of filtrations that were trained: mean over
/// trainings and the range of all. Empty if there is no history.
std::string curves(const FinishedEvaluation& finished) {
  using learn::Epoch;
  const auto& evaluation = finished.evaluation;
  std::vector<Chart> charts;
  add_curve(
      evaluation, "loss", "b", false, [](const Epoch& epoch) { return epoch.loss; }, charts);
  add_curve(
      evaluation, "training accuracy in %", "a", true,
      [](const Epoch& epoch) { return 100 * epoch.accuracy; }, charts);
  const auto& history = evaluation.folds.front().history;
  const std::size_t times = history.empty() ? 0 : history.front().times.size();
  for (std::size_t i = 0; i < times; ++i) {
    const auto time = [i](const Epoch& epoch) {
      return i < epoch.times.size() ? std::optional(epoch.times[i]) : std::nullopt;
    };
    add_curve(evaluation, times == 1 ? "time t" : fmt::format("time t of filtration {}", i + 1), "c", false,
              time, charts);
  }
  if (charts.empty()) return "";
  return figure(charts, fmt::format("On the training part: mean over {}, with the range of all.",
                                    counted(evaluation.folds.size(), "training")));
}

std::string confusion(const FinishedEvaluation& finished) {
  const std::size_t classes = finished.classes.size();
  const auto& counts = finished.evaluation.confusion;
  const double side = static_cast<double>(std::clamp<std::size_t>(34 * classes, 200, 600));
  std::vector<std::string> upwards(finished.classes.rbegin(), finished.classes.rend());
  const double high = static_cast<double>(classes) - 0.5;
  Chart chart("Confusion matrix", {"predicted class", -0.5, high, false, finished.classes},
              {"true class", -0.5, high, false, upwards}, {side + 90, side + 80});
  for (std::size_t t = 0; t < classes; ++t) {
    const auto row = std::span(counts).subspan(t * classes, classes);
    const auto all = std::accumulate(row.begin(), row.end(), std::size_t{0});
    const double y = static_cast<double>(classes - 1 - t);
    for (std::size_t p = 0; p < classes; ++p) {
      const double share = all == 0 ? 0 : static_cast<double>(row[p]) / static_cast<double>(all);
      const double x = static_cast<double>(p);
      chart.cell({x - 0.5, y - 0.5}, {x + 0.5, y + 0.5}, 0.75 * share,
                 fmt::format("class {} taken for {}: {} times, {} of the class", finished.classes[t],
                             finished.classes[p], row[p], percent(share)));
      if (classes <= 12)
        chart.text({x, y}, fmt::format("{}", row[p]), share > 0.8 ? "count strong" : "count");
    }
  }
  return figure(std::array{chart}, "How often items of each class were taken for each, over all folds.");
}

std::string diagrams(const EvaluationFolder& folder, std::size_t most) {
  if (!folder.sample || most == 0) return "";
  const auto kept = features::sample_rows(folder.finished.items, folder.sample->item_count());
  const auto chosen = features::sample_rows(kept.size(), most);
  std::vector<std::size_t> numbers;
  numbers.reserve(chosen.size());
  for (const std::size_t row : chosen) numbers.push_back(kept[row]);
  const auto set = features::sample_diagrams(*folder.sample, {}, most);
  const auto which =
      numbers.size() == folder.finished.items
          ? fmt::format("All {} items", numbers.size())
          : fmt::format("{} of {} items, evenly spaced", numbers.size(), folder.finished.items);
  return fmt::format("<p>{}.</p>\n", which) + diagram_view(set, numbers);
}

std::string learned(const learn::ModelFile* start, const learn::ModelFile& end, std::string_view which) {
  const auto channels = learned_channels(start, end);
  std::vector<Chart> weights;
  std::vector<Chart> transforms;
  for (const auto& channel : channels) {
    std::ranges::move(weight_charts(channel), std::back_inserter(weights));
    std::ranges::move(transform_charts(channel), std::back_inserter(transforms));
  }
  std::string html;
  const auto scaling = end.settings.network.scale;
  const auto* const scale = scaling == learn::Scaling::none ? ""
                            : scaling == learn::Scaling::together
                                ? "Diagrams are scaled to the unit square. "
                                : "Diagrams are scaled to the unit square, births and deaths apart. ";
  if (!weights.empty())
    html +=
        "<h3>Weights</h3>\n" +
        figure(weights,
               fmt::format("The weight w of points by where they lie, {}. {}Birth stands for the smaller "
                           "coordinate of a point, death for the larger. The smallest weight is pale, the "
                           "largest strong; orange is below zero.",
                           which, scale));
  if (!transforms.empty())
    html += "<h3>Point transformations</h3>\n" +
            figure(transforms, fmt::format("Parameters of φ, {}. {}", which, scale));
  auto rows = single_numbers(channels);
  if (!rows.empty()) {
    rows.insert(rows.begin(), {"parameter", "before", "after"});
    html += table(rows);
  }
  return html;
}

/// Candidates for the network's channel: one row each, of the texts that `cells` gives for its place.
std::string candidates(const learn::Settings& settings, std::vector<std::string> header,
                       const std::function<std::vector<std::string>(std::size_t)>& cells) {
  std::vector<std::vector<std::string>> rows{std::move(header)};
  for (std::size_t i = 0; i < settings.network.candidates.size(); ++i) {
    rows.push_back({learn::channel_name(settings.network.candidates[i])});
    std::ranges::move(cells(i), std::back_inserter(rows.back()));
  }
  return table(rows);
}

constexpr auto choice_caption =
    "<p>A cross-validation inside the training part chose the channel by its accuracy.</p>\n";

/// Which channel each fold chose. Folds of earlier versions do not say it.
std::string choices(const FinishedEvaluation& finished) {
  const auto count = finished.settings.network.candidates.size();
  if (count == 0) return "";
  std::vector<std::size_t> chosen(count);
  std::vector<std::vector<double>> accuracies(count);
  for (const auto& fold : finished.evaluation.folds) {
    if (fold.choice_accuracies.size() != count) continue;
    const auto best = std::ranges::max_element(fold.choice_accuracies) - fold.choice_accuracies.begin();
    ++chosen[static_cast<std::size_t>(best)];
    for (std::size_t i = 0; i < count; ++i) accuracies[i].push_back(fold.choice_accuracies[i]);
  }
  if (accuracies.front().empty()) return "";
  return choice_caption + candidates(finished.settings, {"channel", "chosen", "mean accuracy", "range"},
                                     [&](std::size_t i) -> std::vector<std::string> {
                                       const auto& own = accuracies[i];
                                       const auto [low, high] = std::ranges::minmax(own);
                                       const double mean = std::accumulate(own.begin(), own.end(), 0.0) /
                                                           static_cast<double>(own.size());
                                       return {counted(chosen[i], "time"), percent(mean),
                                               fmt::format("{} to {}", percent(low), percent(high))};
                                     });
}

/// Which channel a model has.
std::string choices(const learn::ModelFile& model) {
  const auto choice = learn::chosen_channel(model);
  if (!choice) return "";
  return choice_caption +
         candidates(model.settings, {"channel", "", "accuracy"},
                    [&](std::size_t i) -> std::vector<std::string> {
                      return {i == choice->place ? "chosen" : "", percent(choice->accuracies.at(i))};
                    });
}

std::string times(const FinishedEvaluation& finished) {
  using Seconds = learn::FoldSeconds;
  const std::array parts{std::pair("preparation", total(finished, &Seconds::preparation)),
                         std::pair("training", total(finished, &Seconds::training)),
                         std::pair("prediction", total(finished, &Seconds::prediction))};
  double all = 0;
  for (const auto& part : parts) all += part.second;
  Chart chart("Run time", {"seconds, all trainings together", 0, all > 0 ? all : 1},
              {"", -0.5, 2.5, false, {"prediction", "training", "preparation"}}, {640, 170});
  for (std::size_t i = 0; i < parts.size(); ++i)
    chart.bar({0, 1.7 - static_cast<double>(i)}, {parts[i].second, 2.3 - static_cast<double>(i)}, "a",
              fmt::format("{}: {}, {} of the time", parts[i].first, duration(parts[i].second),
                          percent(all > 0 ? parts[i].second / all : 0)));
  return figure(std::array{chart},
                "Reading data and computing diagrams, which is done once before, is not in it.");
}

std::string settings(const FinishedEvaluation& finished) {
  return fmt::format("<p>Made by perslay {}, seed {}, variant {}.</p>\n<pre>{}</pre>\n",
                     escaped(finished.version), finished.seed, escaped(finished.variant),
                     escaped(learn::to_toml(finished.settings)));
}

// ---- pages

std::string subtitle(const FinishedEvaluation& finished) {
  return fmt::format("{} in {} classes · settings {} · {} · {}", counted(finished.items, "item"),
                     finished.classes.size(), finished.settings.name, finished.settings.model,
                     finished.protocol.name());
}

/// All about one evaluation; ids start with `prefix`, titles with `name`.
std::vector<Section> sections_of(const EvaluationFolder& folder, const std::string& prefix,
                                 const std::string& name, std::size_t items) {
  const auto& finished = folder.finished;
  std::vector<Section> sections;
  const auto add = [&](const char* id, const char* title, std::string html) {
    if (!html.empty()) sections.push_back({prefix + id, name + title, std::move(html)});
  };
  add("accuracy", "Accuracy", accuracies(finished));
  add("confusion", "Confusion", confusion(finished));
  add("training", "Training", curves(finished));
  add("choice", "Choice of the channel", choices(finished));
  add("diagrams", "Diagrams", diagrams(folder, items));
  if (folder.end)
    add("learned", "What was learned",
        learned(folder.start ? &*folder.start : nullptr, *folder.end, "of the model of repeat 1, fold 1"));
  add("time", "Run time", times(finished));
  add("settings", "Settings", settings(finished));
  return sections;
}

Page page_of(const EvaluationFolder& folder, std::size_t items) {
  const auto& finished = folder.finished;
  return {fmt::format("{}: {}", finished.dataset, with_spread(finished.evaluation.accuracy)),
          subtitle(finished), tiles(finished), sections_of(folder, "", "", items)};
}

/// "MUTAG, mutag/paper".
std::string title_of(const EvaluationFolder& folder) {
  return fmt::format("{}, {}", folder.finished.dataset, folder.name);
}

std::string overview(const std::vector<EvaluationFolder>& folders) {
  std::vector<std::vector<std::string>> rows{{"evaluation", "dataset", "model", "accuracy",
                                              "on training items", "most frequent class", "sizes alone",
                                              "protocol"}};
  for (const auto& folder : folders) {
    const auto& [finished, evaluation] = std::tie(folder.finished, folder.finished.evaluation);
    rows.push_back({folder.name, finished.dataset, finished.settings.model, with_spread(evaluation.accuracy),
                    percent(evaluation.training_accuracy.mean), percent(evaluation.majority_accuracy.mean),
                    percent(evaluation.size_accuracy.mean), finished.protocol.name()});
  }
  return table(rows);
}

/// The numbers of one evaluation, with links to its parts.
Section summary_of(const EvaluationFolder& folder, const std::string& id, const std::vector<Section>& parts) {
  std::string links;
  const auto prefix = title_of(folder).size() + 2;
  for (const auto& part : parts)
    links += fmt::format("<a href=\"#{}\">{}</a>\n", part.id, escaped(part.title.substr(prefix)));
  return {id, title_of(folder),
          fmt::format("<p class=\"subtitle\">{}</p>\n{}<nav aria-label=\"Parts\">\n{}</nav>\n",
                      escaped(subtitle(folder.finished)), tiles(folder.finished), links)};
}

Page page_of(const std::vector<EvaluationFolder>& folders, const fs::path& root, std::size_t items) {
  std::error_code ignored;
  Page page{counted(folders.size(), "evaluation"),
            fs::canonical(root, ignored).filename().string(),
            overview(folders),
            {}};
  for (std::size_t i = 0; i < folders.size(); ++i) {
    const auto id = fmt::format("e{}", i + 1);
    // The remainder goes to the first ones.
    const std::size_t own = items / folders.size() + (i < items % folders.size() ? 1 : 0);
    auto parts = sections_of(folders[i], id + "-", title_of(folders[i]) + ": ", own);
    page.sections.push_back(summary_of(folders[i], id, parts));
    for (auto& part : parts) {
      part.listed = false;
      page.sections.push_back(std::move(part));
    }
  }
  return page;
}

Page model_page(const fs::path& path) {
  const auto model = learn::read_model(path);
  Page page;
  if (!model.checked) page.notes.push_back(io::no_checksum_remark(path));
  page.title = path.filename().string();
  page.subtitle = fmt::format("{} of {} classes · settings {} · perslay {} · seed {}", model.settings.model,
                              model.classes.size(), model.settings.name, model.version, model.seed);
  if (auto html = choices(model); !html.empty())
    page.sections.push_back({"choice", "Choice of the channel", std::move(html)});
  auto html = learned(nullptr, model, "of the first net");
  if (!html.empty()) page.sections.push_back({"learned", "What was learned", std::move(html)});
  page.sections.push_back(
      {"settings", "Settings", fmt::format("<pre>{}</pre>\n", escaped(learn::to_toml(model.settings)))});
  return page;
}

}  // namespace

Page report_page(const fs::path& path, std::size_t items) {
  io::require_path(path);
  const auto type = io::path_type(path);
  if (type == io::PathType::file) return model_page(path);
  if (type != io::PathType::folder)
    throw base::user_error(fmt::format("{} is neither a folder nor a file.", path.string()));
  const auto [finished, unfinished] = find_evaluations(path);
  std::vector<EvaluationFolder> folders;
  folders.reserve(finished.size());
  for (const auto& folder : finished) folders.push_back(read_folder(path, folder));
  auto page = folders.size() == 1 ? page_of(folders.front(), items) : page_of(folders, path, items);
  for (const auto& folder : folders) std::ranges::copy(folder.remarks, std::back_inserter(page.notes));
  for (const auto& folder : unfinished)
    page.notes.push_back(fmt::format("The evaluation in {} is not finished and not shown.", folder.string()));
  return page;
}

}  // namespace perslay::report
