// NumPy's C interface for all files of the module: entry_points.cpp imports it, and the others only
// call it.

#pragma once

#include "layer.hpp"
#include "text.hpp"

#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL parid_numpy
#ifndef PARID_IMPORTS_NUMPY
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>

#include <type_traits>

namespace parid::python {

template <class Real>
constexpr int type_of = std::is_same_v<Real, double> ? NPY_DOUBLE : NPY_FLOAT;

inline PyArrayObject* array_of(const pybind11::object& x) {
  return reinterpret_cast<PyArrayObject*>(x.ptr());
}

// The result of a Python function: null means that an exception is set.
inline pybind11::object owned(PyObject* x) {
  if (!x) throw pybind11::error_already_set();
  return pybind11::reinterpret_steal<pybind11::object>(x);
}

}  // namespace parid::python
