#pragma once

#include <memory>

#include <pybind11/pybind11.h>

#include <perslay/diagram/diagram_set.h>

namespace perslay::python {

/// What functions of diagrams take: a DiagramSet as it is, a DiagramBatch as a set of one group.
[[nodiscard]] std::shared_ptr<const diagram::DiagramSet> to_set(pybind11::handle diagrams);

}  // namespace perslay::python
