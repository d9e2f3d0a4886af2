#include "fuzz/fuzz.h"
#include "fuzz/small.h"

/// The state of an interrupted training, which is taken up; its checksum is put right.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perslay;
  static const test::InputFile file("state");
  static const auto items = test::toy_items(6);
  static const auto settings = test::two_nets();
  const auto& state = file.with(test::with_checksum(test::text_of(data, size)));
  test::reads_or_refuses([&] {
    const auto trained = test::small_training(items, settings, state);
    test::require(trained.accuracy >= 0 && trained.accuracy <= 1, "An accuracy is a share.");
    test::require(trained.history.size() == 4, "Each epoch of each net is told of.");
  });
  return 0;
}
