#include "entry_points.hpp"

#include <algorithm>
#include <array>

#define PARID_IMPORTS_NUMPY
#include "call.hpp"
#include "foreign.hpp"
#include "numpy.hpp"
#include "parid/error.hpp"
#include "unlocked.hpp"

namespace py = pybind11;

namespace parid::python {
namespace {

std::vector<Ready> ready;
PyObject* error_class = nullptr;

RobotContext* context_of(PyObject* self) {
  auto* i = reinterpret_cast<py::detail::instance*>(self);
  void* context = i->simple_layout ? i->simple_value_holder[0] : i->nonsimple.values_and_holders[0];
  if (!context)
    PyErr_SetString(PyExc_TypeError, "the robot is not initialized: call super().__init__ first");
  return static_cast<RobotContext*>(context);
}

bool is_float32(PyObject* x) {
  return PyArray_Check(x) && PyArray_TYPE(reinterpret_cast<PyArrayObject*>(x)) == NPY_FLOAT;
}
bool in_single_precision(const Ready& r, const Asked& asked) {
  if (r.method->in_double) return false;
  if (asked.out) {
    PyObject* first = asked.out;
    if (r.out > 1) {
      if (!(PyTuple_Check(first) || PyList_Check(first)) || PySequence_Fast_GET_SIZE(first) == 0)
        return false;
      first = PySequence_Fast_ITEMS(first)[0];
    }
    const py::object view = writable_view(first);
    return view && is_float32(view.ptr());
  }
  return std::all_of(asked.in, asked.in + r.in, is_float32);
}

PyObject* ask(const Ready& r, PyObject* self, PyObject* const* args, Py_ssize_t given,
              PyObject* names) noexcept {
  const EntryCall call;
  if (!call) return nullptr;
  try {
    RobotContext* context = context_of(self);
    Asked asked;
    if (!context || !parse(r, args, given, names, asked)) return nullptr;
    std::vector<py::object> kept;
    if (asked.varies()) {
      adopt_inputs(r, *context, asked, kept);
      return in_single_precision(r, asked) ? generally<float>(r, *context, asked)
                                           : generally<double>(r, *context, asked);
    }
    if (PyObject* answer = plainly<double>(r, *context, asked)) return answer;
    if (PyErr_Occurred()) return nullptr;
    adopt_inputs(r, *context, asked, kept);
    if (!in_single_precision(r, asked)) return generally<double>(r, *context, asked);
    if (PyObject* answer = plainly<float>(r, *context, asked)) return answer;
    if (PyErr_Occurred()) return nullptr;
    return generally<float>(r, *context, asked);
  } catch (...) {
    set_python_error();
    return nullptr;
  }
}

// One function for each method, because Python passes nothing that distinguishes methods.
constexpr std::size_t most_methods = 48;
template <std::size_t K>
PyObject* context(PyObject* self, PyObject* const* args, Py_ssize_t given, PyObject* names) {
  return ask(ready[K], self, args, given, names);
}
template <std::size_t... K>
std::array<_PyCFunctionFastWithKeywords, sizeof...(K)> all_entry_points(std::index_sequence<K...>) {
  return {context<K>...};
}

int import_numpy() {
  import_array1(-1);
  return 0;
}

}  // namespace

void set_python_error() noexcept {
  try {
    throw;
  } catch (py::error_already_set& e) {
    e.restore();
  } catch (const py::builtin_exception& e) {
    e.set_error();
  } catch (const Error& e) {
    PyErr_SetString(error_class, e.what());
  } catch (const std::invalid_argument& e) {
    PyErr_SetString(PyExc_ValueError, e.what());
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
  }
}

void prepare_entry_points(py::module_&) {
  if (import_numpy() != 0) throw py::error_already_set();
  error_class = py::object(py::module_::import("parid._error").attr("Error")).release().ptr();
  prepare_keywords();
  const py::module_ results = py::module_::import("parid._results");
  for (const ArrayMethod& q : array_methods()) {
    Ready r;
    r.method = &q;
    r.in = static_cast<Py_ssize_t>(q.in.size());
    r.out = static_cast<Py_ssize_t>(q.out.size());
    for (std::size_t k = 0; k < q.in.size(); ++k) r.in_names[k] = interned(q.in[k].name);
    if (q.result) r.result = py::object(results.attr(q.result)).release().ptr();
    ready.push_back(r);
  }
}

void add_entry_points(py::handle type) {
  static std::array<PyMethodDef, most_methods> methods{};
  static const auto functions = all_entry_points(std::make_index_sequence<most_methods>());
  if (ready.size() > most_methods) throw std::logic_error("more methods than entry points");
  for (std::size_t k = 0; k < ready.size(); ++k) {
    const ArrayMethod& q = *ready[k].method;
    methods[k] = {q.method,
                  reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(functions[k])),
                  METH_FASTCALL | METH_KEYWORDS, q.doc};
    const py::object method =
        owned(PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(type.ptr()), &methods[k]));
    type.attr(q.method) = method;
  }
  for (const auto& [alias, method] :
       {std::pair{"rnea", "inverse_dynamics"}, std::pair{"aba", "forward_dynamics"},
        std::pair{"crba", "mass_matrix"}})
    type.attr(alias) = type.attr(method);
}

}  // namespace parid::python
