#include "t_optimisation.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/filtration/filtration.h>

namespace perslay::experiment {
namespace {

/// log t moves ten times as fast as the weights. At their own pace, 80 steps of 0.01 at most, 40 epochs could
/// not lead from one start to another, and every start would look like an optimum.
constexpr double pace = 10;

Job job_from(const Job& base, double start, bool trained) {
  auto job = base;
  job.settings.data.filtrations = {fmt::format("hks:{:g}", start)};
  job.settings.network.train_filtration = trained;
  job.settings.network.filtration_pace = trained ? pace : 1;
  job.settings.training.epochs = 40;
  job.column = fmt::format("t {} {:g}", trained ? "trained from" : "fixed at", start);
  job.folder = fmt::format("{}/t-{:g}-{}", base.folder.substr(0, base.folder.find('/')), start,
                           trained ? "trained" : "fixed");
  job.protocol.repeats = 1;
  job.paper.reset();
  job.paper_max.reset();
  return job;
}

TimeSpread spread_of(const std::vector<double>& times) {
  double sum = 0;
  for (const double time : times) sum += std::log(time);
  const auto [low, high] = std::ranges::minmax(times);
  return {std::exp(sum / static_cast<double>(times.size())), low, high};
}

}  // namespace

std::vector<Job> t_optimisation_jobs(const Job& base) {
  std::vector<Job> jobs;
  for (const double start : {0.1, 1.0, 10.0})
    for (const bool trained : {false, true}) jobs.push_back(job_from(base, start, trained));
  return jobs;
}

void TimeCurve::add(const learn::FoldResult& fold) {
  for (const auto& epoch : fold.history) {
    if (epoch.times.empty()) continue;
    if (times_.size() <= epoch.epoch) times_.resize(epoch.epoch + 1);
    times_[epoch.epoch].push_back(epoch.times.front());
  }
}

std::vector<TimeSpread> TimeCurve::spread(const learn::Settings& settings) const {
  if (times_.empty()) return {};
  std::vector<TimeSpread> curve{
      spread_of({filtration::parse_filtration(settings.data.filtrations.front()).heat_kernel.value().time})};
  for (const auto& times : times_) curve.push_back(spread_of(times));
  return curve;
}

std::string curves_markdown(const std::vector<Outcome>& outcomes) {
  constexpr std::size_t between = 5;  // epochs
  std::vector<std::vector<std::string>> rows{{"epoch"}};
  for (const auto& outcome : outcomes) {
    if (outcome.times.empty()) continue;
    rows.front().push_back(outcome.job.column);
    for (std::size_t i = 0; between * i < outcome.times.size(); ++i) {
      if (rows.size() <= i + 1) rows.push_back({fmt::format("{}", between * i)});
      const auto& [mean, low, high] = outcome.times[between * i];
      rows[i + 1].push_back(fmt::format("{:.3g} ({:.3g} … {:.3g})", mean, low, high));
    }
  }
  if (rows.front().size() == 1) return "";
  std::string text =
      "\nThe time t of the heat kernel signature after so many epochs: geometric mean over trainings (lowest "
      "… "
      "highest).\n\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    text += fmt::format("| {} |\n", fmt::join(rows[i], " | "));
    if (i == 0) text += fmt::format("|{}\n", fmt::join(std::vector<std::string>(rows[0].size(), "---|"), ""));
  }
  return text;
}

}  // namespace perslay::experiment
