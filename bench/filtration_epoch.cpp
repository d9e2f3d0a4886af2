// What it costs to train the filtration: an epoch of the paper's network with t fixed and with t trained, in
// one process on one thread, interleaved. Processor time; medians of the rounds. The spectra are computed
// once for all epochs and folds, and are printed apart.
//
//   bench_filtration_epoch EXPERIMENTS_FOLDER DATASETS_FOLDER [rounds]
#include "../src/learn/network_data.h"
#include "../src/learn/network_training.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <perslay/features/load_items.h>
#include <perslay/learn/models.h>
#include <perslay/learn/preparation.h>
#include <perslay/learn/settings.h>

namespace {

using namespace perslay;
namespace fs = std::filesystem;

template <class Action>
double seconds_of(Action&& action) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  const double start = now();
  action();
  return now() - start;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

/// A training that goes on epoch by epoch.
class Training {
 public:
  Training(const learn::Settings& settings, const fs::path& archive)
      : settings_(settings), items_(features::load_items(archive, learn::load_request(settings))) {
    rows_.resize(items_.count());
    std::iota(rows_.begin(), rows_.end(), std::size_t{0});
    for (std::size_t i = rows_.size(); i > 1; --i)
      std::swap(rows_[i - 1], rows_[base::RandomStream(0, i).below(i)]);
    rows_.resize(items_.count() * 9 / 10);
    preparation_ = learn::Preparation::fit(items_, rows_, settings_);
    base::Context one;
    one.threads = 1;
    before_ = seconds_of([&] {
      data_ = std::make_unique<learn::NetworkData>(learn::Part{items_, rows_, preparation_}, settings_, one);
    });
    training_ = std::make_unique<learn::NetworkTraining>(settings_, *data_, 0, 1);
  }

  void round() {
    constexpr std::size_t epochs = 5;
    times_.push_back(seconds_of([&] {
                       for (std::size_t i = 0; i < epochs; ++i) (void)training_->epoch(epoch_++, {});
                     }) /
                     epochs);
  }

  [[nodiscard]] double seconds() const { return median(times_); }
  [[nodiscard]] double seconds_before() const { return before_; }
  [[nodiscard]] std::size_t size() const { return rows_.size(); }

 private:
  learn::Settings settings_;
  features::Items items_;
  std::vector<std::size_t> rows_;
  learn::Preparation preparation_;
  double before_ = 0;
  std::unique_ptr<learn::NetworkData> data_;
  std::unique_ptr<learn::NetworkTraining> training_;
  std::size_t epoch_ = 0;
  std::vector<double> times_;
};

void run(const std::string& name, const fs::path& experiments, const fs::path& archive, int rounds) {
  const auto fixed = learn::read_settings(experiments / (name + ".toml"));
  auto trained = fixed;
  trained.network.train_filtration = true;
  Training a(fixed, archive), b(trained, archive);
  for (int round = 0; round < rounds; ++round)
    for (auto* training : {&a, &b}) training->round();
  fmt::print("{:<10} {:>6} {:>8.1f} ms {:>8.1f} ms {:>5.2f} x {:>9.1f} ms\n", name, a.size(),
             1e3 * a.seconds(), 1e3 * b.seconds(), b.seconds() / a.seconds(),
             1e3 * (b.seconds_before() - a.seconds_before()));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "bench_filtration_epoch EXPERIMENTS_FOLDER DATASETS_FOLDER [rounds]\n");
    return 2;
  }
  const int rounds = argc > 3 ? std::atoi(argv[3]) : 5;
  fmt::print("settings    items     fixed t       trained t          spectra\n");
  for (const auto& [name, archive] : {std::pair("mutag", "MUTAG.zip"), std::pair("proteins", "PROTEINS.zip"),
                                      std::pair("imdb-b", "IMDB-BINARY.zip")})
    run(name, argv[1], fs::path(argv[2]) / archive, rounds);
}
