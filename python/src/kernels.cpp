#include "arrays.h"
#include "items.h"
#include "module.h"
#include "run.h"

#include <optional>
#include <string>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <perslay/kernel/bandwidth.h>
#include <perslay/kernel/gram.h>

namespace perslay::python {
namespace {

using diagram::DiagramSet;
using kernel::Matrix;

/// A kernel by name and, once it is fitted, its parameters for each group and the rate of its outer map.
struct DiagramKernel {
  kernel::Kernel kernel;
  std::vector<kernel::Kernel> groups{};
  std::optional<double> rate{};

  explicit DiagramKernel(const std::string& name) : kernel(kernel::parse_kernel(name)) {}
};

void fit_groups(DiagramKernel& kernel, const DiagramSet& set) {
  kernel.groups = kernel::fit(kernel.kernel, set.groups, kernel::median_items(set.item_count()));
}

/// The rate that the name gives, or that of the median of the base between some items.
void fit_rate(DiagramKernel& kernel, const DiagramSet& set, const base::Context& context) {
  if (kernel.kernel.is_distance())
    kernel.rate = kernel::median_rate(kernel.groups, set, kernel::median_items(set.item_count()), context);
}

DiagramKernel fit(const DiagramKernel& kernel, const py::object& diagrams, Threads threads) {
  const auto set = to_set(diagrams);
  return run(make_context(threads), [&](const base::Context& context) {
    DiagramKernel fitted = kernel;
    fit_groups(fitted, *set);
    fit_rate(fitted, *set, context);
    return fitted;
  });
}

Matrix gram(DiagramKernel kernel, const DiagramSet& rows, const DiagramSet* columns, bool base,
            const base::Context& context) {
  if (kernel.groups.empty()) fit_groups(kernel, rows);
  Matrix matrix = columns == nullptr
                      ? kernel::base_matrix(kernel.groups, rows.groups, context)
                      : kernel::base_matrix(kernel.groups, rows.groups, columns->groups, context);
  if (base || !kernel.kernel.is_distance()) return matrix;
  if (!kernel.rate) kernel.rate = kernel.kernel.rate();
  if (!kernel.rate && columns == nullptr)  // the sample's base is part of this matrix
    kernel.rate = kernel::median_rate(kernel.kernel, matrix, kernel::median_items(matrix.rows));
  if (!kernel.rate) fit_rate(kernel, rows, context);
  return kernel::outer_map(std::move(matrix), *kernel.rate);
}

py::array gram_array(const DiagramKernel& kernel, const py::object& rows, const py::object& columns,
                     bool base, Threads threads) {
  const auto row_set = to_set(rows);
  const auto column_set = columns.is_none() ? nullptr : to_set(columns);
  auto matrix = run(make_context(threads), [&](const base::Context& context) {
    return gram(kernel, *row_set, column_set.get(), base, context);
  });
  return take(std::move(matrix.values), {matrix.rows, matrix.columns});
}

std::vector<std::string> names(const DiagramKernel& kernel) {
  std::vector<std::string> all;
  for (const auto& group : kernel.groups) all.push_back(group.name());
  return all;
}

}  // namespace

void add_kernels(py::module_& module) {
  py::class_<DiagramKernel>(
      module, "Kernel",
      R"(A kernel between diagrams, by name: `sw`, `pss`, `pwg`, `pwg-linear`, `pf`, with parameters or without.

>>> import perslay
>>> old, new = [[(0, 4)], [(0, 3)]], [[(1, 2)]]
>>> kernel = perslay.Kernel("sw").fit(perslay.DiagramBatch(old))
>>> kernel.gram(perslay.DiagramBatch(new), perslay.DiagramBatch(old)).shape
(1, 2)
)")
      .def(py::init<const std::string&>(), py::arg("name"))
      .def(py::pickle(
          [](const DiagramKernel& self) {
            return py::make_tuple(self.kernel.name(), names(self), self.rate);
          },
          [](const py::tuple& state) {
            DiagramKernel kernel(state[0].cast<std::string>());
            for (const auto& name : state[1].cast<std::vector<std::string>>())
              kernel.groups.push_back(kernel::parse_kernel(name));
            kernel.rate = state[2].cast<std::optional<double>>();
            return kernel;
          }))
      .def_property_readonly("name", [](const DiagramKernel& self) { return self.kernel.name(); })
      .def_property_readonly(
          "fitted", [](const DiagramKernel& self) { return !self.groups.empty(); },
          "Whether all parameters are known.")
      .def_property_readonly("groups", &names,
                             "The kernel of each group with all its parameters, once fitted.")
      .def_readonly("rate", &DiagramKernel::rate,
                    "The kernel is exp(-rate * base); None if it is its own base.")
      .def("fit", &fit, py::arg("diagrams"), py::kw_only(), py::arg("threads") = py::none(),
           "The kernel with what its name leaves open, by the median rules, from these diagrams.")
      .def("gram", &gram_array, py::arg("rows"), py::arg("columns") = py::none(), py::kw_only(),
           py::arg("base") = false, py::arg("threads") = py::none(),
           "The matrix of all pairs; with base=True of what is inside the exponential.")
      .def("__repr__",
           [](const DiagramKernel& self) { return fmt::format("Kernel('{}')", self.kernel.name()); });
}

}  // namespace perslay::python
