#include "fuzz/fuzz.h"

#include <cmath>

#include <perslay/io/point_clouds.h>

/// Point clouds as NumPy's arrays.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perslay;
  static const test::InputFile file("points.npy");
  test::reads_or_refuses([&] {
    for (const auto& [x, y] : io::read_point_clouds(file.with(test::text_of(data, size))).points)
      test::require(std::isfinite(x) && std::isfinite(y), "Coordinates are finite.");
  });
  return 0;
}
