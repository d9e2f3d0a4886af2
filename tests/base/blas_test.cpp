#include <latch>
#include <optional>
#include <thread>

#include <cblas.h>
#include <gtest/gtest.h>

#include <perslay/base/blas.h>

namespace perslay::base {
namespace {

class OneBlasThreadTest : public testing::Test {
 protected:
  void SetUp() override { openblas_set_num_threads(2); }
  void TearDown() override { openblas_set_num_threads(before_); }

  int before_ = openblas_get_num_threads();
};

TEST_F(OneBlasThreadTest, TheHostKeepsItsThreads) {
  {
    const OneBlasThread outer;
    EXPECT_EQ(openblas_get_num_threads(), 1);
    { const OneBlasThread inner; }
    EXPECT_EQ(openblas_get_num_threads(), 1);
  }
  EXPECT_EQ(openblas_get_num_threads(), 2);
  openblas_set_num_threads(3);
  { const OneBlasThread again; }
  EXPECT_EQ(openblas_get_num_threads(), 3);
}

TEST_F(OneBlasThreadTest, TheLastOfSeveralThreadsRestores) {
  std::optional<OneBlasThread> first(std::in_place);
  std::latch second_lives(1), first_is_gone(1);
  std::thread other([&] {
    const OneBlasThread second;
    second_lives.count_down();
    first_is_gone.wait();
    EXPECT_EQ(openblas_get_num_threads(), 1);
  });
  second_lives.wait();
  first.reset();
  first_is_gone.count_down();
  other.join();
  EXPECT_EQ(openblas_get_num_threads(), 2);
}

}  // namespace
}  // namespace perslay::base
