#include <cstdint>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/hasher.h>
#include <perslay/base/parallel.h>
#include <perslay/base/version.h>
#include <perslay/learn/fingerprint.h>

namespace perslay::learn {
namespace {

void add(base::Hasher& hash, const data::Graph& graph) {
  for (data::Vertex v = 0; v < graph.vertex_count(); ++v) {
    hash.add(graph.neighbours(v));
    if (graph.weighted()) hash.add(graph.weights(v));
  }
}

std::uint64_t hash_of(const features::Items& items, std::size_t item) {
  base::Hasher hash;
  for (const auto& group : items.groups) {
    const auto points = group.diagrams[item];
    hash.add(points.size()).update(std::as_bytes(points));
  }
  const auto range_in = [&](const auto& block) {
    const auto begin = static_cast<std::size_t>(block.offsets[item]);
    return std::pair(begin, static_cast<std::size_t>(block.offsets[item + 1]) - begin);
  };
  for (const auto& block : items.blocks) {
    const auto [begin, count] = range_in(block);
    hash.add(std::span(block.values).subspan(begin, count));
  }
  for (const auto& block : items.keyed) {
    const auto [begin, count] = range_in(block);
    hash.add(std::span(block.keys).subspan(begin, count));
    hash.add(std::span(block.values).subspan(begin * block.width, count * block.width));
  }
  if (items.graphs) add(hash, items.graphs->graphs[item]);
  hash.add(items.sizes[item].points).add(items.sizes[item].edges);
  if (!items.labels.empty()) hash.add(items.labels[item]);
  return hash.digest64();
}

}  // namespace

std::string fingerprint(const features::Items& items, const base::Context& context) {
  std::vector<std::uint64_t> hashes(items.count());
  base::parallel_for(context, "fingerprint", items.count(),
                     [&](std::size_t item) { hashes[item] = hash_of(items, item); });
  base::Hasher hash;
  for (const auto& group : items.groups) hash.add(group.filtration).add(diagram::kind_name(group.kind));
  for (const auto& block : items.blocks) hash.add(block.name);
  for (const auto& block : items.keyed) hash.add(block.name);
  for (const auto& name : items.classes) hash.add(name);
  hash.add(std::span(std::as_const(hashes)));
  return fmt::format("{:016x}", hash.digest64());
}

std::string fingerprint(const Part& part, const Settings& settings, std::uint64_t seed,
                        const base::Context& context) {
  base::Hasher hash;
  hash.add(fingerprint(part.items, context)).add(part.rows).add(to_toml(settings)).add(seed);
  return fmt::format("{}-{:016x}", base::version(), hash.digest64());
}

}  // namespace perslay::learn
