#pragma once

namespace perslay::base {

/// Tells OpenBLAS to stay on the calling thread, once: parallelism is ours, over items and folds.
void use_one_blas_thread();

}  // namespace perslay::base
