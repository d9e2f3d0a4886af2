// One epoch of the paper's network with its settings, ours against the same network written with padded
// libtorch tensors (the same parameters, batches, loss and optimiser; each batch as long as its longest
// diagram), in one process on one thread, interleaved. Processor time; medians of the rounds.
//
//   bench_epoch EXPERIMENTS_FOLDER [DATASETS_FOLDER] [rounds]
#include "../src/learn/network_data.h"
#include "../src/learn/network_training.h"
#include "padded_network.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <perslay/features/load_items.h>
#include <perslay/learn/preparation.h>
#include <perslay/learn/settings.h>

namespace {

using namespace perslay;
namespace fs = std::filesystem;

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

template <class Action>
double seconds_of(Action&& action) {
  const double start = processor_seconds();
  action();
  return processor_seconds() - start;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

std::vector<std::size_t> all(std::size_t count) {
  std::vector<std::size_t> rows(count);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

/// The peer's epoch.
class PaddedTraining {
 public:
  PaddedTraining(bench::PaddedNetwork network, torch::Tensor labels, const learn::TrainingSettings& settings)
      : network_(std::move(network)),
        labels_(std::move(labels)),
        settings_(settings),
        adam_(network_->parameters(), torch::optim::AdamOptions(settings.rate).eps(settings.epsilon)) {
    for (const auto& parameter : network_->parameters()) averages_.push_back(parameter.detach().clone());
  }

  void epoch() {
    const auto order = torch::randperm(labels_.size(0));
    for (const auto& items : order.split(static_cast<std::int64_t>(settings_.batch))) {
      adam_.zero_grad();
      torch::nn::functional::cross_entropy(network_->forward(items), labels_.index_select(0, items))
          .backward();
      adam_.step();
      if (settings_.average == 0) continue;
      const torch::NoGradGuard constant;
      const auto parameters = network_->parameters();
      for (std::size_t i = 0; i < parameters.size(); ++i)
        averages_[i].lerp_(parameters[i], 1 - settings_.average);
    }
  }

 private:
  bench::PaddedNetwork network_;
  torch::Tensor labels_;
  learn::TrainingSettings settings_;
  torch::optim::Adam adam_;
  std::vector<torch::Tensor> averages_;
};

struct Experiment {
  std::string settings;
  std::string archive;  // empty: orbits
};

features::Items load(const Experiment& experiment, const learn::Settings& settings,
                     const fs::path& datasets) {
  const features::LoadRequest request{.filtrations = settings.data.filtrations,
                                      .kinds = settings.data.kinds,
                                      .essential = settings.data.essential,
                                      .drop_diagonal = settings.data.drop_diagonal,
                                      .transforms = settings.data.transforms,
                                      .features = settings.features.names};
  if (experiment.archive.empty()) return features::make_items(data::OrbitSet{}, request);
  return features::load_items(datasets / experiment.archive, request);
}

void run(const Experiment& experiment, const fs::path& folder, const fs::path& datasets, int rounds) {
  const auto settings = learn::read_settings(folder / (experiment.settings + ".toml"));
  const auto items = load(experiment, settings, datasets);
  // Orbits are trained on 70 % of the items, graphs on nine folds of ten.
  auto rows = all(items.count());
  for (std::size_t i = rows.size(); i > 1; --i)
    std::swap(rows[i - 1], rows[base::RandomStream(0, i).below(i)]);
  rows.resize(items.count() * (experiment.archive.empty() ? 7 : 9) / 10);
  const auto preparation = learn::Preparation::fit(items, rows, settings);
  const learn::NetworkData data({items, rows, preparation}, settings, {});
  learn::NetworkTraining ours(settings, data, 0, 1);

  const auto places = all(rows.size());
  const network::Network<float> start(data.architecture(), 0);
  network::Batch<float> batch;
  data.fill(places, batch);
  bench::PaddedNetwork peer(settings.network.channel.paper, batch, start);
  data.fill(std::span(places).first(128), batch);
  network::Workspace<float> work;
  start.forward(batch, {}, work);
  const auto outputs = torch::tensor(work.output().values).view({128, -1});
  const auto difference = (peer->forward(torch::arange(128)) - outputs).abs().max();
  const std::vector<std::int64_t> labels(data.labels().begin(), data.labels().end());
  PaddedTraining theirs(peer, torch::tensor(labels, torch::kInt64), settings.training);

  std::vector<double> our_times, their_times;
  for (int round = 0; round < rounds; ++round) {
    our_times.push_back(seconds_of([&] {
                          for (std::size_t i = 0; i < 5; ++i)
                            static_cast<void>(ours.epoch(5 * static_cast<std::size_t>(round) + i, {}));
                        }) /
                        5);
    their_times.push_back(seconds_of([&] { theirs.epoch(); }));
  }
  const double a = median(our_times), b = median(their_times);
  fmt::print("{:<10} {:>6} items {:>9.1f} ms {:>10.1f} ms {:>7.1f} x   (first logits differ by {:.0e})\n",
             experiment.settings, rows.size(), 1e3 * a, 1e3 * b, b / a, difference.item<double>());
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "bench_epoch EXPERIMENTS_FOLDER [DATASETS_FOLDER] [rounds]\n");
    return 2;
  }
  at::set_num_threads(1);
  const int rounds = argc > 3 ? std::atoi(argv[3]) : 3;
  fmt::print("setting             items      ours    padded libtorch   ratio\n");
  run({"orbit5k", ""}, argv[1], "", rounds);
  if (argc < 3 || std::string_view(argv[2]).empty()) return 0;
  for (const Experiment& experiment :
       {Experiment{"mutag", "MUTAG.zip"}, Experiment{"cox2", "COX2.zip"}, Experiment{"dhfr", "DHFR.zip"},
        Experiment{"proteins", "PROTEINS.zip"}, Experiment{"imdb-b", "IMDB-BINARY.zip"},
        Experiment{"imdb-m", "IMDB-MULTI.zip"}, Experiment{"nci1", "NCI1.zip"},
        Experiment{"nci109", "NCI109.zip"}, Experiment{"collab", "COLLAB.tar.xz"},
        Experiment{"reddit5k", "REDDIT-MULTI-5K.tar.xz"}, Experiment{"reddit12k", "REDDIT-MULTI-12K.tar.xz"}})
    run(experiment, argv[1], argv[2], rounds);
}
