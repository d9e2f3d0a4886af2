#include "fuzz/parse_graphs.h"

/// The tables of an OGB folder, in memory, separated by zero bytes. One that is empty is absent.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perslay;
  std::string_view rest = test::text_of(data, size);
  std::vector<io::Text> files;
  for (const auto* const name : {"num-node-list.csv", "num-edge-list.csv", "edge.csv", "graph-label.csv",
                                 "node-feat.csv", "node-label.csv", "edge-feat.csv.gz"})
    if (const auto text = test::take_part(rest); !text.empty()) files.push_back({name, std::string(text)});
  test::reads_or_refuses([&] { test::check_graphs(io::parse_ogb("ogb", std::move(files), {}, {})); });
  return 0;
}
