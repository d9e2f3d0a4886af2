#pragma once

namespace perslay::base {

/// While one lives, OpenBLAS computes on the calling thread alone. Make one in every function that calls BLAS or
/// LAPACK: work is spread over items and folds, and results must not depend on OpenBLAS's threads.
///
/// OpenBLAS has one number of threads for the whole process, which may be a host's: Python with a NumPy that
/// shares the library. The first of several that live at a time saves that number, and the last restores it.
/// Meanwhile the host's own calls use one thread, too. Costs a lock; may be made on any thread.
class OneBlasThread {
 public:
  OneBlasThread();
  ~OneBlasThread();
  OneBlasThread(const OneBlasThread&) = delete;
  OneBlasThread& operator=(const OneBlasThread&) = delete;
};

}  // namespace perslay::base
