#include "fuzz/parse_graphs.h"

/// GML.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return perslay::test::parse_graphs(perslay::io::parse_gml, data, size);
}
