#include "text.hpp"

#include <fmt/format.h>

namespace py = pybind11;

namespace parid::python {
namespace {

[[noreturn]] void refuse(PyObject* text, const std::string& what, Py_ssize_t at) {
  const py::object shown = py::reinterpret_steal<py::object>(PyObject_ASCII(text));
  std::string start = shown ? PyUnicode_AsUTF8(shown.ptr()) : "text";
  if (start.size() > 60) start = start.substr(0, 57) + "...";
  PyErr_Clear();
  throw py::value_error(fmt::format("{}: {} at index {}; remove it", start, what, at));
}

}  // namespace

std::string text_of(PyObject* text) {
  char* bytes = nullptr;
  Py_ssize_t size = 0;
  if (PyBytes_Check(text)) {  // a path, as os.fsencode returns it
    PyBytes_AsStringAndSize(text, &bytes, &size);
  } else if (PyUnicode_Check(text)) {
    bytes = const_cast<char*>(PyUnicode_AsUTF8AndSize(text, &size));
    if (!bytes) {
      if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) throw py::error_already_set();
      PyErr_Clear();
      const Py_ssize_t length = PyUnicode_GetLength(text);
      for (Py_ssize_t k = 0; k < length; ++k)
        if (const Py_UCS4 c = PyUnicode_ReadChar(text, k); c >= 0xd800 && c <= 0xdfff)
          refuse(text, fmt::format("a lone surrogate, U+{:04X},", c), k);
      refuse(text, "a character that UTF-8 cannot encode", 0);
    }
  } else {
    throw py::type_error(fmt::format("give a str, not {}", Py_TYPE(text)->tp_name));
  }
  const std::string all(bytes, static_cast<std::size_t>(size));
  if (const std::size_t at = all.find('\0'); at != all.npos) {
    Py_ssize_t index = static_cast<Py_ssize_t>(at);
    if (PyUnicode_Check(text)) index = PyUnicode_FindChar(text, 0, 0, PyUnicode_GetLength(text), 1);
    refuse(text, "a NUL character", index);
  }
  return all;
}

}  // namespace parid::python
