#include "arrays.h"

#include <limits>
#include <string>
#include <type_traits>

namespace perslay::python {
namespace {

std::string type_text(const py::array& array) { return py::str(array.dtype()).cast<std::string>(); }

/// numpy.asarray, with our sentence where it fails.
py::array as_array(py::handle object, std::string_view what) {
  auto array = py::array::ensure(object);
  if (!array) {
    PyErr_Clear();
    throw base::user_error(fmt::format("{} must be an array, not {}.", what, Py_TYPE(object.ptr())->tp_name));
  }
  return array;
}

template <class T>
void require_type(const py::array& array, std::string_view what) {
  const char kind = array.dtype().kind();
  const bool integer = kind == 'i' || kind == 'u';
  if constexpr (std::is_integral_v<T>) {
    if (!integer && array.size() > 0)
      throw base::user_error(fmt::format("{} must hold integers, not {}.", what, type_text(array)));
  } else {
    if (!integer && kind != 'f' && kind != 'b' && array.size() > 0)
      throw base::user_error(fmt::format("{} must hold real numbers, not {}.", what, type_text(array)));
  }
}

/// Refuses integers that a narrower type would wrap.
template <class T>
void require_range(const py::array& array, std::string_view what) {
  if (array.size() == 0 || array.itemsize() < static_cast<py::ssize_t>(sizeof(T)) ||
      (array.itemsize() == sizeof(T) && array.dtype().kind() == 'i'))
    return;
  using Limits = std::numeric_limits<T>;
  const auto low = array.attr("min")(), high = array.attr("max")();
  if (low < py::int_(Limits::min()) || high > py::int_(Limits::max()))
    throw base::user_error(
        fmt::format("{} must lie between {} and {}, and there is {}.", what, Limits::min(), Limits::max(),
                    py::str(low < py::int_(Limits::min()) ? low : high).cast<std::string>()));
}

}  // namespace

std::string shape_text(const py::array& array) {
  std::string text;
  for (py::ssize_t axis = 0; axis < array.ndim(); ++axis)
    text += fmt::format("{}{}", axis == 0 ? "" : ", ", array.shape(axis));
  return fmt::format("({}{})", text, array.ndim() == 1 ? "," : "");
}

template <class T>
Array<T> to_array(py::handle object, std::string_view what) {
  const auto array = as_array(object, what);
  require_type<T>(array, what);
  if constexpr (std::is_integral_v<T>) require_range<T>(array, what);
  auto converted = py::array_t<T, py::array::c_style | py::array::forcecast>::ensure(array);
  if (!converted) {
    PyErr_Clear();
    throw base::user_error(fmt::format("{} cannot be read as numbers: it holds {}.", what, type_text(array)));
  }
  return py::reinterpret_borrow<Array<T>>(converted);
}

template Array<float> to_array(py::handle, std::string_view);
template Array<double> to_array(py::handle, std::string_view);
template Array<std::int32_t> to_array(py::handle, std::string_view);
template Array<std::int64_t> to_array(py::handle, std::string_view);

std::size_t place(py::ssize_t index, std::size_t count) {
  const auto from_start = index < 0 ? index + static_cast<py::ssize_t>(count) : index;
  if (from_start < 0 || from_start >= static_cast<py::ssize_t>(count))
    throw py::index_error(fmt::format("There is no item {}; there are {}.", index, count));
  return static_cast<std::size_t>(from_start);
}

py::object iterate(const py::object& self) {
  auto iterator = py::reinterpret_steal<py::object>(PySeqIter_New(self.ptr()));
  if (!iterator) throw py::error_already_set();
  return iterator;
}

std::vector<std::size_t> chosen(py::handle index, std::size_t count) {
  std::vector<std::size_t> items;
  if (py::isinstance<py::tuple>(index)) {  // items[places, ...], as scikit-learn writes it
    const auto axes = py::reinterpret_borrow<py::tuple>(index);
    if (axes.size() == 2 && py::isinstance<py::ellipsis>(axes[1])) return chosen(axes[0], count);
  }
  if (py::isinstance<py::slice>(index)) {
    py::ssize_t start = 0, stop = 0, step = 0, length = 0;
    if (!py::reinterpret_borrow<py::slice>(index).compute(static_cast<py::ssize_t>(count), &start, &stop,
                                                          &step, &length))
      throw py::error_already_set();
    for (py::ssize_t i = 0; i < length; ++i) items.push_back(static_cast<std::size_t>(start + i * step));
    return items;
  }
  const auto array = as_array(index, "An index");
  if (array.dtype().kind() == 'b') {
    if (array.ndim() != 1 || static_cast<std::size_t>(array.size()) != count)
      throw py::index_error(
          fmt::format("A mask of shape {} does not fit {} items.", shape_text(array), count));
    const auto mask = py::array_t<bool, py::array::c_style | py::array::forcecast>::ensure(array);
    for (std::size_t i = 0; i < count; ++i)
      if (mask.data()[i]) items.push_back(i);
    return items;
  }
  for (const auto i : span_of(to_vector<std::int64_t>(array, "An index"))) items.push_back(place(i, count));
  return items;
}

}  // namespace perslay::python
