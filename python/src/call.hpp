// One call of an array method by Python: its arguments, by position or by keyword.

#pragma once

#include "layer.hpp"
#include "text.hpp"

#include <string>
#include <vector>

#include "quantities.hpp"

namespace parid::python {

// A method with the names of its arguments as Python strings.
struct Ready {
  const ArrayMethod* method = nullptr;
  Py_ssize_t in = 0, out = 0;
  PyObject* in_names[most_in] = {};
  PyObject* result = nullptr;  // the class of several outputs
};

struct Asked {
  PyObject* in[most_in] = {};
  PyObject *out = nullptr, *threads = nullptr, *link = nullptr;  // null: not given, or None
};

void prepare_keywords();  // once, before the rest
PyObject* interned(const char* text);

// False with a Python exception: not so called.
bool parse(const Ready&, PyObject* const* args, Py_ssize_t given, PyObject* names, Asked& to);

std::string names_of(const std::vector<ArrayInfo>&);
int link_of(const RobotContext&, const Asked&);
int threads_of(const Asked&);  // 0: as many as there are cores
PyObject* packed(const Ready&, PyObject* const* outs);

inline std::size_t size_of(ArrayShape f, RobotContext& d) {
  if (f == ArrayShape::position) return d.nq;
  if (f == ArrayShape::velocity) return d.nv;
  return numbers(f, d);
}

}  // namespace parid::python
