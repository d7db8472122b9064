#include "foreign.hpp"

#include "numpy.hpp"

namespace py = pybind11;

namespace parid::python {
namespace {

bool has(PyObject* x, const char* name) { return PyObject_HasAttrString(x, name) != 0; }

bool is_sequence_of_numbers(PyObject* x) {
  return PyList_Check(x) || PyTuple_Check(x) || PyFloat_Check(x) || PyLong_Check(x);
}

py::object by_dlpack(PyObject* x) {
  return py::module_::import("numpy").attr("from_dlpack")(py::handle(x));
}

// The columns of a data frame, or the entries of a series, by the names of coordinates.
py::object by_names(PyObject* x, const ArrayInfo& argument, const RobotContext& context) {
  const auto& names = argument.shape == ArrayShape::position ? context.robot.position_names()
                                                             : context.robot.velocity_names();
  return py::module_::import("parid._frames")
      .attr("columns_by_name")(py::handle(x), argument.name, py::cast(names));
}

bool is_table(PyObject* x) { return has(x, "iloc") && has(x, "to_numpy"); }

}  // namespace

void adopt_inputs(const Ready& r, RobotContext& context, Asked& asked,
                  std::vector<py::object>& kept) {
  for (Py_ssize_t k = 0; k < r.in; ++k) {
    PyObject*& x = asked.in[k];
    const ArrayInfo& argument = r.method->in[static_cast<std::size_t>(k)];
    if (PyArray_Check(x) || is_sequence_of_numbers(x)) continue;
    const bool named =
        argument.shape == ArrayShape::position || argument.shape == ArrayShape::velocity;
    if (named && is_table(x))
      kept.push_back(by_names(x, argument, context));
    else if (PyObject_CheckBuffer(x) || has(x, "__array__") || has(x, "__array_interface__"))
      kept.push_back(owned(PyArray_FromAny(x, nullptr, 0, 0, 0, nullptr)));
    else if (has(x, "__dlpack__"))
      kept.push_back(by_dlpack(x));
    else
      continue;
    x = kept.back().ptr();
  }
}

py::object writable_view(PyObject* x) {
  if (PyArray_Check(x)) return py::reinterpret_borrow<py::object>(x);
  if (PyObject_CheckBuffer(x)) return owned(PyArray_FromAny(x, nullptr, 0, 0, 0, nullptr));
  if (!has(x, "__dlpack__")) return {};
  py::object shared = by_dlpack(x);
  if (PyArray_ISWRITEABLE(array_of(shared)) || !has(x, "__array__")) return shared;
  // NumPy marks what DLPack gives as read-only. __array__ may copy: it counts if it did not.
  py::object own = owned(PyArray_FromAny(x, nullptr, 0, 0, 0, nullptr));
  return PyArray_DATA(array_of(own)) == PyArray_DATA(array_of(shared)) ? own : shared;
}

}  // namespace parid::python
