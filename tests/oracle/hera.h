#pragma once

#include "oracle/extended.h"

#include <optional>

namespace oracle {

/// The Wasserstein distance of two diagrams in the norm inf within a relative error, by Hera's auction;
/// nothing if the tests were built without Hera. Points below the diagonal stay there.
[[nodiscard]] std::optional<double> hera_wasserstein_distance(const Points& a, const Points& b, double order,
                                                              double relative_error);

}  // namespace oracle
