#include "union_find.h"
#include "vertex_order.h"

#include <algorithm>

#include <perslay/persistence/ordinary_persistence.h>

namespace perslay::persistence {
namespace {

/// Sweeps the vertices in order and applies the elder rule; the superlevel filtration is the sublevel
/// filtration of the reversed order.
class Sweep {
 public:
  Sweep(const data::Graph& graph, const VertexOrder& order, const OrdinaryOptions& options, bool upwards)
      : graph_(graph), order_(order), options_(options), upwards_(upwards) {}

  void run(diagram::Diagram& components, diagram::Diagram* loops) {
    sets_.reset(order_.vertices().size());
    for (Rank now = 0; now < order_.size(); ++now) {
      for (const data::Vertex neighbour : graph_.neighbours(vertex(now))) {
        const Rank before = step(order_.ranks()[static_cast<std::size_t>(neighbour)]);
        if (before > now) continue;
        const auto [elder, younger] = std::minmax({sets_.find(before), sets_.find(now)});
        if (elder != younger) {
          add(components, younger, now);
          sets_.merge(elder, younger);
        } else if (loops != nullptr) {
          add_essential(*loops, now);
        }
      }
    }
    for (Rank x = 0; x < order_.size(); ++x)
      if (sets_.is_root(x)) add_essential(components, x);
  }

 private:
  [[nodiscard]] Rank step(Rank rank) const { return upwards_ ? rank : order_.size() - 1 - rank; }
  [[nodiscard]] data::Vertex vertex(Rank now) const {
    return order_.vertices()[static_cast<std::size_t>(step(now))];
  }
  [[nodiscard]] double value(Rank now) const { return order_.values()[static_cast<std::size_t>(step(now))]; }

  void add(diagram::Diagram& diagram, diagram::Point point, diagram::VertexPair vertices) const {
    if (point.birth == point.death && !options_.keep_diagonal) return;
    diagram.points.push_back(point);
    diagram.vertices.push_back(vertices);
  }
  void add(diagram::Diagram& diagram, Rank birth, Rank death) const {
    add(diagram, {value(birth), value(death)}, {vertex(birth), vertex(death)});
  }
  void add_essential(diagram::Diagram& diagram, Rank birth) const {
    switch (options_.essential.action) {
      case EssentialPolicy::Action::drop:
        return;
      case EssentialPolicy::Action::clip_to_extreme:
        return add(diagram, birth, order_.size() - 1);
      case EssentialPolicy::Action::clip_to_value:
        return add(diagram, {value(birth), options_.essential.value}, {vertex(birth), -1});
    }
  }

  const data::Graph& graph_;
  const VertexOrder& order_;
  const OrdinaryOptions& options_;
  bool upwards_;
  UnionFind sets_;
};

}  // namespace

OrdinaryDiagrams ordinary_persistence(const data::Graph& graph, std::span<const double> values,
                                      const OrdinaryOptions& options) {
  VertexOrder order;
  order.sort(graph, values);
  OrdinaryDiagrams result;
  Sweep(graph, order, options, true).run(result.sub0, &result.sub1);
  Sweep(graph, order, options, false).run(result.sup0, nullptr);
  return result;
}

}  // namespace perslay::persistence
