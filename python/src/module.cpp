#include "module.h"

#include <exception>

#include <perslay/base/error.h>
#include <perslay/base/version.h>

namespace {

/// The user's mistakes become ValueError, ours RuntimeError.
void raise(const perslay::base::Error& error) {
  switch (error.fault()) {
    case perslay::base::Fault::user:
      return PyErr_SetString(PyExc_ValueError, error.what());
    case perslay::base::Fault::internal:
      return PyErr_SetString(PyExc_RuntimeError, error.what());
    case perslay::base::Fault::cancelled:
      return PyErr_SetString(PyExc_KeyboardInterrupt, error.what());
  }
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  module.doc() = "The compiled part of perslay; see the package's own functions.";
  module.attr("__version__") = perslay::base::version();
  pybind11::register_exception_translator([](std::exception_ptr error) {
    try {
      if (error) std::rethrow_exception(error);
    } catch (const perslay::base::Error& ours) {
      raise(ours);
    } catch (const pybind11::cast_error&) {
      PyErr_SetString(PyExc_TypeError,
                      "An argument, or something within it, is of a type that has no meaning here.");
    }
  });
  perslay::python::add_graphs(module);
  perslay::python::add_clouds(module);
  perslay::python::add_diagrams(module);
  perslay::python::add_persistence(module);
  perslay::python::add_distances(module);
  perslay::python::add_kernels(module);
  perslay::python::add_vectors(module);
  perslay::python::add_channels(module);
  perslay::python::add_models(module);
  for (const auto& item : module.attr("__dict__").cast<pybind11::dict>())
    if (pybind11::isinstance<pybind11::type>(item.second)) item.second.attr("__module__") = "perslay";
}
