#include <mutex>

#include <cblas.h>

#include <perslay/base/blas.h>
#include <perslay/base/forks.h>

namespace perslay::base {
namespace {

std::mutex mutex;
[[maybe_unused]] const bool forks = free_after_fork<mutex>();
int living = 0;
int hosts_threads = 1;

}  // namespace

OneBlasThread::OneBlasThread() {
  const std::scoped_lock lock(mutex);
  if (living++ > 0) return;
  hosts_threads = openblas_get_num_threads();
  if (hosts_threads != 1) openblas_set_num_threads(1);
}

OneBlasThread::~OneBlasThread() {
  const std::scoped_lock lock(mutex);
  if (--living == 0 && hosts_threads != 1) openblas_set_num_threads(hosts_threads);
}

}  // namespace perslay::base
