#include "union_find.h"
#include "vertex_order.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include <hwy/cache_control.h>

#include <perslay/base/error.h>
#include <perslay/persistence/extended_persistence.h>

namespace perslay::persistence {
namespace {

constexpr Rank never = std::numeric_limits<Rank>::max();

// From here on the forest no longer fits into the nearest cache and every step of a climb hurts: the hashed
// order, with half as many steps, wins on all graphs tried.
constexpr Rank large = 1 << 16;

/// A node of the forest hangs under `parent` from ascending time `time` on; a root never does.
struct Link {
  Rank parent;
  Rank time;
};

/// A point of a diagram before ranks are turned into values.
struct RankPair {
  Rank birth;
  Rank death;
};

/// Which of two nodes goes on top when they are joined. Any strict total order works: parents stand above their
/// children in it, so no node is ever hung under its own descendant.
///
/// The lowest rank on top: the vertex being swept is always a root, and the final forest is the merge tree
/// itself. The fastest on most graphs, quadratic on some.
struct LowestOnTop {
  static constexpr bool swept_vertex_is_root = true;
  static constexpr bool for_large_graphs = false;
  static bool above(Rank a, Rank b) { return a < b; }
};
/// A pseudo-random order: climbs are logarithmic in expectation, whatever the graph.
struct HashedOnTop {
  static constexpr bool swept_vertex_is_root = false;
  static constexpr bool for_large_graphs = true;
  static std::uint32_t priority(Rank rank) {
    auto x = static_cast<std::uint32_t>(rank) * 0x9E3779B1U;  // each step is a bijection
    x = (x ^ (x >> 16)) * 0x7FEB352DU;
    return x ^ (x >> 15);
  }
  static bool above(Rank a, Rank b) { return priority(a) > priority(b); }
};

/// A list that is filled without looking at its capacity, for the innermost loop.
template <class T>
class Tape {
 public:
  void rewind(std::size_t capacity) {
    if (items_.size() < capacity) items_.resize(capacity);
    end_ = items_.data();
  }
  void push(T item) { *end_++ = item; }
  [[nodiscard]] std::span<const T> items() const { return {items_.data(), static_cast<const T*>(end_)}; }

 private:
  std::vector<T> items_;
  T* end_ = nullptr;
};

}  // namespace

struct ExtendedPersistence::Work {
  ExtendedDiagrams result;
  std::uint64_t climb_steps = 0;

  void compute(const data::Graph& graph, std::span<const double> values, const ExtendedOptions& options) {
    order.sort(graph, values);
    climb_steps = 0;

    // The order on top affects the time, not the result: start with the order that is fastest on most graphs, and
    // start again if climbs grow long.
    const auto edges = static_cast<std::uint64_t>(graph.edge_count());
    const auto patience =
        edges * static_cast<std::uint64_t>(std::bit_width(static_cast<std::uint32_t>(order.size())));
    if (order.size() < large && sweep<LowestOnTop>(graph, patience)) {
      read_merge_tree();
    } else {
      sweep<HashedOnTop>(graph, std::numeric_limits<std::uint64_t>::max());
      apply_elder_rule();
    }

    write(result.ord0, ord0.items(), options.keep_diagonal);
    write(result.rel1, rel1.items(), options.keep_diagonal);
    write(result.ext0, ext0.items(), true);
    write(result.ext1, ext1.items(), true);
    result.ext1_closing.assign(ext1_closing.items().begin(), ext1_closing.items().end());
  }

 private:
  /// Adds the vertices from the highest down, each with its edges to higher ones. Edge (v, x) appears in the
  /// superlevel filtration at v and has ascending time x. Inserting it into the forest displaces links, each of
  /// which is carried on and inserted in turn, until a loop closes or two trees become one. False if it gave up
  /// after `max_steps` steps.
  template <class Priority>
  bool sweep(const data::Graph& graph, std::uint64_t max_steps) {
    const auto n = static_cast<std::size_t>(order.size());
    const auto m = static_cast<std::size_t>(graph.edge_count());
    if (links.size() < n) {
      links.resize(n);
      top.resize(n);
    }
    rel1.rewind(n);
    ext1.rewind(m);
    ext1_closing.rewind(m);

    const Rank* const rank = order.ranks().data();
    const data::Vertex* const vertex = order.vertices().data();
    Link* const link = links.data();
    Rank* const top_of = top.data();
    std::uint64_t steps = climb_steps;
    // The root of the node's sublevel component just before `time`.
    const auto climb = [&](Rank node, Rank time) {
      while (link[node].time < time) {
        node = link[node].parent;
        ++steps;
      }
      return node;
    };

    // Large graphs are bound by memory: fetch what the next vertices will need (1.5 to 2 times at 10^6
    // vertices).
    const auto look_ahead = [&](Rank v) {
      if (v < 8) return;
      hwy::Prefetch(graph.neighbours(vertex[v - 8]).data());
      for (const data::Vertex u : graph.neighbours(vertex[v - 4])) hwy::Prefetch(&rank[u]);
      for (const data::Vertex u : graph.neighbours(vertex[v - 2])) hwy::Prefetch(&link[rank[u]]);
    };

    for (Rank v = order.size() - 1; v >= 0; --v) {
      if constexpr (Priority::for_large_graphs) look_ahead(v);
      link[v] = {v, never};
      top_of[v] = v;
      for (const data::Vertex neighbour : graph.neighbours(vertex[v])) {
        const Rank x = rank[neighbour];
        if (x < v) continue;
        Rank a = v;
        Rank b = x;
        Rank time = x;
        for (;;) {
          if constexpr (!Priority::swept_vertex_is_root) a = climb(a, time);
          b = climb(b, time);
          if (a == b) {
            ext1.push({time, v});
            ext1_closing.push(neighbour);
            break;
          }
          if (Priority::above(b, a)) std::swap(a, b);
          const Link displaced = std::exchange(link[b], {a, time});
          if (displaced.time ==
              never) {  // two superlevel components meet; the one with the lower maximum ends
            const Rank root = climb(a, never);
            rel1.push({std::min(top_of[b], top_of[root]), v});
            top_of[root] = std::max(top_of[b], top_of[root]);
            break;
          }
          b = displaced.parent;
          time = displaced.time;
        }
        if (steps > max_steps) {
          climb_steps = steps;
          return false;
        }
      }
    }
    climb_steps = steps;
    return true;
  }

  /// With the lowest vertices on top, a node's link tells when the sublevel component of which it is the
  /// minimum ends.
  void read_merge_tree() {
    const auto n = static_cast<std::size_t>(order.size());
    ord0.rewind(n);
    ext0.rewind(n);
    for (std::size_t x = 0; x < n; ++x) {
      if (links[x].time == never)
        ext0.push({static_cast<Rank>(x), top[x]});
      else
        ord0.push({static_cast<Rank>(x), links[x].time});
    }
  }

  /// In general, the links in order of time are the mergers of the sublevel filtration.
  void apply_elder_rule() {
    const auto n = static_cast<std::size_t>(order.size());
    ord0.rewind(n);
    ext0.rewind(n);
    sublevel.reset(n);
    sort_links_by_time();
    for (const Rank x : by_time) {
      const Link link = links[static_cast<std::size_t>(x)];
      const auto [elder, younger] = std::minmax({sublevel.find(x), sublevel.find(link.parent)});
      sublevel.merge(elder, younger);
      ord0.push({younger, link.time});
    }
    for (std::size_t x = 0; x < n; ++x)
      if (links[x].time == never) ext0.push({sublevel.find(static_cast<Rank>(x)), top[x]});
  }

  /// Counting sort.
  void sort_links_by_time() {
    const auto n = static_cast<std::size_t>(order.size());
    time_begin.assign(n + 1, 0);
    for (std::size_t x = 0; x < n; ++x)
      if (links[x].time != never) ++time_begin[static_cast<std::size_t>(links[x].time) + 1];
    std::partial_sum(time_begin.begin(), time_begin.end(), time_begin.begin());
    by_time.resize(static_cast<std::size_t>(time_begin.back()));
    for (std::size_t x = 0; x < n; ++x) {
      if (links[x].time == never) continue;
      const auto place = time_begin[static_cast<std::size_t>(links[x].time)]++;
      by_time[static_cast<std::size_t>(place)] = static_cast<Rank>(x);
    }
  }

  void write(diagram::Diagram& diagram, std::span<const RankPair> pairs, bool keep_diagonal) const {
    const double* const value = order.values().data();
    const data::Vertex* const vertex = order.vertices().data();
    diagram.points.resize(pairs.size());
    diagram.vertices.resize(pairs.size());
    std::size_t count = 0;
    for (const auto [birth, death] : pairs) {
      diagram.points[count] = {value[birth], value[death]};
      diagram.vertices[count] = {vertex[birth], vertex[death]};
      count += keep_diagonal || value[birth] != value[death] ? 1 : 0;
    }
    diagram.points.resize(count);
    diagram.vertices.resize(count);
  }

  VertexOrder order;
  std::vector<Link>
      links;              // by rank: the minimum spanning forest, by ascending time, of the edges seen so far
  std::vector<Rank> top;  // at a root: the highest vertex of its superlevel component
  Tape<RankPair> ord0, rel1, ext0, ext1;
  Tape<data::Vertex> ext1_closing;

  UnionFind sublevel;  // of apply_elder_rule
  std::vector<Rank> by_time;
  std::vector<std::int32_t> time_begin;
};

const diagram::Diagram& ExtendedDiagrams::operator[](diagram::Kind kind) const {
  const std::array all{&ord0, &rel1, &ext0, &ext1};  // in the order of extended_kinds
  const auto place = std::ranges::find(diagram::extended_kinds, kind) - diagram::extended_kinds.begin();
  if (place < std::ssize(all)) return *all[static_cast<std::size_t>(place)];
  throw base::internal_error("Asked extended persistence for a diagram of kind " +
                             std::string(diagram::kind_name(kind)) + ".");
}

ExtendedPersistence::ExtendedPersistence() : work_(base::make_hidden<Work>()) {}

const ExtendedDiagrams& ExtendedPersistence::compute(const data::Graph& graph, std::span<const double> values,
                                                     const ExtendedOptions& options) {
  work_->compute(graph, values, options);
  return work_->result;
}

std::uint64_t ExtendedPersistence::climb_steps() const noexcept { return work_->climb_steps; }

ExtendedDiagrams extended_persistence(const data::Graph& graph, std::span<const double> values,
                                      const ExtendedOptions& options) {
  return ExtendedPersistence().compute(graph, values, options);
}

}  // namespace perslay::persistence
