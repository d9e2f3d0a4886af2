#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <perslay/base/error.h>

/// NumPy's arrays as spans and back, without copies where the memory allows it.
namespace perslay::python {

namespace py = pybind11;

/// An array in C order. T is float, double, std::int32_t or std::int64_t.
template <class T>
using Array = py::array_t<T, py::array::c_style>;

/// Any array-like as an array of T, which is a copy only if type or order differ. What is not numeric is the
/// user's error, and so are broken numbers where T is an integer; `what` names the argument in the sentence.
template <class T>
[[nodiscard]] Array<T> to_array(py::handle object, std::string_view what);

/// "(3, 2)"
[[nodiscard]] std::string shape_text(const py::array& array);

template <class T>
[[nodiscard]] std::span<const T> span_of(const Array<T>& array) {
  return {array.data(), static_cast<std::size_t>(array.size())};
}

/// The elements of a new array, to be filled.
template <class T>
[[nodiscard]] std::span<T> writable(Array<T>& array) {
  return {array.mutable_data(), static_cast<std::size_t>(array.size())};
}

template <class T>
[[nodiscard]] Array<T> make_array(std::vector<std::size_t> shape) {
  return Array<T>(std::vector<py::ssize_t>(shape.begin(), shape.end()));
}

/// An array of one axis, like to_array.
template <class T>
[[nodiscard]] Array<T> to_vector(py::handle object, std::string_view what) {
  auto array = to_array<T>(object, what);
  if (array.ndim() != 1)
    throw base::user_error(
        fmt::format("{} must have one axis, but its shape is {}.", what, shape_text(array)));
  return array;
}

/// Likewise of shape (N, 2); whatever is empty will do. `instead` goes on with the sentence where there are
/// three columns.
template <class T>
[[nodiscard]] Array<T> to_pairs(py::handle object, std::string_view what, std::string_view instead = "") {
  auto array = to_array<T>(object, what);
  if (array.size() == 0) return make_array<T>({0, 2});
  if (array.ndim() != 2 || array.shape(1) != 2)
    throw base::user_error(fmt::format("{} must have the shape (N, 2), not {}{}.", what, shape_text(array),
                                       array.ndim() == 2 && array.shape(1) == 3 ? instead : ""));
  return array;
}

/// Appends the rows of to_pairs<T>(object, what, instead) to what is made of two numbers.
template <class T, class Pair>
void append_pairs(std::vector<Pair>& pairs, py::handle object, std::string_view what,
                  std::string_view instead = "") {
  const auto array = to_pairs<T>(object, what, instead);
  const auto numbers = span_of(array);
  for (std::size_t i = 0; i < numbers.size(); i += 2) pairs.push_back({numbers[i], numbers[i + 1]});
}

/// Hands the vector's memory over to an array.
template <class T>
[[nodiscard]] py::array take(std::vector<T> values, std::vector<std::size_t> shape) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  T* const data = owned->data();
  const py::capsule owner(owned.release(), [](void* vector) {
    delete static_cast<std::vector<T>*>(vector);  // NOLINT(cppcoreguidelines-owning-memory)
  });
  return py::array_t<T>(std::vector<py::ssize_t>(shape.begin(), shape.end()), data, owner);
}
template <class T>
[[nodiscard]] py::array take(std::vector<T> values) {
  const std::size_t size = values.size();
  return take(std::move(values), {size});
}

/// An array that shows memory of `owner` and cannot be written to.
template <class T>
[[nodiscard]] py::array view(const T* data, std::vector<std::size_t> shape, py::handle owner) {
  py::array_t<T> array(std::vector<py::ssize_t>(shape.begin(), shape.end()), data, owner);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

/// The same of all values, None without any.
template <class T>
[[nodiscard]] py::object view_or_none(const std::vector<T>& values, py::handle owner) {
  if (values.empty()) return py::none();
  return view(values.data(), {values.size()}, owner);
}

/// Which of `count` items an index chooses: an integer, a slice, or an array of places or of truth values.
/// Python's IndexError if there is no such item.
[[nodiscard]] std::vector<std::size_t> chosen(py::handle index, std::size_t count);

/// An iterator over self[0], self[1], ...
[[nodiscard]] py::object iterate(const py::object& self);

/// The place of one item, counted from the end if negative.
[[nodiscard]] std::size_t place(py::ssize_t index, std::size_t count);

}  // namespace perslay::python
