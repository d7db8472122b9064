// One call of a question by Python: its words, by place or by name, found without a detour.

#pragma once

#include "text.hpp"

#include <string>
#include <vector>

#include "questions.hpp"

namespace parid::python {

// A question with its words as Python knows them.
struct Ready {
  const Question* question = nullptr;
  Py_ssize_t in = 0, out = 0;
  PyObject* in_names[most_in] = {};
  PyObject* result = nullptr;  // the class of several outputs
};

struct Asked {
  PyObject* in[most_in] = {};
  PyObject *out = nullptr, *threads = nullptr, *link = nullptr;  // null: not given, or None
};

void prepare_words();  // once, before the rest
PyObject* interned(const char* text);

// False with a Python exception: not so called.
bool parse(const Ready&, PyObject* const* args, Py_ssize_t given, PyObject* names, Asked& to);

std::string names_of(const std::vector<Named>&);
int link_of(const Door&, const Asked&);
int threads_of(const Asked&);  // 0: as many as there are cores
PyObject* packed(const Ready&, PyObject* const* outs);

inline std::size_t size_of(Form f, Door& d) {
  if (f == Form::q) return d.nq;
  if (f == Form::v) return d.nv;
  return numbers(f, d);
}

}  // namespace parid::python
