#include "fuzz/fuzz.h"
#include "io/tu_dataset.h"

#include <optional>

/// The files of a TU dataset, in memory: edges, indicator, labels, node labels and attributes, separated by zero bytes.
/// One that is empty is absent, unless the dataset needs it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perslay;
  std::string_view rest = test::text_of(data, size);
  const auto needed = [&](const char* name) { return io::Text{name, std::string(test::take_part(rest))}; };
  const auto optional = [&](const char* name) -> std::optional<io::Text> {
    const auto text = test::take_part(rest);
    if (text.empty()) return std::nullopt;
    return io::Text{name, std::string(text)};
  };
  io::TuTexts texts{"D",
                    needed("D_A.txt"),
                    needed("D_graph_indicator.txt"),
                    optional("D_graph_labels.txt"),
                    optional("D_node_labels.txt"),
                    optional("D_node_attributes.txt")};
  test::reads_or_refuses([&] { (void)io::parse_tu_dataset(std::move(texts)); });
  return 0;
}
