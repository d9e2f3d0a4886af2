#include "fuzz/fuzz.h"
#include "fuzz/small.h"

/// An evaluation that is taken up: evaluation.json, the results of its two folds and results.json, separated by zero
/// bytes; their checksums are put right. An empty part is no file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perslay;
  static const auto folder = test::input_folder() / "taken-up";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder / "folds");
  std::string_view rest = test::text_of(data, size);
  for (const auto* const name : {"evaluation.json", "folds/r1-f1.json", "folds/r1-f2.json", "results.json"})
    if (const auto part = test::take_part(rest); !part.empty())
      test::write_bytes(folder / name, test::with_checksum(part));
  test::reads_or_refuses([] {
    const auto evaluation = test::small_evaluation(folder);
    test::require(evaluation.accuracy.mean >= 0 && evaluation.accuracy.mean <= 1, "An accuracy is a share.");
    const auto finished = test::reads([] { return learn::read_evaluation(folder); });
    test::require(finished.evaluation.accuracy.mean == evaluation.accuracy.mean,
                  "What was found can be read.");
  });
  return 0;
}
