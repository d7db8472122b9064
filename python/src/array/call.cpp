#include "call.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace py = pybind11;

namespace parid::python {
namespace {

PyObject *keyword_out = nullptr, *keyword_threads = nullptr, *keyword_link = nullptr;
PyObject* keyword_vary[4] = {};

bool fail(PyObject* kind, const std::string& text) {
  PyErr_SetString(kind, text.c_str());
  return false;
}

bool takes_threads(const ArrayMethod& q) { return q.batched || q.rows; }

PyObject** place_of(const Ready& r, PyObject* name, Asked& to) {
  auto same = [name](PyObject* other) {
    return name == other || PyUnicode_Compare(name, other) == 0;
  };
  for (Py_ssize_t k = 0; k < r.in; ++k)
    if (name == r.in_names[k]) return &to.in[k];
  if (same(keyword_out)) return &to.out;
  if (takes_threads(*r.method) && same(keyword_threads)) return &to.threads;
  if (r.method->link && same(keyword_link)) return &to.link;
  for (Py_ssize_t k = 0; k < r.in; ++k)
    if (same(r.in_names[k])) return &to.in[k];
  for (int k = 0; k < 4 && r.method->batched; ++k)
    if (same(keyword_vary[k])) return &to.vary[k];
  return nullptr;
}

}  // namespace

PyObject* interned(const char* text) {
  PyObject* string = PyUnicode_InternFromString(text);
  if (!string) throw py::error_already_set();
  return string;
}

void prepare_keywords() {
  keyword_out = interned("out");
  keyword_threads = interned("threads");
  keyword_link = interned("link");
  for (int k = 0; k < 4; ++k) keyword_vary[k] = interned(vary_names[k]);
}

std::string names_of(const std::vector<ArrayInfo>& all) {
  std::vector<std::string> names;
  for (const ArrayInfo& n : all) names.emplace_back(n.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

bool parse(const Ready& r, PyObject* const* args, Py_ssize_t given, PyObject* names, Asked& to) {
  const ArrayMethod& q = *r.method;
  if (given > r.in + (q.link ? 1 : 0))
    return fail(PyExc_TypeError, fmt::format("{}() takes {} by position, {} were given", q.method,
                                             names_of(q.in) + (q.link ? ", link" : ""), given));
  for (Py_ssize_t k = 0; k < std::min(given, r.in); ++k) to.in[k] = args[k];
  if (given > r.in) to.link = args[r.in];
  const Py_ssize_t named = names ? PyTuple_GET_SIZE(names) : 0;
  for (Py_ssize_t k = 0; k < named; ++k) {
    PyObject** place = place_of(r, PyTuple_GET_ITEM(names, k), to);
    if (!place || *place)
      return fail(PyExc_TypeError,
                  fmt::format("{}() {} '{}'", q.method,
                              place ? "was given more than one" : "has no argument",
                              text_of(PyTuple_GET_ITEM(names, k))));
    *place = args[given + k];
  }
  for (Py_ssize_t k = 0; k < r.in; ++k)
    if (!to.in[k])
      return fail(PyExc_TypeError, fmt::format("{}() needs {}; {} is missing", q.method,
                                               names_of(q.in), q.in[k].name));
  for (PyObject** x :
       {&to.out, &to.threads, &to.link, &to.vary[0], &to.vary[1], &to.vary[2], &to.vary[3]})
    if (*x == Py_None) *x = nullptr;
  return true;
}

int link_of(const RobotContext& context, const Asked& asked) {
  if (!asked.link) return context.tip();
  if (!PyUnicode_Check(asked.link)) throw py::type_error("link: give the name of a link, or None");
  return context.robot.find_link(text_of(asked.link));
}

int threads_of(const Asked& asked) {
  if (!asked.threads) return 0;
  const long n = PyLong_AsLong(asked.threads);
  if (n == -1 && PyErr_Occurred()) throw py::error_already_set();
  if (n < 1 || n > 4096)
    throw py::value_error(
        fmt::format("threads: {} is out of range; give 1 or more, or None for all cores", n));
  return static_cast<int>(n);
}

PyObject* packed(const Ready& r, PyObject* const* outs) {
  if (r.out == 1) return Py_NewRef(outs[0]);
  return PyObject_Vectorcall(r.result, outs, static_cast<std::size_t>(r.out), nullptr);
}

}  // namespace parid::python
