#pragma once

#include "arrays.h"
#include "run.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <perslay/base/error.h>
#include <perslay/diagram/diagram_set.h>

/// What all batches of items have in Python: a length, labels, parts.
namespace perslay::python {

/// HDF5 does not like several threads at once. A fork waits until it is free.
[[nodiscard]] std::mutex& file_mutex();

/// What goes on after "must have the shape (N, 2), not (N, 3)" where a diagram is expected.
inline constexpr std::string_view with_dimensions =
    "; if its columns are birth, death and dimension, as giotto-tda has them, choose a dimension first, such "
    "as "
    "diagram[diagram[:, 2] == 1, :2]";

/// What functions of diagrams take: a DiagramSet as it is, a DiagramBatch as a set of one group, and so a
/// list of arrays.
[[nodiscard]] std::shared_ptr<const diagram::DiagramSet> to_set(py::handle diagrams);

/// Their length, also as `shape`, iteration, and perslay._core.concatenate for them.
template <class Batch, class Size>
void add_sequence(py::module_& module, py::class_<Batch, std::shared_ptr<Batch>>& type, Size size) {
  type.def("__len__", size)
      .def_property_readonly(
          "shape", [size](const Batch& self) { return py::make_tuple(std::invoke(size, self)); },
          "The number of items, as a tuple. Tools that cut arrays into parts, such as scikit-learn, then "
          "leave batches whole.")
      .def("__iter__", &iterate);
  module.def(
      "concatenate",
      [](const std::vector<const Batch*>& parts) {
        return run(make_context(1), [&](const base::Context&) {
          return std::make_shared<Batch>(concatenate(std::span(parts)));
        });
      },
      py::arg("parts"));
}

/// `labels` and `classes`.
template <class Set>
void add_labels(py::class_<Set, std::shared_ptr<Set>>& type) {
  type.def_property_readonly(
          "labels", [](const py::object& self) { return view_or_none(self.cast<const Set&>().labels, self); },
          "One label per item, counted from 0, or None; `classes` has their names.")
      .def_readonly("classes", &Set::classes, "The names of the classes, in the order of `labels`.");
}

template <class Set>
void set_labels(Set& set, std::size_t items, std::optional<std::vector<int>> labels,
                std::vector<std::string> classes) {
  if (!labels) return;
  if (labels->size() != items)
    throw base::user_error(fmt::format("There are {} labels for {} items.", labels->size(), items));
  for (const int label : *labels)
    if (label < 0 || static_cast<std::size_t>(label) >= classes.size())
      throw base::user_error(fmt::format("Label {} is none of {} classes.", label, classes.size()));
  set.labels = std::move(*labels);
  set.classes = std::move(classes);
}

}  // namespace perslay::python
