#include "fuzz/fuzz.h"

#include <perslay/learn/evaluation.h>

/// The JSON of a finished evaluation: results.json, then the two folds that its folder has, separated by zero bytes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perslay;
  static const bool made = std::filesystem::create_directory(test::input_folder() / "folds");
  static const test::InputFile results("results.json"), first("folds/r1-f1.json"), second("folds/r1-f2.json");
  test::require(made, "The folder of folds is new.");
  std::string_view rest = test::text_of(data, size);
  for (const auto* file : {&results, &first, &second}) (void)file->with(test::take_part(rest));
  test::reads_or_refuses([] { (void)learn::read_evaluation(test::input_folder().path()); });
  return 0;
}
