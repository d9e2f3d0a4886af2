#include "fuzz/fuzz.h"
#include "learn/toy.h"

#include <cmath>

#include <perslay/learn/model_file.h>
#include <perslay/learn/models.h>
#include <perslay/learn/prediction.h>

/// Model files; what can be read also labels a few items.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perslay;
  static const test::InputFile file("model.safetensors");
  static const auto items = test::toy_items(4);
  static const auto learners = learn::all_learners();
  base::Context context;
  context.threads = 1;
  test::reads_or_refuses([&] {
    const auto model = learn::read_model(file.with(test::text_of(data, size)));
    const auto predictions = learn::predict(model, items, learners, context);
    test::require(predictions.labels.size() == items.count(), "Each item gets a label.");
  });
  return 0;
}
