#include "arrays.h"
#include "items.h"
#include "module.h"
#include "run.h"

#include <string>

#include <pybind11/stl.h>

#include <perslay/base/error.h>
#include <perslay/diagram/distance.h>

namespace perslay::python {
namespace {

using diagram::DiagramBatch;
using diagram::Point;

std::vector<Point> points_of(const py::object& object, const char* what) {
  std::vector<Point> points;
  append_pairs<double>(points, object, what, with_dimensions);
  for (const auto& [birth, death] : points)
    if (birth != birth || death != death)
      throw base::user_error(std::string(what) + " has a coordinate that is NaN.");
  return points;
}

/// The distance and, if asked for, the matching: pairs of rows, -1 for the diagonal, and the distance of each
/// pair.
py::object distance(const py::object& a, const py::object& b, const std::string& metric, bool matching) {
  const auto first = points_of(a, "The first diagram"), second = points_of(b, "The second diagram");
  const auto parsed = diagram::parse_metric(metric);
  const auto found = run(make_context(1), [&](const base::Context&) {
    return diagram::distance(first, second, parsed, {.matching = matching});
  });
  if (!matching) return py::float_(found.value);
  std::vector<std::int32_t> pairs;
  std::vector<double> costs;
  for (const auto& pair : found.matching) {
    pairs.insert(pairs.end(), {pair.a, pair.b});
    costs.push_back(pair.distance);
  }
  const std::size_t rows = costs.size();
  return py::make_tuple(found.value, take(std::move(pairs), {rows, 2}), take(std::move(costs)));
}

py::array distance_matrix(const DiagramBatch& a, const DiagramBatch* b, const std::string& metric,
                          Threads threads) {
  const auto parsed = diagram::parse_metric(metric);
  auto matrix = run(make_context(threads), [&](const base::Context& context) {
    return b == nullptr ? diagram::distance_matrix(a, parsed, context)
                        : diagram::distance_matrix(a, *b, parsed, context);
  });
  return take(std::move(matrix.values), {matrix.rows, matrix.columns});
}

}  // namespace

void add_distances(py::module_& module) {
  module.def("distance", &distance, py::arg("a"), py::arg("b"), py::arg("metric"), py::arg("matching"));
  module.def("distance_matrix", &distance_matrix, py::arg("a"), py::arg("b").none(true), py::arg("metric"),
             py::arg("threads"));
}

}  // namespace perslay::python
