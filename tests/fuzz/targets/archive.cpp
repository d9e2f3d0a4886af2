#include "fuzz/fuzz.h"

#include <perslay/io/graph_dataset.h>

/// Archives of TU datasets. Whatever the name says, libarchive recognises the format by the content.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perslay;
  static const test::InputFile file("dataset.zip");
  test::reads_or_refuses([&] { (void)io::read_graph_dataset(file.with(test::text_of(data, size))); });
  return 0;
}
