#pragma once

#include <pybind11/pybind11.h>

/// The parts of the extension; each adds its classes and functions to the module, in this order.
namespace perslay::python {

void add_graphs(pybind11::module_& module);
void add_clouds(pybind11::module_& module);
void add_diagrams(pybind11::module_& module);
void add_persistence(pybind11::module_& module);
void add_distances(pybind11::module_& module);
void add_kernels(pybind11::module_& module);
void add_vectors(pybind11::module_& module);
void add_channels(pybind11::module_& module);
void add_models(pybind11::module_& module);

}  // namespace perslay::python
