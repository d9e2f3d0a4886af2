#include "arrays.h"
#include "module.h"
#include "run.h"
#include "warnings.h"

#include <cmath>
#include <iterator>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <perslay/base/error.h>
#include <perslay/base/parallel.h>
#include <perslay/features/cloud_diagrams.h>
#include <perslay/features/graph_diagrams.h>
#include <perslay/persistence/alpha_persistence.h>

namespace perslay::python {
namespace {

using data::GraphDataset;
using data::PointCloudDataset;
using SetPointer = std::shared_ptr<diagram::DiagramSet>;

std::vector<diagram::Kind> parse_kinds(const std::vector<std::string>& names) {
  std::vector<diagram::Kind> kinds;
  for (const auto& name : names) kinds.push_back(diagram::parse_kind(name));
  return kinds;
}

// ---- graphs

/// A number stands for `clip:NUMBER`, and may be infinite.
double to_death(const py::object& policy) {
  try {
    return policy.cast<double>();
  } catch (const py::cast_error&) {
    throw base::user_error(fmt::format("essential takes drop, clip, clip:VALUE or a number, not {}.",
                                       py::repr(policy).cast<std::string>()));
  }
}

persistence::EssentialPolicy parse_essential(const py::object& policy) {
  if (py::isinstance<py::str>(policy)) return persistence::parse_essential(policy.cast<std::string>());
  return {persistence::EssentialPolicy::Action::clip_to_value, to_death(policy)};
}

std::optional<double> parse_essential_death(const py::object& policy) {
  if (py::isinstance<py::str>(policy)) return persistence::parse_essential_death(policy.cast<std::string>());
  return to_death(policy);
}

features::GraphDiagramOptions graph_options(const std::vector<std::string>& kinds, bool keep_diagonal,
                                            bool cycles, const py::object& essential) {
  features::GraphDiagramOptions options{.kinds = parse_kinds(kinds),
                                        .essential = parse_essential(essential),
                                        .keep_diagonal = keep_diagonal,
                                        .cycles = cycles};
  for (const auto kind : options.kinds)
    if (kind == diagram::Kind::h0 || kind == diagram::Kind::h1)
      throw base::user_error(
          fmt::format("{} is a kind of point clouds, not of graphs.", diagram::kind_name(kind)));
  return options;
}

void require_values(std::span<const double> values, const GraphDataset& graphs) {
  const auto vertices = static_cast<std::size_t>(graphs.vertex_offsets.back());
  if (values.size() != vertices)
    throw base::user_error(
        fmt::format("There are {} values for {} vertices of all graphs.", values.size(), vertices));
  for (std::size_t i = 0; i < vertices; ++i)
    if (!std::isfinite(values[i]))
      throw base::user_error(
          fmt::format("Value {} is {}, and values of vertices must be finite.", i, values[i]));
}

/// Functions on vertices by their names, or pairs of a name and an array with one number per vertex of all graphs.
struct AskedFunctions {
  std::vector<filtration::Filtration> named;
  std::vector<std::pair<std::string, Array<double>>> given;
  std::vector<bool> is_given;  // in the order in which they were asked for

  AskedFunctions(const py::sequence& functions, const GraphDataset& graphs) {
    for (const auto& function : functions) {
      const bool has_values = !py::isinstance<py::str>(function);
      if (has_values) {
        const auto [name, values] = function.cast<std::pair<std::string, py::object>>();
        given.emplace_back(name, to_vector<double>(values, "values"));
        require_values(span_of(given.back().second), graphs);
      } else {
        const std::vector<std::string> names{function.cast<std::string>()};
        for (const auto& name : filtration::expand_times(names))
          named.push_back(filtration::parse_filtration(name));
      }
      is_given.resize(named.size() + given.size(), has_values);
    }
  }

  [[nodiscard]] std::vector<features::GivenFunction> given_functions() const {
    std::vector<features::GivenFunction> functions;
    for (const auto& [name, values] : given) functions.push_back({name, span_of(values)});
    return functions;
  }
};

SetPointer graph_diagrams(const GraphDataset& graphs, const py::sequence& functions,
                          const std::vector<std::string>& kinds, bool keep_diagonal, bool cycles,
                          const py::object& essential, Threads threads) {
  const auto options = graph_options(kinds, keep_diagonal, cycles, essential);
  const AskedFunctions asked(functions, graphs);
  auto made = run(make_context(threads), [&](const base::Context& context) {
    auto set = std::make_shared<diagram::DiagramSet>(
        features::graph_diagrams(graphs, asked.named, options, context));
    auto given = features::graph_diagrams(graphs, asked.given_functions(), options, context).groups;
    const auto group_count = static_cast<std::ptrdiff_t>(options.kinds.size());
    auto next = given.begin();
    for (std::size_t i = 0; i < asked.is_given.size(); ++i) {
      if (!asked.is_given[i]) continue;
      set->groups.insert(set->groups.begin() + static_cast<std::ptrdiff_t>(i) * group_count,
                         std::make_move_iterator(next), std::make_move_iterator(next + group_count));
      next += group_count;
    }
    return set;
  });
  warn(features::absent_labels(graphs, asked.named));
  return made;
}

// ---- clouds

SetPointer cloud_diagrams(const PointCloudDataset& clouds, const std::string& filtration,
                          const std::vector<std::string>& kinds, std::optional<std::size_t> prominent,
                          const py::object& essential, Threads threads) {
  const features::CloudDiagramOptions options{.filtration = features::parse_cloud_filtration(filtration),
                                              .kinds = parse_kinds(kinds),
                                              .prominent = prominent,
                                              .essential_death = parse_essential_death(essential)};
  return run(make_context(threads), [&](const base::Context& context) {
    return std::make_shared<diagram::DiagramSet>(features::cloud_diagrams(clouds, options, context));
  });
}

// ---- for gradients: the points of the cloud behind each coordinate

/// One kind of diagrams of all clouds, with simplices as places in the clouds' packed points.
struct SimplexGroup {
  std::vector<double> points;              // birth and death of each
  std::vector<std::int32_t> birth, death;  // three corners of each
  std::vector<std::int64_t> offsets{0};

  void add(const diagram::Diagram& diagram, const std::vector<persistence::CloudSimplex>& births,
           const std::vector<persistence::CloudSimplex>& deaths, std::int32_t first) {
    const auto append = [first](std::vector<std::int32_t>& corners, const auto& simplices) {
      for (const auto& simplex : simplices)
        for (const auto corner : simplex) corners.push_back(corner < 0 ? corner : corner + first);
    };
    for (const auto& [b, d] : diagram.points) points.insert(points.end(), {b, d});
    append(birth, births);
    append(death, deaths);
    offsets.push_back(static_cast<std::int64_t>(points.size() / 2));
  }

  py::tuple arrays() {
    const std::size_t rows = points.size() / 2;
    return py::make_tuple(take(std::move(points), {rows, 2}), take(std::move(offsets)),
                          take(std::move(birth), {rows, 3}), take(std::move(death), {rows, 3}));
  }
};

py::tuple alpha_simplices(const PointCloudDataset& clouds, bool radii, Threads threads) {
  std::vector<persistence::AlphaDiagrams> results(clouds.size());
  run(make_context(threads), [&](const base::Context& context) {
    base::parallel_for(
        context, "alpha persistence", clouds.size(), [] { return persistence::AlphaPersistence(); },
        [&](std::size_t i, persistence::AlphaPersistence& alpha) {
          results[i] = alpha.compute(clouds[i], {.radii = radii});
        });
  });
  SimplexGroup h0, h1;
  for (std::size_t i = 0; i < clouds.size(); ++i) {
    const auto first = static_cast<std::int32_t>(clouds.offsets[i]);
    h0.add(results[i].h0, results[i].h0_birth, results[i].h0_death, first);
    h1.add(results[i].h1, results[i].h1_birth, results[i].h1_death, first);
  }
  return py::make_tuple(h0.arrays(), h1.arrays());
}

}  // namespace

void add_persistence(py::module_& module) {
  module.def("graph_diagrams", &graph_diagrams, py::arg("graphs"), py::arg("functions"), py::arg("kinds"),
             py::arg("keep_diagonal"), py::arg("cycles"), py::arg("essential"), py::arg("threads"));
  module.def("cloud_diagrams", &cloud_diagrams, py::arg("clouds"), py::arg("filtration"), py::arg("kinds"),
             py::arg("prominent"), py::arg("essential"), py::arg("threads"));
  module.def("alpha_simplices", &alpha_simplices, py::arg("clouds"), py::arg("radii"), py::arg("threads"));
}

}  // namespace perslay::python
