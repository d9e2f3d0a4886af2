#include "weisfeiler_lehman.h"

#include "key_hash.h"

namespace perslay::features {
namespace {

/// The key of a multiset is made of two sums, which do not depend on an order. Two of them, because copies
/// are not independent: 2^k of each colour leave 64 - k bits of one sum.
class MultisetHash {
 public:
  void add(std::uint64_t colour) noexcept {
    first_ += base::mix_bits(colour);
    second_ += base::mix_bits(~colour);
  }
  void add_to(KeyBuilder& hash) const noexcept { hash.add(first_).add(second_); }

 private:
  std::uint64_t first_ = 0, second_ = 0;
};

}  // namespace

std::vector<std::uint64_t> refined_colours(const data::Graph& graph, std::size_t levels,
                                           std::span<const int> labels) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  std::vector<std::uint64_t> colours;
  colours.reserve(n * (levels + 1));
  for (std::size_t v = 0; v < n; ++v)
    colours.push_back(labels.empty() ? key_of("constant") : key_of("label", labels[v]));
  for (std::size_t level = 1; level <= levels; ++level) {
    const std::size_t before = colours.size() - n;
    for (std::size_t v = 0; v < n; ++v) {
      MultisetHash around;
      for (const data::Vertex w : graph.neighbours(static_cast<data::Vertex>(v)))
        around.add(colours[before + static_cast<std::size_t>(w)]);
      KeyBuilder hash;
      hash.add(level).add(colours[before + v]);
      around.add_to(hash);
      colours.push_back(hash.value());
    }
  }
  return colours;
}

}  // namespace perslay::features
