#include "hash.h"

#include <cstdint>

#include <fmt/format.h>

#include <perslay/base/parallel.h>
#include <perslay/base/version.h>
#include <perslay/learn/fingerprint.h>

namespace perslay::learn {
namespace {

void add_graph(Hash& hash, const data::Graph& graph) {
  for (data::Vertex v = 0; v < graph.vertex_count(); ++v) {
    hash.add(static_cast<std::uint64_t>(graph.degree(v)));
    for (const data::Vertex w : graph.neighbours(v)) hash.add(static_cast<std::uint64_t>(w));
    if (graph.weighted())
      for (const double weight : graph.weights(v)) hash.add(weight);
  }
}

std::uint64_t hash_of(const features::Items& items, std::size_t item) {
  Hash hash;
  for (const auto& group : items.groups) {
    const auto points = group.diagrams[item];
    hash.add(std::uint64_t{points.size()});
    for (const auto& [birth, death] : points) {
      hash.add(birth);
      hash.add(death);
    }
  }
  for (const auto& block : items.blocks) {
    const auto begin = static_cast<std::size_t>(block.offsets[item]);
    const auto end = static_cast<std::size_t>(block.offsets[item + 1]);
    hash.add(std::uint64_t{end - begin});
    for (std::size_t i = begin; i < end; ++i) hash.add(double{block.values[i]});
  }
  for (const auto& block : items.keyed) {
    const auto begin = static_cast<std::size_t>(block.offsets[item]);
    const auto end = static_cast<std::size_t>(block.offsets[item + 1]);
    hash.add(std::uint64_t{end - begin});
    for (std::size_t i = begin; i < end; ++i) hash.add(block.keys[i]);
    for (std::size_t i = begin * block.width; i < end * block.width; ++i) hash.add(double{block.values[i]});
  }
  if (items.graphs) add_graph(hash, items.graphs->graphs[item]);
  hash.add(items.sizes[item].points);
  hash.add(items.sizes[item].edges);
  if (!items.labels.empty()) hash.add(static_cast<std::uint64_t>(items.labels[item]));
  return hash.value();
}

}  // namespace

std::string fingerprint(const features::Items& items, const base::Context& context) {
  std::vector<std::uint64_t> hashes(items.count());
  base::parallel_for(context, "fingerprint", items.count(),
                     [&](std::size_t item) { hashes[item] = hash_of(items, item); });
  Hash hash;
  for (const auto& group : items.groups) {
    hash.add(std::string_view(group.filtration));
    hash.add(diagram::kind_name(group.kind));
  }
  for (const auto& block : items.blocks) hash.add(std::string_view(block.name));
  for (const auto& block : items.keyed) hash.add(std::string_view(block.name));
  for (const auto& name : items.classes) hash.add(std::string_view(name));
  for (const std::uint64_t word : hashes) hash.add(word);
  return fmt::format("{:016x}", hash.value());
}

std::string fingerprint(const Part& part, const Settings& settings, std::uint64_t seed,
                        const base::Context& context) {
  Hash hash;
  hash.add(std::string_view(fingerprint(part.items, context)));
  hash.add(std::uint64_t{part.rows.size()});
  for (const std::size_t row : part.rows) hash.add(std::uint64_t{row});
  hash.add(std::string_view(to_toml(settings)));
  hash.add(seed);
  return fmt::format("{}-{:016x}", base::version(), hash.value());
}

}  // namespace perslay::learn
