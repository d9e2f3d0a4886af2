#include <algorithm>
#include <memory>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>

#include <perslay/data/build_graphs.h>

namespace perslay::data {
namespace {

using Offsets = std::vector<std::int64_t>;

struct Arrays {
  Offsets offsets;
  std::vector<Vertex> neighbours;
  std::vector<double> weights;
};

/// An entry of a neighbour list while lists are made: the neighbour and, below it where edges have weights,
/// the place of the arc that gave it. Entries are sorted as integers.
using Plain = std::uint32_t;
using Placed = std::uint64_t;

template <class Entry>
Entry make_entry(Vertex neighbour, std::size_t place) {
  if constexpr (std::is_same_v<Entry, Plain>)
    return static_cast<Plain>(neighbour);
  else
    return (Placed{static_cast<std::uint32_t>(neighbour)} << 32) | static_cast<std::uint32_t>(place);
}
Vertex neighbour_of(Plain entry) { return static_cast<Vertex>(entry); }
Vertex neighbour_of(Placed entry) { return static_cast<Vertex>(entry >> 32); }
std::size_t place_of(Plain) { return 0; }
std::size_t place_of(Placed entry) { return static_cast<std::uint32_t>(entry); }

std::size_t index(Vertex v) { return static_cast<std::size_t>(v); }

/// Neighbour lists of all vertices of all graphs, vertices counted over all graphs.
template <class Entry>
struct Lists {
  Offsets offsets;
  std::vector<Entry> entries;

  [[nodiscard]] std::size_t vertex_count() const { return offsets.size() - 1; }
  [[nodiscard]] std::span<const Entry> operator[](std::size_t v) const {
    return {entries.data() + offsets[v], entries.data() + offsets[v + 1]};
  }
};

/// Counting sort. `visit(put)` must call put(vertex, entry) for the same entries each time; a list keeps
/// their order.
template <class Entry, class Visit>
Lists<Entry> distribute(std::size_t vertices, const Visit& visit) {
  // While entries are placed, offsets[v + 1] is where v's next one goes; in the end that is where v's list
  // ends.
  Lists<Entry> lists{Offsets(vertices + 2, 0), {}};
  visit([&](Vertex at, Entry) { ++lists.offsets[index(at) + 2]; });
  std::partial_sum(lists.offsets.begin(), lists.offsets.end(), lists.offsets.begin());
  lists.entries.resize(static_cast<std::size_t>(lists.offsets.back()));
  visit([&](Vertex at, Entry entry) {
    lists.entries[static_cast<std::size_t>(lists.offsets[index(at) + 1]++)] = entry;
  });
  lists.offsets.pop_back();
  return lists;
}

/// The arcs as they are given, self loops left out.
template <class Entry>
Lists<Entry> directed_lists(const std::vector<Arc>& arcs, std::size_t vertices) {
  return distribute<Entry>(vertices, [&](auto put) {
    for (std::size_t i = 0; i < arcs.size(); ++i)
      if (arcs[i].from != arcs[i].to) put(arcs[i].from, make_entry<Entry>(arcs[i].to, i));
  });
}

/// Every list of the result is sorted because the vertices are visited in ascending order.
template <class Entry>
Lists<Entry> reversed(const Lists<Entry>& lists) {
  return distribute<Entry>(lists.vertex_count(), [&](auto put) {
    for (std::size_t v = 0; v < lists.vertex_count(); ++v)
      for (const Entry entry : lists[v])
        put(neighbour_of(entry), make_entry<Entry>(static_cast<Vertex>(v), place_of(entry)));
  });
}

/// Whether every edge of sorted lists stands in both its lists.
template <class Entry>
bool symmetric(const Lists<Entry>& lists) {
  Offsets next(lists.offsets.begin(), lists.offsets.end() - 1);
  for (std::size_t v = 0; v < lists.vertex_count(); ++v) {
    for (const Entry entry : lists[v]) {
      const std::size_t u = index(neighbour_of(entry));
      // Ascending v must find itself as the next entry of u, unless the entry is missing.
      if (next[u] == lists.offsets[u + 1]) return false;
      if (index(neighbour_of(lists.entries[static_cast<std::size_t>(next[u]++)])) != v) return false;
    }
  }
  return true;
}

template <class Entry>
class Builder {
 public:
  Builder(GraphDataset& dataset, std::vector<double> weights, const WeightConflict& conflict)
      : dataset_(dataset), weights_(std::move(weights)), conflict_(conflict) {}

  void run(std::vector<Arc> arcs) {
    dataset_.cleaning.self_loops_dropped =
        std::count_if(arcs.begin(), arcs.end(), [](const Arc& arc) { return arc.from == arc.to; });
    auto lists = directed_lists<Entry>(arcs, static_cast<std::size_t>(dataset_.vertex_offsets.back()));
    std::vector<Arc>().swap(arcs);
    sort_and_merge(lists);
    // Most sources give each edge in both directions: then these lists are the graphs.
    if (!symmetric(lists))
      lists = united(lists, reversed(lists));
    else
      check_symmetric_weights(lists);
    slice(std::move(lists));
  }

 private:
  /// Sorts every list and leaves one entry of each run of equal neighbours.
  void sort_and_merge(Lists<Entry>& lists) {
    auto list = lists.entries.begin();
    auto out = list;
    for (std::size_t v = 0; v < lists.vertex_count(); ++v) {
      const auto list_end = lists.entries.begin() + lists.offsets[v + 1];
      if (!std::is_sorted(list, list_end)) std::sort(list, list_end);
      lists.offsets[v] = out - lists.entries.begin();
      const auto out_begin = out;
      for (; list != list_end; ++list) {
        if (out != out_begin && neighbour_of(out[-1]) == neighbour_of(*list)) {
          ++dataset_.cleaning.duplicate_edges_merged;
          check_weights(out[-1], *list);
        } else {
          *out++ = *list;
        }
      }
    }
    lists.offsets.back() = out - lists.entries.begin();
    lists.entries.erase(out, lists.entries.end());
  }

  Lists<Entry> united(const Lists<Entry>& given, const Lists<Entry>& reverse) {
    Lists<Entry> both;
    both.offsets.reserve(given.offsets.size());
    both.entries.reserve(given.entries.size() + reverse.entries.size());
    both.offsets.push_back(0);
    for (std::size_t v = 0; v < given.vertex_count(); ++v) {
      unite(given[v], reverse[v], both.entries);
      both.offsets.push_back(static_cast<std::int64_t>(both.entries.size()));
    }
    if (both.entries.size() < given.entries.size() + reverse.entries.size())
      dataset_.notes.emplace_back(
          "Some edges are given in one direction and others in both; all are read as undirected.");
    return both;
  }

  void unite(std::span<const Entry> a, std::span<const Entry> b, std::vector<Entry>& out) const {
    auto p = a.begin();
    auto q = b.begin();
    while (p != a.end() && q != b.end()) {
      if (neighbour_of(*p) == neighbour_of(*q)) {
        check_weights(*p, *q);
        out.push_back(*p++);
        ++q;
      } else {
        out.push_back(neighbour_of(*p) < neighbour_of(*q) ? *p++ : *q++);
      }
    }
    out.insert(out.end(), p, a.end());
    out.insert(out.end(), q, b.end());
  }

  void check_symmetric_weights(const Lists<Entry>& lists) const {
    if (weights_.empty()) return;
    const auto reverse = reversed(lists);
    for (std::size_t i = 0; i < lists.entries.size(); ++i)
      check_weights(lists.entries[i], reverse.entries[i]);
  }

  void check_weights(Entry a, Entry b) const {
    if (weights_.empty()) return;
    const auto [first, second] = std::minmax({place_of(a), place_of(b)});
    if (weights_[first] != weights_[second]) conflict_(first, weights_[first], second, weights_[second]);
  }

  /// From entries to neighbours counted inside their graph, and weights: each graph is a slice of these arrays.
  void slice(Lists<Entry> lists) const {
    const auto arrays = std::make_shared<Arrays>();
    arrays->offsets = std::move(lists.offsets);
    arrays->neighbours.reserve(lists.entries.size());
    if (!weights_.empty()) {
      arrays->weights.reserve(lists.entries.size());
      for (const Entry entry : lists.entries) arrays->weights.push_back(weights_[place_of(entry)]);
    }
    const double* weights = weights_.empty() ? nullptr : arrays->weights.data();
    dataset_.graphs.reserve(dataset_.vertex_offsets.size() - 1);
    for (std::size_t g = 0; g + 1 < dataset_.vertex_offsets.size(); ++g) {
      const auto first = dataset_.vertex_offsets[g], last = dataset_.vertex_offsets[g + 1];
      const auto offsets =
          std::span<const std::int64_t>(arrays->offsets)
              .subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first) + 1);
      for (auto i = arrays->neighbours.size(); i < static_cast<std::size_t>(offsets.back()); ++i)
        arrays->neighbours.push_back(neighbour_of(lists.entries[i]) - static_cast<Vertex>(first));
      dataset_.graphs.emplace_back(arrays, offsets, arrays->neighbours.data(), weights);
    }
  }

  GraphDataset& dataset_;
  std::vector<double> weights_;
  const WeightConflict& conflict_;
};

}  // namespace

void build_graphs(GraphDataset& dataset, std::vector<Arc> arcs, std::vector<double> weights,
                  const WeightConflict& conflict) {
  if (weights.empty())
    Builder<Plain>(dataset, {}, conflict).run(std::move(arcs));
  else
    Builder<Placed>(dataset, std::move(weights), conflict).run(std::move(arcs));
}

}  // namespace perslay::data
