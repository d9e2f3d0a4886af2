#include <mutex>

#include <cblas.h>

#include <perslay/base/blas.h>

namespace perslay::base {

void use_one_blas_thread() {
  static std::once_flag once;
  std::call_once(once, [] { openblas_set_num_threads(1); });
}

}  // namespace perslay::base
