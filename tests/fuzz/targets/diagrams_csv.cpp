#include "fuzz/fuzz.h"

#include <perslay/io/diagram_file.h>

/// Diagram files as text.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perslay;
  static const test::InputFile file("diagrams.csv");
  test::reads_or_refuses([&] { (void)io::read_diagrams(file.with(test::text_of(data, size))); });
  return 0;
}
