#include "cli/program.h"

#include <sched.h>

namespace perslay::test {
namespace {

class ThreadsTest : public testing::Test {
 protected:
  [[nodiscard]] int threads(const std::vector<std::string>& options = {}) const {
    std::vector<std::string> words{"diagrams", data_};
    words.insert(words.end(), options.begin(), options.end());
    return run_json(words)["threads"];
  }

  TemporaryFolder folder_;
  std::string data_ = write_small_dataset(folder_);
  Variable own_{"PERSLAY_THREADS", nullptr}, openmp_{"OMP_NUM_THREADS", nullptr};
};

TEST_F(ThreadsTest, TheEnvironmentSaysHowMany) {
  const Variable openmp("OMP_NUM_THREADS", "5,2");
  EXPECT_EQ(threads(), 5);
  const Variable own("PERSLAY_THREADS", "3");
  EXPECT_EQ(threads(), 3);
  EXPECT_EQ(threads({"--threads", "0"}), 3);
  EXPECT_EQ(threads({"--threads", "2"}), 2);
}

TEST_F(ThreadsTest, AWrongVariableIsAMistakeUnlessTheOptionSaysIt) {
  const Variable own("PERSLAY_THREADS", "many");
  expect_mistake({"info", data_}, "PERSLAY_THREADS needs an integer from 1 to 256, not 'many'.");
  EXPECT_EQ(threads({"--threads", "2"}), 2);
}

TEST_F(ThreadsTest, OtherwiseThoseThatTheProcessMayUse) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  cpu_set_t one;
  CPU_ZERO(&one);
  std::size_t first = 0;
  while (!CPU_ISSET(first, &before)) ++first;
  CPU_SET(first, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  const Variable openmp("OMP_NUM_THREADS", "none");
  EXPECT_EQ(threads(), 1);
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
}

}  // namespace
}  // namespace perslay::test
