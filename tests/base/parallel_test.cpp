#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <perslay/base/parallel.h>
#include <perslay/base/processors.h>

namespace perslay::base {
namespace {

Context with_threads(int threads) {
  Context context;
  context.threads = threads;
  return context;
}

TEST(ParallelFor, RunsEveryItemOnce) {
  for (const int threads : {1, 2, 7}) {
    std::vector<std::atomic<int>> runs(1000);
    parallel_for(with_threads(threads), "work", runs.size(), [&](std::size_t i) { ++runs[i]; });
    for (const auto& count : runs) EXPECT_EQ(count, 1);
  }
}

TEST(WorkerCount, IsWhatIsAskedForWithinReason) {
  EXPECT_EQ(worker_count(with_threads(3)), 3);
  EXPECT_EQ(worker_count(with_threads(1'000'000)), 256);
  EXPECT_EQ(worker_count(with_threads(0)), available_processors());
}

TEST(ParallelFor, NoItemsIsNoWork) {
  parallel_for(with_threads(3), "work", 0, [](std::size_t) { FAIL(); });
}

TEST(ParallelFor, LoopsWithinLoops) {
  std::vector<std::atomic<int>> runs(40 * 30 * 5);
  parallel_for(with_threads(3), "outer", 40, [&](std::size_t i) {
    parallel_for(with_threads(2), "middle", 30, [&](std::size_t j) {
      parallel_for(with_threads(2), "inner", 5, [&](std::size_t k) { ++runs[(i * 30 + j) * 5 + k]; });
    });
  });
  for (const auto& count : runs) EXPECT_EQ(count, 1);
}

TEST(ParallelFor, ManyShortLoopsOfChangingWidth) {
  std::atomic<std::size_t> sum = 0;
  std::size_t expected = 0;
  for (int loop = 0; loop < 3000; ++loop) {
    const auto items = static_cast<std::size_t>(loop % 7);
    parallel_for(with_threads(1 + loop % 4), "work", items, [&](std::size_t i) { sum += i + 1; });
    expected += items * (items + 1) / 2;
    ASSERT_EQ(sum, expected);
  }
}

TEST(ParallelFor, AForkedProcessHasThreadsOfItsOwn) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "ThreadSanitizer does not follow forks of programs with threads.";
#endif
  std::atomic<int> before = 0;
  parallel_for(with_threads(3), "work", 100, [&](std::size_t) { ++before; });
  const pid_t child = fork();
  if (child == 0) {
    std::atomic<int> runs = 0;
    parallel_for(with_threads(3), "work", 100, [&](std::size_t) { ++runs; });
    _exit(runs == 100 ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(ParallelFor, BuffersAreMadeOncePerWorkerAndReused) {
  std::atomic<int> made = 0;
  std::atomic<int> uses = 0;
  parallel_for(
      with_threads(3), "work", 500,
      [&] {
        ++made;
        return std::vector<int>();
      },
      [&](std::size_t, std::vector<int>& buffer) {
        buffer.push_back(1);
        ++uses;
      });
  EXPECT_LE(made, 3);
  EXPECT_GE(made, 1);
  EXPECT_EQ(uses, 500);
}

TEST(ParallelFor, TheLowestFailingItemIsReportedForAnyNumberOfThreads) {
  for (const int threads : {1, 2, 5}) {
    for (int repetition = 0; repetition < 50; ++repetition) {
      std::atomic<bool> later_item_fails = false;
      try {
        parallel_for(with_threads(threads), "work", 200, [&](std::size_t i) {
          if (i == 20 && threads > 1) later_item_fails.wait(false);
          if (i > 20) {
            later_item_fails = true;
            later_item_fails.notify_one();
          }
          if (i >= 20) throw user_error("item " + std::to_string(i));
        });
        FAIL() << "no error";
      } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "item 20");
      }
    }
  }
}

TEST(ParallelFor, StopsWhenCancelled) {
  std::atomic<bool> cancel = false;
  Context context = with_threads(2);
  context.cancel = &cancel;
  std::atomic<int> runs = 0;
  try {
    parallel_for(context, "work", 100000, [&](std::size_t) {
      if (++runs >= 10) cancel = true;
    });
    FAIL() << "ran to the end";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::cancelled);
  }
  EXPECT_LE(runs, 11);  // the other thread may be within an item
}

TEST(ParallelFor, ReportsTheEnd) {
  std::vector<Progress> reports;
  Context context = with_threads(2);
  context.progress = [&](const Progress& progress) { reports.push_back(progress); };
  parallel_for(context, "counting sheep", 30, [](std::size_t) {});
  ASSERT_FALSE(reports.empty());
  EXPECT_EQ(reports.back().stage, "counting sheep");
  EXPECT_EQ(reports.back().done, 30U);
  EXPECT_EQ(reports.back().total, 30U);
}

/// The loop is too long to end; the first report ends it.
TEST(ParallelFor, ReportsProgressMeanwhile) {
  constexpr std::size_t sheep = std::size_t{1} << 60;
  std::atomic<bool> cancel = false;
  std::vector<Progress> reports;
  Context context = with_threads(2);
  context.cancel = &cancel;
  context.progress = [&](const Progress& progress) {
    reports.push_back(progress);
    cancel = true;
  };
  EXPECT_THROW(parallel_for(context, "counting sheep", sheep, [](std::size_t) {}), Error);
  ASSERT_FALSE(reports.empty());
  EXPECT_EQ(reports[0].stage, "counting sheep");
  EXPECT_GT(reports[0].done, 0U);
  EXPECT_LT(reports[0].done, sheep);
  EXPECT_EQ(reports[0].total, sheep);
}

TEST(ProgressMeter, ReportsTenTimesPerSecond) {
  std::vector<std::size_t> reports;
  Context context;
  context.progress = [&](const Progress& progress) {
    EXPECT_EQ(progress.total, 50U);
    reports.push_back(progress.done);
  };
  const ProgressMeter::Clock::time_point begin{};
  ProgressMeter meter(context, "steps", 50, begin);
  for (std::size_t step = 0; step < 50; ++step) meter(step, begin + step * std::chrono::milliseconds(10));
  EXPECT_EQ(reports, (std::vector<std::size_t>{10, 20, 30, 40}));
}

}  // namespace
}  // namespace perslay::base
