#include "fuzz/parse_graphs.h"

/// Archives of NumPy's arrays. Most changes of a whole file are refused by a checksum: see npz_arrays.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return perslay::test::parse_graphs(perslay::io::parse_npz, data, size);
}
