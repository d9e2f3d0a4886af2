#include "fuzz/fuzz.h"

#include <perslay/io/graph_dataset.h>

/// Edge lists. The first byte says whether vertices count from 1.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perslay;
  static const test::InputFile file("edges.txt");
  if (size == 0) return 0;
  const bool one_based = data[0] == '1';
  test::reads_or_refuses([&] {
    (void)io::read_graph_dataset(file.with(test::text_of(data, size).substr(1)), {},
                                 {.one_based = one_based});
  });
  return 0;
}
