#include "fuzz/fuzz.h"

#include <perslay/io/graph_dataset.h>

/// Files of vertex values, as the filtration file:PATH reads them. The first byte says how many are expected.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perslay;
  static const test::InputFile file("values.txt");
  if (size == 0) return 0;
  const std::size_t expected = data[0] % 16U;
  test::reads_or_refuses([&] {
    const auto values = io::read_vertex_values(file.with(test::text_of(data, size).substr(1)), expected);
    test::require(values.size() == expected, "As many values as expected.");
  });
  return 0;
}
