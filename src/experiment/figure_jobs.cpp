#include "figure_jobs.h"

#include "t_optimisation.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <perslay/filtration/filtration.h>

namespace perslay::experiment {
namespace {

constexpr std::string_view fixed_prefix = "t = ";

Job changed(const Job& base, std::string column, const std::string& folder) {
  auto job = base;
  job.column = std::move(column);
  job.folder = base.folder.substr(0, base.folder.find('/')) + '/' + folder;
  job.protocol.repeats = 1;
  job.paper.reset();
  job.paper_max.reset();
  return job;
}

/// The appendix: Im(20,(),20), 100 epochs, a single ten-fold.
Job job_at(const Job& base, double time) {
  const auto name = fmt::format("hks:{:.3g}", time);
  auto job = changed(base, fmt::format("{}{:.3g}", fixed_prefix, time), fmt::format("t-{:.3g}", time));
  job.settings.data.filtrations = {name};
  job.settings.features.names = {"eigenvalues", "deciles:" + name};
  job.settings.network.channel = {"Im(20,(),20,sum)", {}, {}, {}};
  job.settings.training.epochs = 100;
  return job;
}

}  // namespace

std::vector<Job> figure_jobs(const std::vector<Job>& datasets) {
  std::vector<Job> jobs;
  for (const auto& base : datasets)
    for (int half_decades = -4; half_decades <= 4; ++half_decades)
      jobs.push_back(job_at(base, std::pow(10, half_decades / 2.0)));
  auto weights = changed(datasets.front(), weights_column, "weights");
  weights.settings.network.channel = {"Im(20,(10,2),20,sum)", {}, {}, {}};
  jobs.push_back(std::move(weights));
  for (auto& job : t_optimisation_jobs(datasets.front()))
    if (job.settings.network.train_filtration) jobs.push_back(std::move(job));
  return jobs;
}

double fixed_time(const Job& job) {
  if (!job.column.starts_with(fixed_prefix)) return 0;
  return filtration::parse_filtration(job.settings.data.filtrations.front()).heat_kernel.value().time;
}

}  // namespace perslay::experiment
