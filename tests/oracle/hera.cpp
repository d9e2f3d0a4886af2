#include "oracle/hera.h"

#ifdef ORACLE_HAS_HERA
#include <hera/wasserstein.h>
#endif

namespace oracle {

#ifdef ORACLE_HAS_HERA

std::optional<double> hera_wasserstein_distance(const Points& a, const Points& b, double order,
                                                double relative_error) {
  hera::AuctionParams<double> parameters;
  parameters.wasserstein_power = order;
  parameters.delta = relative_error;
  return hera::wasserstein_dist(a, b, parameters);
}

#else

std::optional<double> hera_wasserstein_distance(const Points&, const Points&, double, double) {
  return std::nullopt;
}

#endif

}  // namespace oracle
