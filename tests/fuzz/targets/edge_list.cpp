#include "fuzz/fuzz.h"

#include <perslay/io/graph_dataset.h>
#include <perslay/io/look.h>

/// Edge lists, and the look at them. The first byte says how they are read: '1' counts vertices from 1, 'c' chooses
/// columns by numbers, 'n' by names.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perslay;
  static const test::InputFile file("edges.txt");
  if (size == 0) return 0;
  io::GraphReadOptions options{.one_based = data[0] == '1'};
  if (data[0] == 'c') options.columns = {"2", "1"};
  if (data[0] == 'n') options.columns = {"source", "target", "weight"};
  const auto& path = file.with(test::text_of(data, size).substr(1));
  test::reads_or_refuses([&] { (void)io::look_at(path); });
  test::reads_or_refuses([&] {
    const auto graphs = io::read_graph_dataset(path, {}, options);
    const auto names = static_cast<std::int64_t>(graphs.vertex_names.size());
    test::require(names == 0 || names == graphs.vertex_offsets.back(),
                  "Every vertex has a name, or none has.");
  });
  return 0;
}
