#pragma once

#include <memory>
#include <mutex>

#include <pybind11/pybind11.h>

#include <perslay/diagram/diagram_set.h>

namespace perslay::python {

/// HDF5 does not like several threads at once.
[[nodiscard]] std::mutex& file_mutex();

/// What functions of diagrams take: a DiagramSet as it is, a DiagramBatch as a set of one group, and so a
/// list of arrays.
[[nodiscard]] std::shared_ptr<const diagram::DiagramSet> to_set(pybind11::handle diagrams);

}  // namespace perslay::python
