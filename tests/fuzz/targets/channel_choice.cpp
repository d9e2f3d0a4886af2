#include "fuzz/fuzz.h"
#include "fuzz/small.h"

#include <perslay/learn/channel_choice.h>

/// The state of an interrupted choice among channels, which is taken up; its checksum is put right.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perslay;
  static const test::InputFile training("chosen"), file("chosen.choice");
  static const auto items = test::toy_items(6);
  static const auto settings = test::two_channels();
  (void)file.with(test::with_checksum(test::text_of(data, size)));
  std::filesystem::remove(training.path());
  test::reads_or_refuses([&] {
    const auto choice = learn::chosen_channel(test::small_training(items, settings, training.path()).model);
    for (const double accuracy : choice->accuracies)
      test::require(accuracy >= 0 && accuracy <= 1, "An accuracy is a share.");
  });
  return 0;
}
