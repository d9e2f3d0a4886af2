#include "fuzz/parse_graphs.h"

/// Graphs as JSON lines.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return perslay::test::parse_graphs(perslay::io::parse_graph_lines, data, size);
}
