#include "fuzz/fuzz.h"

#include <perslay/io/point_clouds.h>

/// The labels.csv of a folder of point clouds.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perslay;
  static const test::InputFile first("a1.csv"), second("a2.txt"), labels("labels.csv");
  (void)first.with("0,0\n1,0\n");
  (void)second.with("2 3\n");
  (void)labels.with(test::text_of(data, size));
  test::reads_or_refuses([&] {
    const auto clouds = io::read_point_clouds(test::input_folder().path());
    test::require(clouds.labels.empty() || clouds.labels.size() == clouds.size(),
                  "Each cloud has a label, or none has.");
  });
  return 0;
}
