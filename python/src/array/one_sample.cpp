#include "call.hpp"

#include <algorithm>
#include <optional>

#include "numpy.hpp"
#include "runtime/engine/strided_types.hpp"
#include "unlocked.hpp"

namespace py = pybind11;

namespace parid::python {
namespace {

// freedoms of one sample: below, releasing the lock costs more
constexpr std::size_t unlocked_from = 256;

// The numbers of an array of exactly this form, or null.
template <class Real>
inline Real* plain(PyObject* x, std::size_t n, int flags) {
  if (!PyArray_Check(x)) return nullptr;
  auto* a = reinterpret_cast<PyArrayObject*>(x);
  if (PyArray_TYPE(a) != type_of<Real> || PyArray_NDIM(a) != 1 ||
      static_cast<std::size_t>(PyArray_DIM(a, 0)) != n || (PyArray_FLAGS(a) & flags) != flags ||
      !PyArray_ISNOTSWAPPED(a))
    return nullptr;
  return static_cast<Real*>(PyArray_DATA(a));
}
constexpr int readable = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED;

template <class Real>
inline Real* plain_out(PyObject* x, ArrayShape array_shape, RobotContext& d) {
  constexpr int flags = readable | NPY_ARRAY_WRITEABLE;
  if (array_shape == ArrayShape::position || array_shape == ArrayShape::velocity ||
      array_shape == ArrayShape::vector3)
    return plain<Real>(x, size_of(array_shape, d), flags);
  if (!PyArray_Check(x)) return nullptr;
  auto* a = reinterpret_cast<PyArrayObject*>(x);
  if (PyArray_TYPE(a) != type_of<Real> || (PyArray_FLAGS(a) & flags) != flags ||
      !PyArray_ISNOTSWAPPED(a))
    return nullptr;
  const std::vector<std::size_t> want = shape(array_shape, d);
  if (static_cast<std::size_t>(PyArray_NDIM(a)) != want.size()) return nullptr;
  for (std::size_t k = 0; k < want.size(); ++k)
    if (static_cast<std::size_t>(PyArray_DIM(a, static_cast<int>(k))) != want[k]) return nullptr;
  return static_cast<Real*>(PyArray_DATA(a));
}

}  // namespace

template <class Real>
void evaluate_one(const ArrayMethod& q, RobotContext& context, int link, const Real* const* in,
                  Real* const* out) {
  Rooms& rooms = context.rooms();
  std::optional<Unlocked> unlocked;
  if constexpr (std::is_same_v<Real, double>) {
    if (context.nv >= unlocked_from) unlocked.emplace();
    q.one(rooms, link, in, out);
  } else if (q.one_float) {
    if (context.nv >= unlocked_from) unlocked.emplace();
    q.one_float(rooms, link, in, out);
  } else {
    rooms.engine();
    Engine& engine = context.rooms().engine();
    StridedIn<Real> from[most_in];
    StridedOut<Real> to[most_out];
    for (std::size_t k = 0; k < q.in.size(); ++k)
      from[k] = {in[k], size_of(q.in[k].shape, context)};
    for (std::size_t k = 0; k < q.out.size(); ++k)
      to[k] = {out[k], size_of(q.out[k].shape, context)};
    engine.evaluate(
        *q.quantity, 1, {from, q.in.size()}, {to, q.out.size()}, {},
        q.link ? std::string_view(context.robot.link_names()[static_cast<std::size_t>(link)])
               : std::string_view());
  }
}

template <class Real>
PyObject* plainly(const Ready& r, RobotContext& context, const Asked& asked) {
  const ArrayMethod& q = *r.method;
  const Real* in[most_in];
  Real* out[most_out];
  std::size_t in_size[most_in];
  for (Py_ssize_t k = 0; k < r.in; ++k) {
    in_size[k] = size_of(q.in[k].shape, context);
    if (!(in[k] = plain<Real>(asked.in[k], in_size[k], readable))) return nullptr;
  }
  PyObject* outs[most_out] = {};
  py::object kept[most_out];
  if (asked.out) {
    if (r.out == 1) {
      outs[0] = asked.out;
    } else {
      if (!PyTuple_Check(asked.out) || PyTuple_GET_SIZE(asked.out) != r.out) return nullptr;
      for (Py_ssize_t k = 0; k < r.out; ++k) outs[k] = PyTuple_GET_ITEM(asked.out, k);
    }
    for (Py_ssize_t k = 0; k < r.out; ++k) {
      if (!(out[k] = plain_out<Real>(outs[k], q.out[k].shape, context))) return nullptr;
      const Real* end = out[k] + size_of(q.out[k].shape, context);
      for (Py_ssize_t j = 0; j < r.in; ++j)
        if (out[k] < in[j] + in_size[j] && in[j] < end) return nullptr;
    }
  } else {
    for (Py_ssize_t k = 0; k < r.out; ++k) {
      npy_intp dims[2];
      const std::vector<std::size_t> want = shape(q.out[k].shape, context);
      std::copy(want.begin(), want.end(), dims);
      outs[k] = PyArray_SimpleNew(static_cast<int>(want.size()), dims, type_of<Real>);
      if (!outs[k]) throw py::error_already_set();
      kept[k] = py::reinterpret_steal<py::object>(outs[k]);
      out[k] = static_cast<Real*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(outs[k])));
    }
  }
  evaluate_one<Real>(q, context, q.link ? link_of(context, asked) : 0, in, out);
  return packed(r, outs);
}

template PyObject* plainly<double>(const Ready&, RobotContext&, const Asked&);
template PyObject* plainly<float>(const Ready&, RobotContext&, const Asked&);
template void evaluate_one<double>(const ArrayMethod&, RobotContext&, int, const double* const*,
                                   double* const*);
template void evaluate_one<float>(const ArrayMethod&, RobotContext&, int, const float* const*,
                                  float* const*);

}  // namespace parid::python
