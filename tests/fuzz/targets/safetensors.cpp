#include "fuzz/fuzz.h"

#include <perslay/io/safetensors.h>

/// Safetensors files of any content.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perslay;
  static const test::InputFile file("tensors.safetensors");
  test::reads_or_refuses([&] { (void)io::read_safetensors(file.with(test::text_of(data, size))); });
  return 0;
}
