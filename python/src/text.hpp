// Text from Python: names, paths, words, contents of files. All of it passes this caster, which
// refuses text that C++ would truncate or cannot represent. Every file of the module includes this
// before it casts text.

#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "layer.hpp"

namespace parid::python {

// As UTF-8. Throws ValueError if it contains a NUL, which would end a C string, or a lone
// surrogate, which UTF-8 cannot represent; TypeError if it is not a str.
std::string text_of(PyObject*);

}  // namespace parid::python

namespace pybind11::detail {

template <>
struct type_caster<std::string> {
  PYBIND11_TYPE_CASTER(std::string, const_name("str"));

  bool load(handle from, bool) {
    if (!from || !(PyUnicode_Check(from.ptr()) || PyBytes_Check(from.ptr()))) return false;
    value = parid::python::text_of(from.ptr());
    return true;
  }
  static handle cast(const std::string& from, return_value_policy, handle) {
    PyObject* made =
        PyUnicode_DecodeUTF8(from.data(), static_cast<Py_ssize_t>(from.size()), nullptr);
    if (!made) throw error_already_set();
    return made;
  }
};

}  // namespace pybind11::detail
