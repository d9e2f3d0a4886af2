#include <atomic>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <perslay/base/forks.h>

namespace perslay::base {
namespace {

std::mutex outer, inner;

TEST(FreeAfterFork, AChildFindsMutexesFreeThatAnotherThreadHolds) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "ThreadSanitizer does not follow forks of programs with threads.";
#endif
  ASSERT_TRUE(free_after_fork<inner>());
  ASSERT_TRUE(free_after_fork<outer>());  // last, since it is locked first
  std::atomic<bool> going = true;
  std::atomic<int> rounds = 0;
  std::thread other([&] {
    while (going) {
      {
        const std::scoped_lock first(outer);
        const std::scoped_lock second(inner);
        std::this_thread::yield();  // mostly they are held
        ++rounds;
      }
      std::this_thread::yield();
    }
  });
  while (rounds == 0) std::this_thread::yield();
  for (int i = 0; i < 20; ++i) {
    const pid_t child = fork();
    if (child == 0) _exit(outer.try_lock() && inner.try_lock() ? 0 : 1);
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  going = false;
  other.join();
}

}  // namespace
}  // namespace perslay::base
