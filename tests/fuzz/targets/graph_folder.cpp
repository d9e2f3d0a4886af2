#include "fuzz/fuzz.h"

#include <filesystem>

#include <perslay/io/graph_dataset.h>
#include <perslay/io/look.h>

/// A folder of graphs: labels.csv, a CSV file and a text file, with a zero byte between them.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perslay;
  static const auto folder = [] {
    auto path = test::input_folder() / "graphs";
    std::filesystem::create_directory(path);
    return path;
  }();
  static const test::InputFile labels("graphs/labels.csv"), first("graphs/1.csv"), second("graphs/2.txt");
  auto rest = test::text_of(data, size);
  for (const auto* const file : {&labels, &first, &second}) (void)file->with(test::take_part(rest));
  test::reads_or_refuses([&] { (void)io::look_at(folder); });
  test::reads_or_refuses([&] {
    const auto graphs = io::read_graph_dataset(folder);
    test::require(graphs.labels.empty() || graphs.labels.size() == graphs.size(),
                  "All graphs have labels, or none has.");
    test::require(graphs.labels.empty() == graphs.classes.empty(), "Labels are those of classes.");
  });
  return 0;
}
