// One call of an array method by Python: its arguments, by position or by keyword, and its
// evaluation.

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
  // What differs by row: parameters, gravity, base_motion, wrenches.
  PyObject* vary[4] = {};
  bool varies() const { return vary[0] || vary[1] || vary[2] || vary[3]; }
};
constexpr const char* vary_names[4] = {"parameters", "gravity", "base_motion", "wrenches"};

void prepare_keywords();  // once, before the rest
PyObject* interned(const char* text);

// Returns false with a Python exception if the arguments do not match.
bool parse(const Ready&, PyObject* const* args, Py_ssize_t given, PyObject* names, Asked& to);

std::string names_of(const std::vector<ArrayInfo>&);
int link_of(const RobotContext&, const Asked&);
int threads_of(const Asked&);  // 0: number of cores
PyObject* packed(const Ready&, PyObject* const* outs);

inline std::size_t size_of(ArrayShape f, RobotContext& d) {
  if (f == ArrayShape::position) return d.nq;
  if (f == ArrayShape::velocity) return d.nv;
  return numbers(f, d);
}

// ---- evaluation

// One sample of plain arrays, the call of control loops. Null without an exception if the arrays
// are not exactly in the kernels' form.
template <class Real>
PyObject* plainly(const Ready&, RobotContext&, const Asked&);

// One sample, from dense numbers to dense numbers.
template <class Real>
void evaluate_one(const ArrayMethod&, RobotContext&, int link, const Real* const* in,
                  Real* const* out);

// Arrays of any layout, type and number of rows: converted if necessary, else used in place.
template <class Real>
PyObject* generally(const Ready&, RobotContext&, const Asked&);

}  // namespace parid::python
