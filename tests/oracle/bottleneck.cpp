#include "oracle/bottleneck.h"

#include <gudhi/Bottleneck.h>

namespace oracle {
namespace {

void reflect(Points& points) {
  for (auto& [birth, death] : points)
    if (birth > death) std::swap(birth, death);
}

}  // namespace

double bottleneck_distance(Points a, Points b) {
  reflect(a);
  reflect(b);
  return Gudhi::persistence_diagram::bottleneck_distance(a, b, 0.);
}

double default_bottleneck_distance(Points a, Points b) {
  reflect(a);
  reflect(b);
  return Gudhi::persistence_diagram::bottleneck_distance(a, b);
}

}  // namespace oracle
