#include "fuzz/fuzz.h"

#include <perslay/io/diagram_file.h>

/// Diagram files as HDF5, with everything that is read from them.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perslay;
  static const test::InputFile file("diagrams.h5");
  const auto& path = file.with(test::text_of(data, size));
  test::reads_or_refuses([&] {
    const auto set = io::read_diagrams(path);
    test::require(set.labels.empty() || set.labels.size() == set.item_count(),
                  "Each item has a label, or none.");
    (void)io::filtrations_in(path);
  });
  test::reads_or_refuses([&] {
    if (io::has_clouds(path)) (void)io::read_clouds(path);
  });
  return 0;
}
