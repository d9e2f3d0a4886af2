#pragma once

#include <span>
#include <string>

#include <pybind11/pybind11.h>

namespace perslay::python {

/// Issues each sentence as a UserWarning; a filter may make it an exception, which is thrown.
inline void warn(std::span<const std::string> sentences) {
  for (const auto& sentence : sentences)
    if (PyErr_WarnEx(PyExc_UserWarning, sentence.c_str(), 2) != 0) throw pybind11::error_already_set();
}

}  // namespace perslay::python
