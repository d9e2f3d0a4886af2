#include "campaign/families.h"
#include "campaign/progress.h"

#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <string_view>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/stopwatch.h>

/// Checks COUNT further cases against their oracles. Case n of a family is drawn from (seed, n) alone. In FOLDER are
/// the counts of all runs with this seed, with which the next one goes on, and the cases that went wrong.
namespace perslay::campaign {
namespace {

std::atomic<bool> stop = false;

struct Request {
  std::filesystem::path folder;
  std::uint64_t count = 0;
  std::uint64_t seed = 0;
};

void store(const Request& request, const Family& family, std::uint64_t item, const Failure& failure) {
  const auto file = request.folder / fmt::format("{}-{}-{}.txt", family.name, request.seed, item);
  io::write_file(file, fmt::format("# {}, seed {}, case {}, made smaller {} times\n# {}\n{}", family.name,
                                   request.seed, item, failure.steps, failure.sentence, failure.text));
  fmt::print("{}, seed {}, case {}: {}\n  The smallest such case is in {}.\n", family.name, request.seed,
             item, failure.sentence, file.string());
}

/// The cases of one turn of a family.
void run(const Request& request, const Family& family, std::uint64_t cases, Progress::Count& count) {
  for (; cases > 0 && !stop; --cases, ++count.cases) {
    base::RandomStream random(request.seed, count.cases);
    const auto failure = family.check(random);
    if (!failure) continue;
    if (count.wrong++ == 0) store(request, family, count.cases, *failure);
  }
}

int run(const Request& request) {
  constexpr double seconds_between_savings = 10;
  std::filesystem::create_directories(request.folder);
  Progress progress(request.folder / fmt::format("progress-{}.txt", request.seed));
  const auto all = families();
  std::map<std::string, std::uint64_t> before;
  std::map<std::string, double> seconds;
  for (const auto& family : all) before[family.name] = progress[family.name].cases;

  base::Stopwatch saved;
  for (std::uint64_t left = request.count; left > 0 && !stop;)
    for (const auto& family : all) {
      const auto cases = std::min<std::uint64_t>(left, family.share);
      const base::Stopwatch watch;
      run(request, family, cases, progress[family.name]);
      seconds[family.name] += watch.seconds();
      left -= cases;
      if (saved.seconds() < seconds_between_savings) continue;
      progress.save();
      saved = {};
    }
  progress.save();

  fmt::print("Seed {}{}\n", request.seed, stop ? ", stopped" : "");
  fmt::print("{:<22} {:>11} {:>9} {:>11} {:>6}  {}\n", "family", "cases now", "us each", "in all", "wrong",
             "against");
  std::uint64_t cases = 0, wrong = 0;
  for (const auto& family : all) {
    const auto& count = progress[family.name];
    const auto now = count.cases - before[family.name];
    fmt::print("{:<22} {:>11} {:>9.0f} {:>11} {:>6}  {}\n", family.name, now,
               now > 0 ? 1e6 * seconds[family.name] / static_cast<double>(now) : 0, count.cases, count.wrong,
               family.oracle);
    cases += count.cases;
    wrong += count.wrong;
  }
  fmt::print("{:<22} {:>11} {:>9} {:>11} {:>6}\n", "all", "", "", cases, wrong);
  return wrong == 0 ? 0 : 1;
}

std::uint64_t number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    throw base::user_error(fmt::format("A whole number is needed, not '{}'.", text));
  return value;
}

}  // namespace
}  // namespace perslay::campaign

int main(int argc, char** argv) {
  using namespace perslay;
  std::signal(SIGINT, [](int) { campaign::stop = true; });
  std::signal(SIGTERM, [](int) { campaign::stop = true; });
  try {
    if (argc < 3 || argc > 4) throw base::user_error("Usage: campaign_oracles FOLDER COUNT [SEED].");
    return campaign::run({argv[1], campaign::number(argv[2]), argc > 3 ? campaign::number(argv[3]) : 1});
  } catch (const base::Error& error) {
    std::fputs(fmt::format("campaign_oracles: {}\n", error.what()).c_str(), stderr);
    return 2;
  }
}
